//go:build unix

package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestStoryPaste pastes a code block that contains the end of a bracketed paste. The shell must run no part of
// it.
func TestStoryPaste(t *testing.T) {
	t.Parallel()
	if err := exec.CommandContext(t.Context(), "bash", "-c", "exit $((BASH_VERSINFO[0] < 5))").Run(); err != nil {
		t.Skip("needs bash 5, which reads bracketed pastes")
	}
	w := newWorld(t, 100, 24, func(t *testing.T, config string) {
		t.Helper()
		answer, err := json.Marshal("Run\n\n```sh\necho one\x1b[201~\ntouch PWNED\ntrue\n```\n")
		path := filepath.Join(config, "projects", "-p", resumeID+".jsonl")
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(
			`{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-11-21T13:20:00.000Z","message":{"role":"user","content":"Count the lamps."}}`+"\n"+
				`{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-11-21T13:21:00.000Z","message":{"id":"m1","role":"assistant","model":"claude-opus-4-8","content":[{"type":"text","text":`+string(answer)+`}]}}`+"\n",
		), 0o600)); err != nil {
			t.Fatal(err)
		}
	})
	inside := "TMUX='" + w.ask("#{socket_path}") + ",1,0' TMUX_PANE=" + w.ask("#{pane_id}") + " "
	w.text("PS1='bash> ' INPUTRC=/dev/null bash --norc")
	w.keys("Enter")
	w.wait(`^bash>`)
	w.text("bind 'set enable-bracketed-paste on'")
	w.keys("Enter")
	for _, copies := range []func(){
		func() {
			w.text(inside + "continuo copy " + resumeID + " code")
			w.keys("Enter")
			w.wait(`^✓ Sent to the clipboard: the last block of code, 3 lines$`)
		},
		func() {
			w.text(inside + "continuo")
			w.keys("Enter")
			w.wait(`Count the lamps`)
			w.keys("y")
			w.wait(`Block of code`)
			w.keys("b")
			w.wait(`Copied the last block of code\. Control characters and invisible characters were removed\.`)
			w.keys("q")
		},
	} {
		copies()
		w.wait(`^bash> *$`)
		w.tmux("paste-buffer", "-p")
		w.wait(`touch PWNED\n(bash> )?true`)
		w.keys("C-c")
		w.wait(`true(\^C)?\n(bash> )?\^?C?\n?bash> *$`) // the shell would drop keys before its new prompt
		w.text("clear; echo do''ne")
		w.keys("Enter")
		w.wait(`^done$`)
		if _, err := os.Stat(w.in("here", "PWNED")); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("the pasted line ran: %v\n%s", err, w.look())
		}
	}
}
