package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
)

// ErrTooLong says that a file has more than is read of one of its kind: of a document 1 MB.
var ErrTooLong = errTooLong

// DocumentFile is the place of a document that a save wrote, to put back what was there: in the memory of its project,
// or where a person wanted it. No link leads out of its directory, and none is followed to the file.
type DocumentFile struct {
	m    *Memory // which has no project where it is another directory
	name string
}

// OpenDocument opens the place of a document, by its absolute path. The error is that of OpenMemory, or that of the
// system: one of fs.ErrNotExist says that the directory is gone.
func OpenDocument(path string) (*DocumentFile, error) {
	sep := string(filepath.Separator)
	if project, name, ok := strings.Cut(path, sep+filepath.Join(".claude", "memory")+sep); ok {
		m, err := OpenMemory(project)
		if err != nil {
			return nil, err
		}
		return &DocumentFile{m, name}, nil
	}
	dir := filepath.Dir(path)
	fi, err := os.Lstat(dir)
	if err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		err = errLink
	}
	if err != nil {
		return nil, fmt.Errorf("directory %s: %w", dir, cause(err))
	}
	p, err := enter(dir)
	if err == nil && p == nil {
		err = fmt.Errorf("directory %s: %w", dir, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	return &DocumentFile{&Memory{root: p.root, path: p.path}, filepath.Base(path)}, nil
}

// Close gives the directory back.
func (f *DocumentFile) Close() error { return f.m.Close() }

// Read reads the file; nil is none. The error is ErrTooLong, transcript.ErrNotRegular, or that of the system.
func (f *DocumentFile) Read() (text []byte, mode fs.FileMode, err error) {
	text, fi, err := f.m.read(f.name, maxContext)
	switch {
	case isAbsent(err):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	}
	return text, fi.Mode().Perm(), nil
}

// Put gives the file a text, whole or not at all; nil removes it. It has to be what it was: nil is none. In a memory
// that is under its lock, so that no hook writes meanwhile. The error is ErrChanged, ErrLocked, or that of the system.
func (f *DocumentFile) Put(ctx context.Context, was, text []byte, mode fs.FileMode) error {
	if f.m.project != "" {
		unlock, err := f.m.lock(ctx)
		if err != nil {
			return err
		}
		defer unlock()
	}
	var temp *disk.Temp
	if text != nil {
		var err error
		if temp, err = f.m.draft(f.name, text, mode); err != nil {
			return err
		}
	}
	defer temp.Drop()
	if err := f.put(temp, was); err != nil {
		return err
	}
	return f.m.syncDir(filepath.Dir(f.name))
}

// put gives the file its draft, nil none, if it is what it was. The editor of a person knows of no lock, so that is
// asked last.
func (f *DocumentFile) put(temp *disk.Temp, was []byte) error {
	now, _, err := f.Read()
	if err == nil && ((now == nil) != (was == nil) || !bytes.Equal(now, was)) {
		err = fmt.Errorf("file %s: %w", f.m.at(f.name), ErrChanged)
	}
	switch {
	case err != nil:
	case temp == nil && now == nil:
	case temp == nil:
		if err = f.m.root.Remove(f.name); err != nil {
			err = fmt.Errorf("remove %s: %w", f.m.at(f.name), cause(err))
		}
	case now == nil:
		if err = f.m.publish(temp, f.name); errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("file %s: %w", f.m.at(f.name), ErrChanged)
		}
	default:
		err = f.m.adopt(temp, f.name)
	}
	return err
}
