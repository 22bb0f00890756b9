package backup

import (
	"context"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// PruneRule selects the backups that a prune moves to the trash.
type PruneRule struct {
	Keep   int       // number of the newest backups to keep; at least 1
	Before time.Time // only backups older than this are pruned; zero means none
	Now    time.Time // current time; backups with a later date (see sessions.Plausible) aren't pruned, and don't count for Keep
	// Relation compares a backup with its transcript. A backup is pruned only if its transcript contains all of it, or
	// if Only is true. If Relation is nil, every backup counts as the only copy. Relation is called only for backups
	// that would otherwise be pruned. PlanPrune returns its error.
	Relation func(context.Context, *Backup) (sessions.Relation, error)
	// Only reports that backups that may be the only copy are also pruned: those of unknown sessions, and those that no
	// transcript contains completely.
	Only bool
}

// KeptReason is the reason why an old backup isn't pruned.
type KeptReason string

// The reasons why an old backup isn't pruned.
const (
	KeptNewest     KeptReason = "newest"        // it is one of the newest backups (PruneRule.Keep)
	KeptPending    KeptReason = "pending"       // a valid marker names it
	KeptOnly       KeptReason = "the only copy" // no transcript contains all of it
	KeptUncompared KeptReason = "not compared"  // its transcript wasn't found or couldn't be read
	KeptUnknown    KeptReason = "unknown"       // its session is unknown, or the file can't be read or moved
)

// Kept is an old backup that isn't pruned.
type Kept struct {
	Backup Backup
	Reason KeptReason
}

// PlanPrune plans to move old backups to the trash. A backup is old if it was made before PruneRule.Before. Pending
// backups and the newest PruneRule.Keep backups aren't moved. The plan also lists the old backups that aren't moved,
// each with the reason. DiscardOps returns the ops of the plan.
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
