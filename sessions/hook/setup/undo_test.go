package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/journal"
)

func (p place) newest() *journal.Entry {
	p.t.Helper()
	list, problems := journal.Open(p.store().Journal).List(p.t.Context())
	if len(list) == 0 || len(problems) > 0 {
		p.t.Fatalf("journal: %v, %v", list, problems)
	}
	return &list[0]
}

func (p place) undo(e *journal.Entry) {
	p.t.Helper()
	w := must(p.store().Undo(p.t.Context(), e))
	if len(w.Refused) > 0 || w.Back {
		p.t.Fatalf("refused: %+v, back: %v", w.Refused, w.Back)
	}
	must(p.store().Do(p.t.Context(), &w.Change, p.store().UndoPlan(e)))
}

// crowded returns a place with user text in shared files and with files to replace.
func crowded(t *testing.T) place {
	t.Helper()
	p := newPlace(t)
	p.Replace, p.Gate, p.Snapshot, p.Tasks = true, true, true, true
	p.write(p.settingsPath(ScopeProject), "{\n\t\"model\": \"opus\"\n}", 0o640)
	p.write(p.in(".claude/CLAUDE.md"), "# Rules\n", 0o604)
	p.write(p.in(".claude/hooks/on-session-end.sh"), "#!/bin/sh\necho mine\n", 0o700)
	p.write(p.in(".claude/commands/resume-from.md"), "mine", 0o600)
	return p
}

// TestUndoInstall: every byte outside the memory is restored. The undo can be undone.
func TestUndoInstall(t *testing.T) {
	t.Parallel()
	for _, scope := range []Scope{ScopeProject, ScopeUser} {
		p := crowded(t)
		p.Scope = scope
		if scope == ScopeUser {
			p.remove(p.ConfigDir)
		}
		before := p.tree()
		p.install()
		installed, first := p.tree(), p.newest()
		if first.Kind != journal.Init || first.What == "" || !slices.Equal(first.Where, []string{p.Project}) {
			t.Errorf("entry: %+v", first)
		}
		p.undo(first)
		p.same(p.tree(p.in(".claude/memory")), before)
		p.noNotes()
		p.undo(p.newest())
		p.same(p.tree(), installed)
		p.uninstall()
		p.same(p.tree(p.in(".claude/memory")), before)
		p.noNotes()
	}
}

// TestUndoGate: the second of two installations must be undone first.
func TestUndoGate(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(p.settingsPath(ScopeProject), "{}", 0o640)
	before := p.tree()
	p.install()
	first, one := p.newest(), p.tree()
	p.Gate = true
	p.install()
	if w := must(p.store().Undo(t.Context(), first)); len(w.Refused) == 0 {
		t.Errorf("undone before the second: %+v", w.Change.Ops)
	}
	p.undo(p.newest())
	p.same(p.tree(), one)
	p.undo(first)
	p.same(p.tree(p.in(".claude/memory")), before)
	p.noNotes()
}

// TestUndoUninstall: the installation is back, with its record.
func TestUndoUninstall(t *testing.T) {
	t.Parallel()
	for name, take := range map[string]func(p *place){
		"all": func(*place) {}, "hooks": func(p *place) { p.Hooks = true }, "purge": func(p *place) { p.Purge = true },
		"of the person": func(p *place) { p.Scope = ScopeUser },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := crowded(t)
			if name == "of the person" {
				p.Scope = ScopeUser
				p.remove(p.ConfigDir)
			}
			before := p.tree()
			p.install()
			if err := os.Chmod(p.in(".claude/CLAUDE.md"), 0o666); err != nil { // the uninstall restores this mode
				t.Fatal(err)
			}
			memory := p.in(".claude/memory")
			installed, notes := p.tree(memory), p.notes()
			take(&p)
			p.uninstall()
			p.undo(p.newest())
			p.same(p.tree(memory), installed)
			p.same(p.notes(), notes)
			p.Hooks = false
			p.uninstall()
			p.same(p.tree(memory), before)
			p.noNotes()
		})
	}
}

// notes returns the texts of the records by path.
func (p place) notes() map[string]string {
	all := map[string]string{}
	for _, path := range must(filepath.Glob(filepath.Join(p.Records, "*.json"))) {
		all[path] = p.read(path)
	}
	return all
}

// TestUndoReplaced: after another installation, an uninstall can't be undone.
func TestUndoReplaced(t *testing.T) {
	t.Parallel()
	p := crowded(t)
	p.install()
	p.uninstall()
	gone := p.newest()
	p.install()
	if w := must(p.store().Undo(t.Context(), gone)); !w.Back {
		t.Errorf("%+v, refused %+v", w.Change.Ops, w.Refused)
	}
}

// TestExecutable: a script becomes executable again. Undo restores the old mode.
func TestExecutable(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	before := p.tree()
	p.install()
	script := p.in(".claude/hooks/on-session-end.sh")
	if err := os.Chmod(script, 0o640); err != nil {
		t.Fatal(err)
	}
	was := p.tree()
	plan := p.install()
	if fi := must(os.Stat(script)); len(plan.Changes) != 1 || fi.Mode().Perm() != 0o751 {
		t.Errorf("%d changes, mode %o", len(plan.Changes), fi.Mode().Perm())
	}
	p.undo(p.newest())
	p.same(p.tree(), was)
	p.install()
	p.Purge = true
	p.uninstall()
	p.same(p.tree(), before)
}

// TestUninstallLater: settings.json was edited after the installation.
func TestUninstallLater(t *testing.T) {
	t.Parallel()
	p := crowded(t)
	before := p.tree()
	p.install()
	settings := p.settingsPath(ScopeProject)
	installed := p.read(settings)
	for i := range journal.Most + 5 {
		c := change.Change{Kind: "note", What: "Noted it", Ops: []change.Op{
			{Verb: change.Make, Dir: p.Home, Name: filepath.Join("notes", strings.Repeat("x", i+1)), Text: []byte("x"), Mode: 0o600},
		}}
		must(p.store().Do(t.Context(), &c, func(context.Context) (change.Change, error) { return c, nil }))
	}
	p.remove(filepath.Join(p.Home, "notes"))
	p.write(settings, strings.Replace(installed, "opus", "haiku", 1), 0o640)
	p.write(settings, installed, 0o640)
	p.uninstall()
	p.same(p.tree(p.in(".claude/memory")), before)
	p.noNotes()
}

// TestLargeRecord: the originals of an installation may exceed the journal's limit for one file.
func TestLargeRecord(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	p := newPlace(t)
	p.Replace = true
	for _, name := range []string{"resume-from.md", "resume-latest.md", "sessions-list.md"} {
		p.write(p.in(".claude/commands/"+name), strings.Repeat("mine\n", 60_000), 0o600)
	}
	before := p.tree()
	p.install()
	p.Gate = true
	p.install()
	p.undo(p.newest())
	p.uninstall()
	gone := p.newest()
	p.same(p.tree(p.in(".claude/memory")), before)
	p.undo(gone)
	p.uninstall()
	p.same(p.tree(p.in(".claude/memory")), before)
	p.noNotes()
}

func TestNoJournal(t *testing.T) {
	t.Parallel()
	p := crowded(t)
	before := p.tree()
	p.write(p.store().Journal, "a file", 0o600)
	plan := must(p.PlanInstall())
	if done := must(p.apply(p.store(), &plan)); done.Lost == nil {
		t.Error("the missing journal entry isn't reported")
	}
	p.uninstall()
	p.same(p.tree(p.in(".claude/memory")), before)
	p.noNotes()
}

// TestLinkMoved: the link has another target now. Undo doesn't write through it.
func TestLinkMoved(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.Scope = ScopeUser
	path := p.settingsPath(ScopeUser)
	for _, name := range []string{"one.json", "two.json"} {
		p.write(filepath.Join(p.Home, name), "{}", 0o600)
	}
	link := func(to string) {
		p.remove(path)
		if err := os.Symlink(filepath.Join(p.Home, to), path); err != nil {
			t.Fatal(err)
		}
	}
	link("one.json")
	plan := must(p.PlanInstall())
	link("two.json")
	before := p.tree()
	if _, err := p.apply(p.store(), &plan); !errors.Is(err, change.ErrChanged) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	p.same(p.tree(), before)
	p.noNotes()
}
