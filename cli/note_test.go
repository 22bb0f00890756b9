package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/undoing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

type noteWorld struct {
	t       *testing.T
	home    string
	project string
	out     *bytes.Buffer // output of the last run
}

func newNoteWorld(t *testing.T) *noteWorld {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &noteWorld{t: t, home: home, project: filepath.Join(home, "teahouse")}
	w.write("src/clock.go", "package auth\n\nconst leeway = 30\n")
	w.write(".git/HEAD", "ref: refs/heads/main\n")
	return w
}

func (w *noteWorld) path(name string) string {
	return filepath.Join(w.project, filepath.FromSlash(name))
}

func (w *noteWorld) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

const notesFile = "grimoires/loa/NOTES.md"

// notes returns NOTES.md, or "-" for a missing file.
func (w *noteWorld) notes() string {
	text, err := os.ReadFile(w.path(notesFile))
	if err != nil {
		return "-"
	}
	return string(text)
}

func (w *noteWorld) deps() *deps {
	w.out = &bytes.Buffer{}
	return newDeps(Program{
		Env: []string{"HOME=" + w.home, "PATH=", "XDG_STATE_HOME=" + filepath.Join(w.home, "state")}, Dir: w.project, Now: now,
		Stdin: strings.NewReader(""), Stdout: w.out, Stderr: w.out,
	})
}

// run checks the exit code, and returns the output.
func (w *noteWorld) run(want int, args ...string) string {
	w.t.Helper()
	d := w.deps()
	if got := execute(w.t.Context(), d.Env, d.Output, args); got != want {
		w.t.Fatalf("%v exits with %d, not %d\n%s", args, got, want, w.out)
	}
	return w.out.String()
}

func (w *noteWorld) entries() []journal.Entry {
	w.t.Helper()
	list, problems := place.OpenJournal(w.deps().Env).List(w.t.Context())
	if problems != nil {
		w.t.Fatal(problems)
	}
	return list
}

func TestNotesAtOnce(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "# Notes\n\n## Pending Questions\n\n- [ ] first\n")
	const writers, each = 4, 3
	var wg sync.WaitGroup
	for i := range writers {
		d := w.deps() // own environment, like a separate process
		wg.Go(func() {
			for j := range each {
				n, err := entries.LookNote(t.Context(), d.Env, &entries.NoteAsk{Dir: w.project, Entry: notes.Entry{Kind: notes.EntryQuestion, Text: fmt.Sprintf("from %d, %d", i, j)}})
				if err == nil {
					_, err = entries.WriteNote(context.WithoutCancel(t.Context()), d.Env, n)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	text := w.notes()
	for i := range writers {
		for j := range each {
			if line := fmt.Sprintf("- [ ] from %d, %d\n", i, j); strings.Count(text, line) != 1 {
				t.Errorf("%q does not occur exactly once", line)
			}
		}
	}
	entries := w.entries()
	if len(entries) != writers*each {
		t.Fatalf("%d entries", len(entries))
	}
	for _, e := range entries[3:6] {
		w.run(out.ExitDone, "undo", e.ID, "--yes")
		text = strings.Replace(text, string(e.Ops[0].Text), "", 1)
	}
	if got := w.notes(); got != text {
		t.Errorf("%s\nwant\n%s", got, text)
	}
}

// TestNoteAfterPlan: NOTES.md has changed since the plan. The change is kept.
func TestNoteAfterPlan(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	d := w.deps()
	n, err := entries.LookNote(t.Context(), d.Env, &entries.NoteAsk{Dir: w.project, Entry: notes.Entry{Kind: notes.EntryNext, Text: "Pour"}})
	if err != nil || n.Known || !n.Place.Made {
		t.Fatalf("%+v, %v", n, err)
	}
	const theirs = "# Mine\r\n\r\n## Active Sub-Goals\r\n\r\n- [ ] Boil\r\n\r\n## Rest\r\n"
	w.write(notesFile, theirs)
	if but, err := entries.WriteNote(t.Context(), d.Env, n); err != nil || but != "" {
		t.Fatal(but, err)
	}
	if got, want := w.notes(), strings.Replace(theirs, "- [ ] Boil\r\n", "- [ ] Boil\r\n- [ ] Pour\r\n", 1); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if n.Place.Line != 6 || n.Place.Made || !n.Known {
		t.Errorf("%+v", n.Place)
	}
	w.run(out.ExitDone, "undo", "--yes")
	if got := w.notes(); got != theirs {
		t.Errorf("%q", got)
	}
}

// TestNoteFile: undo removes the new file. Binary and read-only files are refused.
func TestNoteFile(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.run(out.ExitDone, "note", "question", "Is it so?", "--yes")
	made := w.notes()
	if !strings.HasPrefix(made, "# ") || !strings.HasSuffix(made, "- [ ] Is it so?\n") {
		t.Errorf("%q", made)
	}
	w.run(out.ExitDone, "undo", "--yes")
	if got := w.notes(); got != "-" {
		t.Errorf("%q", got)
	}
	w.run(out.ExitDone, "undo", "1", "--yes") // redo
	if got := w.notes(); got != made {
		t.Errorf("%q", got)
	}
	w.write(notesFile, "binary\x00")
	if output := w.run(out.ExitFailed, "note", "next", "x", "--yes"); !strings.Contains(output, "is not a text file") || w.notes() != "binary\x00" {
		t.Error(output)
	}
	w.write(notesFile, "# N\n")
	if err := os.Chmod(w.path(notesFile), 0o400); err != nil {
		t.Fatal(err)
	}
	if output := w.run(out.ExitFailed, "note", "next", "x", "--yes"); !strings.Contains(output, "is read-only") || w.notes() != "# N\n" {
		t.Error(output)
	}
	if err := os.Chmod(w.path(notesFile), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(w.home, "state")); err != nil {
		t.Fatal(err)
	}
	w.write("../state/continuo", "a file")
	if output := w.run(out.ExitFailed, "note", "next", "x", "--yes"); !strings.Contains(output, "Nothing was written.") || w.notes() != "# N\n" {
		t.Errorf("%s %q", output, w.notes())
	}
}

// TestNoteInterrupted: the journal keeps a killed action only if its text was written.
func TestNoteInterrupted(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	was := []byte("# N\n\n")
	w.write(notesFile, "# N\n\n- [ ] a\n")
	d := w.deps()
	for _, added := range []string{"- [ ] a\n", "- [ ] never\n"} {
		op, err := ledger.InsertOp(w.project, w.path(notesFile), was, len(was), []byte(added))
		if err != nil {
			t.Fatal(err)
		}
		op.Sum = change.Sum(append(slices.Clone(was), added...))
		e := journal.Entry{At: now(), Kind: journal.Note, What: "Noted " + added, Where: []string{w.project}, Ops: []change.Op{op}}
		if _, err := place.OpenJournal(d.Env).Begin(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	w.run(out.ExitDone, "note", "next", "x", "--yes")
	list := w.run(out.ExitDone, "undo", "--list")
	if strings.Count(list, "\n") != 2 || strings.Count(list, "\tyes\n") != 2 || strings.Contains(list, "never") {
		t.Error(list)
	}
	w.run(out.ExitDone, "undo", "--yes")
	w.run(out.ExitDone, "undo", "--yes")
	if got := w.notes(); got != string(was) {
		t.Errorf("%q", got)
	}
}

// TestLedgerUndoList: the list of actions doesn't read a file above the limit Spare.
func TestLedgerUndoList(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "# N\n")
	w.run(out.ExitDone, "note", "next", "Pour", "--yes")
	w.write(notesFile, "# M\n") // the noted text is gone
	for spare, off := range map[int64]string{0: "", 100: "changed since", -1: "changed since"} {
		d := w.deps()
		l, err := undoing.ReadJournal(t.Context(), d.Env, d.Output, nil)
		if err != nil {
			t.Fatal(err)
		}
		l.Spare = spare
		back, err := l.UndoPlan(t.Context(), &l.Entries[0])
		if err != nil || back.Off != off {
			t.Errorf("%d: %q, %v", spare, back.Off, err)
		}
	}
}

func TestBrowserNote(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	ref, _ := ledger.ParseRef("src/clock.go:3")
	e := notes.Entry{Kind: notes.EntryDecision, Title: "Leeway is 30 s", Rationale: "Hosts drift", Evidence: []notes.Evidence{{Ref: ref}}}
	d := w.deps()
	c := browse.Changes{Env: d.Env, O: d.Output, Again: func() {}}
	plan, err := c.Plan(t.Context(), tui.Change{Kind: tui.ChangeNote, Dir: w.project, Note: &e})
	if err != nil || plan.Verb != "write" || plan.Title != "Note a decision" {
		t.Fatalf("%+v, %v", plan, err)
	}
	for _, s := range []string{"continuo note decision", "--rationale 'Hosts drift'", "src/clock.go:3", "--project " + w.project, "'Leeway is 30 s'"} {
		if !strings.Contains(plan.Command, s) {
			t.Errorf("no %s in %s", s, plan.Command)
		}
	}
	done, err := c.Do(t.Context(), plan)
	if err != nil || !strings.Contains(done.Said, "u removes it") || done.But != "" {
		t.Errorf("%+v, %v", done, err)
	}
	text := w.notes()
	if !strings.Contains(text, "- `const leeway = 30` [${PROJECT_ROOT}/src/clock.go:3]\n") {
		t.Error(text)
	}
	if e.Evidence[0].Quote != "" {
		t.Error("the entry of the caller was changed")
	}
	plan, err = c.Plan(t.Context(), tui.Change{Kind: tui.ChangeNote, Dir: w.project, Note: &notes.Entry{Kind: notes.EntryDecision, Title: "Ask first", Rationale: "It is kind"}})
	if err != nil || plan.Verb != "write" || !strings.Contains(plan.Command, "--no-evidence") {
		t.Errorf("%+v, %v", plan, err)
	}
	if _, err := c.Do(t.Context(), plan); err != nil || !strings.Contains(w.notes(), "Ask first") {
		t.Errorf("%v: %s", err, w.notes())
	}
	// Evidence and rationale are missing.
	gone := []notes.Evidence{{Ref: ledger.Ref{Path: "src/gone.go", From: 3, Form: ledger.FormRelative, Raw: "src/gone.go:3"}}, {Ref: ledger.Ref{Path: "src/away.go", From: 3, Form: ledger.FormRelative, Raw: "src/away.go:3"}}}
	plan, err = c.Plan(t.Context(), tui.Change{Kind: tui.ChangeNote, Dir: w.project, Note: &notes.Entry{Kind: notes.EntryDecision, Title: "Ask first", Evidence: gone}})
	if want := "[{evidence src/gone.go:3 does not exist.} {evidence src/away.go:3 does not exist.} {rationale "; err != nil || !strings.HasPrefix(fmt.Sprint(plan.Wrong), want) {
		t.Errorf("wrong are %v, %v", plan.Wrong, err)
	}
	plan, err = c.Plan(t.Context(), tui.Change{Kind: tui.ChangeNote, Dir: w.project, Note: &notes.Entry{Kind: notes.EntryScenario}})
	if err != nil || plan.Verb != "" || plan.Held != nil || len(plan.Parts) != 2 || len(plan.Parts[1].Lines) != 3 {
		t.Errorf("%+v, %v", plan, err)
	}
	if _, err := c.Plan(t.Context(), tui.Change{Kind: tui.ChangeNote, Dir: w.project}); err == nil {
		t.Error("a change without a note has a plan")
	}
}
