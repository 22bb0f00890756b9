//go:build unix

package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui"
)

// TestRecoverNew: the client gets the text as one argument, without a shell. The text isn't a flag.
func TestRecoverNew(t *testing.T) {
	fakeClaude(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := recovery.Result{Level: recovery.Where, Text: "--dangerous $(touch x) `touch x`\n/clear\n", From: []string{"NOTES.md"}}
	b := browse.Ledgers{Env: resumeDeps(t.TempDir()).Env, O: resumeDeps(t.TempDir()).Output, Logs: nil}
	for how, options := range map[tui.Taking]string{tui.TakeSession: "", tui.TakePlan: "--permission-mode\nplan\n"} {
		taken, err := b.Take(t.Context(), root, r, how)
		if err != nil || taken.Run == nil {
			t.Fatal(taken, err)
		}
		var out bytes.Buffer
		taken.Run.SetStdin(strings.NewReader(""))
		taken.Run.SetStdout(&out)
		taken.Run.SetStderr(&out)
		if err := taken.Run.Run(); err != nil {
			t.Fatal(err)
		}
		want := root + "\n" + root + "\nunset\nThis is recovered from NOTES.md (level 1):\n\n" + r.Text + "\n" + options
		if out.String() != want {
			t.Errorf("the client got\n%q, want\n%q", out.String(), want)
		}
		if line := taken.Run.(*launch.Takeover).Line; strings.Contains(line, "/clear") || !strings.HasPrefix(line, "cd ") {
			t.Errorf("the shown line is %q", line)
		}
	}
}

// TestRecoverNewLong: the text is too long for an argument.
func TestRecoverNewLong(t *testing.T) {
	fakeClaude(t)
	d, root := resumeDeps(t.TempDir()), t.TempDir()
	r := recovery.Result{Level: recovery.All, Text: strings.Repeat("x", 64<<10)}
	l, err := ledgers.PlanRecovered(t.Context(), d.Env, &r, root)
	if err != nil || l.In != resume.WhereHere || len(l.Argv) != 2 {
		t.Errorf("64 KB: %+v, %v", l, err)
	}
	r.Text = strings.Repeat("x", 128<<10)
	if _, err := ledgers.PlanRecovered(t.Context(), d.Env, &r, root); err == nil || !strings.Contains(err.Error(), "--to FILE") {
		t.Errorf("128 KB: %v", err)
	}
	r.Text = "a\x00b\x1b[201~\u202e\r\nc"
	l, err = ledgers.PlanRecovered(t.Context(), d.Env, &r, root)
	if err != nil || !strings.HasSuffix(l.Argv[1], ":\n\nab\nc") {
		t.Errorf("not clean: %+v, %v", l, err)
	}
}

// TestRecoverFile: the browser writes a new file with mode 0600.
func TestRecoverFile(t *testing.T) {
	t.Parallel()
	d := resumeDeps(t.TempDir())
	b := browse.Ledgers{Env: d.Env, O: d.Output, Logs: nil}
	r := recovery.Result{Level: recovery.Topic, Tokens: 1, Text: "a\n"}
	taken, err := b.Take(t.Context(), d.Dir, r, tui.TakeFile)
	if err != nil || !strings.HasPrefix(taken.Said, "Written to ~/recovery-2-") {
		t.Fatal(taken, err)
	}
	if _, err := b.Take(t.Context(), d.Dir, r, tui.TakeFile); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("the second one: %v", err)
	}
	if !strings.HasSuffix(taken.Said, " u deletes it again.") {
		t.Errorf("the message is %q", taken.Said)
	}
	path := ledgers.RecoveredName(d.Env, &r)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if text, _ := os.ReadFile(path); string(text) != r.Text {
		t.Errorf("the file has %q", text)
	}
	printed := d.Out.W.(*bytes.Buffer)
	if code := execute(t.Context(), d.Env, d.Output, []string{"undo", "--yes"}); code != out.ExitDone {
		t.Errorf("undo ends with %d: %s%s", code, printed, d.Err.W)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is there still: %v\n%s", err, printed)
	}

	// If the journal can't be written, the file is written, with a warning.
	d = resumeDeps(t.TempDir())
	state := filepath.Join(d.Home, ".local", "state")
	if err := errors.Join(os.MkdirAll(filepath.Dir(state), 0o700), os.WriteFile(state, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	taken, err = browse.Ledgers{Env: d.Env, O: d.Output, Logs: nil}.Take(t.Context(), d.Dir, r, tui.TakeFile)
	if err != nil || !strings.Contains(taken.Said, "continuo undo can't undo") {
		t.Errorf("%+v, %v", taken, err)
	}
	if text, _ := os.ReadFile(ledgers.RecoveredName(d.Env, &r)); string(text) != r.Text {
		t.Errorf("the file has %q", text)
	}
}

// TestCK: ck prints other output between the hits.
func TestCK(t *testing.T) {
	t.Parallel()
	const asked = "--hybrid\nguest tokens\n--topk\n20\n--jsonl\n"
	tests := []struct{ name, script, why string }{
		{"hits", `printf '%s\n' "$@" >said
echo 'no json'
echo '{"path":"'"$6"'/NOTES.md","span":{"byte_start":0,"byte_end":9,"line_start":12,"line_end":14},"language":null,"snippet":"a quote","score":0.03}'`, ""},
		{"none", `printf '%s\n' "$@" >said; exit 1`, "ck found nothing"},
		{"error", `printf '%s\n' "$@" >said; echo one >&2; printf '\033[31mno model.\n' >&2; exit 1`, "ck failed: no model"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, root := fakeBr(t, "ck", tt.script)
			hits, err := place.SearchCK(t.Context(), d.Host, filepath.Join(root, "notes"), root, "--guest tokens")
			if output, _ := os.ReadFile(filepath.Join(root, "said")); string(output) != asked+filepath.Join(root, "notes")+"\n" {
				t.Errorf("ck was asked %q", output)
			}
			if tt.why != "" {
				if err == nil || err.Error() != tt.why || hits != nil {
					t.Errorf("%v, %v", hits, err)
				}
				return
			}
			want := recovery.Hit{File: "notes/NOTES.md", From: 12, To: 14, Text: "a quote", Similarity: 0.03}
			if err != nil || len(hits) != 1 || hits[0] != want {
				t.Errorf("hits are %v, %v", hits, err)
			}
		})
	}
	d, root := fakeBr(t, "other", "")
	d.Host.Environ = []string{"PATH=" + t.TempDir()}
	if _, err := place.SearchCK(t.Context(), d.Host, root, root, "x"); err == nil || err.Error() != "ck is not installed" {
		t.Errorf("without ck: %v", err)
	}
}

// TestRecoverUnread: NOTES.md is unreadable, but the beads are read.
func TestRecoverUnread(t *testing.T) {
	t.Parallel()
	d := resumeDeps(t.TempDir())
	for name, text := range map[string]string{"NOTES.md": "# Notes\n\x00", ".git/HEAD": "ref: refs/heads/main\n"} {
		path := filepath.Join(d.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	output, printed := d.Err.W.(*bytes.Buffer), d.Out.W.(*bytes.Buffer)
	if code := execute(t.Context(), d.Env, d.Output, []string{"recover", "3"}); code != out.ExitFailed || !strings.Contains(output.String(), "NOTES.md is not a text file") {
		t.Errorf("exit %d: %s", code, output)
	}
	bead := filepath.Join(d.Dir, ".beads", "issues.jsonl")
	if err := os.Mkdir(filepath.Dir(bead), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bead, []byte(`{"id":"t-1","title":"Hours","status":"in_progress","priority":1}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	output.Reset()
	if code := execute(t.Context(), d.Env, d.Output, []string{"recover"}); code != out.ExitDone || printed.String() != "Bead: t-1 Hours (in progress) [B]\n[B bead]\n" || !strings.Contains(output.String(), "not a text file") {
		t.Errorf("exit %d: %s%s", code, printed, output)
	}
}
