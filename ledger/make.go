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
	newFile = fs.FileMode(0o644) // the mode of files that git creates, before the umask
	newDir  = fs.FileMode(0o755)
)

// MakeDir creates a directory below a root, and its missing parents, with the modes of git. The error may be
// ErrOutside, ErrReserved, ErrBusy, or a system error.
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

// LookDir reports whether a directory below a root is empty. The error may be ErrOutside, fs.ErrNotExist,
// syscall.ENOTDIR or fs.ErrPermission.
func LookDir(root, path string) (empty bool, err error) {
	base, rel, err := resolve(root, path)
	if errors.Is(err, errDangling) { // errDangling wraps fs.ErrNotExist, but a broken link isn't a missing path
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
	fi, err := r.Stat(rel) // Stat doesn't open a device or a pipe
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
	names, _ := dir.Readdirnames(1) // io.EOF means that the directory is empty
	return len(names) == 0, nil
}

// openLocked opens the root of a project and takes the lock of its ledger until unlock is called. On a file system
// without locks, comparing the content is the only protection.
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

// Names returns the sorted names in a directory below a root; nil if it is missing. The error may be ErrOutside,
// syscall.ENOTDIR or a system error.
func Names(root, path string) ([]string, error) {
	base, rel, err := resolve(root, path)
	if disk.IsAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	r, err := disk.Open(base)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	defer r.Close()
	names, err := r.Names(rel)
	if disk.IsAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	return names, nil
}
