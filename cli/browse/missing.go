package browse

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// missing returns the missing parts of a ledger.
func (b Ledgers) missing(ctx context.Context, l *survey.Ledger) []string {
	if b.Logs == nil {
		return entries.Missing(ctx, b.Env, l)
	}
	return b.Logs.Missing.look(ctx, b.Env, l)
}

// missingParts caches the missing parts of the last ledger: finding them runs git. It is safe for concurrent
// use.
type missingParts struct {
	mu   sync.Mutex
	key  string
	at   time.Time
	list []string
}

// missingFor is how long the missing parts are cached. Commits and settings may change them.
const missingFor = 30 * time.Second

// look returns the missing parts of a ledger. The cache is valid if the parts on disk and NOTES.md are
// unchanged.
func (m *missingParts) look(ctx context.Context, env *place.Env, l *survey.Ledger) []string {
	p, now := &l.Project, env.Now()
	key := p.Root + l.Written.String()
	for _, path := range []string{p.Grimoire, p.Notes, p.Beads, p.Trajectory} {
		key += strconv.FormatBool(sessions.Exists(path))
	}
	if l.Beads != nil {
		key += strconv.Itoa(len(l.Beads.Beads))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.key != key || now.Sub(m.at) >= missingFor {
		list := entries.Missing(ctx, env, l)
		if ctx.Err() != nil {
			return nil
		}
		m.key, m.at, m.list = key, now, list
	}
	return m.list
}
