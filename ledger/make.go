package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/continuo-tui/continuo/internal/disk"
)

const (
	newFile = fs.FileMode(0o644) // the mode that git gives files; the umask applies
	newDir  = fs.FileMode(0o755)
)

// MakeDir creates a directory below a root, and its parents, with the modes that git uses. An existing directory isn't
// changed. Errors: ErrOutside, ErrReserved, ErrBusy, or a system error.
func MakeDir(ctx context.Context, root, path string) error {
	base, rel, err := resolveNew(root, path)
	if err != nil {
		return fmt.Errorf("make %s: %w", path, disk.Cause(err))
	}
	r, unlock, err := openLocked(ctx, root, base)
	if err != nil {
		return err
	}
	defer unlock()
	if err := r.MkdirAll(rel, newDir); err != nil {
		return fmt.Errorf("make %s: %w", path, disk.Cause(err))
	}
	return nil
}

// LookDir checks that a path below a root is a directory. It returns nil for a directory, else ErrOutside,
// fs.ErrNotExist, syscall.ENOTDIR or fs.ErrPermission. empty reports whether the directory is empty.
func LookDir(root, path string) (empty bool, err error) {
	base, rel, err := resolve(root, path)
	if errors.Is(err, errDangling) { // the link exists, so the path isn't missing
		err = errors.New("a broken link")
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	r, err := disk.Open(base)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	defer r.Close()
	fi, err := r.Stat(rel) // a device or a pipe is not opened
	if disk.IsAbsent(err) {
		return false, fmt.Errorf("read %s: %w", path, fs.ErrNotExist)
	}
	if err == nil && !fi.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	dir, err := r.Open(rel)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(1) // an empty directory gives an error
	return len(names) == 0, nil
}

// openLocked opens the root of a project for writing and takes the lock of its ledger. The lock excludes other continuo
// writers until unlock is called. On a file system without locks, openLocked takes no lock; there, the only protection
// is that files are compared before they are replaced.
func openLocked(ctx context.Context, root, base string) (r *disk.Root, unlock func(), err error) {
	if r, err = disk.Open(base); err != nil {
		return nil, nil, fmt.Errorf("open %s: %w", root, disk.Cause(err))
	}
	release, err := r.Lock(ctx, ".")
	if errors.Is(err, disk.ErrLocked) {
		err = ErrBusy
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("lock %s: %w", root, disk.Cause(err)), r.Close())
	}
	return r, func() { release(); _ = r.Close() }, nil
}
