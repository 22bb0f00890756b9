package hook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ProjectOf finds the project that a directory belongs to: the nearest of it and its parents that has a memory, up to
// the root of the repository. Without a repository it is the directory alone, for above it begin those of others. The
// home directory is none: its .claude is the client's own.
func ProjectOf(dir, home string) (project string, ok bool) {
	if !filepath.IsAbs(dir) {
		return "", false
	}
	dir = filepath.Clean(dir)
	for at := dir; ; at = filepath.Dir(at) {
		if project == "" && isThere(filepath.Join(at, ".claude", "memory"), os.Stat) && !isHome(at, home) {
			project = at
		}
		switch {
		case project == dir, isThere(filepath.Join(at, ".git"), os.Lstat):
			return project, project != ""
		case at == filepath.Dir(at):
			return "", false
		}
	}
}

// isThere reports whether something has the path. What may not be looked at is there.
func isThere(path string, stat func(string) (fs.FileInfo, error)) bool {
	_, err := stat(path)
	return err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// isHome reports whether a directory is the home, by whatever path.
func isHome(dir, home string) bool {
	if home == "" {
		return false
	}
	a, err := os.Stat(dir)
	if err != nil {
		return false
	}
	b, err := os.Stat(home)
	return err == nil && os.SameFile(a, b)
}
