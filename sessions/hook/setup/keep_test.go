package setup

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// TestReplaceTwice: an uninstall restores the first version. The record keeps the others.
func TestReplaceTwice(t *testing.T) {
	t.Parallel()
	for name, later := range map[string]func(p place, command string){
		"written again": func(p place, command string) { p.write(command, "second\n", 0o600) },
		"removed":       func(p place, command string) { p.remove(command) },
		"left by an uninstall, removed": func(p place, command string) {
			p.write(command, "second\n", 0o600)
			if plan := p.uninstall(); len(plan.Stays) == 0 || plan.Stays[0].Path != command {
				p.t.Errorf("stays: %+v", plan.Stays)
			}
			p.remove(command)
		},
		"left by an uninstall": func(p place, command string) {
			p.write(command, "second\n", 0o600)
			p.uninstall()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.Replace = true
			command := p.in(".claude/commands/resume-latest.md")
			p.write(command, "first\n", 0o640)
			before := p.tree()
			p.install()
			later(p, command)
			_, err := os.Stat(command)
			second := err == nil
			p.install()
			n := must(p.readNote(ScopeProject, p.Project))
			if f := n.of(command); !f.There || string(f.Before) != "first\n" || second != (len(f.Also) == 1) {
				t.Errorf("noted: %+v", f)
			}
			plan := p.uninstall()
			p.same(p.tree(p.in(".claude/memory")), before)
			if !second {
				p.noNotes()
				return
			}
			listed := slices.ContainsFunc(plan.Stays, func(s Stay) bool { return s.Path == n.file && strings.Contains(s.Why, command) })
			n = must(p.readNote(ScopeProject, p.Project))
			if f := n.of(command); !listed || f == nil || len(f.Also) != 1 || string(f.Also[0]) != "second\n" || len(n.Files) != 1 {
				t.Errorf("listed: %v, recorded: %+v", listed, n.Files)
			}
		})
	}
}

// TestReplaceShared: the user adds text between two installations. The text stays.
func TestReplaceShared(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	settings := p.settingsPath(ScopeProject)
	p.write(settings, `{"model":"opus"}`, 0o644)
	p.install()
	p.write(settings, `{"model":"haiku"}`, 0o644)
	p.install()
	if f := must(p.readNote(ScopeProject, p.Project)).of(settings); len(f.Also) != 1 || string(f.Also[0]) != `{"model":"opus"}` {
		t.Errorf("noted: %+v", f)
	}
	if p.uninstall(); p.read(settings) != `{"model":"haiku"}` {
		t.Errorf("settings: %s", p.read(settings))
	}
	p.noNotes()
}

// TestUninstallRemoved: a replaced file was deleted. The record keeps its original.
func TestUninstallRemoved(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.Replace = true
	command := p.in(".claude/commands/resume-latest.md")
	p.write(command, "first\n", 0o640)
	p.install()
	p.remove(command)
	for range 2 { // the second one has nothing to do
		plan := must(p.PlanUninstall(t.Context()))
		if !slices.ContainsFunc(plan.Stays, func(s Stay) bool { return s.Path == command }) {
			t.Errorf("stays: %+v", plan.Stays)
		}
		if _, err := p.apply(p.store(), &plan); err != nil {
			t.Fatal(err)
		}
	}
	if f := must(p.readNote(ScopeProject, p.Project)).of(command); f == nil || string(f.Before) != "first\n" {
		t.Errorf("noted: %+v", f)
	}
}

// TestMoved: the project was moved. If several records match, none is lost.
func TestMoved(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		between func(p place) // called after the move
		taken   bool
	}{
		"moved":            {func(place) {}, true},
		"moved and edited": {func(p place) { p.write(p.in(".claude/CLAUDE.md"), "another\n", 0o644) }, false},
		"two fit": {func(p place) {
			n := must(p.noteIn(filepath.Base(p.notePath(ScopeProject, p.Home+"/code/old"))))
			there, old := p.Home+"/code/older", n.Path
			n.file = p.notePath(ScopeProject, there)
			if n.Path = there; true {
				for i := range n.Files {
					n.Files[i].Path = strings.Replace(n.Files[i].Path, old, there, 1)
				}
				for i := range n.Dirs {
					n.Dirs[i] = strings.Replace(n.Dirs[i], old, there, 1)
				}
			}
			p.writeNote(n)
		}, false},
		"a copy": {func(p place) {
			if err := os.Mkdir(p.Home+"/code/old", 0o700); err != nil {
				p.t.Fatal(err)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.Replace = true
			command := ".claude/commands/resume-latest.md"
			p.write(p.in(command), "first\n", 0o640)
			before := p.tree()
			here := p.Project
			old := p.Home + "/code/old"
			if err := os.Rename(here, old); err != nil {
				t.Fatal(err)
			}
			p.Project = old
			p.install()
			if err := os.Rename(old, here); err != nil {
				t.Fatal(err)
			}
			p.Project = here
			tt.between(p)
			plan := p.uninstall()
			if tt.taken {
				p.same(p.tree(p.in(".claude/memory")), before)
				p.noNotes()
				if len(plan.Warnings) != 1 || !strings.Contains(plan.Warnings[0].Text, old) {
					t.Errorf("warnings: %+v", plan.Warnings)
				}
				return
			}
			record := p.notePath(ScopeProject, old)
			p.read(record)
			if name == "a copy" { // the copied project still needs its record
				return
			}
			if p.read(p.in(command)) != string(textFile("commands/resume-latest.md")) {
				t.Errorf("%s: %q", command, p.read(p.in(command)))
			}
			if !slices.ContainsFunc(plan.Stays, func(s Stay) bool { return s.Path == p.in(command) && strings.Contains(s.Why, record) }) {
				t.Errorf("stays: %+v", plan.Stays)
			}
		})
	}
}

// TestMovedInstall: the project was moved, so an installation moves the record.
func TestMovedInstall(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.Replace = true
	p.write(p.in(".claude/commands/resume-latest.md"), "first\n", 0o640)
	before := p.tree()
	here, old := p.Project, p.Home+"/code/old"
	p.install()
	record := p.read(p.notePath(ScopeProject, here))
	first := p.notePath(ScopeProject, here)
	if err := os.Rename(here, old); err != nil {
		t.Fatal(err)
	}
	p.Project = old
	p.remove(p.in(".claude/memory/project-memory.md"))
	plan := must(p.PlanInstall())
	s := p.store()
	s.Step = func(step, name string) error {
		if step == "rename" && filepath.Base(name) == "project-memory.md" {
			return errors.New("full")
		}
		return nil
	}
	if _, err := p.apply(s, &plan); err == nil || p.read(first) != record {
		t.Errorf("%v, record: %s", err, p.read(first))
	}
	p.install()
	if _, err := os.Stat(first); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old record: %v", err)
	}
	p.uninstall()
	p.remove(p.in(".claude/memory"))
	if err := os.Rename(old, here); err != nil {
		t.Fatal(err)
	}
	p.same(p.tree(), before)
	p.noNotes()
}

// TestPurgeMeanwhile: a hook makes a backup after the plan. The purge fails.
func TestPurgeMeanwhile(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.Purge = true
	p.install()
	memory := p.in(".claude/memory")
	p.write(filepath.Join(memory, ".lock"), "\n", 0o600)
	p.remove(filepath.Join(memory, "active-context.md")) // the hook would change this file, and the change alone would stop the purge
	plan := must(p.PlanUninstall(t.Context()))
	transcript := filepath.Join(p.Home, "s.jsonl")
	p.write(transcript, strings.Repeat(`{"type":"user","uuid":"u","sessionId":"s-1","message":{"role":"user","content":"é"}}`+"\n", 2), 0o600)
	m := must(backup.OpenMemory(p.Project))
	_, err := m.Save(t.Context(), backup.Request{Transcript: transcript, By: backup.ByEnd, Reason: "clear", At: at()})
	if err = errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	before := p.tree()
	if _, err := p.apply(p.store(), &plan); !errors.Is(err, change.ErrChanged) {
		t.Errorf("an outdated purge was carried out: %v", err)
	}
	p.same(p.tree(), before)
	plan = p.uninstall()
	for name, want := range map[string]string{".gitignore": ignoreText, "raw/.gitignore": "*\n", "trash/.gitignore": "*\n", ".lock": "\n"} {
		if text := p.read(filepath.Join(memory, name)); text != want {
			t.Errorf("%s: %q", name, text)
		}
	}
	if plan.Kept.Backups != 1 || plan.Kept.Pending != 1 {
		t.Errorf("kept: %+v, changes: %+v", plan.Kept, plan.Changes)
	}
}

// TestPurgeLocked: a purge waits for the lock of the memory.
func TestPurgeLocked(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.Purge = true
	p.install()
	f, err := lockedfile.Create(p.in(".claude/memory/.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before := p.tree()
	plan := must(p.PlanUninstall(t.Context()))
	if _, err := p.apply(p.store(), &plan); !errors.Is(err, backup.ErrLocked) {
		t.Errorf("error %v", err)
	}
	p.same(p.tree(), before)
}

// TestKilled: the next run deletes temporary files of a killed run.
func TestKilled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	before := p.tree()
	p.install()
	const dead, hidden = ".continuo-init-0123abcd-0123456789abcdef.tmp", ".continuo-0123456789abcdef.tmp"
	p.write(filepath.Join(p.Records, hidden), "x", 0o600)
	for _, dir := range []string{"", "commands/", "hooks/", "memory/"} {
		p.write(p.in(".claude/"+dir+dead), "x", 0o600)
		p.write(p.in(".claude/"+dir+hidden+"/.gitignore"), "*\n", 0o600)
		p.write(p.in(".claude/"+dir+hidden+"/draft"), "x", 0o600)
	}
	root := must(disk.Open(p.in(".claude/memory")))
	defer root.Close()
	alive := must(root.Create(".", 0o600))
	p.uninstall()
	for _, dir := range []string{"commands", "hooks", "scripts"} {
		if _, err := os.Stat(p.in(".claude/" + dir)); err == nil {
			t.Errorf("%s is left", dir)
		}
	}
	if left := must(root.Names(".")); slices.Contains(left, dead) || slices.Contains(left, hidden) || !slices.Contains(left, alive.Name()) {
		t.Errorf("left %q", left)
	}
	if left, _ := filepath.Glob(filepath.Join(p.Records, ".continuo-*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
	alive.Drop()
	p.install()
	p.Purge = true
	p.uninstall()
	p.same(p.tree(), before)
}

func TestDraftsUnseen(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.install()
	if out, err := exec.CommandContext(t.Context(), "git", "-C", p.Project, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git: %v %s", err, out)
	}
	stop := errors.New("stop")
	var seen []string
	st := p.store()
	st.Step = func(step, name string) error {
		if step != "rename" || filepath.Base(name) != "resume-latest.md" {
			return nil
		}
		seen = must(filepath.Glob(p.in(".claude/*/.continuo-*")))
		out, err := exec.CommandContext(t.Context(), "git", "-C", p.Project, "status", "--porcelain", "-uall").Output()
		if err != nil || strings.Contains(string(out), ".continuo-") {
			t.Errorf("%v %s", err, out)
		}
		return stop
	}
	p.remove(p.in(".claude/commands/resume-latest.md"))
	plan := must(p.PlanInstall())
	_, err := p.apply(st, &plan)
	if !errors.Is(err, stop) || len(seen) != 1 || filepath.Base(filepath.Dir(seen[0])) != "commands" {
		t.Errorf("%v %q", err, seen)
	}
	if left := must(filepath.Glob(p.in(".claude/*/.continuo-*"))); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestPlace: shared directories are refused. A directory of another user gives a warning.
func TestPlace(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	shared := filepath.Join(p.Home, "shared")
	if err := errors.Join(os.Mkdir(shared, 0o700), os.Chmod(shared, 0o777|fs.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/", must(filepath.EvalSymlinks(os.TempDir())), shared} {
		q := p
		q.Project = dir
		if r := q.refused(); r.Path != dir || r.Choice {
			t.Errorf("%s: %+v", dir, r)
		}
		q.Scope = ScopeUser
		if plan := must(q.PlanInstall()); plan.Project != "" {
			t.Errorf("%s, for the user: %+v", dir, plan)
		}
	}
	if err := os.Chown(p.Project, 12345, -1); err != nil {
		t.Skip(err) // only some users may do this
	}
	if plan := must(p.PlanInstall()); len(plan.Warnings) != 1 || !strings.HasPrefix(plan.Warnings[0].Text, p.Project+" belongs") {
		t.Errorf("warnings: %+v", plan.Warnings)
	}
}

func (p place) remove(path string) {
	p.t.Helper()
	if err := os.RemoveAll(path); err != nil {
		p.t.Fatal(err)
	}
}
