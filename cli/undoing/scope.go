package undoing

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// Scope selects the actions for undo without an argument: those of one project, or all actions.
type Scope struct {
	All  bool
	Here func(folder string) bool // reports whether the folder belongs to the project of the scope
	name func(folder string) string
}

// ScopeOf returns the scope of the project that contains a folder. For "", the scope is empty. If a folder inside
// another project is a project itself, the scope is only that of the inner project.
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

// Has reports whether an action has changed files in the scope. It may also have changed other files.
func (s *Scope) Has(e *journal.Entry) bool {
	return s.All || len(e.Where) == 0 || slices.ContainsFunc(e.Where, s.Here)
}

// others returns the folders of an action that are outside of the scope.
func (s *Scope) others(e *journal.Entry) []string {
	var list []string
	for _, folder := range e.Where {
		if !s.All && !s.Here(folder) {
			list = append(list, s.name(folder))
		}
	}
	return list
}
