package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
)

// projectsAt returns the real path of dir, the roots of the projects that its sessions may belong to, the best one first,
// and whether dir is in a git repository. Every command and --latest go by this rule:
//
//   - In a git repository they are those of the repository, with all of its worktrees and directories.
//   - Elsewhere they are those that ran in dir itself; if there are none, those of the nearest directory above that is a
//     project in its own right (isProjectRoot). A directory above that only contains dir never counts, and the home, a
//     temporary directory and everything above them never do, whatever they hold.
func (d *deps) projectsAt(ctx context.Context, dir string) (path string, roots []string, repository bool) {
	path, project, repository := d.placeOf(ctx, dir)
	roots = []string{project}
	if repository {
		return path, roots, true
	}
	for up := filepath.Dir(path); !d.holdsOthers(up); up = filepath.Dir(up) {
		if isProjectRoot(up) {
			roots = append(roots, up)
		}
	}
	return path, roots, false
}

// isProjectRoot reports whether a directory is a project without being a git repository: it is under another version
// control system, was set up for Claude Code, or has a ledger.
func isProjectRoot(dir string) bool {
	marks := []string{".hg", ".jj", ".svn", ".claude", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".mcp.json", "NOTES.md"}
	return ledger.IsRoot(dir) || slices.ContainsFunc(marks, func(name string) bool { return isNamed(filepath.Join(dir, name)) })
}

func isNamed(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// holdsOthers reports whether a directory is the home, a temporary directory, or above one of the system.
func (d *deps) holdsOthers(dir string) bool {
	return sessions.HoldsOthers(dir, d.home) || sessions.HoldsOthers(dir, realPath(d.home)) || dir == realPath(d.getenv("TMPDIR"))
}

// projectAt returns the first of some roots that a row belongs to, "" if there is none.
func projectAt(rows []sessions.Row, roots []string) string {
	i := slices.IndexFunc(roots, func(root string) bool {
		return slices.ContainsFunc(rows, func(r sessions.Row) bool { return r.Project == root })
	})
	if i < 0 {
		return ""
	}
	return roots[i]
}

// placeOf returns the real path of dir, the project that it belongs to, and whether that is a repository.
func (d *deps) placeOf(ctx context.Context, dir string) (path, project string, repository bool) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // the client records real paths
	}
	project = sessions.Places{Home: d.home}.Group(ctx, []string{dir})[dir].Project
	return dir, project, isNamed(filepath.Join(dir, ".git")) || project != dir
}
