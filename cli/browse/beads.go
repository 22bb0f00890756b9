package browse

import (
	"context"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
)

// answersMaxAge limits the age of a cached answer. The program's files don't show every change: the database may
// be on another machine.
const answersMaxAge = 30 * time.Second

// Answers caches the last answer of br or bd. The Ledger screen asks every 5 s, and bd with Dolt takes 0.3 s. It
// is safe for concurrent use.
type Answers struct {
	Now func() time.Time

	mu    sync.Mutex
	dir   string
	stamp string
	at    time.Time
	lines []byte
}

// of adds the cache to the programs that find returns.
func (a *Answers) of(find func(p *ledger.Project) beads.Program) func(p *ledger.Project) beads.Program {
	return func(p *ledger.Project) beads.Program { return &cached{a, p.Beads, find(p)} }
}

// cached is a program with cached answers.
type cached struct {
	*Answers
	dir     string
	program beads.Program
}

// Lines implements beads.Program. It stats the files after the answer: bd changes them even when it lists beads.
func (c *cached) Lines(ctx context.Context, known func(bead []byte) []byte) ([]byte, error) {
	a := c.Answers
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.Now()
	if a.dir == c.dir && now.Sub(a.at) < answersMaxAge && a.stamp == beads.Stamp(c.dir) {
		return a.lines, nil
	}
	lines, err := c.program.Lines(ctx, known)
	if a.dir = ""; err == nil {
		a.dir, a.stamp, a.at, a.lines = c.dir, beads.Stamp(c.dir), now, lines
	}
	return lines, err
}
