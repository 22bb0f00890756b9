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

// errDangling says that a link leads to nothing. It is one of fs.ErrNotExist for who reads.
var errDangling = fmt.Errorf("a broken link: %w", fs.ErrNotExist)

// resolve is where a path below a root is when all links are followed: base is the root itself, rel is below it. What is
// not there yet is where it would be made. Errors: ErrOutside, errDangling, or that of the system.
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
	// ErrReserved says that a file of a ledger would be in .git or .claude, by its name or by links that a checkout has
	// brought along: what is there tells git and the client what to do.
	ErrReserved = errors.New("inside .git or .claude")
	// ErrLink says that a record would be appended through a link: to a file that nobody took for a log.
	ErrLink = errors.New("a link; continuo does not write records through links")
)

// reserved reports whether a path, below a root or a part of one, is a .git or .claude or below one.
func reserved(path string) bool {
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.EqualFold(name, ".git") || strings.EqualFold(name, ".claude") {
			return true
		}
	}
	return false
}

// resolveNew is resolve of what is to be written. Its errors are ErrReserved, too.
func resolveNew(root, path string) (base, rel string, err error) {
	base, rel, err = resolve(root, path)
	if err != nil {
		return "", "", err
	}
	named := path
	if filepath.IsAbs(path) {
		named, _ = filepath.Rel(root, path) // "" where it cannot be told: the other one can
	}
	if filepath.IsLocal(named) && reserved(named) || reserved(rel) {
		return "", "", ErrReserved
	}
	return base, rel, nil
}
