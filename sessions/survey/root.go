package survey

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
)

// RootsAt returns the real path of a place's folder, and whether the folder is in a git repository. It also returns
// the roots of the projects for sessions of the folder, best first. The caller uses the first root that has sessions.
// The rules for all commands and `--latest`:
//
//   - In a git repository, the only root is that of the repository. It includes all worktrees and directories.
//   - Elsewhere, the roots are the folder and the parent directories that are projects (IsProjectRoot),
//     nearest first. The home directory, a temporary directory, and their parents are never roots.
func RootsAt(ctx context.Context, at Place) (path string, roots []string, repository bool) {
	path, project, repository := RepoAt(ctx, at.Dir, at.Home)
	roots = []string{project}
	if repository {
		return path, roots, true
	}
	for up := filepath.Dir(path); !at.holdsOthers(up); up = filepath.Dir(up) {
		if IsProjectRoot(up) {
			roots = append(roots, up)
		}
	}
	return path, roots, false
}

// IsProjectRoot reports whether a directory outside git is a project. A project has another version control system, a
// setup for Claude Code, or a ledger.
func IsProjectRoot(dir string) bool {
	marks := []string{".hg", ".jj", ".svn", ".claude", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".mcp.json", "NOTES.md"}
	return ledger.IsRoot(dir) || slices.ContainsFunc(marks, func(name string) bool { return sessions.Exists(filepath.Join(dir, name)) })
}

// holdsOthers reports whether a directory is the home or a temporary directory, or contains a user's home (see
// sessions.HoldsOthers).
func (at *Place) holdsOthers(dir string) bool {
	return sessions.HoldsOthers(dir, at.Home) || sessions.HoldsOthers(dir, sessions.RealPath(at.Home)) || dir == sessions.RealPath(at.Temp)
}

// ProjectAt returns the first root that is the project of a row, or "".
func ProjectAt(rows []sessions.Row, roots []string) string {
	i := slices.IndexFunc(roots, func(root string) bool {
		return slices.ContainsFunc(rows, func(r sessions.Row) bool { return r.Project == root })
	})
	if i < 0 {
		return ""
	}
	return roots[i]
}

// RepoAt returns the real path of dir, its project, and whether the project is a git repository.
func RepoAt(ctx context.Context, dir, home string) (path, project string, repository bool) {
	dir = sessions.RealPath(dir) // the client records real paths
	project = sessions.Places{Home: home}.Group(ctx, []string{dir})[dir].Project
	return dir, project, sessions.Exists(filepath.Join(dir, ".git")) || project != dir
}
