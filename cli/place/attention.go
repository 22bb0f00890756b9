package place

import (
	"context"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
)

// AttentionFor and the others limit what is looked up for the attention of live sessions.
const (
	attentionLook = 100 * time.Millisecond // for the config of a project, which may be on a dead mount
	AttentionFor  = 10 * time.Second       // that what was found is believed
	AttentionLog  = 4 << 20                // bytes of the trajectory that are read for deltas, the newest
	attentionDays = 7                      // and how old a delta of a context may be
)

// Attentions tells how much of the attention budget of their projects live sessions have used (spec 002). It is for
// several goroutines.
type Attentions struct {
	Env *Env
	mu  sync.Mutex
	Of  map[string]attentionKnown // by the folder of a session
}

// attentionKnown is what was found of the project of a folder.
type attentionKnown struct {
	At     time.Time
	budget ledger.Attention
	ledger bool          // there is one, or a config of one
	Deltas []DeltaRecord // of its trajectory, the newest files first
}

// Fill says it of the live sessions among some rows.
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

// Known is what there is of the project of a folder. What does not answer has the defaults.
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
		}) // not whole: those that are missing are old, or cannot be read
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

// Attention is what a session has used of the budget.
func (k *attentionKnown) Attention(s *sessions.Session) *sessions.Attention {
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
	var last DeltaRecord
	for _, d := range k.Deltas {
		if d.Session == s.ID && !d.At.IsZero() && !d.At.Before(s.ContextBegan) && !d.At.Before(last.At) {
			last = d
		}
	}
	if last.tokens > used { // a part of it was cleared since
		return used
	}
	return used - last.tokens
}

// DeltaRecord is a delta of a session, as the trajectory has it.
type DeltaRecord struct {
	Session string
	At      time.Time
	tokens  int64
}

// DeltaOf is the delta that a record is; false: it is none.
func DeltaOf(r *trajectory.Record) (DeltaRecord, bool) {
	if r.Phase != trajectory.PhaseDelta {
		return DeltaRecord{}, false
	}
	n, _ := r.Number("tokens")
	return DeltaRecord{r.Text("session_id", "session"), r.At, int64(min(max(n, 0), 1e12))}, true
}
