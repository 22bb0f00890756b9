package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
)

// errDangling is returned for a broken link. It wraps fs.ErrNotExist, so readers handle it like a missing file.
var errDangling = fmt.Errorf("a broken link: %w", fs.ErrNotExist)

// resolve follows all links in a path below a root. It returns the real root (base), and the real path relative to
// base (rel). The last elements of the path may be missing. The error may be ErrOutside, errDangling, or a system
// error.
func resolve(root, path string) (base, rel string, err error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	base, err = filepath.EvalSymlinks(root)
	if err != nil {
		if !within(root, path) {
			err = ErrOutside
		}
		return "", "", err
	}
	at, rest := filepath.Clean(path), "."
	for {
		target, err := filepath.EvalSymlinks(at)
		if err == nil {
			rel, err = filepath.Rel(base, filepath.Join(target, rest))
			if err != nil || !filepath.IsLocal(rel) {
				return "", "", ErrOutside
			}
			return base, rel, nil
		}
		if !disk.IsAbsent(err) {
			return "", "", err
		}
		if fi, there := os.Lstat(at); there == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return "", "", errDangling
		}
		if filepath.Dir(at) == at {
			return "", "", err
		}
		at, rest = filepath.Dir(at), filepath.Join(filepath.Base(at), rest)
	}
}

var (
	// ErrReserved is returned if a path is inside .git or .claude, directly or through links. These directories
	// configure git and Claude Code.
	ErrReserved = errors.New("inside .git or .claude")
	// errLink is returned if the file for a record is a link.
	errLink = errors.New("a link; continuo does not write records through links")
)

// reserved reports whether an element of a relative path is .git or .claude.
func reserved(path string) bool {
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.EqualFold(name, ".git") || strings.EqualFold(name, ".claude") {
			return true
		}
	}
	return false
}

// resolveNew is resolve for a file to write. It can also return ErrReserved.
func resolveNew(root, path string) (base, rel string, err error) {
	base, rel, err = resolve(root, path)
	if err != nil {
		return "", "", err
	}
	named := path
	if filepath.IsAbs(path) {
		named, _ = filepath.Rel(root, path) // "" if Rel fails; rel is always checked
	}
	if filepath.IsLocal(named) && reserved(named) || reserved(rel) {
		return "", "", ErrReserved
	}
	return base, rel, nil
}
