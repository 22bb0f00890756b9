package disk

import (
	"errors"
	"io/fs"
	"os"
)

// TryLock works like Lock, but doesn't wait. The error is ErrLocked if another process has the lock. The name must end
// with .lock.
func (r *Root) TryLock(name string) (unlock func(), err error) {
	f, err := r.root.OpenFile(name, os.O_CREATE|os.O_RDWR|nonblock, lockMode)
	if err != nil {
		return nil, err
	}
	unlock, err = tryHold(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return unlock, nil
}

// OpenWritable opens a regular file of a cache for reading and for writing in place, and creates it if it is missing.
// After a crash, the file can have any contents, so use it only for data that can be computed again.
func (r *Root) OpenWritable(name string, mode fs.FileMode) (*os.File, error) {
	if fi, err := r.root.Lstat(name); err == nil && !fi.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	return r.root.OpenFile(name, os.O_CREATE|os.O_RDWR|nonblock, mode)
}
