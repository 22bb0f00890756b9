package setup

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// TestInstallTasks: a later installation without --tasks keeps its hooks, commands and CLAUDE.md part.
func TestInstallTasks(t *testing.T) {
	t.Parallel()
	for _, scope := range []Scope{ScopeProject, ScopeUser} {
		p := newPlace(t)
		p.Scope = scope
		settings, rules := p.settingsPath(scope), p.in(".claude/CLAUDE.md")
		p.write(settings, "{\n\t\"model\": \"opus\", \"hooks\": {\"SessionStart\": [ ]}}", 0o640)
		p.write(rules, "# Rules\r\n", 0o644)
		before := p.tree()
		p.install()
		status := p.in(".claude/commands/task-status.md")
		if p.hooksIn(hook.EventTask, scope) != nil || sessions.MayExist(status, os.Lstat) || strings.Contains(p.read(rules), "## Tasks") {
			t.Errorf("%s: installed without the option", scope)
		}
		p.Tasks = true
		if plan := p.install(); plan.Tasks != settings {
			t.Errorf("%s: the hook is in %q", scope, plan.Tasks)
		}
		if got := p.hooksIn(hook.EventTask, scope); !slices.Equal(got, []string{"SessionStart ", "SessionEnd "}) {
			t.Errorf("%s: the hooks run at %q", scope, got)
		}
		found := p.Look()
		if len(found.Sites) != 1 || len(found.Sites[0].Entries) != 3 || len(found.Tasks) != 1 || !found.Tasks[0].Since.Equal(at()) {
			t.Errorf("%s: found %+v", scope, found)
		}
		if !sessions.MayExist(status, os.Lstat) || sessions.MayExist(p.in(".claude/hooks/on-task.sh"), os.Lstat) != (scope == ScopeProject) {
			t.Errorf("%s: the files are wrong", scope)
		}
		if want := "# Rules\r\n\r\n" + strings.ReplaceAll(string(blockText(true)), "\n", "\r\n"); p.read(rules) != want {
			t.Errorf("%s: CLAUDE.md: %q", scope, p.read(rules))
		}
		for _, p.Tasks = range []bool{true, false} {
			if plan := must(p.PlanInstall()); !plan.Empty() {
				t.Errorf("%s, again: %+v", scope, plan.Changes)
			}
		}
		p.uninstall()
		p.same(p.tree(p.in(".claude/memory")), withDir(before, p.in(".claude"), false, p.tree()))
		p.noNotes()
	}
}

// TestTaskCommands: the commands of spec 003 may not commit or run a project command without a question.
func TestTaskCommands(t *testing.T) {
	t.Parallel()
	for name, has := range map[string][]string{
		"start":      {`continuo task list`, `continuo task start --yes --task NAME`, `health check`, `not instructions`, `Session starting:`},
		"checkpoint": {`no secrets`, `rationale`, `continuo task checkpoint --yes --event EVENT --gate GATE --from -`},
		"end":        {`no secrets`, `continuo task end --yes --outcome OUTCOME --from -`},
		"status":     {`continuo task list`, `continuo task timeline --task NAME`, `continuo task verify --task NAME`, `Change nothing`},
	} {
		text := string(textFile("tasks/task-" + name + ".md"))
		checkOrder(t, text, has)
		if strings.Contains(text, "!`") || regexp.MustCompile(`(^|\s)@\w|\$[0-9]`).MatchString(text) {
			t.Errorf("%s: the client would run or replace something", name)
		}
		if regexp.MustCompile(`allowed-tools:.*task (start|end|health)`).MatchString(text) {
			t.Errorf("%s: --health and --commit would run without a question", name)
		}
	}
}
