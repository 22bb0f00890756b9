package snapshots

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/snapshot"
)

// gitOf returns the branch and the commit of a folder, or "".
func gitOf(ctx context.Context, env *place.Env, dir string) handover.Git {
	commit, err := env.Host.Git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		return handover.Git{}
	}
	branch, _ := env.Host.Git(ctx, dir, "symbolic-ref", "--quiet", "--short", "HEAD") // "" if HEAD is detached
	return handover.Git{Branch: strings.TrimSpace(branch), Commit: strings.TrimSpace(commit)}
}

// DriftOf returns how a folder's repository has changed since a snapshot.
func DriftOf(ctx context.Context, env *place.Env, dir string, s *snapshot.Snapshot) snapshot.Drift {
	now := gitOf(ctx, env, dir)
	g := snapshot.Git{Branch: now.Branch, Commit: now.Commit}
	if g.Commit != "" && s.Commit != "" && !snapshot.SameCommit(g.Commit, s.Commit) {
		var known bool
		g.Ahead, g.Behind, known = place.Divergence(ctx, env, dir, s.Commit)
		g.Unknown = !known
	}
	return s.Drift(g)
}
