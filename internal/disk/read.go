package disk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrTooLong is returned if a file has more bytes than the given limit.
var ErrTooLong = errors.New("too long")

// ReadFile reads a regular file of at most limit bytes and doesn't follow links. The error is ErrNotRegular,
// ErrTooLong or a system error.
func (r *Root) ReadFile(name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, fi, err := r.OpenFile(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	text := bytes.NewBuffer(make([]byte, 0, min(fi.Size(), limit)+bytes.MinRead))
	_, err = text.ReadFrom(io.LimitReader(f, limit+1))
	if err == nil && int64(text.Len()) > limit {
		err = ErrTooLong
	}
	return text.Bytes(), fi, err
}

// OpenFile opens a regular file for reading and doesn't follow links. The error is ErrNotRegular or a system error.
func (r *Root) OpenFile(name string) (*os.File, fs.FileInfo, error) {
	was, err := r.root.Lstat(name)
	if err == nil && !was.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := r.Open(name)
	if err != nil {
		return nil, nil, err
	}
	fi, err := f.Stat()
	if err == nil && !os.SameFile(was, fi) {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, fi, nil
}
