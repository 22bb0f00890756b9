package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

func longParts(n int) []change.Part {
	part := change.Part{Name: "Touched"}
	for i := range n {
		part.Lines = append(part.Lines, change.Line{Text: fmt.Sprintf("raw/%d.jsonl", i)})
	}
	return []change.Part{part}
}

func countLines(m *model) *int {
	n, draw := new(int), m.planLines
	m.planLines = func(parts []change.Part, s *render.Styles, indent, width, most int) []*render.Line {
		lines := draw(parts, s, indent, width, most)
		*n += len(lines)
		return lines
	}
	return n
}

// TestPastDrawnOnce: the undo list draws only the lines that fit. A new frame draws none of them again.
func TestPastDrawnOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 120, 36, func(c *fakeChanges) {
			for i := range 20 {
				c.past = append(c.past, PastAction{ID: fmt.Sprint(i), What: fmt.Sprintf("Discarded %d", i), Can: "yes", Parts: longParts(3_000)})
			}
		})
		drawn := countLines(m)
		press(t, m, "U")
		plain(t, m)
		if most := 20*m.height + 3_000; *drawn == 0 || *drawn > most {
			t.Errorf("%d lines were drawn for 20 actions in %d rows, want at most %d", *drawn, m.height, most)
		}
		for range 5 {
			before := *drawn
			plain(t, m)
			if plain(t, m); *drawn != before {
				t.Errorf("a frame draws %d lines", *drawn-before)
			}
			if press(t, m, "j"); *drawn > before+3_000 {
				t.Errorf("another action draws %d lines", *drawn-before)
			}
		}
		before := *drawn
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 30})
		if plain(t, m); *drawn == before {
			t.Error("another screen shows the old lines")
		}
		before = *drawn
		settle(t, m, func() tea.Msg { return tea.ColorProfileMsg{Profile: colorprofile.Ascii} })
		if plain(t, m); *drawn == before {
			t.Error("another theme shows the old lines")
		}
		c.past = slices.Insert(c.past, 0, PastAction{ID: "new", What: "Discarded a new one", Can: "yes", Parts: undoParts()})
		settle(t, m, askPast(m))
		press(t, m, "g", "k", "k", "k", "k", "k", "k")
		if got := plain(t, m); !strings.Contains(got, "2 markers, as they were") {
			t.Errorf("another undo list shows the old lines:\n%s", got)
		}
	})
}

// TestPlanDrawnOnce: a plan is drawn once for each width and theme. Scrolling doesn't draw it again.
func TestPlanDrawnOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, func(c *fakeChanges) {
			c.plan = Plan{Title: "Discard", Verb: "discard", Parts: longParts(3_000)}
		})
		drawn := countLines(m)
		press(t, m, "d")
		for range 5 {
			plain(t, m)
			press(t, m, "pgdown", "enter")
		}
		if *drawn != 3_000 {
			t.Errorf("%d lines were drawn of 3000", *drawn)
		}
		m.Update(tea.WindowSizeMsg{Width: 90, Height: 30})
		if plain(t, m); *drawn != 6_000 {
			t.Errorf("%d lines after another width", *drawn)
		}
		settle(t, m, func() tea.Msg { return tea.ColorProfileMsg{Profile: colorprofile.Ascii} })
		if plain(t, m); *drawn != 9_000 {
			t.Errorf("%d lines after another theme", *drawn)
		}
	})
}

// TestMarksCountedOnce: the sums of the marked rows aren't computed in each frame.
func TestMarksCountedOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, nil)
		press(t, m, "space", "space")
		plain(t, m)
		sums := func() uintptr { return peekIn(m.lists, "pane", "marks", "sums").Pointer() }
		if sums() == 0 {
			t.Fatal("the sums aren't cached")
		}
		m.resize(110, 30)
		plain(t, m)
		before := sums()
		press(t, m, "j", "k")
		if plain(t, m); sums() != before {
			t.Error("a frame computes the sums again")
		}
		row := triageRows()[0]
		row.Bytes = 5_000_000
		says := func(name, want string) {
			t.Helper()
			if got := plain(t, m); !strings.Contains(got, want) {
				t.Errorf("%s, no %q:\n%s", name, want, got)
			}
		}
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{row}}, from: closedChanges()}
		})
		says("a row has grown", "2 marked · 5.9 MB")
		press(t, m, "g", "space")
		says("one mark less", "1 marked · 890 kB")
		press(t, m, "g", "space", "/", "K", "e", "t", "enter")
		says("out of sight", "2 marked, 2 of them not visible · 5.9 MB")
		m.tell(screen.Changed{Change: Change{Rows: []sessions.Row{row}}, Done: true})
		says("one is done", "1 marked, 1 of them not visible · 890 kB")
	})
}

// TestChainedOnce: chains and open todos are computed only when the rows change.
func TestChainedOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := docModel(t, chainedSource(chainedDocs()), 120, 36)
		kept := func(of string) uintptr { return peekIn(m.lists, "pane", "docs", of).Pointer() }
		chains, opened := kept("chains"), kept("opened")
		m.Update(clockMsg{testNow()}) // no settle, because the clock never stops
		m.resize(100, 30)
		if kept("chains") != chains || kept("opened") != opened {
			t.Error("the clock or the size computes the chains again")
		}
		press(t, m, "/", "s", "k", "e", "w", "enter")
		if kept("chains") != chains {
			t.Error("an answer of the filter computes the chains again")
		}
		press(t, m, "esc")
		row := chainedDocs()[0]
		row.Previous = ""
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{row}}, from: closedChanges()}
		})
		if got := plain(t, m); kept("chains") == chains || strings.Contains(got, "fix/token-race 3 linked sessions") {
			t.Errorf("a changed row doesn't update the chains:\n%s", got)
		}
	})
}

func TestPendingCounted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := chainedSource(chainedDocs())
		s.batches[0].Rows = append(s.batches[0].Rows, triageRows()...)
		m := docModel(t, s, 120, 36)
		if got := plain(t, m); !strings.Contains(got, "3 backups here are still") {
			t.Errorf("not counted:\n%s", got)
		}
		for r := range m.lists.Rows(sessions.KindBackup) {
			m.lists.Drop(r.Path)
		}
		if got := plain(t, m); !strings.Contains(got, "3 backups here are still") {
			t.Error("a frame counts the backups")
		}
	})
}

// TestOutlineReadsAhead: the preview reads only the text that fits.
func TestOutlineReadsAhead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		doc := &fakeDoc{}
		for i := range 213 {
			doc.msgs = append(doc.msgs, answer(textBlock(fmt.Sprintf("## Section %d\n\ntext\n", i))))
		}
		s := chainedSource(chainedDocs())
		m := docModel(t, oneDoc{s, doc}, 120, 36)
		if got := plain(t, m); !strings.Contains(got, "Section 20") || doc.decoded > 3*36+16 {
			t.Errorf("%d sections were read:\n%s", doc.decoded, got)
		}
	})
}

// oneDoc opens every row as the same document.
type oneDoc struct {
	*docSource
	doc *fakeDoc
}

func (s oneDoc) Open(context.Context, sessions.Row) (Doc, error) { return s.doc, nil }
