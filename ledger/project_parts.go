package ledger

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

// ReadNotes returns the text of NOTES.md and its modification time. The errors are the same as those of ReadText.
func (p *Project) ReadNotes(ctx context.Context) (text []byte, written time.Time, err error) {
	text, _, err = ReadText(ctx, p.Root, p.Notes, MaxNotes)
	if err != nil {
		return nil, time.Time{}, err
	}
	if info, err := os.Stat(p.Notes); err == nil {
		written = info.ModTime()
	}
	return text, written, nil
}

// NotesName returns the path of NOTES.md relative to the root, with slashes.
func (p *Project) NotesName() string {
	if rel, err := filepath.Rel(p.Root, p.Notes); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(p.Notes)
}

// CheckDir returns nil if a folder of the ledger is missing or readable. The error is ErrOutside or a system error.
func (p *Project) CheckDir(dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	root := p.Root
	if r, err := filepath.EvalSymlinks(root); err == nil {
		root = r
	}
	if !within(root, real) {
		return ErrOutside
	}
	if fi, err := os.Stat(real); err != nil || !fi.IsDir() {
		return errors.New("not a directory")
	}
	return nil
}

// IsFile returns a function that reports whether a path below the root is a file. Call done after its last use.
func (p *Project) IsFile(ctx context.Context) (exists func(path string) bool, done func(), err error) {
	root, err := disk.Open(p.Root)
	if err != nil {
		return nil, nil, err
	}
	looked := map[string]bool{} // a long NOTES.md names a file many times
	exists = func(path string) bool {
		there, known := looked[path]
		if !known && ctx.Err() == nil {
			info, err := root.Stat(path)
			there = err == nil && info.Mode().IsRegular()
			looked[path] = there
		}
		return there
	}
	return exists, func() { _ = root.Close() }, nil // opened for reading
}
