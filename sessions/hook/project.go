package hook

import (
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/sessions"
)

// ProjectOf returns the project of a directory: the nearest directory with a memory, up to the root of the
// repository. Outside a repository, parents may belong to other users, so only dir counts. The home directory isn't a
// project: its .claude is the config directory of Claude Code.
func ProjectOf(dir, home string) (project string, ok bool) {
	if !filepath.IsAbs(dir) {
		return "", false
	}
	dir = filepath.Clean(dir)
	for at := dir; ; at = filepath.Dir(at) {
		if project == "" && sessions.MayExist(filepath.Join(at, ".claude", "memory"), os.Stat) && !sessions.SameFile(at, home) {
			project = at
		}
		switch {
		case project == dir, sessions.MayExist(filepath.Join(at, ".git"), os.Lstat):
			return project, project != ""
		case at == filepath.Dir(at):
			return "", false
		}
	}
}
