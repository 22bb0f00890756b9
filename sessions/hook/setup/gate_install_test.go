package setup

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// TestGateComesAndGoes: gate hooks and other hooks come and go in any order. In the end, every byte is restored.
func TestGateComesAndGoes(t *testing.T) {
	t.Parallel()
	keep, gate := wantedHooks(ScopeProject, ""), wantedGate(ScopeProject, "")
	for name, before := range settingsFiles() {
		for order, parts := range map[string][][]wanted{
			"alone": {gate}, "behind": {keep, gate}, "before": {gate, keep}, "behind, and again": {keep, gate, keep, gate},
		} {
			t.Run(name+", "+order, func(t *testing.T) {
				t.Parallel()
				text, made, n := []byte(before), trace(nil), 0
				for i, want := range parts {
					after, more, err := addHooks(text, want, someShims())
					if err != nil {
						t.Fatal(err)
					}
					if i < 2 {
						n += len(want)
					} else if !bytes.Equal(after, text) {
						t.Errorf("the second time:\n%s\nwas\n%s", after, text)
					}
					text, made = after, made.with(more)
				}
				s, err := parseSettings(text)
				if err != nil {
					t.Fatalf("%v:\n%s", err, text)
				}
				if found, _ := s.entries(someShims()); len(found) != n {
					t.Errorf("%d hooks, not %d:\n%s", len(found), n, text)
				}
				back, err := removeHooks(text, someShims(), made)
				if err != nil || string(back) != before {
					t.Errorf("back: %v\n%q\nwant\n%q", err, back, before)
				}
			})
		}
	}
}

// hooksIn returns the events of a scope at which continuo runs with an argument.
func (p place) hooksIn(runs string, scope Scope) []string {
	p.t.Helper()
	s, err := parseSettings([]byte(p.read(p.settingsPath(scope))))
	if err != nil {
		p.t.Fatal(err)
	}
	var events []string
	found, _ := s.entries(p.shims(nil))
	for _, e := range found {
		if e.Runs == runs {
			events = append(events, e.Event+" "+e.Matcher)
		}
	}
	return events
}

// TestInstallGate: a later installation without --gate keeps the gate.
func TestInstallGate(t *testing.T) {
	t.Parallel()
	want := []string{"PreCompact auto|manual", "SessionStart clear|compact"}
	for _, scope := range []Scope{ScopeProject, ScopeUser} {
		for name, first := range map[string]bool{"later": true, "at once": false} {
			t.Run(string(scope)+", "+name, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				p.Scope = scope
				settings, script := p.settingsPath(scope), p.in(".claude/hooks/on-gate.sh")
				p.write(settings, "{\n\t\"model\": \"opus\", \"hooks\": {\"PreCompact\": [ ]}}", 0o640)
				before := p.tree()
				if first {
					p.install()
					if p.hooksIn(hook.EventGate, scope) != nil || len(p.Look().Gates) > 0 || sessions.MayExist(script, os.Lstat) {
						t.Error("a gate was installed without the option")
					}
				}
				kept := p.tree()
				p.Gate = true
				if plan := p.install(); plan.Gate != settings {
					t.Errorf("the gate is in %q", plan.Gate)
				}
				if first {
					changed := 1
					if scope == ScopeProject {
						changed = 2
					}
					if n := changes(kept, p.tree()); n != changed {
						t.Errorf("%d files changed", n)
					}
				}
				if got := p.hooksIn(hook.EventGate, scope); !slices.Equal(got, want) {
					t.Errorf("the gate runs at %q", got)
				}
				if sessions.MayExist(script, os.Lstat) != (scope == ScopeProject) {
					t.Error("the script belongs only to the project's own hooks")
				}
				found := p.Look()
				if len(found.Sites) != 1 || len(found.Gates) != 1 || len(found.Sites[0].Missing)+len(found.Gates[0].Missing) > 0 ||
					len(found.Sites[0].Entries) != 3 || len(found.Gates[0].Entries) != 2 || !found.Gates[0].Since.Equal(at()) {
					t.Errorf("found %+v", found)
				}
				whole := p.tree()
				for _, p.Gate = range []bool{true, false} {
					if plan := must(p.PlanInstall()); !plan.Empty() {
						t.Errorf("again, gate %v: %+v", p.Gate, plan.Changes)
					}
				}
				p.same(p.tree(), whole)
				p.uninstall()
				p.same(p.tree(p.in(".claude/memory")), withDir(before, p.in(".claude"), scope == ScopeUser, p.tree()))
				p.noNotes()
			})
		}
	}
}

// withDir returns a tree. If with is true, it adds a directory of the other tree.
func withDir(tree map[string]string, dir string, with bool, other map[string]string) map[string]string {
	if with {
		tree[dir] = other[dir]
	}
	return tree
}

// changes counts the different files of two trees.
func changes(a, b map[string]string) int {
	n := 0
	for path, text := range b {
		if a[path] != text && !strings.HasPrefix(text, "d") {
			n++
		}
	}
	return n
}

// TestGateEdited: files were edited after the installation. The edits stay.
func TestGateEdited(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	path := p.settingsPath(ScopeProject)
	p.write(path, "{\"model\": \"opus\"}\n", 0o640)
	p.install()
	p.Gate = true
	p.install()
	p.write(path, strings.Replace(p.read(path), `"opus"`, `"haiku"`, 1), 0o640)
	p.Gate = false
	p.uninstall()
	if got := p.read(path); got != "{\"model\": \"haiku\"}\n" {
		t.Errorf("settings: %q", got)
	}
}

// TestGateElsewhere: --gate always uses the project's settings. A second scope is refused.
func TestGateElsewhere(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.Scope = ScopeUser
	p.install()
	p.Scope, p.Gate = "", true
	plan := p.install()
	if plan.Scope != ScopeUser || plan.Gate != p.settingsPath(ScopeProject) {
		t.Errorf("the hooks are those of %s, the gate is in %s", plan.Scope, plan.Gate)
	}
	if names := must(filepath.Glob(p.in(".claude/hooks/*"))); len(names) != 1 || filepath.Base(names[0]) != "on-gate.sh" {
		t.Errorf("scripts: %q", names)
	}
	if n := len(p.hooksIn(hook.EventCompact, ScopeProject)); n > 0 {
		t.Error("the other hooks are in the project, too")
	}
	if found := p.Look(); len(found.Sites) != 1 || len(found.Gates) != 1 || found.Gates[0].Scope != ScopeProject {
		t.Errorf("found %+v", found)
	}
	refused := func(scope Scope, gate bool, run string) {
		t.Helper()
		p.Scope, p.Gate = scope, gate
		_, err := p.PlanInstall()
		if r, ok := errors.AsType[*Refusal](err); !ok || !r.Choice || r.Run != run {
			t.Errorf("%s: %v", scope, err)
		}
	}
	refused(ScopeUser, true, "continuo uninstall --project --hooks")
	p.Scope, p.Gate, p.Hooks = ScopeProject, false, true
	p.uninstall()
	p.Hooks = false
	if len(p.Look().Gates) > 0 || sessions.MayExist(p.in(".claude/hooks"), os.Lstat) {
		t.Error("the gate is still there")
	}
	p.Scope, p.Gate = ScopeUser, true
	p.install()
	before := p.tree()
	p.Scope = ""
	if plan := p.install(); plan.Gate != p.settingsPath(ScopeUser) || len(plan.Changes) > 0 {
		t.Errorf("a second gate: %+v", plan.Changes)
	}
	p.same(p.tree(), before)
	refused(ScopeProject, true, "continuo uninstall --user --hooks")
	p.Program, p.Scope, p.Gate = "/elsewhere/continuo", ScopeUser, false
	p.install()
	if text := p.read(p.settingsPath(ScopeUser)); strings.Count(text, "/opt/my tools/continuo") != 2 || strings.Count(text, "/elsewhere/continuo") != 3 {
		t.Errorf("only the other hooks are to be of the new program:\n%s", text)
	}
	p.Gate = true
	p.install()
	if text := p.read(p.settingsPath(ScopeUser)); strings.Count(text, "/elsewhere/continuo") != 5 {
		t.Errorf("all are to be of the new program:\n%s", text)
	}
}

// TestGateOfPlugin: the plugin has the backup hooks but no gate. --gate uses the project's settings.
func TestGateOfPlugin(t *testing.T) {
	t.Parallel()
	for _, scope := range []Scope{ScopeProject, ScopeUser} {
		p := newPlace(t)
		p.write(p.settingsPath(scope), "{\"enabledPlugins\": {\"continuo@there\": true}}\n", 0o640)
		before := p.tree()
		p.Gate = true
		plan := p.install()
		found := p.Look()
		if plan.Scope != ScopePlugin || len(found.Sites) != 1 || found.Sites[0].Scope != ScopePlugin || len(found.Gates) != 1 ||
			plan.Gate != p.settingsPath(ScopeProject) || len(p.hooksIn(hook.EventEnd, ScopeProject)) > 0 {
			t.Errorf("%s: the hooks are those of %s, found %+v", scope, plan.Scope, found)
		}
		if plan := must(p.PlanInstall()); !plan.Empty() {
			t.Errorf("%s, again: %+v", scope, plan.Changes)
		}
		p.Gate = false
		p.uninstall()
		p.same(p.tree(p.in(".claude/memory")), withDir(before, p.in(".claude"), scope == ScopeUser, p.tree()))
	}
}
