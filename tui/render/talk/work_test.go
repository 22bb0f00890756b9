package talk

import (
	"testing"
	"time"

	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render"
)

// TestWorkLine: the counts on a wide line add up to the number of steps.
func TestWorkLine(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)
	w := turn.Work{
		Reads: 6, Searches: 1, Agents: 1, Edits: 3, Commands: 2, Others: 1, Failed: 2, Added: 41, Removed: 12,
		Began: began, Ended: began.Add(3 * time.Minute),
	}
	wide, narrow := Options{Width: 96, Styles: render.NewStyles(render.None)}, Options{Width: 60, Styles: render.NewStyles(render.None)}
	tests := []struct {
		work turn.Work
		o    Options
		want string
	}{
		{w, wide, "  ▸ 14 steps: 6 reads, 1 search, 1 agent, 3 edits +41 −12, 2 commands, 1 other, 2 failed   3 min"},
		{w, narrow, "  ▸ 14 steps: 1 agent, 3 edits +41 −12, 2 failed       3 min"},
		{turn.Work{Commands: 1}, narrow, "  ▸ 1 step"},
		{turn.Work{}, narrow, ""},
	}
	for _, test := range tests {
		if got := WorkLine(&test.work, test.o); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
