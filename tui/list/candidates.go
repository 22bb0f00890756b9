package list

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
)

// candidates returns the rows for the filter.
func (l *pane) candidates(shown []*sessions.Row, now time.Time) []*filter.Candidate {
	seen := filter.Look{Kind: l.kind, Day: now.Format(time.DateOnly), Home: l.scope.home, Wide: l.scope.wide()}
	among := make([]*filter.Candidate, 0, len(shown))
	for _, r := range shown {
		seen.Problem = l.chained(r, nil).Problem
		h := l.held[r.Path]
		if h == nil {
			h = &held{}
		}
		h.candidate = h.candidate.Renewed(r, seen, now)
		among = append(among, h.candidate)
	}
	return among
}
