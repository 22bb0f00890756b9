package tui

import (
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// tellingSource records which rows the reader has opened.
type tellingSource struct {
	*fakeSource
	reported []string
}

func (s *tellingSource) Opened(row sessions.Row) { s.reported = append(s.reported, row.Path) }

// TestOpened: the source learns which rows the reader has opened, but not the rows in the preview.
func TestOpened(t *testing.T) {
	t.Parallel()
	s := &tellingSource{fakeSource: &fakeSource{doc: &fakeDoc{}}}
	row := testRows()[0]
	preview.Read(t.Context(), s, row, talk.Options{Width: 40, Styles: render.NewStyles(render.None)}, 10, render.Needle{})
	if len(s.reported) != 0 {
		t.Errorf("the preview reports %q", s.reported)
	}
	open := func() {
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s}, testOptions())
		settle(t, m, m.request(screen.Read{Row: row}))
	}
	open()
	s.err = sessions.Catch(func() { panic("nothing to open") })
	open()
	if len(s.reported) != 1 || s.reported[0] != row.Path {
		t.Errorf("reported %q", s.reported)
	}
}
