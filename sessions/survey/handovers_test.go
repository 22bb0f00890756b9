package survey

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/handover"
)

func TestHandoversOf(t *testing.T) {
	t.Parallel()
	root, home := t.TempDir(), t.TempDir()
	files := map[string]string{
		".git/HEAD": "",
		"grimoires/loa/NOTES.md": "## Session Continuity\n\n- **Current Bead**: tea-1 (Clock)\n- **Last Checkpoint**: 2026-11-19T10:00:00Z\n- **Reasoning State**: Half way.\n\n" +
			"## Active Sub-Goals\n\n- [ ] Close the books (tea-3)\n",
		".beads/issues.jsonl": `{"id":"tea-1","title":"Clock","status":"in_progress","priority":1,"issue_type":"task","created_at":"2026-11-01T10:00:00Z","updated_at":"2026-11-20T10:00:00Z"}
{"id":"tea-2","title":"Nobody names it","status":"closed","priority":1,"issue_type":"task","created_at":"2026-11-01T10:00:00Z","updated_at":"2026-11-20T10:00:00Z","closed_at":"2026-11-20T10:00:00Z"}
{"id":"tea-3","title":"Books","status":"closed","priority":1,"issue_type":"task","created_at":"2026-11-01T10:00:00Z","updated_at":"2026-11-18T10:00:00Z","closed_at":"2026-11-18T10:00:00Z"}
`,
		"session-protocol.json":            `{"metadata":{"updated":"2026-11-19T12:00:00Z"},"tasks":[{"id":"TASK_001","title":"Clock (tea-1)","status":"pending"}]}`,
		".claude/memory/active-context.md": "# Active Session Context\n\n> Last Updated: 2026-11-20T12:00:00Z\n\n## Current Task\n\nMove guests.\n\n## Next Steps\n\n1. Admin\n\n## Blockers\n\n- None\n",
		".claude/memory/project-memory.md": "# Project Memory\n",
		".claude/memory/session-long.md":   "---\ndate: 2026-11-20T09:00:00Z\n---\n" + strings.Repeat("long\n", handoverBytes/5+1),
	}
	for i := range handoverDocuments {
		files[fmt.Sprintf(".claude/memory/session-2026-11-%d-0900.md", 10+i)] = fmt.Sprintf("---\ndate: 2026-11-%dT09:00:00Z\n---\n\n## Current State\n\nState %d\n", 10+i, 10+i)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := LedgerOf(t.Context(), Place{Dir: root, Home: home, Now: now()}, LedgerHow{})
	if err != nil {
		t.Fatal(err)
	}
	held, troubles := HandoversOf(t.Context(), &l, home)
	var got []string
	for i := range held {
		h := &held[i]
		got = append(got, fmt.Sprintf("%c %s %s %s", h.Mark, h.Name, h.At.UTC().Format("01-02 15:04"), h.State))
	}
	want := []string{
		"D active-context.md 11-20 12:00 Move guests.", "B tea-1 11-20 10:00 ", "S session-protocol.json 11-19 12:00 ", "N grimoires/loa/NOTES.md 11-19 10:00 Half way.", "B tea-3 11-18 10:00 ",
		"D session-2026-11-14-0900.md 11-14 09:00 State 14", "D session-2026-11-13-0900.md 11-13 09:00 State 13",
		"D session-2026-11-12-0900.md 11-12 09:00 State 12", "D session-2026-11-11-0900.md 11-11 09:00 State 11",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if items := held[0].Items; len(items) != 1 || items[0].Title != "Admin" || items[0].Status != handover.Open {
		t.Errorf("%+v", items)
	}
	if want := []string{"The document session-long.md could not be read: longer than 1 MB."}; !slices.Equal(troubles, want) {
		t.Errorf("%q", troubles)
	}
}
