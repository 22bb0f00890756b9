package place

import (
	"context"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
)

// Limits of the attention lookup for live sessions.
const (
	attentionLook = 100 * time.Millisecond // time limit for reading the config of a project, which may be on a dead mount
	AttentionFor  = 10 * time.Second       // validity of a cached result
	AttentionLog  = 4 << 20                // bytes of the trajectory searched for deltas, newest first
	attentionDays = 7                      // maximum age of a delta in days
)

// Attentions computes how much of the attention budget live sessions have used (spec 002). It is safe for concurrent
// use.
type Attentions struct {
	Env *Env
	mu  sync.Mutex
	Of  map[string]attentionKnown // by folder of the session
}

// attentionKnown holds the facts of one project.
type attentionKnown struct {
	At     time.Time
	budget ledger.Attention
	ledger bool          // the project has a ledger or a ledger config
	Deltas []DeltaRecord // from the trajectory, newest files first
}

// Fill sets the attention of the live sessions among the rows.
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

// Known returns the facts of the project of a folder, or the defaults if the folder doesn't answer.
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
		}) // an error only loses old or unreadable records
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

// Attention returns the used part of the budget of a session.
func (k *attentionKnown) Attention(s *sessions.Session) *sessions.Attention {
	used, _ := s.ContextUsed()
	fresh := k.fresh(s, used)
	return &sessions.Attention{
		Level: string(k.budget.Level(used)), Used: used, Fresh: fresh,
		Due: k.ledger && k.budget.Level(fresh) != ledger.Green,
	}
}

// fresh returns the used tokens since the last delta. Deltas of an earlier context don't count.
func (k *attentionKnown) fresh(s *sessions.Session, used int64) int64 {
	var last DeltaRecord
	for _, d := range k.Deltas {
		if d.Session == s.ID && !d.At.IsZero() && !d.At.Before(s.ContextBegan) && !d.At.Before(last.At) {
			last = d
		}
	}
	if last.tokens > used { // a part of the context was cleared since
		return used
	}
	return used - last.tokens
}

// DeltaRecord is a delta of a session in the trajectory.
type DeltaRecord struct {
	Session string
	At      time.Time
	tokens  int64
}

// DeltaOf returns the delta in a record, and false if the record isn't a delta.
func DeltaOf(r *trajectory.Record) (DeltaRecord, bool) {
	if r.Phase != trajectory.PhaseDelta {
		return DeltaRecord{}, false
	}
	n, _ := r.Number("tokens")
	return DeltaRecord{r.Text("session_id", "session"), r.At, int64(min(max(n, 0), 1e12))}, true
}
