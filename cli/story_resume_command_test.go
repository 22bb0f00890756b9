//go:build unix

package cli

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// TestStoryChoose answers the question of a plan. A second writer needs the whole word.
func TestStoryChoose(t *testing.T) {
	t.Parallel()
	gone := past{n: 2, name: "Count the lamps", folder: "pier", gone: true}
	d := newResumeWorld(t, 110, 30, func(home string) { tell(t, home, harbour(), gone) })
	folder := filepath.Join(d.code, "harbour")
	d.live(`"idle"`)
	_, end := d.elsewhere(harbour())
	ask := func(arg string) {
		t.Helper()
		d.start("continuo resume " + arg)
		d.wait(`^Choose a letter, or enter to cancel:`)
	}
	ask(harbour().id())
	d.wait(`^● This session is live elsewhere\.`)
	d.wait(`^  f  Fork  a new session with this history`)
	d.keys("x", "Enter")
	d.wait(`^There is no x here\.`)
	d.keys("o", "Enter") // a single letter could be a typo
	d.wait(`^Open: two writers fork the session; .* To confirm, type open\.`)
	d.none()
	d.keys("Enter")
	d.wait(`^✗ Nothing was run\.`)
	d.ended(out.ExitNo, d.registry()...)
	ask("'tune the harbour bell'")
	d.keys("C-c")
	d.wait(`^code [^0]`)
	d.none()
	d.tmux("send-keys", "-R")
	ask(harbour().id() + " -- --model opus")
	d.keys("f", "Enter")
	d.started()
	d.ran(folder, "--resume", harbour().id(), "--fork-session", "--model", "opus")
	d.keys("Enter")
	d.ended(out.ExitDone, d.registry()...)
	ask(harbour().id())
	d.text("open")
	d.keys("Enter")
	d.started()
	d.ran(folder, "--resume", harbour().id())
	d.keys("Enter")
	d.ended(out.ExitDone, d.registry()...)
	d.start("continuo resume --second-writer " + harbour().id())
	d.started()
	d.ran(folder, "--resume", harbour().id())
	d.keys("Enter")
	d.ended(out.ExitDone, d.registry()...)
	end()

	ask(gone.id())
	d.keys("d", "Enter")
	d.wait(`^Folder:`)
	d.keys("Enter") // an empty line
	d.wait(`^Folder:\n+Choose a letter`)
	d.keys("d", "Enter")
	d.wait(`(?s)Folder:.*Folder:`)
	d.text("~/code/harbour")
	d.keys("Enter")
	d.started()
	d.ran(folder, "--resume", gone.id())
	d.keys("Enter")
	d.ended(out.ExitDone, d.registry()...)
}

// TestStoryScript: without a terminal, nothing runs that needs an answer or a terminal.
func TestStoryScript(t *testing.T) {
	t.Parallel()
	gone := past{n: 2, name: "Count the lamps", folder: "pier", gone: true}
	d := newResumeWorld(t, 110, 30, func(home string) { tell(t, home, harbour(), gone) })
	folder, printed := filepath.Join(d.code, "harbour"), d.in("notes", "out")
	claude := filepath.Join(d.dir, "bin", "claude")
	start := func(args string) { d.start("continuo resume " + args + " </dev/null >" + printed) }
	run := func(args string, code int) string {
		t.Helper()
		start(args)
		d.ended(code)
		return readFile(t, printed)
	}
	plan := func(args string, code int) launch.PlanJSON {
		t.Helper()
		var p launch.PlanJSON
		if text := run(args+" --json", code); json.Unmarshal([]byte(text), &p) != nil || strings.Count(text, "\n") != 1 {
			t.Errorf("%s printed %q", args, text)
		}
		return p
	}
	run(harbour().id(), out.ExitFailed) // claude needs a terminal
	run("0000", out.ExitNone)
	run(harbour().id()+" --in nowhere", out.ExitFailed)
	run(harbour().id()+" -- --continue", out.ExitFailed)
	run(harbour().id()+" -- --resume=x", out.ExitFailed)
	run(harbour().id()+" --new --fork", out.ExitFailed)
	run(gone.id(), out.ExitNo)
	run(gone.id()+" --dry-run", out.ExitDone)
	d.none()
	if text := run(harbour().id()+" --dry-run -- --model 'a b'", out.ExitDone); text != "cd "+place.ShellWord(folder)+" && "+place.ShellWord(claude)+" --resume "+harbour().id()+" --model 'a b'\n" {
		t.Errorf("--dry-run printed %q", text)
	}
	p := plan(gone.id(), out.ExitNo)
	if p.Ran || p.ID != gone.id() || p.Launch != nil || len(p.Findings) != 1 || p.Findings[0].Kind != "folder" || len(p.Choices) != 2 || p.Choices[1].Flags != "--make" {
		t.Errorf("the plan is %+v", p)
	}
	p = plan(harbour().id()+" --fork --dry-run", out.ExitDone)
	if l := p.Launch; p.Ran || l == nil || l.Dir != folder || l.In != "here" || !slices.Equal(l.Argv, []string{claude, "--resume", harbour().id(), "--fork-session"}) {
		t.Errorf("the plan is %+v", p)
	}
	d.none()
	start(harbour().id() + " -- -p 'what now; $(touch x)'") // -p needs no terminal
	d.ran(folder, "--resume", harbour().id(), "-p", "what now; $(touch x)")
	d.ended(out.ExitDone)
	start(gone.id() + " --folder " + folder + " -- -p x")
	d.ran(folder, "--resume", gone.id(), "-p", "x")
	d.ended(out.ExitDone)
	d.live(`"busy"`)
	_, end := d.elsewhere(harbour())
	d.start("continuo resume " + harbour().id() + " --json -- -p x >" + printed) // on a terminal, but with --json
	d.ended(out.ExitNo, d.registry()...)
	d.none()
	end()
}

// TestStoryLatest: --latest resumes a pending backup or, without one, the newest document or session.
func TestStoryLatest(t *testing.T) {
	t.Parallel()
	older := past{n: 2, name: "Count the lamps", folder: "harbour"}
	other := past{n: 3, name: "Paint the gates", folder: "quay"}
	var wrote []string
	d := newResumeWorld(t, 110, 30, func(home string) { tell(t, home, other, harbour(), older) })
	folder := filepath.Join(d.code, "harbour")
	write := func(text string, names ...string) string {
		t.Helper()
		path := filepath.Join(append([]string{folder, ".claude"}, names...)...)
		putFile(t, path, text)
		wrote = append(everything(filepath.Join(folder, ".claude")), d.in("home", "state", "continuo", "seen")) // resuming a backup marks it as reviewed
		return path
	}
	latest := func(args ...string) {
		t.Helper()
		d.start("(cd " + folder + " && continuo resume --latest)")
		d.started()
		d.ran(folder, args...)
		d.keys("Enter")
		d.ended(out.ExitDone, wrote...)
	}
	latest("--resume", harbour().id()) // the newest session of all is in a different project
	document := write("---\ndate: 2026-11-21 15:30\nstatus: completed\n---\n# Bell\n", "memory", "session-2026-11-21-1530.md")
	latest("Read the session document " + document + " and ask how to go on from there.")
	write("go on", "commands", "resume-from.md")
	latest("/resume-from " + document)
	backup := write(readFile(t, older.path(d.home)), "memory", "raw", "20261121_133000Z_prompt_input_exit.jsonl")
	write(backup+"\n", "memory", ".pending-backup-exit")
	latest("--resume", older.id()) // the session of the backup still exists
	lost := write(strings.ReplaceAll(readFile(t, older.path(d.home)), older.id(), past{n: 9}.id()), "memory", "raw", "20261121_134000Z_prompt_input_exit.jsonl")
	write(lost+"\n", "memory", ".pending-backup-exit")
	latest("Read the transcript " + lost + ", sum up where we were, and ask how to go on.")
	write("go on", "commands", "resume-latest.md")
	latest("/resume-latest")

	d.start("(cd " + folder + " && continuo resume --latest --dry-run)")
	d.wait(`^cd /`)
	d.ended(out.ExitDone, wrote...)
	d.start("(cd " + folder + " && continuo resume --latest --fork)")
	d.wait(`^✗ A backup begins a new session, so there is nothing to fork\.`)
	d.ended(out.ExitFailed, wrote...)
}
