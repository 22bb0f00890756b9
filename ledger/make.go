package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// MakeDir makes a directory below a root, with those above it, as git has them. One that is there stays as it is. Errors
// are ErrOutside, ErrReserved, ErrBusy or those of the system.
func MakeDir(ctx context.Context, root, path string) error {
	base, rel, err := resolveNew(root, path)
	if err != nil {
		return fmt.Errorf("make %s: %w", path, cause(err))
	}
	r, err := os.OpenRoot(base)
	if err != nil {
		return fmt.Errorf("make %s: %w", path, cause(err))
	}
	defer r.Close()
	unlock, err := lock(ctx, r)
	if err != nil {
		return fmt.Errorf("lock %s: %w", root, cause(err))
	}
	defer unlock()
	if err := r.MkdirAll(rel, newDir); err != nil {
		return fmt.Errorf("make %s: %w", path, cause(err))
	}
	return nil
}

// LookDir says what is at a path below a root where a directory has to be: nil, ErrOutside, fs.ErrNotExist where nothing
// is, syscall.ENOTDIR, fs.ErrPermission. empty reports that nothing is in it.
func LookDir(root, path string) (empty bool, err error) {
	base, rel, err := resolve(root, path)
	if errors.Is(err, errDangling) { // something is there, so it is not missing
		err = errors.New("a link that leads nowhere")
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, cause(err))
	}
	r, err := os.OpenRoot(base)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, cause(err))
	}
	defer r.Close()
	fi, err := r.Stat(rel) // a device or a pipe is not opened
	if isAbsent(err) {
		return false, fmt.Errorf("read %s: %w", path, fs.ErrNotExist)
	}
	if err == nil && !fi.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, cause(err))
	}
	dir, err := r.Open(rel)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, cause(err))
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(1) // it ends with an error where there is none
	return len(names) == 0, nil
}
