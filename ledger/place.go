package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// errDangling says that a link leads to nothing. It is one of fs.ErrNotExist for who reads.
var errDangling = fmt.Errorf("a link that leads nowhere: %w", fs.ErrNotExist)

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
		if !isAbsent(err) {
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

// isAbsent reports that nothing has the path, as below a file that has the name of a directory.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// cause takes the relative name off an error of os.Root: our texts name the whole path.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
