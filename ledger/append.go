package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/transcript"
)

// errLines says that what is to be appended is not one line.
var errLines = errors.New("not one line of text")

// AppendLine adds a line to a file below a root under the lock of the project's ledger, with one write. A missing file
// and missing directories are made. Nothing that is there is touched: a crash at any byte, or a full disk, leaves a part of
// this line at most, and the next one begins on a line of its own. A file that is a link is left alone, wherever that leads:
// a checkout may have brought it along.
//
// The line has no end of its own. Errors: ErrOutside, ErrReserved, ErrLink, ErrBusy, transcript.ErrNotRegular, fs.ErrPermission for a file or
// a directory that is read-only.
func AppendLine(ctx context.Context, root, path string, line []byte) error {
	if len(line) == 0 || bytes.ContainsAny(line, "\n\r") || !isText(line) {
		return fmt.Errorf("append to %s: %w", path, errLines)
	}
	dir, name := filepath.Split(path)
	base, rel, err := resolveNew(root, dir)
	if err == nil && (name == "" || reserved(name)) {
		err = ErrReserved
	}
	if err != nil {
		return fmt.Errorf("append to %s: %w", path, cause(err))
	}
	rel = filepath.Join(rel, name)
	r, err := os.OpenRoot(base)
	if err != nil {
		return fmt.Errorf("append to %s: %w", path, cause(err))
	}
	defer r.Close()
	unlock, err := lock(ctx, r)
	if err != nil {
		return fmt.Errorf("lock %s: %w", root, cause(err))
	}
	defer unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("append to %s: %w", path, err)
	}
	if err := appendIn(r, rel, line); err != nil {
		return fmt.Errorf("append to %s: %w", path, cause(err))
	}
	return nil
}

func appendIn(r *os.Root, rel string, line []byte) error {
	e := editor{root: r, rel: rel, step: func(string) error { return nil }}
	fi, err := r.Lstat(rel)
	switch {
	case isAbsent(err):
		err = r.MkdirAll(filepath.Dir(rel), newDir)
	case err == nil && fi.Mode()&fs.ModeSymlink != 0:
		err = ErrLink
	case err == nil && !fi.Mode().IsRegular():
		err = transcript.ErrNotRegular
	case err == nil && fi.Mode().Perm()&0o222 == 0:
		err = fs.ErrPermission
	}
	if err != nil {
		return err
	}
	isNew := fi == nil
	f, err := r.OpenFile(rel, os.O_RDWR|os.O_APPEND|os.O_CREATE|nonblock, newFile)
	if err != nil {
		return err
	}
	err = addLine(f, line)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil && isNew {
		err = e.sync()
	}
	return err
}

// addLine writes a line at the end of a file, and makes it last. Where the last line has no end, it gets one first, in the
// same write: whoever appends without our lock finds a torn line or this one behind it, but never in it.
func addLine(f *os.File, line []byte) error {
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = transcript.ErrNotRegular
	}
	if err != nil {
		return err
	}
	text := make([]byte, 0, len(line)+2)
	if fi.Size() > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], fi.Size()-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			text = append(text, '\n')
		}
	}
	text = append(append(text, line...), '\n')
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}

// Open opens a file below a root for reading: a regular one, and one that no link has outside. The path is absolute or
// below the root. Errors: fs.ErrNotExist, ErrOutside, transcript.ErrNotRegular.
func Open(root, path string) (*os.File, error) {
	base, rel, err := resolve(root, path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, cause(err))
	}
	r, err := os.OpenRoot(base)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, cause(err))
	}
	defer r.Close()
	f, _, err := openIn(r, rel)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, cause(err))
	}
	return f, nil
}
