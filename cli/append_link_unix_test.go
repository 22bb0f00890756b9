//go:build unix

package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// TestLogIsLink: a checkout has replaced the log file with a symlink.
func TestLogIsLink(t *testing.T) {
	t.Parallel()
	day := now().Format(time.DateOnly)
	for _, target := range []string{".git/config", ".claude/settings.json", ".git/hooks/post-commit", "src/main.go"} {
		for _, c := range []struct {
			file string
			args []string
		}{
			{survey.GateAgent, []string{"gate"}},
			{survey.GateAgent, []string{"gate", "--full"}},
			{survey.GateAgent, []string{"delta", "--finding", "x", "--yes"}},
			{survey.GateAgent, []string{"fork-check", "--decision", "90 minutes", "--title", "Leeway"}},
			{"system", []string{"heal", "--yes"}},
		} {
			w := newNoteWorld(t)
			w.write("grimoires/loa/NOTES.md", "See .beads/issues.jsonl.\n\n## Decision Log\n\n### 2026-11-01T10:00:00Z - Leeway\n**Decision**: 30 seconds\n**Rationale**: Hosts drift\n") // heal misses .beads
			w.write(target, "kept\n")
			link(t, w.project, "../../../../"+target, loggedDir+c.file+"-"+day+".jsonl")
			d := w.deps()
			_ = execute(t.Context(), d.Env, d.Output, c.args) // the exit code differs per command
			out := w.out.String()
			if w.read(target) != "kept\n" {
				t.Errorf("%v writes %q into %s", c.args, w.read(target), target)
			}
			if !strings.Contains(strings.Join(strings.Fields(out), " "), ": a link") {
				t.Errorf("%v to %s says\n%s", c.args, target, out)
			}
		}
	}
}

// TestNotesIsLink: NOTES.md is a link into .git or .claude.
func TestNotesIsLink(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(".claude/CLAUDE.md", "# Kept\n")
	link(t, w.project, "../../.claude/CLAUDE.md", "grimoires/loa/NOTES.md")
	out := w.run(out.ExitFailed, "note", "decision", "x", "--rationale", "y", "--no-evidence", "--yes")
	if w.read(".claude/CLAUDE.md") != "# Kept\n" || !strings.Contains(out, "is a link into .git or .claude") || !strings.Contains(out, "Replace the link with the file") {
		t.Errorf("%q\n%s", w.read(".claude/CLAUDE.md"), out)
	}
}
