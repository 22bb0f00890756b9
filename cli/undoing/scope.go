package undoing

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// Scope selects actions for undo without an argument: one project's, or all.
type Scope struct {
	All  bool
	Here func(folder string) bool // whether a folder belongs to the scope's project
	name func(folder string) string
}

// ScopeOf returns the scope of a folder's project. For "", the scope is empty. For nested projects, it is the
// inner one's.
func ScopeOf(ctx context.Context, env *place.Env, dir string) Scope {
	var roots []string
	if dir != "" {
		_, all, repository := survey.RootsAt(ctx, env.LookFrom(dir))
		roots = all[:1]
		if !repository && !survey.IsProjectRoot(roots[0]) && len(all) > 1 {
			roots = all[:2]
		}
		if p, err := place.LedgerOf(env, dir); err == nil {
			roots = append(roots, place.RealPath(p.Root))
		}
	}
	known := map[string]bool{}
	return Scope{name: env.Tilde, Here: func(folder string) bool {
		yes, ok := known[folder]
		if !ok {
			path, project, _ := survey.RepoAt(ctx, folder, env.Home)
			yes = slices.Contains(roots, path) || slices.Contains(roots, project)
			known[folder] = yes
		}
		return yes
	}}
}

// Has reports whether an action has changed files in the scope.
func (s *Scope) Has(e *journal.Entry) bool {
	return s.All || len(e.Where) == 0 || slices.ContainsFunc(e.Where, s.Here)
}

// others returns an action's folders outside of the scope.
func (s *Scope) others(e *journal.Entry) []string {
	var list []string
	for _, folder := range e.Where {
		if !s.All && !s.Here(folder) {
			list = append(list, s.name(folder))
		}
	}
	return list
}
