package list

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/demo"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/match"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/rowtest"
)

// TestFilterFindsRows: every word and every two adjacent words of a row's text find the row.
func TestFilterFindsRows(t *testing.T) {
	t.Parallel()
	made, root := t.TempDir(), t.TempDir()
	if _, err := demo.Write(t.Context(), made, demo.Options{Now: rowtest.Now(), Root: root, Memory: true}); err != nil {
		t.Fatal(err)
	}
	for _, dir := range append(filepath.SplitList(os.Getenv("CONTINUO_CORPUS")), made) {
		c := catalog.New(catalog.Options{Dirs: []string{dir}, Now: rowtest.Now, Zone: rowtest.Now().Location()})
		rows, err := c.List(t.Context(), true)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []sessions.Kind{sessions.KindBackup, sessions.KindDocument} {
			var shown []*sessions.Row
			for i := range rows {
				if rows[i].Kind == kind {
					shown = append(shown, &rows[i])
				}
			}
			if dir == made && len(shown) == 0 {
				t.Fatalf("the demo has no %s", kind)
			}
			findRows(t, kind, shown)
		}
	}
}

// findRows checks that each text of the rows finds its row.
func findRows(t *testing.T, kind sessions.Kind, shown []*sessions.Row) {
	t.Helper()
	rows := map[string][]*sessions.Row{} // by the query that finds them
	for _, r := range shown {
		texts := []string{render.Title(r), render.Base(r.Project), r.Branch, r.Prompt}
		switch kind {
		case sessions.KindSession:
		case sessions.KindBackup:
			texts = append(texts, render.BackupWords(r, rowtest.Now()))
		case sessions.KindDocument:
			texts = append(texts, render.DocumentWords(r, ""))
		}
		for _, text := range texts {
			words := strings.Fields(text)
			for i, word := range words {
				rows[word] = append(rows[word], r)
				if i > 0 {
					pair := words[i-1] + " " + word
					rows[pair] = append(rows[pair], r)
				}
			}
		}
	}
	l := newPane(kind, &scope{all: true})
	among := l.candidates(shown, rowtest.Now())
	for query, want := range rows {
		hits := filter.Search(t.Context(), query, among)
		for _, r := range want {
			if !slices.ContainsFunc(hits, func(h filter.Hit) bool { return h.Path == r.Path }) {
				t.Errorf("%q finds %d of %d rows (%s), but not %s", query, len(hits), len(shown), kind, filepath.Base(r.Path))
			}
		}
		for i := range hits {
			checkMarks(t, &hits[i], query)
		}
	}
}

// checkMarks checks that the marked letters are the query if they are in one piece.
func checkMarks(t *testing.T, h *filter.Hit, query string) {
	t.Helper()
	for f := range filter.Parts {
		if h.Texts != 1<<f || h.Rank > 3 {
			continue
		}
		text, marked := h.Of.Texts[f].String(), ""
		marks := h.Marks(f)
		for i, r := range text {
			if slices.Contains(marks, i) {
				marked += string(r)
			}
		}
		if match.Fold(marked) != match.Fold(query) {
			t.Errorf("%q marks %q in %q", query, marked, text)
		}
	}
}
