package list

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/rowtest"
)

// TestEveryDocumentOnce: each document is listed exactly once, for any links between them.
func TestEveryDocumentOnce(t *testing.T) {
	t.Parallel()
	for seed := range 60 {
		var rows []sessions.Row
		n := 1 + seed%9
		for i := range n {
			prev := ""
			if k := (seed*7 + i*i*3) % (n + 3); k < n+1 {
				prev = fmt.Sprintf("session-2026-10-%02d-1200.md", k+1)
			}
			rows = append(rows, rowtest.Document(fmt.Sprintf("session-2026-10-%02d-1200", i+1), fmt.Sprint("Document ", i), "completed", "b", prev, 40-i%4, "a", "HIGH: the same", fmt.Sprint("LOW: ", i)))
			if i%3 == seed%3 {
				rows[i].Project = "/home/ada/code/pantry"
			}
			rows[i].Malformed = i == seed%11
		}
		listedOnce(t, rows, []int{1, 7, 13, 29, 41, 60, 120}[seed%7])
	}
}

func listedOnce(t *testing.T, rows []sessions.Row, width int) {
	t.Helper()
	l := newPane(sessions.KindDocument, &scope{all: true})
	l.put(rows, 1)
	l.docs.all = true
	build(l, rowtest.Now(), width, 20, width%2 == 0)
	count, keys := map[string]int{}, map[string]bool{}
	for i := range l.items {
		it := &l.items[i]
		if it.row != nil && it.todo == nil {
			count[it.row.Path]++
		}
		if k := it.key(); k != "" {
			if keys[k] {
				t.Errorf("two items have the key %q", k)
			}
			keys[k] = true
		}
	}
	for i := range rows {
		if n := count[rows[i].Path]; n != 1 {
			t.Errorf("%s is listed %d times", rows[i].Path, n)
		}
	}
	for i := range l.items { // the bar stops at every item
		k := l.items[i].key()
		if k == "" {
			continue
		}
		if l.bar.Choose(i); l.sel != k || l.find(k) != i {
			t.Errorf("the bar isn't on %q", k)
		}
	}
}

// TestOpenOnce: a todo is open in several documents of a chain. It is listed once, for the newest document.
func TestOpenOnce(t *testing.T) {
	t.Parallel()
	rows := rowtest.Documents()
	rows[2].Todos = append(rows[2].Todos, sessions.Todo{Text: "the admin console still compares DAYS", Priority: "low"})
	// Done in the meantime.
	rows[1].Todos = append(rows[1].Todos, sessions.Todo{Text: "Move the clock into its own file", Priority: "high"})
	l := newPane(sessions.KindDocument, &scope{all: true})
	l.put(rows, 1)
	build(l, rowtest.Now(), 80, 24, false)
	open := l.docs.open(l.shown)
	if len(open) != 9 || open[0].row.Path != rows[0].Path || !open[0].since.Equal(rows[2].Created) || open[0].todo.Priority != "high" {
		t.Errorf("%d todos are open, the first: %+v", len(open), open[0])
	}
}

func TestOpenWords(t *testing.T) {
	t.Parallel()
	a, b := &sessions.Row{}, &sessions.Row{}
	a.Path, b.Path = "a", "b"
	todo, next := sessions.Todo{Priority: "high"}, sessions.Todo{Priority: nextStep}
	for want, open := range map[string][]openTodo{
		"2 todos, 1 next step in 2 documents": {{row: a, todo: todo}, {row: b, todo: todo}, {row: a, todo: next}},
		"1 todo in 1 document":                {{row: a, todo: todo}},
		"1 next step in 1 document":           {{row: a, todo: next}},
	} {
		if got := openWords(open); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestChainsByProject: chains are grouped by project. A fork shows the name of its parent chain.
func TestChainsByProject(t *testing.T) {
	t.Parallel()
	rows := []sessions.Row{
		rowtest.Document("session-2026-11-20-0900", "Newest", "", "main", "session-2026-11-10-0900", 1, ""),
		rowtest.Document("session-2026-11-19-0900", "Pantry", "", "shelves", "session-2026-11-09-0900", 2, ""),
		rowtest.Document("session-2026-11-18-0900", "Fork", "", "try", "session-2026-11-10-0900", 3, ""),
		rowtest.Document("session-2026-11-10-0900", "Trunk", "", "main", "", 11, ""),
		rowtest.Document("session-2026-11-09-0900", "Pantry first", "", "shelves", "", 12, ""),
	}
	for _, i := range []int{1, 4} {
		rows[i].Project, rows[i].Workdir = "/home/ada/code/pantry", "/home/ada/code/pantry"
		rows[i].Path = strings.ReplaceAll(rows[i].Path, "teahouse", "pantry")
	}
	l := newPane(sessions.KindDocument, &scope{all: true})
	l.put(rows, 1)
	build(l, rowtest.Now(), 120, 40, false)
	var heads []string
	for i := range l.items {
		if h := l.items[i].heading; h != "" {
			heads = append(heads, h+" "+l.items[i].note)
		}
	}
	want := "main 2 linked sessions · teahouse; try branches off main · teahouse; shelves 2 linked sessions · pantry"
	if got := strings.Join(heads, "; "); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
