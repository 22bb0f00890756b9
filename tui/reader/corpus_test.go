package reader

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/demo"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

type catalogSource struct{ *catalog.Catalog }

func (s catalogSource) Open(ctx context.Context, row sessions.Row) (opened.Doc, error) {
	doc, err := s.Catalog.Open(ctx, row)
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// TestCorpus scrolls every session of the directories in $CONTINUO_CORPUS, and of a generated one.
func TestCorpus(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	made := t.TempDir()
	if _, err := demo.Write(t.Context(), made, demo.Options{Now: testNow()}); err != nil {
		t.Fatal(err)
	}
	for _, dir := range append(filepath.SplitList(os.Getenv("CONTINUO_CORPUS")), made) {
		c := catalog.New(catalog.Options{Dirs: []string{dir}, Now: testNow, Zone: testNow().Location()})
		rows, err := c.List(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if rows[i].State == sessions.StateUnreadable {
				continue
			}
			t.Run(filepath.Base(dir)+"/"+rows[i].ID, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					scrollThrough(t, catalogSource{c}, rows[i], 80, 24, "pgdown")
					if rows[i].Bytes < 64<<10 {
						scrollThrough(t, catalogSource{c}, rows[i], 40, 10, "j")
					}
				})
			})
		}
	}
}

// scrollThrough checks that every message of a row becomes visible.
func scrollThrough(t *testing.T, source Source, row sessions.Row, w, h int, key string) {
	t.Helper()
	o := Options{Source: source, Row: row}
	if key != "j" { // plain text is faster
		o.Answers = func(string, int, int, *render.Styles) []string { return nil }
	}
	s := open(t, o, w, h)
	s.answer(0) // opens the document
	s.settle()
	s.press("g")
	r := &s.page.pane
	if r.err != nil {
		t.Fatal(r.err)
	}
	if key == "pgdown" && slices.Contains(s.openTurns(), false) {
		s.press("Z") // all turns are open
		s.press("g")
	}
	if key == "pgdown" && r.out.Quiet > 0 {
		s.press(".", "g")
	}
	seen := make([]bool, len(r.out.Refs))
	for steps := 0; ; steps++ {
		v := s.page.View()
		for i, line := range append([]string{v.Title, v.Context}, v.Body...) {
			if n := ansi.StringWidth(line); n > w {
				t.Fatalf("line %d of step %d is %d wide: %q", i, steps, n, ansi.Strip(line))
			}
			if strings.Contains(line, "\t") || strings.ContainsRune(line, '\r') {
				t.Fatalf("a control character in %q", line)
			}
		}
		for _, span := range r.view.visible(s.page.rows) {
			if r.view.cache.messages[span.Item] == nil {
				t.Fatalf("message %d is visible but not drawn", span.Item)
			}
			seen[span.Item] = true
		}
		before := r.view.win
		from, to := r.cur.barRows()
		s.press(key)
		if f, e := r.cur.barRows(); r.view.win == before && f == from && e == to {
			break
		}
		if steps > 100_000 {
			t.Fatal("scrolling never reaches the end")
		}
	}
	for i := range seen {
		if !seen[i] && !r.folds.InRun(i) && (key == "pgdown" || !r.folds.Hidden(i)) {
			t.Errorf("message %d of %d is never visible", i, len(seen))
		}
	}
	if s.take(s.page.Close()); len(s.asked) != 1 {
		t.Error("the document is not closed")
	}
	s.answer(0)
	for _, e := range s.wants {
		if e, ok := e.(screen.Fail); ok {
			t.Error(e.Err)
		}
	}
}
