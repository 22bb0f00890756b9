package cli

import (
	"context"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
)

const (
	attentionLook = 100 * time.Millisecond // for the config of a project, which may be on a dead mount
	attentionFor  = 10 * time.Second       // that what was found is believed
	attentionLog  = 4 << 20                // bytes of the trajectory that are read for deltas, the newest
	attentionDays = 7                      // and how old a delta of a context may be
)

// attentions tells how much of the attention budget of their projects live sessions have used (spec 002). It is for
// several goroutines.
type attentions struct {
	env *Env
	mu  sync.Mutex
	of  map[string]attentionKnown // by the folder of a session
}

// attentionKnown is what was found of the project of a folder.
type attentionKnown struct {
	at     time.Time
	budget ledger.Attention
	ledger bool          // there is one, or a config of one
	deltas []deltaRecord // of its trajectory, the newest files first
}

// fill says it of the live sessions among some rows.
func (a *attentions) fill(ctx context.Context, rows []sessions.Row) {
	for i := range rows {
		r := &rows[i]
		if r.Kind != sessions.KindSession || r.Live == nil || r.Workdir == "" {
			continue
		}
		if _, known := r.ContextUsed(); known {
			k := a.known(ctx, r.Workdir)
			r.Attention = k.attention(&r.Session)
		}
	}
}

// known is what there is of the project of a folder. What does not answer has the defaults.
func (a *attentions) known(ctx context.Context, dir string) attentionKnown {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.env.now()
	if k, ok := a.of[dir]; ok && now.Sub(k.at) < attentionFor {
		return k
	}
	k, ok := sessions.InTime(ctx, attentionLook, func(ctx context.Context) attentionKnown {
		p, err := ledger.Find(realPath(dir), a.env.ledgerEnv())
		if err != nil {
			p.Config = ledger.DefaultConfig()
		}
		k := attentionKnown{budget: p.Config.Attention, ledger: err == nil && (p.ConfigFile != "" || p.Has())}
		_ = trajectory.Since(ctx, &p, now.AddDate(0, 0, -attentionDays), attentionLog, func(r *trajectory.Record) {
			if d, ok := deltaOf(r); ok {
				k.deltas = append(k.deltas, d)
			}
		}) // not whole: those that are missing are old, or cannot be read
		return k
	})
	if !ok {
		k.budget = ledger.DefaultConfig().Attention
	}
	k.at = now
	if a.of == nil {
		a.of = map[string]attentionKnown{}
	}
	a.of[dir] = k
	return k
}

// attention is what a session has used of the budget.
func (k *attentionKnown) attention(s *sessions.Session) *sessions.Attention {
	used, _ := s.ContextUsed()
	fresh := k.fresh(s, used)
	return &sessions.Attention{
		Level: string(k.budget.Level(used)), Used: used, Fresh: fresh,
		Due: k.ledger && k.budget.Level(fresh) != ledger.Green,
	}
}

// fresh is what of the used tokens no delta has brought to the ledger yet. One of an earlier context says nothing of this
// one.
func (k *attentionKnown) fresh(s *sessions.Session, used int64) int64 {
	var last deltaRecord
	for _, d := range k.deltas {
		if d.session == s.ID && !d.at.IsZero() && !d.at.Before(s.ContextBegan) && !d.at.Before(last.at) {
			last = d
		}
	}
	if last.tokens > used { // a part of it was cleared since
		return used
	}
	return used - last.tokens
}
