package find

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// Scope selects the projects of a list.
type Scope struct {
	Project string // root of a project, with its worktrees; "" means all projects
	Below   string // the directory of --project, with its subdirectories
}

// Holds reports whether a row is in the scope.
func (s Scope) Holds(r *sessions.Row) bool {
	switch {
	case s.Project == "" && s.Below == "":
		return true
	case s.Project != "" && r.Belongs(s.Project):
		return true
	}
	return s.Below != "" && (place.Within(r.Project, s.Below) || place.Within(r.Workdir, s.Below))
}

// LimitUnset is the limit without --limit.
const LimitUnset = -1

// Options has the flags of the command list.
type Options struct {
	all     bool
	quick   bool
	picker  bool // only sessions that Claude Code's /resume list leaves out
	Project string
	states  []sessions.State
	kinds   []sessions.Kind
	since   time.Time
	Limit   int // LimitUnset, or 0 for no limit
}

// ScopeOf returns the scope of the flags and the current directory.
func ScopeOf(ctx context.Context, env *place.Env, rows []sessions.Row, o Options) Scope {
	if o.all && o.Project == "" {
		return Scope{}
	}
	dir := env.Dir
	if o.Project != "" {
		dir = env.Abs(o.Project)
	}
	if dir == "" {
		return Scope{} // the current directory was removed
	}
	dir, roots, _ := survey.RootsAt(ctx, env.LookFrom(dir))
	s := Scope{Project: survey.ProjectAt(rows, roots)}
	if o.Project != "" {
		s.Below = dir
	}
	return s
}
