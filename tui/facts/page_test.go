package facts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// counter is a Source. Each count has one prompt more than the previous one. The third and later counts fail.
type counter struct {
	n     int
	asked []string // IDs of the rows of a wider scope
}

func (c *counter) Figures(context.Context, sessions.Row) (stats.Figures, error) {
	if c.n++; c.n > 2 {
		return stats.Figures{}, errors.New("disk gone")
	}
	return stats.Figures{Prompts: c.n}, nil
}

func (c *counter) FiguresOf(ctx context.Context, rows []sessions.Row, from, to time.Time) (stats.Figures, int, error) {
	c.asked = nil
	for _, r := range rows {
		c.asked = append(c.asked, r.ID)
	}
	if days := to.Sub(from).Hours() / 24; days < 29 || days > 31 {
		c.asked = append(c.asked, "wrong days")
	}
	return stats.Figures{Prompts: 100}, len(rows), ctx.Err()
}

func answer(effects []screen.Effect) any { return effects[0].(screen.Cmd)() }

// TestGeneration: the result of an earlier count is ignored. Old figures disappear after an error.
func TestGeneration(t *testing.T) {
	t.Parallel()
	p := New(Options{Context: t.Context(), Source: &counter{}})
	first := answer(p.Open())
	second := answer(p.Do(screen.Intent{Name: screen.Fresh}))
	p.Took(second)
	p.Took(first)
	if f := p.figures(); f == nil || f.Prompts != 2 {
		t.Errorf("the older answer counts: %+v", f)
	}
	if p.Took(answer(p.Do(screen.Intent{Name: screen.Fresh}))); p.figures() != nil || p.known[ofSession].failed() == nil {
		t.Error("no error")
	}
}

// TestScope: a counted scope isn't counted again. The result for another scope is ignored.
func TestScope(t *testing.T) {
	t.Parallel()
	row := func(id, project string) *sessions.Row {
		return &sessions.Row{Session: sessions.Session{ID: id, Path: "/" + id, Project: project}}
	}
	list, source := []*sessions.Row{row("a", "/one"), row("b", "/two"), row("c", "/one")}, &counter{}
	p := New(Options{Context: t.Context(), Source: source, Row: *list[0], Rows: slices.Values(list)})
	p.frame.Now = time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)
	p.Took(answer(p.Open()))
	wide := p.widen(1)
	if p.figures() != nil {
		t.Error("the project has the figures of the session")
	}
	late := answer(wide)
	if got := strings.Join(source.asked, " "); got != "a c" {
		t.Errorf("the project counts %q", got)
	}
	p.Took(answer(p.widen(1)))
	if got := strings.Join(source.asked, " "); got != "a b c" || p.figures().Prompts != 100 || p.known[ofAll].active != 3 {
		t.Errorf("all projects count %q: %+v", got, p.known[ofAll])
	}
	if effects := p.widen(1); effects != nil || p.scope != ofSession || p.figures().Prompts != 1 {
		t.Errorf("the session is counted again: %+v", p.figures())
	}
	if p.Took(late); p.figures().Prompts != 1 {
		t.Error("the answer for the project counts for the session")
	}
	wide = p.widen(1)
	if p.widen(-1); p.scope != ofSession {
		t.Error("shift+tab doesn't go back")
	}
	if msg := answer(wide).(countedMsg); !errors.Is(msg.err, context.Canceled) {
		t.Error("the count of a scope that was left goes on")
	}
	alone := New(Options{Context: t.Context(), Source: source, Row: sessions.Row{}, Rows: slices.Values(list)})
	alone.ctx = t.Context()
	if alone.widen(1); alone.scope != ofAll {
		t.Errorf("without a project the next scope is %d", alone.scope)
	}
}

func TestPlot(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)
	of := func(tokens ...int64) (list []stats.Context) {
		for i, n := range tokens {
			list = append(list, stats.Context{Time: start.Add(time.Duration(i) * 10 * time.Minute), Tokens: n})
		}
		return list
	}
	for _, c := range []struct {
		list []stats.Context
		most int
		want []int64
	}{
		{of(10, 40, 20, 5, 7), 3, []int64{40, 20, 7}},
		{of(10, 40, 20, 5), 9, []int64{10, 40, 20, 5}},
	} {
		var got []int64
		for _, b := range barsOf(c.list, c.most) {
			got = append(got, b.tokens)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v in %d bars: %v, want %v", c.list, c.most, got, c.want)
		}
	}
	if top, bottom := cell(120, 400, 1), cell(1, 400, 0); top != "▄▄▄" || bottom != "▁▁▁" {
		t.Errorf("%q and %q", top, bottom)
	}
	for most, want := range map[int64]int64{7: 200_000, 168_200: 200_000, 340_000: 1_000_000} {
		if got := render.ContextWindow(most); got != want {
			t.Errorf("the limit for %d is %d, want %d", most, got, want)
		}
	}
	for highest, want := range map[int64]int64{0: 5, 7: 10, 20_900: 25_000, 100_000: 100_000, 167_200: 200_000} {
		if got := topOf(highest); got != want {
			t.Errorf("the top for %d is %d, want %d", highest, got, want)
		}
	}
	list := of(21, 90, 168, 20, 30, 48, 50)
	bars := barsOf(list, 9)
	for _, c := range []struct {
		compacted []time.Time
		want      string
	}{
		{nil, "14:00                 15:00"},
		{[]time.Time{start.Add(25 * time.Minute)}, "14:00       ≡ 14:25   15:00"},
		{[]time.Time{start.Add(59 * time.Minute)}, "14:00         14:59 ≡ 15:00"},
		{[]time.Time{start.Add(25 * time.Minute), start.Add(45 * time.Minute)}, "14:00       ≡       ≡ 15:00"},
	} {
		if got := axis(list, bars, c.compacted, 27, time.UTC); got != c.want {
			t.Errorf("%v: %q, want %q", c.compacted, got, c.want)
		}
	}
	if got := peak(list, []time.Time{start.Add(25 * time.Minute)}); got != " · 168 before the compaction" {
		t.Errorf("peak %q", got)
	}
}
