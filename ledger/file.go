package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// MaxNotes is the maximum size of NOTES.md in bytes. The largest known one has 178 KB.
const MaxNotes = 16 << 20

var (
	// ErrTooLong is returned if a file is larger than the limit.
	ErrTooLong = errors.New("too long for continuo to read")
	// ErrNotText is returned if a file has a NUL byte in its first 8 KB, or isn't UTF-8.
	ErrNotText = errors.New("not a text file")
	// ErrOutside is returned if a path or a link points outside the project.
	ErrOutside = errors.New("outside the project")
	// ErrBusy is returned if another program keeps changing a file. Nothing was written.
	ErrBusy = errors.New("being written by another program")
)

const (
	// attempts is how often a file is read before ErrBusy is returned.
	attempts = 3
	// pause is the time between two attempts. Most programs need less time to write a file.
	pause = 20 * time.Millisecond

	textHead = 8 << 10 // a NUL byte in the first 8 KB means that a file isn't text
)

// ReadText reads a file of at most limit bytes below a root. The path is absolute, or relative to the root. The error
// may be fs.ErrNotExist, ErrTooLong, ErrNotText, ErrOutside, ErrBusy or transcript.ErrNotRegular.
func ReadText(ctx context.Context, root, path string, limit int64) (text []byte, mode fs.FileMode, err error) {
	text, mode, err = readFile(ctx, root, path, limit)
	if err == nil && !isText(text) {
		err = fmt.Errorf("read %s: %w", path, ErrNotText)
	}
	if err != nil {
		return nil, 0, err
	}
	return text, mode, nil
}

func isText(text []byte) bool {
	return bytes.IndexByte(text[:min(len(text), textHead)], 0) < 0 && utf8.Valid(text)
}

// readFile reads a file like ReadText, but accepts files that aren't text.
func readFile(ctx context.Context, root, path string, limit int64) (text []byte, mode fs.FileMode, err error) {
	base, rel, err := resolve(root, path)
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	r, err := disk.Open(base)
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	defer r.Close()
	text, fi, err := readIn(ctx, r, rel, limit)
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	return text, fi.Mode(), nil
}

// readIn reads a whole file below a root. The text isn't nil if there is no error.
func readIn(ctx context.Context, r *disk.Root, rel string, limit int64) ([]byte, fs.FileInfo, error) {
	for range attempts {
		text, fi, err := readOnce(r, rel, limit)
		if !errors.Is(err, ErrBusy) {
			return text, fi, err
		}
		if err := wait(ctx, pause); err != nil {
			return nil, nil, err
		}
	}
	return nil, nil, ErrBusy
}

// readOnce reads a file once. It returns ErrBusy if the file changed during the read.
func readOnce(r *disk.Root, rel string, limit int64) ([]byte, fs.FileInfo, error) {
	f, fi, err := openIn(r, rel)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if fi.Size() > limit {
		return nil, nil, fmt.Errorf("it has %d bytes: %w", fi.Size(), ErrTooLong)
	}
	// The buffer must not grow.
	text := bytes.NewBuffer(make([]byte, 0, fi.Size()+bytes.MinRead))
	if _, err := text.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, nil, err
	}
	after, err := f.Stat()
	switch {
	case err != nil:
		return nil, nil, err
	case int64(text.Len()) > limit:
		return nil, nil, ErrTooLong
	case after.Size() != int64(text.Len()) || !after.ModTime().Equal(fi.ModTime()):
		return nil, nil, ErrBusy
	}
	return text.Bytes(), fi, nil
}

// openIn opens a regular file below a root for reading. Opening a pipe would wait for a writer.
func openIn(r *disk.Root, rel string) (*os.File, fs.FileInfo, error) {
	if fi, err := r.Lstat(rel); err == nil && !fi.Mode().IsRegular() {
		return nil, nil, transcript.ErrNotRegular // opening a device may have side effects
	}
	f, err := r.Open(rel)
	if err != nil {
		return nil, nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = transcript.ErrNotRegular
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, fi, nil
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
