package backup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// headBytes is the number of bytes that are read from the beginning of a file. This is enough, because the session ID
// of a transcript is in one of the first records, and the front matter and summary of a document are at the top.
const headBytes = 64 << 10

// place is a directory opened for reading. Files are accessed only through its os.Root, so that no link can lead out of
// the directory, not even a link that is created between two calls.
type place struct {
	root *disk.Root
	path string // path as given to enter
}

// enter opens a directory. If the directory doesn't exist, enter returns nil and no error.
func enter(path string) (*place, error) {
	// Check the type first: on a pipe, OpenRoot would wait for a writer.
	fi, err := os.Stat(path)
	if isAbsent(err) {
		return nil, nil
	}
	if err == nil && !fi.IsDir() {
		err = errNotDirectory
	}
	if err != nil {
		return nil, fmt.Errorf("directory %s: %w", path, cause(err))
	}
	root, err := disk.Open(path)
	if err != nil {
		return nil, fmt.Errorf("directory %s: %w", path, cause(err))
	}
	return &place{root: root, path: path}, nil
}

var errNotDirectory = errors.New("not a directory")

// list returns the sorted names in a directory, and the info of the directory. If the directory doesn't exist, both are
// nil. If list returns an error, it also returns the names that it could read.
func (p *place) list(dir string) ([]string, fs.FileInfo, error) {
	fail := func(err error) error {
		return fmt.Errorf("directory %s: %w", filepath.Join(p.path, dir), cause(err))
	}
	if _, err := p.root.Lstat(dir); isAbsent(err) {
		return nil, nil, nil
	}
	f, fi, err := p.open(dir, fs.FileMode.IsDir, errNotDirectory)
	if err != nil {
		return nil, nil, fail(err)
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	if err != nil {
		return names, fi, fail(err)
	}
	return names, fi, nil
}

// glance is the result of reading the head of a file. The zero value means that the file doesn't exist.
type glance struct {
	info fs.FileInfo // nil if it isn't a regular file
	head []byte      // the first headBytes, in the buffer that was given to look
	err  error       // set if the file couldn't be read or isn't a regular file
}

// look reads the head of a file into buf, which is headBytes long.
func (p *place) look(name string, buf []byte) glance {
	f, fi, err := p.open(name, fs.FileMode.IsRegular, transcript.ErrNotRegular)
	if err != nil {
		if err = p.failure(name, err); err == nil {
			fi = nil
		}
		return glance{info: fi, err: err}
	}
	defer f.Close()
	head, err := readHead(f, buf)
	if err != nil {
		err = p.failure(name, err)
	}
	return glance{info: fi, head: head, err: err}
}

// failure wraps the error for a file that couldn't be read, and adds the path. It returns nil if the file doesn't
// exist, because the file may have been removed between listing and opening. If the name is a link to a missing file,
// failure returns the error.
func (p *place) failure(name string, err error) error {
	if _, gone := p.root.Lstat(name); isAbsent(gone) {
		return nil
	}
	return fmt.Errorf("read %s: %w", filepath.Join(p.path, name), cause(err))
}

// open opens a file if want returns true for its mode; otherwise it returns the error other. It checks the mode before
// it opens the file, because opening a device can have side effects. It checks the mode again afterwards, because the
// name may refer to another file meanwhile. If the mode is right but the file can't be opened, open returns the info
// and the error.
func (p *place) open(name string, want func(fs.FileMode) bool, other error) (*os.File, fs.FileInfo, error) {
	fi, err := p.root.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if !want(fi.Mode()) {
		return nil, nil, other
	}
	f, err := p.root.Open(name)
	if err != nil {
		return nil, fi, err
	}
	fi, err = f.Stat()
	if err == nil && !want(fi.Mode()) {
		fi, err = nil, other
	}
	if err != nil {
		return nil, fi, errors.Join(err, f.Close())
	}
	return f, fi, nil
}

// readHead reads from r until buf is full or r ends, and returns the bytes read.
func readHead(r io.Reader, buf []byte) ([]byte, error) {
	n, err := io.ReadFull(r, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return buf[:n], err
}

// isAbsent reports whether an error means that the path doesn't exist. This includes a path whose parent is a file.
func isAbsent(err error) bool { return disk.IsAbsent(err) }

// cause removes the relative name from an error of an os.Root, because our messages contain the full path.
func cause(err error) error {
	if errors.Is(err, disk.ErrNotRegular) {
		return transcript.ErrNotRegular
	}
	return disk.Cause(err)
}
