package tui

import (
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// tellingSource wants to know what was opened in the reader.
type tellingSource struct {
	*fakeSource
	told []string
}

func (s *tellingSource) Opened(row sessions.Row) { s.told = append(s.told, row.Path) }

// TestOpened: the source is told of what the reader opens, not of what the preview does or what could not be opened.
func TestOpened(t *testing.T) {
	t.Parallel()
	s := &tellingSource{fakeSource: &fakeSource{doc: &fakeDoc{}}}
	row := testRows()[0]
	preview.Read(t.Context(), s, row, talk.Options{Width: 40, Styles: render.NewStyles(render.None)}, 10)
	if len(s.told) != 0 {
		t.Errorf("the preview tells of %q", s.told)
	}
	open := func() {
		m := newModel(t.Context(), World{Source: s}, testOptions())
		settle(t, m, m.read(row, ""))
	}
	open()
	s.err = sessions.Catch(func() { panic("nothing to open") })
	open()
	if len(s.told) != 1 || s.told[0] != row.Path {
		t.Errorf("told of %q", s.told)
	}
}
