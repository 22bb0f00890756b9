package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// errLines is returned if the record to append isn't a single line.
var errLines = errors.New("not a single line of text")

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
		return fmt.Errorf("append to %s: %w", path, disk.Cause(err))
	}
	rel = filepath.Join(rel, name)
	r, unlock, err := openLocked(ctx, root, base)
	if err != nil {
		return err
	}
	defer unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("append to %s: %w", path, err)
	}
	if err := appendIn(r, rel, line); err != nil {
		return fmt.Errorf("append to %s: %w", path, disk.Cause(err))
	}
	return nil
}

func appendIn(r *disk.Root, rel string, line []byte) error {
	fi, err := r.Lstat(rel)
	switch {
	case disk.IsAbsent(err):
		err = r.MkdirAll(filepath.Dir(rel), newDir)
	case err == nil && fi.Mode()&fs.ModeSymlink != 0:
		err = errLink
	case err == nil && !fi.Mode().IsRegular():
		err = transcript.ErrNotRegular
	case err == nil && fi.Mode().Perm()&0o222 == 0:
		err = fs.ErrPermission
	}
	if err == nil {
		err = r.AppendLine(rel, line, newFile)
	}
	if err == nil {
		err = r.Flush(rel)
	}
	if err == nil && fi == nil {
		err = r.SyncDir(filepath.Dir(rel))
	}
	return err
}

// Open opens a file below a root for reading: a regular one, and one that no link has outside. The path is absolute or
// below the root. Errors: fs.ErrNotExist, ErrOutside, transcript.ErrNotRegular.
func Open(root, path string) (*os.File, error) {
	base, rel, err := resolve(root, path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	r, err := disk.Open(base)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	defer r.Close()
	f, _, err := openIn(r, rel)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, disk.Cause(err))
	}
	return f, nil
}
