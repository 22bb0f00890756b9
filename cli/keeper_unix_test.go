//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

// keeperHome is a home with the stand-in client.
type keeperHome struct {
	t    *testing.T
	home string
	code string
	env  []string
}

func newKeeperHome(t *testing.T) *keeperHome {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return keeperHomeIn(t, home)
}

func keeperHomeIn(t *testing.T, home string) *keeperHome {
	t.Helper()
	h := &keeperHome{t: t, home: home, code: filepath.Join(home, "code")}
	bin, program := filepath.Join(home, "bin"), lookPath(t, "standin")
	for _, dir := range []string{h.code, bin} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	putProgram(t, filepath.Join(bin, "claude"), "#!/bin/sh\nexec '"+program+"' \"$@\"\n")
	h.env = []string{"HOME=" + home, "PATH=" + bin + ":/usr/bin:/bin", "TZ=UTC", "GORACE=atexit_sleep_ms=0"}
	return h
}

func lookPath(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func (h *keeperHome) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(h.t.Context(), lookPath(h.t, "continuo"), args...)
	cmd.Dir, cmd.Env = h.code, h.env
	return cmd
}

// run returns stdout followed by stderr.
func (h *keeperHome) run(code int, args ...string) string {
	h.t.Helper()
	var out bytes.Buffer
	cmd := h.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // code is checked below
	if got := cmd.ProcessState.ExitCode(); got != code {
		h.t.Fatalf("continuo %s exits with %d, not %d:\n%s", strings.Join(args, " "), got, code, &out)
	}
	return out.String()
}

// start starts the keeper. ended waits for its end, and returns its stderr.
func (h *keeperHome) start() (link string, ended func() string) {
	h.t.Helper()
	cmd := h.command("keeper", "start")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = cmd.Process.Kill() })
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "link\t"); ok {
			return text, func() string { _ = cmd.Wait(); return stderr.String() }
		}
	}
	_ = cmd.Wait()
	h.t.Fatalf("the keeper isn't ready: %s", &stderr)
	return "", nil
}

func (h *keeperHome) post(path, body string, out any) {
	h.t.Helper()
	var status struct{ URL, TokenFile string }
	if err := json.Unmarshal([]byte(h.run(0, "keeper", "status", "--json")), &status); err != nil {
		h.t.Fatal(err)
	}
	token := strings.TrimSpace(readFile(h.t, status.TokenFile))
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, status.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if err := json.NewDecoder(response.Body).Decode(out); err != nil || response.StatusCode >= http.StatusBadRequest {
		h.t.Fatalf("%s: %s, %v", path, response.Status, err)
	}
}

func TestKeeper(t *testing.T) {
	t.Parallel()
	h := newKeeperHome(t)
	link, ended := h.start()
	files := filepath.Join(h.home, ".local", "state", "continuo", "keeper")
	token := strings.TrimSpace(readFile(t, filepath.Join(files, "token")))
	if !strings.HasPrefix(link, "http://127.0.0.1:") || !strings.HasSuffix(link, "/#token="+token) || len(token) < 20 {
		t.Errorf("link %s, token %s", link, token)
	}
	for name, want := range map[string]fs.FileMode{"": 0o700, "token": 0o600, "live-token": 0o600, "port": 0o600, "pid": 0o600} {
		if info, err := os.Stat(filepath.Join(files, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if got := h.run(1, "keeper", "start"); !strings.Contains(got, "A keeper is already running: process ") {
		t.Errorf("a second keeper says %s", got)
	}

	var made api.Created
	h.post("/sessions", fmt.Sprintf(`{"workdir":%q,"prompt":"ask for it","name":"Tea"}`, h.code), &made)
	question := ""
	patiently(func() bool { question = h.run(0, "answer"); return question != "" })
	if !strings.HasSuffix(question, "\tBash touch made\n") || !strings.Contains(question, "\tpermission\t"+made.ID) {
		t.Fatalf("questions %q", question)
	}
	if got := h.run(0, "live"); !strings.Contains(got, made.ID+"\t") || !strings.Contains(got, "\tcontinuo\t") {
		t.Errorf("live prints %s", got)
	}
	h.run(0, "answer", question[:5], "deny", "--message", "Not now.")
	h.heard(made.ID, "ask for it (deny Not now.)")
	h.run(0, "send", made.ID[:8], "and more")
	h.heard(made.ID, "and more")
	if got := h.run(0, "list"); !strings.Contains(got, "Tea") {
		t.Errorf("list prints %s", got)
	}

	var pid int
	if _, err := fmt.Sscan(readFile(t, filepath.Join(files, "pid")), &pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	ended()
	h.run(1, "keeper", "status")
	// Another process may have the PID now.
	if err := os.WriteFile(filepath.Join(files, "pid"), fmt.Appendf(nil, "%d 1\n", os.Getpid()), 0o600); err != nil {
		t.Fatal(err)
	}
	h.run(1, "keeper", "status")

	again, ended := h.start()
	if !strings.HasSuffix(again, token) {
		t.Errorf("the token changed: %s", again)
	}
	h.run(0, "send", made.ID, "after the restart") // resumes the session
	h.heard(made.ID, "after the restart")
	h.run(0, "keeper", "stop")
	if got := ended(); got != "Ended the session "+made.ID+", which ran in continuo. To resume it: continuo resume "+made.ID+"\n" {
		t.Errorf("at its end, the keeper says %q", got)
	}
	if _, err := os.Stat(filepath.Join(files, "pid")); err == nil {
		t.Error("the keeper left its PID")
	}
}

func (h *keeperHome) heard(id, prompt string) {
	h.t.Helper()
	path := filepath.Join(h.home, ".claude", "projects", sessions.Slug(h.code), id+".jsonl")
	var text []byte
	if !patiently(func() bool {
		text, _ = os.ReadFile(path) // the client creates the transcript at the first prompt
		return strings.Contains(string(text), "I heard: "+prompt)
	}) {
		h.t.Fatalf("no answer to %q:\n%s", prompt, text)
	}
}

// TestKeeperPort: the port of the config is in use.
func TestKeeperPort(t *testing.T) {
	t.Parallel()
	h := newKeeperHome(t)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	config := filepath.Join(h.home, ".config", "continuo")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte("keeper.port = "+port+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := h.run(2, "keeper", "start"); !strings.Contains(got, "The port "+port+" can't be used: ") {
		t.Errorf("a taken port: %s", got)
	}
}

// TestStoryKeeper answers a question on the Live tab, and finds the session again.
func TestStoryKeeper(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	var h *keeperHome
	w := newWorld(t, 120, 36, func(t *testing.T, config string) {
		if err := os.Mkdir(config, 0o700); err != nil {
			t.Fatal(err)
		}
		h = keeperHomeIn(t, filepath.Dir(config))
		h.env = append(h.env, "XDG_STATE_HOME="+filepath.Join(h.home, "state"))
	})
	_, ended := h.start()
	var made api.Created
	h.post("/sessions", fmt.Sprintf(`{"workdir":%q,"prompt":"ask first"}`, h.code), &made)
	w.start("continuo")
	w.wait(` Live 1 1\?`)
	w.keys("BTab")
	w.wait(`Waits for you`)
	w.keys("A")
	w.wait(`May it run this command\?`)
	w.wait(`touch made`)
	w.keys("o")
	w.wait(`I heard: ask first \(allow \)`)
	w.wait(`● idle`)
	w.keys(">")
	w.text("more")
	w.wait(`❯ more`)
	w.keys("Enter")
	w.wait(`I heard: more`)
	w.keys("Escape")
	w.wait(` Q detach`)
	w.keys("Q")
	w.wait(`^1 session continues in the keeper\.\ncode 0$`)

	h.run(0, "send", made.ID, "meanwhile")
	w.keys("C-l")
	w.start("continuo")
	w.wait(` Live 1 `)
	w.keys("BTab")
	w.wait(`● .*ask first`)
	w.keys("Enter")
	w.wait(`I heard: meanwhile`)
	w.keys("C-c")
	w.wait(`^1 session continues in the keeper\.\ncode 0$`)
	h.run(0, "keeper", "stop")
	ended()
}
