//go:build unix

package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

// TestE2EKeeperProcess runs a keeper beside a session in a terminal. The next keeper resumes a session of the killed
// keeper.
func TestE2EKeeperProcess(t *testing.T) {
	t.Parallel()
	w := newClientWorld(t)
	h := &keeperHome{t: t, home: w.home, code: w.code, env: strings.Split(strings.TrimSpace(readFile(t, w.in("notes", "env"))), "\n")}
	clients := func() []sessions.Live {
		list, errs := sessions.ReadRegistry(t.Context(), w.config, sessions.SystemProbe())
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		return list
	}
	w.run("cd '" + w.code + "'; claude")
	w.ready("")
	w.say("in the terminal")
	id := clients()[0].SessionID

	h.start()
	if got, want := h.run(2, "send", id, "hello"), fmt.Sprint("Another client has this session open: process ", clients()[0].PID); !strings.Contains(got, want) {
		t.Errorf("send says %s", got)
	}
	var fork api.Sent
	h.post("/sessions/"+id+"/send", `{"message":"in the fork","fork":true}`, &fork)
	h.heard(fork.ID, "in the fork")
	var made api.Created
	h.post("/sessions", fmt.Sprintf(`{"workdir":%q,"prompt":"first"}`, h.code), &made)
	h.heard(made.ID, "first")
	h.run(0, "send", made.ID, "second")
	h.heard(made.ID, "second")
	if fork.ID == id || len(clients()) != 3 {
		t.Errorf("the fork of %s is %s; clients %+v", id, fork.ID, clients())
	}

	var pid int
	if _, err := fmt.Sscan(readFile(t, filepath.Join(w.home, "state", "continuo", "keeper", "pid")), &pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if !patiently(func() bool { return len(clients()) == 1 }) {
		t.Errorf("after the keeper, clients %+v", clients())
	}
	w.say("still here")
	_, ended := h.start()
	h.run(0, "send", made.ID, "third")
	h.heard(made.ID, "third")
	w.say("and still")
	w.exit()
	w.wait(`^claude --resume `)
	h.run(0, "send", id, "from the keeper")
	h.heard(id, "from the keeper")
	h.run(0, "keeper", "stop")
	if got := ended(); strings.Count(got, "Ended the session ") != 2 {
		t.Errorf("at its end, the keeper says %s", got)
	}
}
