package browse

import (
	"context"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
)

// answersMaxAge is how long an answer is cached if the files of the program don't change. The files don't show every
// change: the database may be on another machine.
const answersMaxAge = 30 * time.Second

// Answers caches the last answer of br or bd. The Ledger screen reads the beads every 5 s, and bd with Dolt takes 0.3 s
// to start. It is safe for concurrent use.
type Answers struct {
	Now func() time.Time

	mu    sync.Mutex
	dir   string
	stamp string
	at    time.Time
	lines []byte
}

// of returns a function that finds a program and caches its answers.
func (a *Answers) of(find func(p *ledger.Project) beads.Program) func(p *ledger.Project) beads.Program {
	return func(p *ledger.Project) beads.Program { return &cached{a, p.Beads, find(p)} }
}

// cached is a program with cached answers.
type cached struct {
	*Answers
	dir     string
	program beads.Program
}

// Lines implements beads.Program. It computes the stamp of the program's files after the answer, because bd changes
// its files even when it only reads beads.
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
