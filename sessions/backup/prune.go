package backup

import (
	"context"
	"path/filepath"
	"time"
)

// PruneRule says which backups are old enough to go.
type PruneRule struct {
	Keep   int       // so many of the newest stay, at least 1
	Before time.Time // only what was made before goes; the zero time takes none
	// There reports whether a transcript of a session is still in a projects directory. Where it is not, or the
	// function is nil, the backups of the session stay.
	There func(sessionID string) bool
	// Only lets backups go whose transcript is gone, or that do not say whose they are.
	Only bool
}

// KeptReason is why an old backup stays.
type KeptReason string

// The reasons for which an old backup stays.
const (
	KeptPending KeptReason = "pending"       // a marker names it
	KeptOnly    KeptReason = "the only copy" // the transcript of its session is gone
	KeptUnknown KeptReason = "unknown"       // it does not say of which session it is, or cannot be read or moved
)

// Kept is an old backup that a prune leaves where it is.
type Kept struct {
	Backup Backup
	Reason KeptReason
}

// PlanPrune looks up which backups are old enough to go to the trash: those made before a time that are not among the
// newest. A pending one never goes. Discard carries it out.
func (m *Memory) PlanPrune(ctx context.Context, rule PruneRule) (DiscardPlan, error) {
	plan := DiscardPlan{Project: m.project, Kind: DeedPrune}
	found, err := Find(ctx, m.project, nil)
	if err != nil {
		return plan, err
	}
	l, err := m.lookMarkers(ctx)
	if err != nil {
		return plan, err
	}
	plan.Problems = l.problems
	for i := range found.Backups { // the newest first
		b := &found.Backups[i]
		if i < max(rule.Keep, 1) || !b.Made.Before(rule.Before) {
			continue
		}
		if reason := rule.keeps(b); reason != "" {
			plan.Kept = append(plan.Kept, Kept{*b, reason})
			continue
		}
		var v Move
		rel, err := filepath.Rel(m.path, b.Path)
		if err == nil {
			v, _, err = m.move(filepath.ToSlash(rel))
		}
		if err != nil {
			plan.Problems = append(plan.Problems, err)
			plan.Kept = append(plan.Kept, Kept{*b, KeptUnknown})
			continue
		}
		plan.Moves = append(plan.Moves, v)
	}
	return plan, nil
}

func (r *PruneRule) keeps(b *Backup) KeptReason {
	switch {
	case b.Pending:
		return KeptPending
	case b.Problem != "":
		return KeptUnknown
	case r.Only:
		return ""
	case b.SessionID == "":
		return KeptUnknown
	case r.There == nil || !r.There(b.SessionID):
		return KeptOnly
	}
	return ""
}
