package beads

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func example(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	data, err := os.ReadFile(filepath.Join(dir, "002", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestExamples(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shape                       string
		open, closed, decoded       int
		inProgress, ready, comments string
	}{
		"beads-issues.clarvis.bd.jsonl": {"bd", 3, 0, 3, "", "clarvis-7rn clarvis-bi9 clarvis-31a", ""},
		"beads-issues.sigil.jsonl":      {"bd", 0, 1, 0, "", "", ""},
		"beads-issues.loa-finn.jsonl":   {"br", 14, 26, 14, "", "bd-113 bd-16gv bd-107a bd-16wl bd-14gf bd-11dh bd-15z bd-12c bd-13r bd-15u bd-16v", ""},
		"beads-issues.beads_rust.with-comments.jsonl": {
			"br", 18, 4, 18,
			"beads_rust-14hs beads_rust-1quj beads_rust-lr74.2 beads_rust-3hls beads_rust-1kaf beads_rust-qy6m beads_rust-eclx beads_rust-2xbh",
			"beads_rust-eclx beads_rust-qy6m beads_rust-2rb9 beads_rust-3bgy beads_rust-220r beads_rust-2xbh beads_rust-3qud beads_rust-2mwr beads_rust-lr74 beads_rust-1yr0 beads_rust-35kz",
			"beads_rust-2mwr:1 beads_rust-3qud:1 beads_rust-lr74:1 beads_rust-qy6m:1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := graphOf(t, map[string]string{"issues.jsonl": string(example(t, name))})
			if p := problems(g); p != "" {
				t.Errorf("problems are %s", p)
			}
			if g.Shape != c.shape || len(g.Beads) != c.open || len(g.Closed()) != c.closed || g.decoded != c.decoded {
				t.Errorf("shape %s, %d open, %d closed, %d decoded", g.Shape, len(g.Beads), len(g.Closed()), g.decoded)
			}
			var found []string
			for _, b := range g.Beads {
				if b.Title == "" || b.Created.IsZero() || b.Updated.IsZero() || b.Type == "" {
					t.Errorf("bead is %+v", b)
				}
				if n := len(b.Comments); n > 0 {
					found = append(found, b.ID+":"+string(rune('0'+n)))
				}
			}
			if got := strings.Join(found, " "); got != c.comments {
				t.Errorf("comments are %q", got)
			}
			if got := ids(g.InProgress()); got != c.inProgress {
				t.Errorf("in progress are %q", got)
			}
			if got := ids(g.Ready(now())); got != c.ready {
				t.Errorf("ready are %q", got)
			}
		})
	}
	ready, err := ParseReady(example(t, "br-ready.json"))
	if err != nil || len(ready) != 3 || ready[0].ID != "bd-vgf" || ready[1].Title != "Three" || ready[2].Description != "Short desc" || ready[2].Priority != 2 {
		t.Errorf("ready is %v, %v", ready, err)
	}
	show, err := ParseShow(example(t, "br-show.json"))
	if err != nil || show.ID != "bd-vgf" || show.Title != "Two" || show.Type != "bug" || show.Created.Nanosecond() != 217202643 {
		t.Errorf("show is %v, %v", show, err)
	}
}
