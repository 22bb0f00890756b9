package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

const savedSession = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"

type saveWorld struct {
	t       *testing.T
	d       *deps
	home    string
	project string
	row     sessions.Row
}

func newSaveWorld(t *testing.T) *saveWorld {
	t.Helper()
	home := t.TempDir()
	w := &saveWorld{t: t, home: home, project: filepath.Join(home, "teahouse")}
	path := filepath.Join(home, ".claude", "projects", "tea", savedSession+".jsonl")
	for _, dir := range []string{filepath.Dir(path), filepath.Join(w.project, ".claude", "memory")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cwd := strings.ReplaceAll(w.project, `\`, `\\`)
	lines := `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"` + savedSession + `","cwd":"` + cwd + `","gitBranch":"old","timestamp":"2026-11-21T15:00:00.000Z","message":{"role":"user","content":"Fold the crane"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"` + savedSession + `","cwd":"` + cwd + `","gitBranch":"old","timestamp":"2026-11-21T15:00:05.000Z","message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"text","text":"It is folded."}]}}
`
	w.write(path, lines)
	w.d = newDeps(Program{
		Env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_STATE_HOME=" + filepath.Join(home, "state")}, Dir: w.project, Now: now,
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
	})
	w.row = sessions.Row{Kind: sessions.KindSession}
	w.row.Path, w.row.ID, w.row.Workdir, w.row.Project, w.row.Name = path, savedSession, w.project, w.project, "Fold the crane"
	return w
}

func (w *saveWorld) write(path, text string) {
	w.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *saveWorld) memory(name string) string {
	return filepath.Join(w.project, ".claude", "memory", name)
}

func (w *saveWorld) read(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.memory(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

func (w *saveWorld) git(args ...string) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "git", append([]string{"-C", w.project, "-c", "user.name=ada", "-c", "user.email=ada@localhost"}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+w.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_COMMITTER_DATE=2026-11-21T15:30:00Z", "GIT_AUTHOR_DATE=2026-11-21T15:30:00Z")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (w *saveWorld) changes() browse.Changes {
	return browse.Changes{Env: w.d.Env, O: w.d.Output, Dirs: []string{filepath.Join(w.home, ".claude")}, Again: func() {}}
}

func partsOf(plan tui.Plan) string {
	return render.PlanText(plan.Parts, render.NewStyles(render.None), writing.PlanWidth, false)
}

// TestSaveInBrowser: the browser plans a save, does the save, and records it in the journal.
func TestSaveInBrowser(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	w.write(w.memory("active-context.md"), "# Mine\n> Last Updated: never\n")
	w.row.Live = &sessions.Live{}
	plan, err := w.changes().Plan(t.Context(), tui.Change{Kind: tui.ChangeSave, Rows: []sessions.Row{w.row}})
	if err != nil {
		t.Fatal(err)
	}
	output := partsOf(plan)
	for _, want := range []string{"active-context.md: status lines", "document: a new session document", "every other line of these files", "the session is live", "Undo       u undoes all of it"} {
		if !strings.Contains(output, want) {
			t.Errorf("%q is not in the plan:\n%s", want, output)
		}
	}
	if plan.Verb != "save" || plan.Change.Kind != tui.ChangeSave || plan.Command != "continuo save --session "+savedSession {
		t.Errorf("%+v", plan)
	}
	if w.read("active-context.md") != "# Mine\n> Last Updated: never\n" {
		t.Error("a plan writes")
	}
	done, err := w.changes().Do(t.Context(), plan)
	if err != nil || done.But != "" || !strings.HasPrefix(done.Said, "Saved ") {
		t.Fatalf("%+v, %v", done, err)
	}
	if text := w.read("session-2026-11-21-1552Z.md"); !strings.Contains(text, "The session was still live.") || strings.Contains(text, "## Git Context") {
		t.Errorf("document %q", text)
	}
	entries, problems := place.OpenJournal(w.d.Env).List(t.Context())
	if len(entries) != 1 || len(problems) > 0 || entries[0].Kind != journal.Handover || !entries[0].Done || len(entries[0].Ops) != 3 ||
		string(entries[0].Ops[0].Before) != "# Mine\n> Last Updated: never\n" || entries[0].Ops[1].Verb != change.Make {
		t.Errorf("journal %+v, %v", entries, problems)
	}
}

// TestSaveStale: the previous document was written after the plan.
func TestSaveStale(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	plan, err := w.changes().Plan(t.Context(), tui.Change{Kind: tui.ChangeSave, Rows: []sessions.Row{w.row}})
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.memory("session-2026-11-21-1500Z.md"), "x")
	if _, err := w.changes().Do(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if text := w.read("session-2026-11-21-1552Z.md"); !strings.Contains(text, "\nprevious_session: session-2026-11-21-1500Z.md\n") {
		t.Error(text)
	}
	if _, err := w.changes().Do(t.Context(), tui.Plan{Change: plan.Change}); err == nil {
		t.Error("a plan without content was carried out")
	}
}

// TestSaveContextStays: active-context.md is a symlink. Save must not write to its target.
func TestSaveContextStays(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege")
	}
	w := newSaveWorld(t)
	w.write(filepath.Join(w.home, "theirs.md"), "theirs")
	if err := os.Symlink(filepath.Join(w.home, "theirs.md"), w.memory("active-context.md")); err != nil {
		t.Fatal(err)
	}
	plan, err := w.changes().Plan(t.Context(), tui.Change{Kind: tui.ChangeSave, Rows: []sessions.Row{w.row}})
	if err != nil {
		t.Fatal(err)
	}
	if output := partsOf(plan); !strings.Contains(output, "But        △ active-context.md doesn't change: ") {
		t.Errorf("plan:\n%s", output)
	}
	done, err := w.changes().Do(t.Context(), plan)
	if err != nil || !strings.Contains(done.Said, "is unchanged") || done.But == "" {
		t.Errorf("%+v, %v", done, err)
	}
	if text, _ := os.ReadFile(filepath.Join(w.home, "theirs.md")); string(text) != "theirs" {
		t.Errorf("written through a link: %q", text)
	}
}

func TestSaveGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	w := newSaveWorld(t)
	w.write(filepath.Join(w.project, ".gitignore"), ".claude/\n")
	w.git("init", "-q", "-b", "fold")
	read := func() *document.Known {
		k, err := backups.ReadKnownOf(t.Context(), w.d.Env, &w.row, w.project)
		if err != nil || k.Git == nil {
			t.Fatalf("%+v, %v", k, err)
		}
		return k
	}
	if k := read(); k.Git.Branch != "fold" || len(k.Git.Commits) != 0 || len(k.Git.Changed) != 1 {
		t.Errorf("without a commit: %+v", k.Git)
	}
	w.git("add", ".gitignore")
	w.git("commit", "-q", "-m", "crane: fold it\n\nTwice.")
	w.write(filepath.Join(w.project, "a `b`.txt"), "x")
	k := read()
	if len(k.Git.Commits) != 1 || k.Git.Commits[0].Subject != "crane: fold it" || len(k.Git.Changed) != 1 || k.Git.Changed[0] != "a `b`.txt" {
		t.Errorf("%+v", k.Git)
	}
	text := string(document.ComposeHandover(&handover.Handover{Git: handover.Git{Branch: k.Git.Branch}}, k))
	for _, want := range []string{"\nbranch: fold\n", "- Branch: `fold`; the session was on `old`\n", " crane: fold it\n", "“a `b`.txt”\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the document:\n%s", want, text)
		}
	}
	w.git("checkout", "-q", "--detach")
	if k := read(); k.Git.Branch != "" || !strings.Contains(string(document.ComposeHandover(&handover.Handover{Git: handover.Git{Branch: k.Git.Branch}}, k)), "HEAD is detached") {
		t.Errorf("%+v", k.Git)
	}
}

// TestSaveInterrupted kills a save after 0 to 3 writes. The next action undoes an incomplete save.
func TestSaveInterrupted(t *testing.T) {
	t.Parallel()
	for _, written := range []int{0, 1, 2, 3} {
		w := newSaveWorld(t)
		const before = "# Mine\n> Last Updated: never\n> Last Session Doc: older.md\n"
		w.write(w.memory("active-context.md"), before)
		plan, err := w.changes().Plan(t.Context(), tui.Change{Kind: tui.ChangeSave, Rows: []sessions.Row{w.row}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.changes().Do(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
		entries, _ := place.OpenJournal(w.d.Env).List(t.Context())
		e := entries[0]
		if e.Done = false; place.OpenJournal(w.d.Env).Finish(t.Context(), e) != nil {
			t.Fatal("the journal cannot be written")
		}
		if written < 3 {
			w.write(e.Ops[2].Path(), string(e.Ops[2].Before))
		}
		if written < 2 {
			if err := os.Remove(e.Ops[1].Path()); err != nil {
				t.Fatal(err)
			}
		}
		if written < 1 {
			w.write(e.Ops[0].Path(), before)
		}
		writing.Store(w.d.Env).FinishInterrupted(t.Context())
		if entries, _ = place.OpenJournal(w.d.Env).List(t.Context()); len(entries) != written/3 {
			t.Errorf("%d written: %+v", written, entries)
		}
		if written == 3 {
			if code := execute(t.Context(), w.d.Env, w.d.Output, []string{"undo", "--yes"}); code != out.ExitDone {
				t.Errorf("exit code %d", code)
			}
		}
		if got := w.read("active-context.md"); got != before {
			t.Errorf("%d written: active context %q", written, got)
		}
		if _, err := os.Stat(e.Ops[1].Path()); err == nil {
			t.Errorf("%d written: the document is there", written)
		}
	}
}

// TestSaveKeyAndCommand: the plan names the undo key and the --claude-dir flags.
func TestSaveKeyAndCommand(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	if err := os.MkdirAll(filepath.Join(w.home, ".config", "continuo"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.write(filepath.Join(w.home, ".config", "continuo", "config.toml"), "[keys]\nundo = [\"ctrl+y\"]\n")
	c := w.changes()
	w.d.ClaudeDirs = []string{"/elsewhere"}
	plan, err := c.Plan(t.Context(), tui.Change{Kind: tui.ChangeSave, Rows: []sessions.Row{w.row}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "continuo save --session " + savedSession + " --claude-dir /elsewhere"; plan.Command != want || !strings.Contains(partsOf(plan), "Undo       ctrl+y undoes all of it") {
		t.Errorf("%s, want %s\n%s", plan.Command, want, partsOf(plan))
	}
	if done, err := c.Do(t.Context(), plan); err != nil || !strings.HasSuffix(done.Said, " ctrl+y undoes this.") {
		t.Errorf("%+v, %v", done, err)
	}
}
