package place

import (
	"context"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
)

// Limits for the attention of live sessions.
const (
	// A ledger may be on a dead mount.
	attentionLook = 100 * time.Millisecond
	AttentionFor  = 10 * time.Second // how long a result is cached
	// Bytes at the end of the trajectory in which deltas count.
	AttentionLog  = 4 << 20
	attentionDays = 7 // maximum age of a delta
)

// Attentions computes the used attention budget of live sessions (spec 002). It is safe for concurrent use.
type Attentions struct {
	Env *Env
	mu  sync.Mutex
	Of  map[string]attentionKnown // by folder
}

// attentionKnown has the facts of one project.
type attentionKnown struct {
	At     time.Time
	budget ledger.Attention
	ledger bool          // has a ledger or a ledger config
	Deltas []DeltaRecord // newest files first
}

// Fill sets the attention of live sessions in rows.
func (a *Attentions) Fill(ctx context.Context, rows []sessions.Row) {
	for i := range rows {
		r := &rows[i]
		if r.Kind != sessions.KindSession || r.Live == nil || r.Workdir == "" {
			continue
		}
		if _, known := r.ContextUsed(); known {
			k := a.Known(ctx, r.Workdir)
			r.Attention = k.Attention(&r.Session)
		}
	}
}

// Live computes the attention of a live session from its transcript. It returns nil without a ledger or a token count.
// If the end of the transcript isn't enough, Live asks the index.
func (a *Attentions) Live(ctx context.Context, path string, live *sessions.Live) *sessions.Attention {
	k := a.Known(ctx, live.Cwd)
	if !k.ledger {
		return nil
	}
	ses := sessions.Peek(ctx, path, a.Env.Now())
	_, known := ses.ContextUsed()
	if few := ses.ContextTokens > 0 && k.budget.Level(ses.ContextTokens) == ledger.Green; !known && !few {
		a.Env.Index.Context(ctx, &ses)
	}
	if _, known = ses.ContextUsed(); !known {
		return nil
	}
	return k.Attention(&ses)
}

// Known returns the facts about a folder's project, or the defaults if the folder doesn't respond.
func (a *Attentions) Known(ctx context.Context, dir string) attentionKnown {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.Env.Now()
	if k, ok := a.Of[dir]; ok && now.Sub(k.At) < AttentionFor {
		return k
	}
	k, ok := sessions.InTime(ctx, attentionLook, func(ctx context.Context) attentionKnown {
		p, err := ledger.Find(RealPath(dir), a.Env.LedgerEnv())
		if err != nil {
			p.Config = ledger.DefaultConfig()
		}
		k := attentionKnown{budget: p.Config.Attention, ledger: err == nil && (p.ConfigFile != "" || p.Has())}
		_ = trajectory.Since(ctx, &p, now.AddDate(0, 0, -attentionDays), AttentionLog, func(r *trajectory.Record) {
			if d, ok := DeltaOf(r); ok {
				k.Deltas = append(k.Deltas, d)
			}
		}) // ignore the error: old or unreadable records are missing
		return k
	})
	if !ok {
		k.budget = ledger.DefaultConfig().Attention
	}
	k.At = now
	if a.Of == nil {
		a.Of = map[string]attentionKnown{}
	}
	a.Of[dir] = k
	return k
}

// Attention returns how much of the attention budget a session has used.
func (k *attentionKnown) Attention(s *sessions.Session) *sessions.Attention {
	used, _ := s.ContextUsed()
	fresh := k.fresh(s, used)
	return &sessions.Attention{
		Level: string(k.budget.Level(used)), Used: used, Fresh: fresh,
		Due: k.ledger && k.budget.Level(fresh) != ledger.Green,
	}
}

// fresh returns the number of tokens since the last delta of this context.
func (k *attentionKnown) fresh(s *sessions.Session, used int64) int64 {
	var last DeltaRecord
	for _, d := range k.Deltas {
		if d.Session == s.ID && !d.At.IsZero() && !d.At.Before(s.ContextBegan) && !d.At.Before(last.At) {
			last = d
		}
	}
	if last.tokens > used { // the context was cleared since
		return used
	}
	return used - last.tokens
}

// DeltaRecord is the record of a delta in the trajectory.
type DeltaRecord struct {
	Session string
	At      time.Time
	tokens  int64
}

// DeltaOf returns the delta in a record; false if there is none.
func DeltaOf(r *trajectory.Record) (DeltaRecord, bool) {
	if r.Phase != trajectory.PhaseDelta {
		return DeltaRecord{}, false
	}
	n, _ := r.Number("tokens")
	return DeltaRecord{r.Text("session_id", "session"), r.At, int64(min(max(n, 0), 1e12))}, true
}
