package backup

import (
	"context"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// PruneRule selects the backups to prune.
type PruneRule struct {
	Keep   int       // number of newest backups to keep; at least 1
	Before time.Time // prune older backups only; zero means none
	Now    time.Time // current time; backups with a later date (see sessions.Plausible) aren't pruned or counted for Keep
	// Relation compares a backup with its transcript. A backup is pruned only if its transcript contains it
	// completely, or if Only is true. If Relation is nil, every backup counts as the only copy. PlanPrune returns the
	// error of Relation.
	Relation func(context.Context, *Backup) (sessions.Relation, error)
	// Only allows to prune backups that may be the only copy: those of unknown sessions, and those that no transcript
	// contains completely.
	Only bool
}

// KeptReason is the reason why an old backup stays.
type KeptReason string

// The reasons why an old backup stays.
const (
	KeptNewest     KeptReason = "newest"        // it is one of the newest backups (PruneRule.Keep)
	KeptPending    KeptReason = "pending"       // a valid marker names it
	KeptOnly       KeptReason = "the only copy" // no transcript contains it completely
	KeptUncompared KeptReason = "not compared"  // its transcript is missing or unreadable
	KeptUnknown    KeptReason = "unknown"       // its session is unknown, or the file is unreadable or can't be moved
)

// Kept is an old backup that a prune keeps.
type Kept struct {
	Backup Backup
	Reason KeptReason
}

// PlanPrune plans to move the backups from before PruneRule.Before to the trash. Pending backups and the newest
// PruneRule.Keep backups stay. The plan has the reason for each old backup that stays. DiscardOps returns the ops of
// the plan.
func (m *Memory) PlanPrune(ctx context.Context, rule PruneRule) (DiscardPlan, error) {
	plan := DiscardPlan{Project: m.project, Kind: TrashPrune}
	found, err := Find(ctx, m.project, nil)
	if err != nil {
		return plan, err
	}
	l, err := m.readMarkers(ctx)
	if err != nil {
		return plan, err
	}
	plan.Problems = l.problems
	dated := 0
	for i := range found.Backups { // from newest to oldest
		b := &found.Backups[i]
		if sessions.Plausible(b.Made, rule.Now).IsZero() {
			continue
		}
		dated++
		if !b.Made.Before(rule.Before) {
			continue
		}
		reason := KeptNewest
		if dated > max(rule.Keep, 1) {
			if reason, err = rule.keeps(ctx, b); err != nil {
				return plan, err
			}
		}
		if reason != "" {
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

func (r *PruneRule) keeps(ctx context.Context, b *Backup) (KeptReason, error) {
	switch {
	case b.Pending:
		return KeptPending, nil
	case b.Problem != "":
		return KeptUnknown, nil
	case r.Only:
		return "", nil
	case b.SessionID == "":
		return KeptUnknown, nil
	case r.Relation == nil:
		return KeptOnly, nil
	}
	relation, err := r.Relation(ctx, b)
	switch {
	case err != nil || relation.Held():
		return "", err
	case relation == "":
		return KeptUncompared, nil
	}
	return KeptOnly, nil
}
