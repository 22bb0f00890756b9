package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
)

const (
	keptBackup   = "20261121_134000Z_exit"
	keptDocument = `session-2026-11-21 the "bell"`
)

// kept returns a function that turns a row into a backup or a document.
func kept(kind sessions.Kind, path string) func(*sessions.Row) {
	return func(r *sessions.Row) { r.Kind, r.Path = kind, path }
}

// attic is a project with a backup of a session, and with a document.
type attic struct {
	t                        *testing.T
	d                        *deps
	bin                      string // directory of the fake claude
	home, project            string
	session                  string // path of the transcript
	backup, document, marker string
	text                     string
}

func newAttic(t *testing.T) *attic {
	t.Helper()
	a := &attic{t: t, bin: fakeClaude(t)}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a.home, a.project = home, filepath.Join(home, "code", "the harbour; $(touch x)")
	memory := filepath.Join(a.project, ".claude", "memory")
	a.session = filepath.Join(home, ".claude", "projects", sessions.Slug(a.project), resumeID+".jsonl")
	a.backup = filepath.Join(memory, "raw", keptBackup+".jsonl")
	a.document = filepath.Join(memory, keptDocument+".md")
	a.marker = filepath.Join(memory, ".pending-backup-exit")
	record := func(kind, uuid, parent, text string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":%q,"cwd":%q,"version":"2.1.329","timestamp":"2026-11-21T10:00:00Z","message":{"role":%q,"content":%q}}`+"\n",
			kind, uuid, parent, resumeID, a.project, kind, text)
	}
	a.text = record("user", "u1", "null", "Tune the harbour bell") + record("assistant", "u2", `"u1"`, "It rings.")
	a.write(a.backup, a.text)
	a.write(a.document, "---\ndate: 2026-11-21T15:30:00Z\nstatus: completed\n---\n# Bell\n")
	for _, name := range []string{"resume-latest.md", "resume-from.md"} {
		a.write(filepath.Join(a.project, ".claude", "commands", name), "go on")
	}
	a.d = resumeDeps(home, "XDG_STATE_HOME="+filepath.Join(home, "state"))
	return a
}

func (a *attic) write(path, text string) {
	a.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		a.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

func (a *attic) pend() { a.write(a.marker, a.backup+"\n") }

func (a *attic) isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// row returns the browser's row of the backup or the document.
func (a *attic) row(kind sessions.Kind) sessions.Row {
	r := sessions.Row{Kind: kind}
	r.Path, r.Workdir, r.State = a.backup, a.project, sessions.StateOK
	if r.Of = resumeID; kind == sessions.KindDocument {
		r.Path, r.Of = a.document, ""
	}
	r.ID = strings.TrimSuffix(filepath.Base(r.Path), filepath.Ext(r.Path))
	return r
}

// ask resumes the backup or the document. It returns the error, or the output of the program. For a plan, it
// returns the kinds of the findings and the keys of the choices. A "-" marks a disabled choice.
func (a *attic) ask(kind sessions.Kind, ask resume.Ask) string {
	a.t.Helper()
	out, err := launch.ResumeSession(a.t.Context(), a.d.Env, a.d.Output, a.row(kind), ask)
	switch {
	case err != nil:
		return err.Error()
	case out.Plan != nil:
		var words []string
		for _, f := range out.Plan.Findings {
			words = append(words, string(f.Kind))
		}
		for _, c := range out.Plan.Choices {
			if c.Off != "" {
				words = append(words, "-"+c.Key)
			} else {
				words = append(words, c.Key)
			}
		}
		return strings.Join(words, " ")
	case out.Run == nil:
		return "nothing"
	}
	var output bytes.Buffer
	out.Run.SetStdin(strings.NewReader(""))
	out.Run.SetStdout(&output)
	out.Run.SetStderr(&output)
	if err := out.Run.Run(); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Split(strings.TrimSuffix(output.String(), "\n"), "\n"), "|")
}

func (a *attic) want(got string, want ...string) {
	a.t.Helper()
	if w := strings.Join(want, "|"); got != w {
		a.t.Errorf("got  %s\nwant %s", got, w)
	}
}

// started returns the expected output of fakeClaude after a start in the project.
func (a *attic) started(args ...string) string {
	return strings.Join(append([]string{a.project, a.project, "unset"}, args...), "|")
}

// TestResumeKept: the choices depend on the current files.
func TestResumeKept(t *testing.T) {
	a := newAttic(t)
	a.want(a.ask(sessions.KindBackup, resume.Ask{}), "only-copy R")
	a.pend()
	a.want(a.ask(sessions.KindBackup, resume.Ask{}), "only-copy pending l R")
	a.write(a.session, a.text+a.text)
	a.want(a.ask(sessions.KindBackup, resume.Ask{}), "held pending l t -R")
	a.want(a.ask(sessions.KindBackup, resume.Ask{Take: resume.TakeLatest}), a.started("/resume-latest"))
	a.want(a.ask(sessions.KindBackup, resume.Ask{Take: resume.TakeSession}), a.started("--resume", resumeID))
	if err := os.Remove(a.marker); err != nil {
		t.Fatal(err)
	}
	a.want(a.ask(sessions.KindBackup, resume.Ask{}), "held t -R")
	a.write(a.session, a.text[:len(a.text)-2])
	a.want(a.ask(sessions.KindBackup, resume.Ask{}), "rewritten n -R")
	a.want(a.ask(sessions.KindBackup, resume.Ask{Take: resume.TakeRestore}), "rewritten n -R")

	a.want(a.ask(sessions.KindDocument, resume.Ask{}), a.started("/resume-from .claude/memory/"+keptDocument+".md"))
	a.pend()
	a.want(a.ask(sessions.KindDocument, resume.Ask{}), "pending l d")
	a.want(a.ask(sessions.KindDocument, resume.Ask{Take: resume.TakeLatest}), a.started("/resume-latest"))
	a.want(a.ask(sessions.KindDocument, resume.Ask{Take: resume.TakeDocument}), a.started("/resume-from .claude/memory/"+keptDocument+".md"))
	if err := os.RemoveAll(filepath.Join(a.project, ".claude", "commands")); err != nil {
		t.Fatal(err)
	}
	a.want(a.ask(sessions.KindBackup, resume.Ask{}), "rewritten pending n -l -R")
	a.want(a.ask(sessions.KindDocument, resume.Ask{}), "/resume-from is not installed in ~/code/the harbour; $(touch x). Run continuo init in the project.")
	a.write(filepath.Join(a.home, ".claude", "commands", "resume-from.md"), "go on") // a slash command of the user
	a.want(a.ask(sessions.KindDocument, resume.Ask{}), "pending d -l")
}

// TestResumeRestores: the backup is restored before the client starts, and is then not pending.
func TestResumeRestores(t *testing.T) {
	a := newAttic(t)
	a.pend()
	restore := resume.Ask{Take: resume.TakeRestore}
	folder := restore
	folder.Folder = filepath.Join(a.home, "gone")
	a.want(a.ask(sessions.KindBackup, folder), "folder d c")
	if a.isThere(a.session) || !a.isThere(a.marker) {
		t.Fatal("something was written before a choice")
	}
	a.want(a.ask(sessions.KindBackup, restore), a.started("--resume", resumeID))
	if got, err := os.ReadFile(a.session); err != nil || string(got) != a.text || a.isThere(a.marker) || !a.isThere(a.backup) {
		t.Errorf("restored %q, %v; marker %v", got, err, a.isThere(a.marker))
	}
	a.want(a.ask(sessions.KindBackup, restore), "held t -R") // the session exists now
	if code := execute(t.Context(), a.d.Env, a.d.Output, []string{"undo", "--list"}); code != out.ExitDone || !strings.Contains(fmt.Sprint(a.d.Out.W), "Restored Tune the harbour bell") {
		t.Errorf("the journal has %v, %v", a.d.Out.W, a.d.Err.W)
	}

	a.write(a.session, a.text[:len(a.text)-2])
	out, err := launch.ResumeSession(t.Context(), a.d.Env, a.d.Output, a.row(sessions.KindBackup), resume.Ask{})
	if err != nil || out.Plan == nil || len(out.Plan.Choices) == 0 {
		t.Fatal(out, err)
	}
	c := out.Plan.Choices[0]
	if want := "continuo resume " + place.ShellWord(a.backup) + " --take new-id"; c.Key != "n" || c.Line != want {
		t.Errorf("the line of %s is %s, want %s", c.Key, c.Line, want)
	}
	a.want(a.ask(sessions.KindBackup, c.Ask), a.started("--resume", c.Ask.As))
	if got, err := os.ReadFile(filepath.Join(filepath.Dir(a.session), c.Ask.As+".jsonl")); err != nil || string(got) != a.text {
		t.Errorf("under the new id %q, %v", got, err)
	}
}

// TestResumeRestoreRace: another process creates the session first. That session is kept, and no client starts.
func TestResumeRestoreRace(t *testing.T) {
	a := newAttic(t)
	out, err := launch.ResumeSession(t.Context(), a.d.Env, a.d.Output, a.row(sessions.KindBackup), resume.Ask{Take: resume.TakeRestore})
	if err != nil || out.Run == nil {
		t.Fatal(out, err)
	}
	a.write(a.session, "another\n")
	if err := out.Run.Run(); err == nil || !strings.HasPrefix(err.Error(), "A session with this ID already exists") {
		t.Errorf("got %v", err)
	}
	if got, _ := os.ReadFile(a.session); string(got) != "another\n" {
		t.Errorf("it was written over: %q", got)
	}
}

// TestResumeKeptCommand: resume prefers a session. A backup or a document needs its full name or path.
func TestResumeKeptCommand(t *testing.T) {
	a := newAttic(t)
	other := filepath.Join(a.home, ".claude", "projects", sessions.Slug(a.project), strings.Replace(resumeID, "3f", "4e", 1)+".jsonl")
	a.write(other, strings.ReplaceAll(a.text, resumeID, strings.Replace(resumeID, "3f", "4e", 1)))
	claude := filepath.Join(a.bin, "claude")
	run := func(args ...string) (code int, out, output string) {
		d := resumeDeps(a.home, "XDG_STATE_HOME="+filepath.Join(a.home, "state"))
		code = execute(t.Context(), d.Env, d.Output, append([]string{"resume"}, args...))
		return code, fmt.Sprint(d.Out.W), fmt.Sprint(d.Err.W)
	}
	cd := "cd " + place.ShellWord(a.project) + " && " + place.ShellWord(claude)
	document := cd + " " + place.ShellWord("/resume-from .claude/memory/"+keptDocument+".md") + "\n"
	restore := "continuo backup restore " + place.ShellWord(a.backup) + " --yes && " + cd + " --resume " + resumeID + "\n"
	snapshotFile := filepath.Join(a.project, "session-protocol.json")
	tests := []struct {
		name   string
		args   []string
		code   int
		out    string // prefix of stdout
		output string // expected in stderr
	}{
		{"a document by its path", []string{a.document, "--dry-run"}, out.ExitDone, document, ""},
		{"by its file name", []string{keptDocument + ".md", "--dry-run"}, out.ExitDone, document, ""},
		{"by its name", []string{keptDocument, "--dry-run"}, out.ExitDone, document, ""},
		{"by a part of it", []string{"session-2026", "--dry-run"}, out.ExitNone, "", "A document matches: give its full name."},
		{"a backup", []string{keptBackup, "--dry-run"}, out.ExitDone, "◐ This is the only copy", ""},
		{"in a script", []string{keptBackup}, out.ExitNo, "", "continuo resume " + keptBackup + " --take restore"},
		{"restored", []string{keptBackup + ".jsonl", "--take", "restore", "--dry-run"}, out.ExitDone, restore, ""},
		{"by its path", []string{a.backup, "--take", "restore", "--dry-run"}, out.ExitDone, restore, ""},
		{"by its session", []string{resumeID[:8]}, out.ExitNone, "", "A backup matches: give its full name."},
		{"no such way", []string{keptBackup, "--take", "it"}, out.ExitFailed, "", "--take takes latest"},
		{"a way that is no way", []string{keptBackup, "--take", "session"}, out.ExitNo, "", "This is the only copy"},
		{"a session has none", []string{"4e9ac1e0", "--take", "restore"}, out.ExitFailed, "", "this is a session"},
		{"a document is not forked", []string{keptDocument, "--fork"}, out.ExitFailed, "", "nothing to fork"},
		{"json", []string{keptBackup, "--take", "restore", "--dry-run", "--json"}, out.ExitDone, `{"id":"` + resumeID + `","action":"Resume","ran":false`, ""},
		{"the active context", []string{filepath.Join(a.project, ".claude", "memory", "active-context.md")}, out.ExitFailed, "", "Claude loads this document at every start"},
		{"a snapshot by its path", []string{snapshotFile, "--dry-run"}, out.ExitDone, cd + " /load-session-protocol\n", ""},
		{"a snapshot by its name", []string{"session-protocol", "--dry-run"}, out.ExitDone, cd + " /load-session-protocol\n", ""},
		{"no snapshot", []string{"session-protocol.json", "--dry-run"}, out.ExitNone, "", "session-protocol.json cannot be read: file not found"},
		{"nothing", []string{"20261121_1341"}, out.ExitNone, "", "No session has the ID"},
	}
	a.write(filepath.Join(a.project, ".claude", "memory", "active-context.md"), "# Active\n")
	a.write(filepath.Join(a.project, ".claude", "commands", "load-session-protocol.md"), "load")
	a.write(snapshotFile, `{"metadata":{},"tasks":[{"id":"TASK_001","title":"Tune the bell","status":"pending"}]}`)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, output := run(tt.args...)
			if code != tt.code || !strings.HasPrefix(out, tt.out) || !strings.Contains(output, tt.output) {
				t.Errorf("exit %d\n%s%s", code, out, output)
			}
		})
	}
	if a.isThere(a.session) {
		t.Error("a dry run has restored it")
	}
}

// TestResumeRestoredOnly: the session was restored, but no client could be started.
func TestResumeRestoredOnly(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(a *attic, l *resume.Launch)
		want   []string
	}{
		"the folder cannot be made": {func(a *attic, l *resume.Launch) {
			l.Make, l.Dir = []string{"mkdir"}, filepath.Join(a.backup, "below a file")
		}, []string{"could not be made: ", "Restored as 3f9ac1e0. To undo this: continuo undo."}},
		"no tmux":   {func(_ *attic, l *resume.Launch) { l.In = resume.WhereWindow }, []string{"Restored as 3f9ac1e0. To undo this: continuo undo."}},
		"no client": {func(a *attic, l *resume.Launch) { l.Argv = []string{filepath.Join(a.home, "none")} }, []string{"Run ", "Restored as 3f9ac1e0. To undo this: continuo undo."}},
		"no journal": {func(a *attic, l *resume.Launch) {
			a.write(place.JournalDir(a.d.Env), "")
			l.In = resume.WhereWindow
		}, []string{"Restored as 3f9ac1e0. To undo this: continuo backup undo. The journal could not be written"}},
	} {
		a := newAttic(t)
		plan, err := launch.PlanResume(t.Context(), a.d.Env, a.row(sessions.KindBackup), resume.Ask{Take: resume.TakeRestore})
		if err != nil || plan.Launch == nil {
			t.Fatal(plan, err)
		}
		tt.change(a, plan.Launch)
		out, err := launch.Start(t.Context(), a.d.Env, a.d.Output, plan.Launch)
		if out.Run != nil {
			err = out.Run.Run()
		}
		if err == nil || !a.isThere(a.session) {
			t.Errorf("%s: %v, restored %v", name, err, a.isThere(a.session))
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in %q", name, want, err)
			}
		}
	}
}

// TestResumeNotInJournal: a warning says that the restored session can't be undone.
func TestResumeNotInJournal(t *testing.T) {
	a := newAttic(t)
	a.write(place.JournalDir(a.d.Env), "")
	if got := a.ask(sessions.KindBackup, resume.Ask{Take: resume.TakeRestore}); !strings.HasPrefix(got, "The journal could not be written") || !strings.HasSuffix(got, a.started("--resume", resumeID)) {
		t.Errorf("got %s", got)
	}
}
