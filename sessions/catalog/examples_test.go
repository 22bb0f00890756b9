package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

// exampleDocument is the expected content of an example.
type exampleDocument struct {
	title, date, status, tags, branch, previous string
	sections                                    []string
	todos, next                                 []string
}

// ofSpec returns the sections of spec 000, except the given ones.
func ofSpec(without ...string) []string {
	all := []string{
		"```yaml", "## Session Summary", "## Accomplishments", "## Key Decisions & Patterns", "## Clarifications & Decisions",
		"## Failed Approaches", "## Git Context", "## Current State", "## Remaining Todos", "## Next Steps", "## Key Files",
		"## Environment Notes", "## Code Context", "## Context & Notes",
	}
	return slices.DeleteFunc(all, func(s string) bool { return slices.Contains(without, s) })
}

func exampleDocuments() map[string]exampleDocument {
	return map[string]exampleDocument{
		"session-2026-01-15-1430": {
			title: "Initial deep research and analysis session for claude-memory project. Accomplished comprehensive",
			date:  "2026-01-15 14:30", status: "completed", tags: "research competitive-analysis architecture planning", branch: "master",
			sections: ofSpec("## Code Context"),
			todos: []string{
				"high: Fix backup marker conflict (Solution 1.1)", "high: Harden PreCompact hook (Solution 1.4)",
				"high: Add JSONL parsing specification (Solution 1.5)", "medium: Add staleness detection (Solution 1.3)",
				"medium: Add session index (Solution 1.2)", "medium: Add /cleanup-backups command (Solution 2.1)",
				"medium: Add /search-sessions command (Solution 2.2)", "low: Session chaining (Solution 2.3)",
				"low: Configurable paths (Solution 2.4)", "low: Best practices documentation (Solution 3.4)",
			},
			next: []string{
				"Phase 1 (Critical): Fix backup marker conflict, harden PreCompact, add JSONL spec",
				"Phase 2 (Core): Add staleness detection, session index", "Phase 3 (UX): Add cleanup and search commands",
				"Phase 4 (Polish): Session chaining, configurable paths, documentation",
			},
		},
		"session-2026-01-15-2000": {
			title: "Completed implementation and testing of session coalescing feature (Phase 5)",
			date:  "2026-01-15 20:00", status: "in-progress", tags: "session-coalescing testing feature-implementation",
			branch: "feature/session-coalescing", previous: "session-2026-01-15-1430.md", sections: ofSpec(),
			todos: []string{
				"high: Complete coalescing workflow test (run /compact, then /coalesce)",
				"high: Merge feature/session-coalescing to master",
				"medium: Investigate why custom commands don't show in autocomplete",
			},
			next: []string{
				"Continue working on this session (make changes to test delta capture)",
				"Run /compact manually to trigger PreCompact hook", "Test /coalesce or /resume-latest coalesce detection",
				"Merge feature branch to master after successful test",
			},
		},
		"session-2026-01-15-2045": {
			title: "Fixed Windows hook compatibility issue preventing PreCompact hook from running",
			date:  "2026-01-15 21:52", status: "in-progress", tags: "windows-fix hooks cross-platform session-coalescing",
			branch: "feature/session-coalescing", previous: "session-2026-01-15-2000.md",
			sections: append(ofSpec(), "## Session Continuation (2026-01-15 21:52)"),
			todos: []string{
				"high: Restart session and test Windows hook fix with /compact",
				"high: Complete coalescing workflow test (/compact then /coalesce)",
				"high: Merge feature/session-coalescing to master",
				"medium: Investigate why custom commands don't show in autocomplete",
			},
			next: []string{
				"Exit/restart Claude Code session (or use /hooks menu)", "Run /compact to verify Windows hook fix works",
				"Run /coalesce to complete coalescing workflow test", "Merge feature branch to master",
			},
		},
		"session-2026-01-16-0515": {
			title: "Implemented /fresh-start and /fresh-start-all commands for resetting session management state",
			date:  "2026-01-16 05:15", status: "completed", tags: "fresh-start tdd documentation oogstbord-dev cross-platform",
			branch: "master", previous: "session-2026-01-15-1430.md", sections: ofSpec(),
			todos: []string{"low: Investigate custom command autocomplete issue (optional, noted in previous session)"},
			next:  []string{"Continue dogfooding claude-memory system", "Consider custom command autocomplete investigation if needed"},
		},
		"active-context": {
			title: "Active Session Context", date: "2026-01-16 05:15",
			sections: []string{
				"# Active Session Context", "## Current Task", "## Completed This Session", "## In Progress", "## Next Steps", "## Blockers", "## Key Files Modified",
			},
			next: []string{"Consider: investigate custom command autocomplete issue (optional)", "Continue dogfooding claude-memory system"},
		},
		"project-memory": {
			title: "Project Memory", date: "2026-02-01 00:00",
			sections: []string{"# Project Memory", "## Key Patterns", "## Architecture Decisions", "## Known Gotchas", "## Important Context"},
		},
	}
}

// TestExamples reads the real documents of spec 000 in the directory $CONTINUO_EXAMPLES.
func TestExamples(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	s := newShelf(t)
	want := exampleDocuments()
	for name := range want {
		data, err := os.ReadFile(filepath.Join(dir, "000", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		path := s.document(name, "tea", string(data))
		if at := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC); os.Chtimes(path, at, at) != nil {
			t.Fatal(path)
		}
	}
	opts := s.opts()
	opts.Also = []string{s.project("tea")}
	c := catalog.New(opts)
	rows, err := c.List(t.Context(), true)
	if err != nil || len(rows) != len(want) {
		t.Fatalf("%d documents, %v", len(rows), err)
	}
	var documents []*sessions.Row
	for i := range rows {
		documents = append(documents, &rows[i])
		checkExample(t, c, &rows[i], want[rows[i].ID])
	}
	var chains []string
	for _, chain := range sessions.Chains(documents) {
		if !chain.Linked() {
			continue
		}
		var ids []string
		for _, r := range chain.Rows {
			ids = append(ids, r.ID)
		}
		chains = append(chains, strings.Join(ids, " > ")+" "+chain.Note)
	}
	if linked := []string{
		"session-2026-01-16-0515 > session-2026-01-15-1430 ",
		"session-2026-01-15-2045 > session-2026-01-15-2000 continues session-2026-01-15-1430.md, as does the newer session-2026-01-16-0515.md",
	}; !slices.Equal(chains, linked) {
		t.Errorf("chains %q", chains)
	}
}

func checkExample(t *testing.T, c *catalog.Catalog, r *sessions.Row, want exampleDocument) {
	t.Helper()
	got := exampleDocument{
		title: r.Name, date: r.When().Format("2006-01-02 15:04"), status: r.Status, tags: strings.Join(r.Tags, " "), branch: r.Branch,
		previous: r.Previous, next: r.Next,
	}
	for _, todo := range r.Todos {
		if todo.Done {
			t.Errorf("%s: %q is done", r.ID, todo.Text)
		}
		got.todos = append(got.todos, todo.Priority+": "+todo.Text)
	}
	doc, err := c.Open(t.Context(), *r)
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	messages, err := doc.Messages(t.Context(), 0, len(doc.Outline()))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range messages {
		section := messages[i].Blocks[0].Text
		heading, _, _ := strings.Cut(strings.TrimLeft(section, "\n"), "\n")
		got.sections = append(got.sections, heading)
		text.WriteString(section)
	}
	if whole, _ := doc.Markdown(); len(text.String()) < len(whole)-len("---\n---\n\n") {
		t.Errorf("%s: the sections have %d bytes of %d", r.ID, text.Len(), len(whole))
	}
	if a, b := fmt.Sprintf("%q", got), fmt.Sprintf("%q", want); a != b || r.Reason != "" || r.Malformed {
		t.Errorf("%s: %s\n got %s\nwant %s", r.ID, r.Reason, a, b)
	}
}

func TestHardDocuments(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	front := func(previous string) string {
		return "---\ndate: 2026-02-01 10:00\nstatus: completed\nprevious_session: " + previous + "\n---\n## Session Summary\nAll.\n"
	}
	long := strings.Repeat(strings.Repeat("words and words ", 15)+"and words.\n", 5<<20/250)
	for name, text := range map[string]string{
		"session-first": front("null"), "session-lost": front("session-nowhere.md"), "session-loop-a": front("session-loop-b.md"),
		"session-loop-b": front("session-loop-a.md"), "session-self": front("session-self"),
		"session-long":      front("session-first.md") + long + "## Remaining Todos\n- [ ] BLOCKED: behind it\n",
		"session-longest":   front("session-long.md") + long + long[:4<<20] + "## Remaining Todos\n- [ ] never read\n",
		"session-malformed": "---\ntags: [a\nstatus: blocked\n---\n## Session Summary\nIt reads well.\n## Next Steps\n1. on\n",
		"session-unclosed":  "---\nstatus: blocked\n\n## Next Steps\n1. on\n",
		"session-dated":     "---\ndate: soon\n---\n## Next Steps\n1. on\n",
		"session-binary":    "\x00\xff\x1b[2J---\n", "session-empty": "",
	} {
		at := now()
		if path := s.document(name, "tea", text); os.Chtimes(path, at, at) != nil {
			t.Fatal(path)
		}
	}
	opts := s.opts()
	opts.Cwd = s.project("tea")
	rows, err := catalog.New(opts).List(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	var documents []*sessions.Row
	summaries := map[string]string{}
	for i := range rows {
		r := &rows[i]
		documents = append(documents, r)
		summaries[r.ID] = fmt.Sprintf("%s|%s|%v|%d|%d", r.Status, r.Reason, r.Malformed, len(r.Todos), len(r.Next))
	}
	notes := map[string]string{}
	for _, c := range sessions.Chains(documents) {
		for _, r := range c.Rows {
			notes[r.ID] = string(c.End) + ": " + c.Note
		}
	}
	for id, want := range map[string][2]string{
		"session-first":   {"completed||false|0|0", ": "},
		"session-lost":    {"completed||false|0|0", "missing: continues session-nowhere.md, which is missing"},
		"session-loop-a":  {"completed||false|0|0", "cycle: links to itself through session-loop-a.md"},
		"session-loop-b":  {"completed||false|0|0", "cycle: links to itself through session-loop-a.md"},
		"session-self":    {"completed||false|0|0", "cycle: links to itself"},
		"session-long":    {"completed||false|1|0", ": "},
		"session-longest": {"completed|longer than 8 MB: only the first 8 MB were read|false|0|0", ": "},
		"session-malformed": {
			"blocked|front matter: line 3: the list is not closed|true|0|1",
			"malformed: cannot be placed: front matter: line 3: the list is not closed",
		},
		"session-unclosed": {
			"blocked|the closing --- is missing|true|0|1",
			"malformed: cannot be placed: the closing --- is missing",
		},
		"session-dated":  {`|front matter: invalid date: soon|false|0|1`, ": "},
		"session-binary": {"||false|0|0", ": "},
		"session-empty":  {"|empty|false|0|0", ": "},
	} {
		if summaries[id] != want[0] || notes[id] != want[1] {
			t.Errorf("%s: %q, %q, want %q", id, summaries[id], notes[id], want)
		}
	}
	if len(notes) != len(rows) || len(rows) != 12 {
		t.Errorf("%d documents, %d in chains", len(rows), len(notes))
	}
}
