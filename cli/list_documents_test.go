package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
)

// notebook returns documents with different fields set.
func notebook() []sessions.Row {
	return []sessions.Row{
		row("session-2026-11-12-1552", "Leeway is agreed", kind(sessions.KindDocument), ago(9*day), func(r *sessions.Row) {
			r.Status, r.Called, r.Branch, r.Prompt = "in-progress", "teahouse", "fix/token-race", "The **leeway** of `clock` is agreed"
			r.Tags, r.Previous, r.Next = []string{"auth", "clock"}, "session-2026-11-10-1552.md", []string{"Guest tokens", "The console"}
			r.Todos = []sessions.Todo{{Text: "Console", Priority: "high"}, {Text: "Clock", Done: true}, {Text: "Log"}}
		}),
		row("session-2026-11-10-1552", "Two verifiers", kind(sessions.KindDocument), ago(11*day), func(r *sessions.Row) {
			r.Status, r.Branch = "blocked", ""
		}),
		row("session-2026-11-05-1552", "x", kind(sessions.KindDocument), ago(16*day), func(r *sessions.Row) {
			r.Malformed, r.Reason, r.Prompt, r.Branch = true, "front matter: line 4: no list", "日本語", ""
		}),
	}
}

func TestListDocuments(t *testing.T) {
	t.Parallel()
	rows := notebook()
	for width, want := range map[int]string{
		120: `All projects, 3 documents

#  date        project   status       open  branch          summary                            id
1  2026-11-12  teahouse  in-progress     2  fix/token-race  The leeway of clock is agreed      session-2026-11-12-1552
2  2026-11-10  unknown   blocked            -               Two verifiers                      session-2026-11-10-1552
3  2026-11-05  unknown   -                  -               ✗ front matter: line 4: no list    session-2026-11-05-1552
`,
		80: `All projects, 3 documents

#  status       summary                                id
1  in-progress  The leeway of clock is agreed          session-2026-11-12-1552
2  blocked      Two verifiers                          session-2026-11-10-1552
3  -            ✗ front matter: line 4: no list        session-2026-11-05-1552
`,
		40: `All projects, 3 documents

summary        id
The leeway o…  session-2026-11-12-1552
Two verifiers  session-2026-11-10-1552
✗ front matt…  session-2026-11-05-1552
`,
	} {
		_, got, _ := testRun{src: fakeSource{rows: rows}, terminal: true, width: width, args: []string{"list", "--all", "--kind", "document"}}.do(t)
		if got != want {
			t.Errorf("width %d: got\n%swant\n%s", width, got, want)
		}
	}
	for width := 1; width <= 130; width++ {
		_, plain, _ := testRun{src: fakeSource{rows: rows}, terminal: true, width: width, args: []string{"list", "--all", "--kind", "document"}}.do(t)
		for line := range strings.SplitSeq(plain, "\n") {
			if n := ansi.StringWidth(line); n > max(width-out.ListMargin, 1) || strings.HasSuffix(line, " ") {
				t.Errorf("width %d: a line of %d cells: %q", width, n, line)
			}
		}
	}
	_, got, _ := testRun{src: fakeSource{rows: rows}, terminal: true, width: 80, args: []string{"list", "--all", "--kind", "document,session"}}.do(t)
	if strings.Contains(got, "#") {
		t.Errorf("with two kinds:\n%s", got)
	}
}

// TestListMemory: memory files and a snapshot come last, without numbers.
func TestListMemory(t *testing.T) {
	t.Parallel()
	rows := append([]sessions.Row{
		row("active-context", "Now", kind(sessions.KindDocument), ago(time.Hour)), row("project-memory", "Always", kind(sessions.KindDocument), ago(2*time.Hour)),
	}, notebook()...)
	for i := range rows {
		rows[i].Path = "/p/.claude/memory/" + rows[i].ID + ".md"
	}
	snapshot := row("session-protocol", "Snapshot: Fix it", kind(sessions.KindDocument), ago(time.Minute))
	snapshot.Path = "/p/session-protocol.json"
	rows = append([]sessions.Row{snapshot}, rows...)
	_, got, _ := testRun{src: fakeSource{rows: rows}, terminal: true, width: 120, args: []string{"list", "--all", "--kind", "document"}}.do(t)
	lines := strings.Split(got, "\n")
	if len(lines) < 13 || lines[0] != "All projects, 3 documents, 2 memory files and 1 snapshot" || lines[7] != "Memory 2" || lines[11] != "Snapshots 1" ||
		!strings.HasPrefix(lines[3], "1  2026-11-12") || !strings.HasPrefix(lines[8], "   2026-") || !strings.HasSuffix(lines[9], "project-memory") ||
		!strings.HasPrefix(lines[12], "   2026-") || !strings.HasSuffix(lines[12], "session-protocol") {
		t.Errorf("got\n%s", got)
	}
	_, got, _ = testRun{src: fakeSource{rows: rows}, args: []string{"list", "--all", "--kind", "document"}}.do(t)
	want := "session-2026-11-12-1552\t2026-11-12T15:52:00Z\t" + rows[3].Project + "\tin-progress\tfix/token-race\t2\t1\tauth,clock\tsession-2026-11-10-1552.md\t" + rows[3].Path + "\n"
	if first, _, _ := strings.Cut(got, "\n"); first+"\n" != want || !strings.HasPrefix(strings.Split(got, "\n")[3], "active-context\t") {
		t.Errorf("piped:\n%swant\n%s", got, want)
	}
}

func TestListDocumentsJSON(t *testing.T) {
	t.Parallel()
	rows := append(notebook(), row("3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35", "Fix", ago(time.Minute)))
	_, stdout, _ := testRun{src: fakeSource{rows: rows}, args: []string{"list", "--all", "--json"}}.do(t)
	var list []map[string]json.RawMessage
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || len(list) != len(rows) {
		t.Fatalf("%v\n%s", err, stdout)
	}
	keys := []string{
		"number", "date", "projectName", "status", "branch", "summary", "title", "tags", "previous", "todos", "todosOpen", "todosDone", "next", "problem",
	}
	values := func(i int) string {
		var parts []string
		for _, key := range keys {
			if value := string(list[i][key]); value != "" {
				parts = append(parts, value)
			}
		}
		return strings.Join(parts, " ")
	}
	for i, want := range []string{
		`1 "2026-11-12T15:52:00Z" "teahouse" "in-progress" "fix/token-race" "The **leeway** of ` + "`clock`" + ` is agreed" "Leeway is agreed" ["auth","clock"] "session-2026-11-10-1552.md" ` +
			`[{"text":"Console","priority":"high","done":false},{"text":"Clock","priority":"","done":true},{"text":"Log","priority":"","done":false}] 2 1 ["Guest tokens","The console"] ""`,
		`2 "2026-11-10T15:52:00Z" "" "blocked" "" "" "Two verifiers" [] "" [] 0 0 [] ""`,
		`3 "2026-11-05T15:52:00Z" "" "" "" "日本語" "x" [] "" [] 0 0 [] "front matter: line 4: no list"`,
		`"main"`,
	} {
		if got := values(i); got != want {
			t.Errorf("%d: %s\nwant %s", i, got, want)
		}
	}
	if _, stdout, _ = (testRun{src: fakeSource{rows: rows}, args: []string{"list", "--all", "--json", "--kind", "document"}}).do(t); strings.Count(stdout, `"kind":"document"`) != 3 ||
		!slices.Contains(strings.Split(stdout, "\n"), "]") {
		t.Errorf("documents alone:\n%s", stdout)
	}
}
