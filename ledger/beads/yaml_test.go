package beads

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

const teaYAML = `id: beads-x7y8
title: "Move the slot picker"
status: in_progress
priority: 2
created: 2026-01-15T10:00:00Z
assignee: null
decisions:
  - ts: 2026-01-15T10:30:00Z
    decision: "Use one model"
    rationale: "Two tables drifted apart"
    evidence:
      - path: ${PROJECT_ROOT}/src/hours.go
        line: 12
        quote: "func Hours(day time.Time) Span {"
test_scenarios:
  - name: "A holiday"
    type: edge_case
    expected: "The house is closed"
handoffs:
  - session_id: "sess-001"
    ended: 2026-01-15T12:00:00Z
    notes_ref: "grimoires/loa/NOTES.md:45-67"
    trajectory_ref: "trajectory/impl-2026-01-15.jsonl:span-abc"
    grounding_ratio: 0.97
next_steps:
  - "Write the migration"
blockers: []
questions:
  - "Who may edit hours?"
`

func TestYAML(t *testing.T) {
	t.Parallel()
	g := graphOf(t, map[string]string{"beads-x7y8.yaml": teaYAML, "config.yaml": "issue_prefix: br\n", "README.md": "x"})
	if p := problems(g); p != "" || g.Shape != "yaml" || len(g.Beads) != 1 {
		t.Fatalf("shape %q, %d beads, problems %q", g.Shape, len(g.Beads), p)
	}
	b, ok := g.Find("beads-x7y8")
	if !ok || b.Title != "Move the slot picker" || b.Status != "in_progress" || b.Priority != 2 || b.Assignee != "" ||
		!b.Created.Equal(time.Date(2026, 1, 15, 10, 0, 0, 0, time.UTC)) {
		t.Fatalf("bead is %+v", b)
	}
	got := fmt.Sprint(b.Decisions, b.Scenarios, b.Handoffs, b.Next, b.Blockers, b.Questions)
	want := "[{2026-01-15 10:30:00 +0000 UTC Use one model Two tables drifted apart [{${PROJECT_ROOT}/src/hours.go 12 func Hours(day time.Time) Span { 0}] false}] " +
		"[{A holiday edge_case The house is closed}] [{sess-001 2026-01-15 12:00:00 +0000 UTC grounding NOTES trajectory}] [Write the migration] [] [Who may edit hours?]"
	want = strings.Replace(want, "grounding NOTES trajectory", "grimoires/loa/NOTES.md:45-67 trajectory/impl-2026-01-15.jsonl:span-abc 0.97 true", 1)
	if got != want {
		t.Errorf("it has\n%s, want\n%s", got, want)
	}
	if list := b.Check(0, .95); len(list) != 0 {
		t.Errorf("findings are %v", list)
	}
}

// TestYAMLJoins: a bead in both files has the status of issues.jsonl.
func TestYAMLJoins(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"open", "closed"} {
		g := graphOf(t, map[string]string{
			"issues.jsonl":    `{"id":"beads-x7y8","title":"Of br","status":"` + status + `","comments":[{"text":"DECISION: first"}]}` + "\n",
			"beads-x7y8.yaml": teaYAML, "z.yaml": "id: z\nstatus: closed\ntitle: 007\n", "z2.yaml": "id: z\n",
		})
		b, ok := g.Find("beads-x7y8")
		if !ok || b.Title != "Of br" || b.Status != status || len(b.Decisions) != 2 || len(b.Handoffs) != 1 || g.Shape != "mixed" {
			t.Errorf("%s: bead is %+v, shape %s", status, b, g.Shape)
		}
		if z, ok := g.Find("z"); !ok || z.Title != "7" && z.Title != "007" {
			t.Errorf("z is %+v", z)
		}
		if p := problems(g); p != "z2.yaml:0 The ID z is already in z.yaml. The first one counts.\n" {
			t.Errorf("problems are %q", p)
		}
	}
}

func TestBlockers(t *testing.T) {
	t.Parallel()
	g := graphOf(t, map[string]string{"a.yaml": "id: a\nstatus: open\nblockers: [the printer]\n", "b.yaml": "id: b\nstatus: open\nblockers: []\n"})
	if ready, blocked := ids(g.Ready(now())), ids(g.Blocked(now())); ready != "b" || blocked != "a" {
		t.Errorf("ready are %q, blocked %q", ready, blocked)
	}
}

func TestYAMLProblems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, line, what string }{
		"syntax":   {"id: a\ntitle: \"x\nstatus: open\n", "", "The file isn't a YAML bead: "},
		"type":     {"id: a\n\ndecisions: 7\n", "3", "The file isn't a YAML bead: "},
		"no id":    {"title: x\n", "0", "The file isn't a YAML bead: it has no ID."},
		"empty":    {"", "0", "The file isn't a YAML bead: it has no ID."},
		"alias":    {"id: a\nnext_steps: &n [x]\nquestions: *n\n", "2", "The file has an anchor"},
		"brackets": {"id: a\nlabels: " + strings.Repeat("[", 30000), "2", "The file is nested too deeply."},
		"dashes":   {"id: a\nlabels:\n  " + strings.Repeat("- ", 20000), "3", "The file is nested too deeply."},
		"long":     {"id: a\n" + strings.Repeat("# x\n", maxYAML/4), "0", "The file is longer than 64 KB"},
		"binary":   {"\x00\xff\xfe\x00", "", "The file isn't a YAML bead: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := graphOf(t, map[string]string{"a.yaml": c.text})
			if got := problems(g); len(g.Problems) != 1 || !strings.HasPrefix(got, "a.yaml:"+c.line) || !strings.Contains(got, c.what) || len(g.Beads) != 0 {
				t.Errorf("problems are %q", got)
			}
		})
	}
}

// TestLinks: links out of the directory aren't followed.
func TestLinks(t *testing.T) {
	t.Parallel()
	out, dir := filepath.Join(t.TempDir(), "x"), t.TempDir()
	if err := os.WriteFile(out, []byte(`{"id":"a","status":"open"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, filepath.Join(dir, "a.yaml")); err != nil {
		t.Skip(err)
	}
	g, err := Read(t.Context(), dir, nil)
	if err != nil || len(g.Beads) != 0 || !strings.Contains(problems(g), "a.yaml:0 The file is a link that points outside") {
		t.Errorf("%v, problems %q", err, problems(g))
	}
	if err := os.Symlink(out, filepath.Join(dir, "issues.jsonl")); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), dir, nil); !errors.Is(err, ledger.ErrOutside) {
		t.Errorf("error is %v", err)
	}
	if _, err := Read(t.Context(), out, nil); !errors.Is(err, errNotDirectory) {
		t.Errorf("error is %v", err)
	}
	dir = t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "issues.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), dir, nil); !errors.Is(err, errNotRegular) {
		t.Errorf("error is %v", err)
	}
}
