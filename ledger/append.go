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

// errLines is returned if a record isn't exactly one line.
var errLines = errors.New("not a single line of text")

// AppendLine appends a line to a file below a root. It creates missing files and directories. It holds the lock of
// the project's ledger. After a crash or on a full disk, a part of the line may be in the file. The next record still
// starts on a new line.
//
// line must be one line without a newline at its end. A symbolic link is refused. The error may be ErrOutside,
// ErrReserved, ErrBusy, transcript.ErrNotRegular or fs.ErrPermission.
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

// Open opens a regular file below a root for reading. The path is absolute, or relative to the root. The target of a
// link must be below the root. The error may be fs.ErrNotExist, ErrOutside or transcript.ErrNotRegular.
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
