package cli

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// undoScope holds the actions that are taken back without being named: those of one project, or of all of them.
type undoScope struct {
	all  bool
	here func(folder string) bool // reports whether a folder belongs to the project
	name func(folder string) string
}

// scopeOfUndo returns the actions of the project that a folder belongs to; "" has none. A folder that is a project in its
// own right does not belong to one above it.
func scopeOfUndo(ctx context.Context, env *Env, dir string) undoScope {
	var roots []string
	if dir != "" {
		_, all, repository := survey.RootsAt(ctx, env.lookFrom(dir))
		roots = all[:1]
		if !repository && !survey.IsProjectRoot(roots[0]) && len(all) > 1 {
			roots = all[:2]
		}
		if p, err := ledgerOf(env, dir); err == nil {
			roots = append(roots, realPath(p.Root))
		}
	}
	known := map[string]bool{}
	return undoScope{name: env.tilde, here: func(folder string) bool {
		yes, ok := known[folder]
		if !ok {
			path, project, _ := survey.RepoAt(ctx, folder, env.home)
			yes = slices.Contains(roots, path) || slices.Contains(roots, project)
			known[folder] = yes
		}
		return yes
	}}
}

// has reports whether an action was done in the scope, or in other projects as well.
func (s *undoScope) has(e *journal.Entry) bool {
	return s.all || len(e.Where) == 0 || slices.ContainsFunc(e.Where, s.here)
}

// others returns the folders of an action that belong to other projects.
func (s *undoScope) others(e *journal.Entry) []string {
	var list []string
	for _, folder := range e.Where {
		if !s.all && !s.here(folder) {
			list = append(list, s.name(folder))
		}
	}
	return list
}
