package annotate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
)

// errNoPlace is returned when notes are changed in a store without a path.
var errNoPlace = errors.New("no home directory, so annotations can't be saved")

// Store reads and writes the annotations file. It is safe for concurrent use, even by several processes.
type Store struct {
	path string
	step func(step, name string) error // see disk.Root.Step

	mu    sync.Mutex
	seen  fs.FileInfo // file info at the last Load; nil if there was no file
	notes map[Key]Note
}

// New returns the store for a file, which may not exist. A store with the path "" has no notes.
func New(path string) *Store { return &Store{path: path} }

// Load returns all notes. The caller must not change the map. Load reads the file again after a change of inode, size
// or modification time. The error is a *FileError.
func (s *Store) Load() (map[Key]Note, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path == "" {
		return nil, nil
	}
	now, err := os.Lstat(s.path)
	if err == nil && s.seen != nil && os.SameFile(now, s.seen) && now.Size() == s.seen.Size() && now.ModTime().Equal(s.seen.ModTime()) {
		return s.notes, nil
	}
	s.seen, s.notes = nil, nil
	if disk.IsAbsent(err) {
		return nil, nil
	}
	root, err := disk.Open(filepath.Dir(s.path))
	if err != nil {
		return nil, s.fail(disk.Cause(err))
	}
	defer root.Close()
	f, info, err := s.read(root)
	if err != nil {
		return nil, err
	}
	s.seen, s.notes = info, f.notes()
	return s.notes, nil
}

// Edit changes the notes of sessions, all of them or none. It deletes notes that become empty. Concurrent edits of
// other processes aren't lost.
func (s *Store) Edit(ctx context.Context, now time.Time, edits map[Key]Edit) error {
	return s.change(ctx, func(f *file) (changed bool, err error) {
		for k, edit := range edits {
			if !k.valid() {
				return false, fmt.Errorf("session %q: not in projects/ of %q", k.ID, k.Dir)
			}
			e := f.entries[k]
			next := edit.Apply(e.Note)
			if next.same(e.Note) {
				continue
			}
			next.Changed = now.UTC()
			e.Note, changed = next, true
			f.put(k, e)
		}
		return changed, nil
	})
}

// Export returns all notes as JSON, with one session on each line.
func (s *Store) Export() ([]byte, error) {
	f := &file{}
	if s.path != "" {
		root, err := disk.Open(filepath.Dir(s.path))
		switch {
		case err == nil:
			defer root.Close()
			if f, _, err = s.read(root); err != nil {
				return nil, err
			}
		case !disk.IsAbsent(err):
			return nil, s.fail(disk.Cause(err))
		}
	}
	return f.encode()
}

// Import adds the notes of an export, and returns the number of changed sessions. Of two notes about a session, the
// newer one stays. If the export can't be parsed, the error has the line number, and nothing changes.
func (s *Store) Import(ctx context.Context, export io.Reader) (changed int, err error) {
	text, err := io.ReadAll(io.LimitReader(export, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = errTooLarge
	}
	if err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	in, err := decode(text)
	if err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	err = s.change(ctx, func(f *file) (bool, error) {
		changed = 0
		for k, e := range in.entries {
			have, ok := f.entries[k]
			if ok && !e.Changed.After(have.Changed) || e.same(have.Note) {
				continue
			}
			f.put(k, e)
			changed++
		}
		return changed > 0, nil
	})
	if err != nil {
		return 0, err
	}
	return changed, nil
}

// change locks and reads the file, calls edit, and writes the file if edit returns true.
func (s *Store) change(ctx context.Context, edit func(*file) (changed bool, err error)) error {
	if s.path == "" {
		return errNoPlace
	}
	root, err := disk.Make(filepath.Dir(s.path), 0o700)
	if err != nil {
		return s.fail(err)
	}
	defer root.Close()
	root.Step = s.step
	name := filepath.Base(s.path)
	unlock, err := root.Lock(ctx, name)
	if err != nil {
		return s.fail(disk.Cause(err))
	}
	defer unlock()
	f, _, err := s.read(root)
	if err != nil {
		return err
	}
	changed, err := edit(f)
	if err != nil || !changed {
		return err
	}
	text, err := f.encode()
	if err != nil {
		return s.fail(err)
	}
	if err := root.Replace(name, text, 0o600); err != nil {
		return s.fail(disk.Cause(err))
	}
	return nil
}

// read reads the file. A missing or empty file has no notes.
func (s *Store) read(root *disk.Root) (*file, fs.FileInfo, error) {
	text, info, err := root.ReadFile(filepath.Base(s.path), maxFile)
	if err != nil && !disk.IsAbsent(err) {
		return nil, nil, s.fail(disk.Cause(err))
	}
	f, err := decode(text)
	if err != nil {
		return nil, nil, s.fail(fmt.Errorf("%w; continuo doesn't overwrite this file: correct it or move it away", err))
	}
	return f, info, nil
}

func (s *Store) fail(err error) error { return &FileError{s.path, err} }

// FileError is returned if the file can't be read or written.
type FileError struct {
	Path string
	Err  error
}

// Error implements error.
func (e *FileError) Error() string { return fmt.Sprintf("annotations %s: %v", e.Path, e.Err) }

// Unwrap returns the wrapped error.
func (e *FileError) Unwrap() error { return e.Err }
