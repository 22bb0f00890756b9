package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

func answerMessage(text string) transcript.Message {
	return transcript.Message{
		Role: transcript.RoleAssistant, Kind: transcript.Answer, Model: "claude-opus-4-8",
		Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: text}},
	}
}

// chat returns a document whose last prompt follows a tool call without text.
func chat() fakeDoc {
	return fakeDoc{messages: []transcript.Message{
		answerMessage("Old.\n\n```go\nx := \"\x1b[31m\"\n\ty()\n```\n"),
		answerMessage("**Done**, see `a`.\n\n- \x1b[2Jone\n"),
		{Role: transcript.RoleAssistant, Kind: transcript.Answer, Blocks: []transcript.Block{{Kind: transcript.BlockToolUse, Name: "Bash"}}},
		{Role: transcript.RoleUser, Kind: transcript.Prompt, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: "```\nno\n```"}}},
	}}
}

func TestCopyPrints(t *testing.T) {
	t.Parallel()
	src, env := fakeSource{rows: teahouse(), doc: chat()}, []string{"CLAUDE_CONFIG_DIR=/home/ada/.claude"}
	for _, c := range []struct{ args, want string }{
		{"90e4", "cd /home/ada/code/teahouse && claude --resume 90e4c5aa-0000-4000-8000-000000000000\n"},
		{"90e4 command", "cd /home/ada/code/teahouse && claude --resume 90e4c5aa-0000-4000-8000-000000000000\n"},
		{"90e4 id", "90e4c5aa-0000-4000-8000-000000000000\n"},
		{"90e4 path", "/home/ada/.claude/projects/-home-ada-code-teahouse/90e4c5aa-0000-4000-8000-000000000000.jsonl\n"},
		{"90e4 answer", "**Done**, see `a`.\n\n- one\n\n"},
		{"90e4 code", "x := \"\"\n\ty()\n"},
	} {
		for _, terminal := range []bool{false, true} {
			args := append([]string{"copy"}, strings.Fields(c.args)...)
			if terminal {
				args = append(args, "--print")
			}
			code, stdout, stderr := testRun{src: src, env: env, terminal: terminal, args: args}.do(t)
			if code != out.ExitDone || stdout != c.want || stderr != "" {
				t.Errorf("%s, terminal %v: exit code %d, %q %q", c.args, terminal, code, stdout, stderr)
			}
		}
	}
}

func TestCopyCopies(t *testing.T) {
	t.Parallel()
	src := fakeSource{rows: teahouse(), doc: chat()}
	const leftOut = "△ Control characters and invisible characters were removed.\n"
	for _, c := range []struct{ args, text, copied, output, note string }{
		{"90e4 id", "90e4c5aa-0000-4000-8000-000000000000", "90e4c5aa-0000-4000-8000-000000000000", "✓ Sent to the clipboard: 90e4c5aa-0000-4000-8000-000000000000\n", ""},
		{"90e4 answer", "**Done**, see `a`.\n\n- \x1b[2Jone\n", "**Done**, see `a`.\n\n- one\n", "✓ Sent to the clipboard: the last answer, 3 lines\n", leftOut},
		{"90e4 code", "x := \"\x1b[31m\"\n\ty()", "x := \"\"\n\ty()", "✓ Sent to the clipboard: the last block of code, 2 lines\n", leftOut},
	} {
		args := append([]string{"copy"}, strings.Fields(c.args)...)
		code, stdout, stderr := testRun{src: src, terminal: true, args: args}.do(t)
		sequence, output, _ := strings.Cut(stdout, "\a")
		if code != out.ExitDone || osc52Text(t, sequence+"\a") != c.copied || output != c.output || stderr != c.note {
			t.Errorf("%s: exit code %d, %q %q", c.args, code, stdout, stderr)
		}
		for _, terminal := range []bool{true, false} {
			_, stdout, _ = testRun{src: src, terminal: terminal, args: append(args, "--json")}.do(t)
			_, line, ok := strings.Cut(stdout, "\a")
			if !ok {
				line = stdout
			}
			var got struct {
				What, Text string
				Copied     bool
			}
			if err := json.Unmarshal([]byte(line), &got); err != nil || got.What != args[2] || got.Text != c.text || got.Copied != terminal || ok != terminal {
				t.Errorf("%s --json, terminal %v: %q, %v", c.args, terminal, stdout, err)
			}
		}
	}
	long := fakeDoc{messages: []transcript.Message{answerMessage(strings.Repeat("x", 100_000))}}
	code, _, stderr := testRun{src: fakeSource{rows: teahouse(), doc: long}, terminal: true, args: []string{"copy", "90e4", "answer"}}.do(t)
	if code != out.ExitDone || !strings.HasPrefix(stderr, "△ Some terminals accept at most 75 kB") {
		t.Errorf("a long answer: exit code %d, %q", code, stderr)
	}
}

func TestCopyLatest(t *testing.T) {
	t.Parallel()
	src := fakeSource{rows: teahouse()}
	for _, args := range [][]string{{"copy", "--latest", "id"}, {"copy", "id", "--latest"}} {
		code, stdout, _ := testRun{src: src, dir: teahouse()[0].Project, args: args}.do(t)
		if code != out.ExitDone || stdout != teahouse()[0].ID+"\n" {
			t.Errorf("%q: exit code %d, %q", args, code, stdout)
		}
	}
	code, stdout, stderr := testRun{src: src, dir: teahouse()[0].Project, args: []string{"copy", "--latest"}}.do(t)
	if code != out.ExitDone || !strings.Contains(stdout, "--resume "+teahouse()[0].ID) ||
		stderr != "△ The session is open elsewhere. Close it there first: two writers hide each other's messages.\n" {
		t.Errorf("exit code %d, %q %q", code, stdout, stderr)
	}
}

func TestCopyRefused(t *testing.T) {
	t.Parallel()
	silent := fakeDoc{messages: []transcript.Message{answerMessage(" \n"), {Kind: transcript.Prompt}}}
	for _, c := range []struct {
		args string
		doc  fakeDoc
		code int
		want string
	}{
		{"", silent, out.ExitFailed, "✗ copy takes a session: an ID or ID prefix, a title, a path, or --latest."},
		{"answer", silent, out.ExitFailed, "✗ copy takes the session before answer: an ID or ID prefix, a title, a path, or --latest.\n  hint  continuo copy --latest answer\n"},
		{"90e4 anser", silent, out.ExitFailed, "✗ copy takes command, id, path, answer or code, not anser. Put a title in quotes."},
		{"Add a id", silent, out.ExitFailed, "✗ copy takes one session, not 2 words."},
		{"90e4 id --latest", silent, out.ExitFailed, "✗ --latest and 90e4 both name a session."},
		{"--latest anser", silent, out.ExitFailed, "✗ copy takes command, id, path, answer or code, not anser."},
		{"nothing-like-it id", silent, out.ExitNone, "✗ No session has the ID or title nothing-like-it."},
		{"90e4 answer", silent, out.ExitNo, "✗ No answer in this session has text. Read the session.\n  hint  continuo show 90e4c5aa-0000-4000-8000-000000000000\n"},
		{"90e4 code", silent, out.ExitNo, "✗ No answer in this session has a code block. Read the session."},
		{"90e4 answer", fakeDoc{}, out.ExitNo, "✗ No answer in this session has text."},
		{"7c41", silent, out.ExitFailed, "✗ Only a copy of this session is left, so claude cannot resume it. continuo can still show it."},
	} {
		code, stdout, stderr := testRun{src: fakeSource{rows: teahouse(), doc: c.doc}, terminal: true, args: append([]string{"copy"}, strings.Fields(c.args)...)}.do(t)
		if code != c.code || stdout != "" || !strings.HasPrefix(stderr, c.want) {
			t.Errorf("%q: exit code %d, %q %q", c.args, code, stdout, stderr)
		}
	}
	rows := []sessions.Row{row("session-1", "Notes", kind(sessions.KindDocument)), row(resumeID, "x", state(sessions.StateUnreadable))}
	for args, want := range map[string]string{
		"session-1 answer":  "✗ A document has no answers.",
		"session-1 command": "✗ A document cannot be resumed.",
		resumeID + " code":  "✗ /home/ada/.claude/projects/-home-ada-code-teahouse/" + resumeID + ".jsonl cannot be read.",
	} {
		code, _, stderr := testRun{src: fakeSource{rows: rows}, args: append([]string{"copy"}, strings.Fields(args)...)}.do(t)
		if code != out.ExitFailed || !strings.HasPrefix(stderr, want) {
			t.Errorf("%q: exit code %d, %q", args, code, stderr)
		}
	}
	hostile := fakeSource{rows: []sessions.Row{row("x\x1b[201~\ntouch y\n", "Notes", in("/w", "/w"))}}
	for _, what := range []string{"id", "path"} {
		code, stdout, stderr := testRun{src: hostile, terminal: true, args: []string{"copy", "Notes", what}}.do(t)
		if code != out.ExitFailed || stdout != "" || !strings.HasPrefix(stderr, "✗ The file name has control characters.") {
			t.Errorf("%s: exit code %d, %q %q", what, code, stdout, stderr)
		}
	}
	code, _, stderr := testRun{src: fakeSource{rows: teahouse(), open: os.ErrPermission}, args: []string{"copy", "90e4", "code"}}.do(t)
	if code != out.ExitFailed || !strings.Contains(stderr, "cannot be read: permission denied. Check the file.") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// TestResumeLine: the client must start with the session's folder and config directory.
func TestResumeLine(t *testing.T) {
	fakeClaude(t)
	home := t.TempDir()
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work = filepath.Join(work, "it's a $(touch x); `touch y` \\ \"&\" ~ é")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	own, other := filepath.Join(home, ".claude"), filepath.Join(home, "an other")
	for _, c := range []struct {
		name, dir, env, want string
	}{
		{"default directory", own, "", "unset"},
		{"its own directory in the environment", own, own, own},
		{"another directory", other, "", other},
		{"another than in the environment", own, other, "unset"},
		{"one in the environment, of another", other, own, other},
		{"directory of its path", "", "", filepath.Join(home, "third")},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
			if c.env != "" {
				env = append(env, "CLAUDE_CONFIG_DIR="+c.env)
			}
			d := newDeps(Program{Env: env, Dir: home, Now: now, Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
			r := row(resumeID, "x", in(work, work), func(r *sessions.Row) {
				r.Dir, r.Path = c.dir, filepath.Join(home, "third", "projects", "x", resumeID+".jsonl")
			})
			line, note, err := launch.ResumeLine(d.Env, &r)
			if err != nil || note != "" {
				t.Fatal(note, err)
			}
			sh := exec.CommandContext(t.Context(), "sh", "-c", line)
			sh.Env, sh.Dir = env, home
			out, err := sh.CombinedOutput()
			want := strings.Join([]string{work, work, c.want, "--resume", resumeID}, "\n") + "\n"
			if err != nil || string(out) != want {
				t.Errorf("%s\ngives\n%s%v, want\n%s", line, out, err, want)
			}
		})
	}
}

func TestResumeLineForms(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of a POSIX system")
	}
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".config", "continuo"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "[claude]\ncommand = \"/opt/my claude\"\nargs = [\"--model\", \"opus\"]\n"
	if err := os.WriteFile(filepath.Join(home, ".config", "continuo", "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const dir = "CLAUDE_CONFIG_DIR=/home/ada/.claude"
	plain := newDeps(Program{Env: []string{"HOME=" + t.TempDir(), dir}, Dir: home})
	own := newDeps(Program{Env: []string{"HOME=" + home, dir}, Dir: home})
	const busy = "Close it there first: two writers hide each other's messages."
	for _, c := range []struct {
		name             string
		d                *deps
		change           func(*sessions.Row)
		line, note, fail string
	}{
		{"plain", plain, in("", "/home/ada/code"), "cd /home/ada/code && claude --resume " + resumeID, "", ""},
		{"quoted", plain, in("", "/home/ada/my code"), "cd '/home/ada/my code' && claude --resume " + resumeID, "", ""},
		{"own command", own, in("", "/w"), "cd /w && '/opt/my claude' --model opus --resume " + resumeID, "", ""},
		{"live", plain, func(r *sessions.Row) { r.Workdir, r.Live = "/w", &sessions.Live{PID: 42} }, "cd /w && claude --resume " + resumeID, "Open in process 42. " + busy, ""},
		{"no folder", plain, in("", ""), "claude --resume " + resumeID, "The transcript doesn't name its folder. Run the command there.", ""},
		{"no whole folder", plain, func(r *sessions.Row) { in("", "-x")(r); flags(sessions.FlagLive)(r) }, "claude --resume " + resumeID, "The session is open elsewhere. " + busy + " The transcript doesn't name its folder. Run the command there.", ""},
		{"a file of its own", plain, func(r *sessions.Row) { r.Workdir, r.Path = "/w", "/elsewhere/"+resumeID+".jsonl" }, "cd /w && claude --resume " + resumeID, "Its file is in no Claude config directory, so claude may not find it.", ""},
		{"folder with an escape", plain, in("", "/w\x1b[201~\nrm"), "", "", "The folder name has control characters. Resume it from here instead."},
		{"config directory with a newline", plain, func(r *sessions.Row) { r.Dir = "/x\ny" }, "", "", "The folder name has control characters"},
		{"an id like a flag", plain, func(r *sessions.Row) { r.ID = "--dangerously-skip-permissions" }, "", "", "The name of "},
		{"not resumable", plain, flags(sessions.FlagNotResumable), "", "", "The name of "},
		{"a stub", plain, state(sessions.StateStub), "", "", "This session has no messages"},
		{"a backup", plain, kind(sessions.KindBackup), "", "", "A backup cannot be resumed."},
	} {
		r := row(resumeID, "x", c.change)
		line, note, err := launch.ResumeLine(c.d.Env, &r)
		if line != c.line || note != c.note || (err == nil) != (c.fail == "") || err != nil && !strings.HasPrefix(err.Error(), c.fail) {
			t.Errorf("%s: %q, note %q, %v", c.name, line, note, err)
		}
	}
}

func osc52Text(t *testing.T, written string) string {
	t.Helper()
	data, ok := strings.CutPrefix(written, "\x1b]52;c;")
	data, ended := strings.CutSuffix(data, "\a")
	text, err := base64.StdEncoding.DecodeString(data)
	if !ok || !ended || err != nil {
		t.Fatalf("%.80q is not OSC 52: %v", written, err)
	}
	return string(text)
}
