package list

import (
	"context"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/rowtest"
	"github.com/continuo-tui/continuo/tui/screen"
)

// build makes the items of a list again.
func build(l *pane, now time.Time, width, rows int, blanks bool) {
	l.sort()
	l.build(now, width, rows, blanks)
}

type nothing struct{}

func (nothing) Open(context.Context, sessions.Row) (opened.Doc, error) { return nil, context.Canceled }

func TestStaleAnswers(t *testing.T) {
	t.Parallel()
	p := NewPage(Options{Context: t.Context(), Source: nothing{}, HasLedger: func(string) bool { return false }})
	p.Load()
	p.Add(sessions.Batch{Rows: []sessions.Row{rowtest.Row("1", "Booklet", time.Hour, nil), rowtest.Row("2", "Other", 2*time.Hour, nil)}, Done: true}, 1, false)
	rect := func(y, h int) screen.Rect { return screen.Rect{Y: y, W: 70, H: h} }
	f := screen.Frame{Width: 120, Height: 30, Now: rowtest.Now(), Styles: render.NewStyles(render.None), Front: true}
	f.Layout = screen.Layout{Context: rect(2, 1), Body: rect(3, 20), Preview: screen.Rect{X: 71, Y: 2, W: 49, H: 20}, Divider: 70}
	shown := func() string {
		p.Fit(f)
		v := p.View()
		return v.Context + "\n" + join(v.Body) + join(v.Beside) + v.Right
	}
	p.pane.field.Set("book")
	first := p.patternChanged()
	old := p.run.gen
	if p.pane.field.Set("boo"); p.patternChanged() != nil {
		t.Error("two searches ran at once")
	}
	if len(p.pane.hits) != 0 || len(first) != 1 {
		t.Errorf("%d hits before the first search has ended", len(p.pane.hits))
	}
	again := p.Took(first[0].(screen.Cmd)())
	p.Took(again[0].(screen.Cmd)())
	want := shown()
	for _, stale := range []any{
		filteredMsg{gen: old, hits: []filter.Hit{{Path: rowtest.Row("2", "Other", 0, nil).Path}}},
		preview.ReadMsg{Gen: p.preview.Gen - 1, Shown: preview.Shown{Lines: []string{"stale"}}},
		preview.DueMsg{Gen: p.preview.Gen - 1},
	} {
		p.Took(stale)
		if got := shown(); got != want {
			t.Errorf("a stale %T changed the screen:\n%s\nwas\n%s", stale, got, want)
		}
	}
}

func join(lines []string) string {
	text := ""
	for _, line := range lines {
		text += line + "\n"
	}
	return text
}

func TestLossWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		n, only, unknown int
		want             string
	}{
		{1, 0, 0, "nothing is lost: its live file contains everything"},
		{2, 0, 0, "nothing is lost: their live files contain everything"},
		{1, 1, 0, "it is the only copy"},
		{2, 1, 1, "1 of them is the only copy"},
		{3, 2, 0, "2 of them are the only copies"},
		{2, 2, 0, "all of them are the only copies"},
		{1, 0, 1, "it may be the only copy"},
		{2, 0, 2, "all of them may be the only copies"},
	} {
		if got := lossWords(test.n, test.only, test.unknown); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
