package facts

import (
	"context"
	"errors"
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
