package disk

import (
	"errors"
	"io/fs"
	"os"
)

// TryLock works like Lock, but doesn't wait. The name must end with .lock. The error is ErrLocked if another process
// has the lock.
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

// OpenWritable opens or creates a regular file of a cache, for reading and writing in place. After a crash, the file
// can have any contents.
func (r *Root) OpenWritable(name string, mode fs.FileMode) (*os.File, error) {
	if fi, err := r.root.Lstat(name); err == nil && !fi.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	return r.root.OpenFile(name, os.O_CREATE|os.O_RDWR|nonblock, mode)
}
