package beads

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func now() time.Time { return time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC) }

func graph(t *testing.T, lines ...string) *Graph {
	t.Helper()
	return graphOf(t, map[string]string{"issues.jsonl": strings.Join(lines, "\n") + "\n"})
}

func graphOf(t *testing.T, files map[string]string) *Graph {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g, err := Read(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func ids(list []*Bead) string {
	var names []string
	for _, b := range list {
		names = append(names, b.ID)
	}
	return strings.Join(names, " ")
}

func problems(g *Graph) string {
	var b strings.Builder
	for _, p := range g.Problems {
		fmt.Fprintf(&b, "%s:%d %s\n", filepath.Base(p.File), p.Line, p.What)
	}
	return b.String()
}

func TestReadLine(t *testing.T) {
	t.Parallel()
	g := graph(t, `{"id":"br-1","title":"Move the slot picker","description":"Why:\n{\"status\":\"closed\"}","status":"in_progress","priority":0,`+
		`"issue_type":"epic","assignee":"ada","created_at":"2026-01-14T15:46:10.728543666-08:00","updated_at":"2026-11-20T10:00:00Z",`+
		`"defer_until":"2026-12-01","labels":["a","b"],"pinned":true,"compaction_level":0,"unheard":{"of":[1,{"status":"closed"}]},`+
		`"dependencies":[{"issue_id":"br-1","depends_on_id":"br-2","type":"blocks","created_at":"2026-01-14T15:46:10Z","metadata":"{}"}],`+
		`"comments":[{"id":7,"issue_id":"br-1","author":"ada","text":"later","created_at":"2026-11-02T00:00:00Z"},`+
		`{"id":"c-8","author":"bo","text":"first","created_at":"2026-11-01T00:00:00.5+01:00"}]}`)
	if p := problems(g); p != "" || g.Shape != "br" || len(g.Beads) != 1 {
		t.Fatalf("shape %q, %d beads, problems %q", g.Shape, len(g.Beads), p)
	}
	b := g.Beads[0]
	if b.ID != "br-1" || b.Title != "Move the slot picker" || !strings.HasPrefix(b.Description, "Why:\n{") || b.Status != "in_progress" ||
		b.Priority != 0 || b.Type != "epic" || b.Assignee != "ada" || strings.Join(b.Labels, " ") != "a b" || !b.Hidden || b.Line != 1 {
		t.Errorf("bead is %+v", b)
	}
	if want := time.Date(2026, 1, 14, 23, 46, 10, 728543666, time.UTC); !b.Created.Equal(want) {
		t.Errorf("created %v, want %v", b.Created, want)
	}
	if want := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC); !b.Defer.Equal(want) {
		t.Errorf("deferred to %v", b.Defer)
	}
	if len(b.Deps) != 1 || b.Deps[0] != (Dep{On: "br-2", Type: "blocks"}) {
		t.Errorf("dependencies are %v", b.Deps)
	}
	if len(b.Comments) != 2 || b.Comments[0].Text != "first" || b.Comments[1].Author != "ada" {
		t.Errorf("comments are %v", b.Comments)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	const good = `{"id":"a","title":"A","status":"open","priority":2,"issue_type":"task"}`
	for name, c := range map[string]struct {
		text, ids, problems string
	}{
		"crlf, bom, blank lines": {"\uFEFF" + good + "\r\n\r\n" + strings.Replace(good, `"a"`, `"b"`, 1) + "\r\n", "a b", ""},
		"no newline at the end":  {good, "a", ""},
		"cut off": {
			good + "\n" + good[:40], "a",
			"issues.jsonl:2 The last line is incomplete. A program may be writing it, or was stopped.\n",
		},
		"cut off while closed": {
			good + "\n" + `{"id":"b","status":"closed","x":{}`, "a",
			"issues.jsonl:2 The last line is incomplete. A program may be writing it, or was stopped.\n",
		},
		"garbage": {
			"\x00\xff{\n" + good + "\n[1]\n{}\n7\n", "a",
			"issues.jsonl:1 The line isn't JSON.\n" +
				"issues.jsonl:3 The line isn't a bead: it isn't a JSON object.\nissues.jsonl:4 The line isn't a bead: it has no ID.\n" +
				"issues.jsonl:5 The line isn't a bead: it isn't a JSON object.\n",
		},
		"merge conflict": {
			"<<<<<<< HEAD\n" + good + "\n=======\n>>>>>>> other\n", "a",
			"issues.jsonl:1 The line is left from a merge conflict.\nissues.jsonl:3 The line is left from a merge conflict.\n" +
				"issues.jsonl:4 The line is left from a merge conflict.\n",
		},
		"wrong type": {
			`{"id":"a","priority":"high","title":"A","status":"open"}` + "\n", "a",
			"issues.jsonl:1 priority has the wrong type and was left out.\n",
		},
		"wrong time": {
			`{"id":"a","title":"A","status":"open","defer_until":"soon"}` + "\n", "a",
			"issues.jsonl:1 defer_until isn't a time and was left out.\n",
		},
		"twice": {
			good + "\n" + strings.Replace(good, "A", "B", 1) + "\n", "a",
			"issues.jsonl:2 The ID is already in line 1. The later line is used.\n",
		},
		"twice, then closed": {
			good + "\n" + strings.Replace(good, "open", "closed", 1) + "\n", "",
			"issues.jsonl:2 The ID is already in line 1. The later line is used.\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := graphOf(t, map[string]string{"issues.jsonl": c.text})
			var got []string
			for i := range g.Beads {
				got = append(got, g.Beads[i].ID)
			}
			if have := strings.Join(got, " "); have != c.ids {
				t.Errorf("beads are %q, want %q", have, c.ids)
			}
			if have := problems(g); have != c.problems {
				t.Errorf("problems are\n%s, want\n%s", have, c.problems)
			}
		})
	}
}

func TestProblemsCounted(t *testing.T) {
	t.Parallel()
	g := graphOf(t, map[string]string{"issues.jsonl": strings.Repeat("x\n", 500)})
	if n := len(g.Problems); n != maxProblems+1 || g.Problems[maxProblems].What != "400 more lines or files could not be read." {
		t.Errorf("%d problems, the last is %v", n, g.Problems[n-1])
	}
	long := `{"id":"a","title":"` + strings.Repeat("x", maxLine) + `"}`
	if g := graph(t, long, `{"id":"b","status":"open"}`); len(g.Beads) != 1 || !strings.Contains(problems(g), ":1 The line is longer than 8 MB") {
		t.Errorf("%d beads, problems %q", len(g.Beads), problems(g))
	}
}

// TestDecodes: finding closed beads doesn't decode their lines.
func TestDecodes(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf(`{"id":"c-%d","title":"T","description":"{ \"status\":\"open\" }","status":"closed","priority":1}`, i))
	}
	lines = append(lines,
		`{"id":"t","title":"T","status":"tombstone"}`,
		`{"id":"open","title":"says \"status\":\"closed\"","status":"open"}`,
		`{"id":"nested","x":{"status":"closed"},"status":"open"}`,
		`{"status":"closed","id":"other-order"}`,
		`{"id":"blanks", "status": "closed"}`,
	)
	g := graph(t, lines...)
	if g.decoded != 4 {
		t.Errorf("%d lines were decoded, want 4", g.decoded)
	}
	if len(g.Beads) != 2 || g.Beads[0].ID != "open" || g.Beads[1].ID != "nested" {
		t.Errorf("beads are %v", g.Beads)
	}
	if b, ok := g.Find("c-999"); !ok || b.Status != "closed" || b.Line != 1000 || b.Title != "T" {
		t.Errorf("Find(c-999) is %+v, %v", b, ok)
	}
	for _, id := range []string{"t", "other-order", "blanks", "nested"} {
		if b, ok := g.Find(id); !ok || b.ID != id {
			t.Errorf("Find(%s) is %+v, %v", id, b, ok)
		}
	}
	if _, ok := g.Find("c-1000"); ok {
		t.Error("Find found a missing bead")
	}
	if n := len(g.Closed()); n != 1002 || g.CountClosed() != n { // the tombstone doesn't count
		t.Errorf("%d closed beads, %d counted", n, g.CountClosed())
	}
	if list := g.IDs(); len(list) != 1005 || !slices.IsSorted(list) {
		t.Errorf("%d ids", len(list))
	}
}

func TestOtherFiles(t *testing.T) {
	t.Parallel()
	const line = `{"id":"a","title":"A","status":"open"}`
	if g := graphOf(t, map[string]string{"beads.jsonl": line}); len(g.Beads) != 1 || g.Shape != "bd" {
		t.Errorf("beads.jsonl: %+v", g)
	}
	if g := graphOf(t, map[string]string{"beads.jsonl": line, "issues.jsonl": ""}); len(g.Beads) != 0 {
		t.Errorf("beads.jsonl beside issues.jsonl: %+v", g)
	}
	g, err := Read(t.Context(), filepath.Join(t.TempDir(), "none"), nil)
	if err != nil || len(g.Beads)+len(g.Problems) != 0 || g.Shape != "" {
		t.Errorf("no directory: %+v, %v", g, err)
	}
	if _, ok := g.Find("a"); ok || len(g.Ready(now()))+len(g.Closed())+len(g.IDs()) != 0 {
		t.Error("an empty graph has a bead")
	}
}

func BenchmarkRead(b *testing.B) {
	for _, open := range []int{10, 2, 1} { // one of this many beads is open
		b.Run(fmt.Sprint("1 in ", open), func(b *testing.B) {
			dir := b.TempDir()
			size := synthetic(b, dir, 6<<20, open)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				g, err := Read(b.Context(), dir, nil)
				if err != nil || len(g.Problems) > 0 {
					b.Fatal(err, g.Problems)
				}
			}
		})
	}
}

// synthetic writes an issues.jsonl of about the given size, in which every n-th bead is open.
func synthetic(tb testing.TB, dir string, size, open int) int {
	tb.Helper()
	var text strings.Builder
	for i := 0; text.Len() < size; i++ {
		status := "closed"
		if i%open == 0 {
			status = "open"
		}
		fmt.Fprintf(&text, `{"id":"bd-%d","title":"T-1.%d: Move the slot picker to the server","description":%q,"status":%q,"priority":1,"issue_type":"task",`+
			`"created_at":"2026-02-26T04:23:04.550522163Z","created_by":"ada","updated_at":"2026-02-26T05:42:31.996888771Z","source_repo":".",`+
			`"compaction_level":0,"original_size":0,"labels":["epic:bd-11dh","sprint:2"],"dependencies":[{"issue_id":"bd-%d","depends_on_id":"bd-%d",`+
			`"type":"blocks","created_at":"2026-02-26T05:06:45.847622928Z","created_by":"ada","metadata":"{}","thread_id":""}]}`+"\n",
			i, i, strings.Repeat("Why it is to be done, and \"how\".\n", 15), status, i, i+open)
	}
	if err := os.WriteFile(filepath.Join(dir, "issues.jsonl"), []byte(text.String()), 0o600); err != nil {
		tb.Fatal(err)
	}
	return text.Len()
}
