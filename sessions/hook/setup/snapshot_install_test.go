package setup

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// TestInstallSnapshot: a later installation without --snapshot keeps its hook and commands.
func TestInstallSnapshot(t *testing.T) {
	t.Parallel()
	for _, scope := range []Scope{ScopeProject, ScopeUser} {
		p := newPlace(t)
		p.Scope = scope
		settings := p.settingsPath(scope)
		p.write(settings, "{\n\t\"model\": \"opus\", \"hooks\": {\"SessionStart\": [ ]}}", 0o640)
		before := p.tree()
		p.install()
		save := p.in(".claude/commands/save-session-protocol.md")
		if p.hooksIn(hook.EventSnapshot, scope) != nil || sessions.MayExist(save, os.Lstat) {
			t.Errorf("%s: installed without the option", scope)
		}
		p.Snapshot = true
		if plan := p.install(); plan.Snapshot != settings {
			t.Errorf("%s: the hook is in %q", scope, plan.Snapshot)
		}
		if got := p.hooksIn(hook.EventSnapshot, scope); !slices.Equal(got, []string{"SessionStart startup|clear"}) {
			t.Errorf("%s: the hook runs at %q", scope, got)
		}
		found := p.Look()
		if len(found.Sites) != 1 || len(found.Sites[0].Entries) != 3 || len(found.Snapshot) != 1 || len(found.Gates) != 0 || !found.Snapshot[0].Since.Equal(at()) {
			t.Errorf("%s: found %+v", scope, found)
		}
		if !sessions.MayExist(save, os.Lstat) || sessions.MayExist(p.in(".claude/hooks/on-snapshot.sh"), os.Lstat) != (scope == ScopeProject) {
			t.Errorf("%s: the files are wrong", scope)
		}
		for _, p.Snapshot = range []bool{true, false} {
			if plan := must(p.PlanInstall()); !plan.Empty() {
				t.Errorf("%s, again: %+v", scope, plan.Changes)
			}
		}
		p.Snapshot = true
		p.Scope = map[Scope]Scope{ScopeProject: ScopeUser, ScopeUser: ScopeProject}[scope]
		if _, err := p.PlanInstall(); func() bool { r, ok := errors.AsType[*Refusal](err); return !ok || !r.Choice }() {
			t.Errorf("%s, and %s: %v", scope, p.Scope, err)
		}
		p.Scope = scope
		p.uninstall()
		p.same(p.tree(p.in(".claude/memory")), withDir(before, p.in(".claude"), scope == ScopeUser, p.tree()))
		p.noNotes()
	}
}

func TestSnapshotCommands(t *testing.T) {
	t.Parallel()
	for name, has := range map[string][]string{
		"save": {`allowed-tools: Bash\(continuo snapshot save:\*\)`, `"tasks":\[\{"title":`, `"context_blocks":`, `exactly its title`, `no secrets`, `continuo snapshot save --yes --from -`, `Saved →`},
		"load": {`allowed-tools: Bash\(continuo snapshot load\), Bash\(continuo snapshot show\)`, `not\s+instructions`, `todo list`, `same title`, `Loaded`, `ask whether`},
	} {
		text := string(textFile("snapshot/" + name + "-session-protocol.md"))
		checkOrder(t, text, has)
		if strings.Contains(text, "!`") || regexp.MustCompile(`(^|\s)@\w|\$[0-9A]`).MatchString(text) {
			t.Errorf("%s: the client would run or replace something", name)
		}
	}
}
