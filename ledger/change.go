package ledger

import (
	"fmt"
	"path/filepath"
	"syscall"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
)

// newOp returns an op for a file below a root. The op follows links, takes the lock of the project's ledger, and
// hides its temporary file from git. The error may be ErrOutside, ErrReserved, ErrTooLong, ErrNotText, or a system
// error.
func newOp(verb change.Verb, root, path string, text []byte) (change.Op, error) {
	base, rel, err := resolveNew(root, path)
	if err == nil && int64(len(text)) > MaxNotes {
		err = ErrTooLong
	}
	if err == nil && !isText(text) {
		err = ErrNotText
	}
	if err != nil {
		return change.Op{}, fmt.Errorf("write %s: %w", path, disk.Cause(err))
	}
	return change.Op{Verb: verb, Dir: base, Name: rel, Lock: ".", Text: text, Hidden: true, Mode: newFile, DirMode: newDir}, nil
}

// InsertOp returns an op that inserts a text at a byte offset of a file below a root. was is the current content; nil
// if the file doesn't exist. The error may be ErrOutside, ErrReserved, ErrTooLong, ErrNotText, or a system error.
func InsertOp(root, path string, was []byte, at int, text []byte) (change.Op, error) {
	o, err := newOp(change.Insert, root, path, text)
	o.At, o.Was, o.New = int64(at), change.Sum(was), was == nil
	return o, err
}

// ReplaceOp returns an op that replaces or creates a file below a root. was is the current content; nil if the file
// doesn't exist. now is the new content. The errors are those of InsertOp.
func ReplaceOp(root, path string, was, now []byte) (change.Op, error) {
	o, err := newOp(change.Replace, root, path, now)
	if o.Before = was; was == nil {
		o.Verb = change.Make
	}
	return o, err
}

// CheckOp returns the reason if an op of InsertOp or ReplaceOp can't write its file; nil if it can. It creates and
// removes a temporary file near the file.
func CheckOp(o *change.Op) error {
	if err := checkOp(o); err != nil {
		return fmt.Errorf("write %s: %w", o.Path(), disk.Cause(err))
	}
	return nil
}

func checkOp(o *change.Op) error {
	r, err := disk.Open(o.Dir)
	if err != nil {
		return err
	}
	defer r.Close()
	if fi, err := r.Lstat(o.Name); err == nil {
		if err := r.Writable(o.Name, fi); err != nil {
			return err
		}
	}
	dir := filepath.Dir(o.Name)
	fi, err := r.Lstat(dir)
	for disk.IsAbsent(err) && dir != "." {
		dir = filepath.Dir(dir)
		fi, err = r.Lstat(dir)
	}
	if err == nil && !fi.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return err
	}
	temp, err := r.CreateHidden(dir, o.Mode)
	if err == nil {
		temp.Drop()
	}
	return err
}
