package facts

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/screen"
)

// counter returns one more prompt at each call. From the third call on it fails.
type counter struct{ n int }

func (c *counter) Figures(context.Context, sessions.Row) (stats.Figures, error) {
	if c.n++; c.n > 2 {
		return stats.Figures{}, errors.New("disk gone")
	}
	return stats.Figures{Prompts: c.n}, nil
}

// TestGeneration checks that the answer to an older question is dropped, and that a failure keeps no old figures in view.
func TestGeneration(t *testing.T) {
	t.Parallel()
	p := New(Options{Context: t.Context(), Source: &counter{}})
	answer := func(effects []screen.Effect) any { return effects[0].(screen.Cmd)() }
	first := answer(p.Open())
	second := answer(p.Do(screen.Intent{Name: screen.Fresh}))
	p.Took(second)
	p.Took(first)
	if p.figures == nil || p.figures.Prompts != 2 {
		t.Errorf("the older answer counts: %+v", p.figures)
	}
	if p.Took(answer(p.Do(screen.Intent{Name: screen.Fresh}))); p.err == nil {
		t.Error("no error")
	}
}

// TestPlot checks the heights of a plot: several answers in a cell, an answer in several cells, and its rows.
func TestPlot(t *testing.T) {
	t.Parallel()
	of := func(tokens ...int64) (list []stats.Context) {
		for _, n := range tokens {
			list = append(list, stats.Context{Tokens: n})
		}
		return list
	}
	for _, c := range []struct {
		list  []stats.Context
		cells int
		want  []int
	}{
		{of(10, 40, 20, 5), 2, []int{40, 20}},
		{of(20, 40), 4, []int{20, 20, 40, 40}},
		{of(0, 40, 1), 3, []int{1, 40, 1}},
	} {
		if got := plot(c.list, c.cells, 40); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d cells: %v, want %v", c.list, c.cells, got, c.want)
		}
	}
	if top, bottom := bars([]int{1, 12, 40}, 1), bars([]int{1, 12, 40}, 0); top != " ▄█" || bottom != "▁██" {
		t.Errorf("%q above %q", top, bottom)
	}
}
