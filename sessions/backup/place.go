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

// headBytes is the number of bytes that are read from the beginning of a file. It is enough for the session ID of a
// transcript, which is in one of the first records, and for the front matter and summary of a document.
const headBytes = 64 << 10

// openDir is a directory that is open for reading. Files are accessed only through its os.Root: it doesn't follow links
// out of the directory, even if a link is created between two calls.
type openDir struct {
	root *disk.Root
	path string // path as given to enter
}

// enter opens a directory. If the directory doesn't exist, enter returns nil without an error.
func enter(path string) (*openDir, error) {
	// Check the type before opening: OpenRoot would wait for a writer on a pipe.
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
	return &openDir{root: root, path: path}, nil
}

var errNotDirectory = errors.New("not a directory")

// list returns the sorted names in a directory, and the info of the directory. If the directory doesn't exist, both are
// nil. After an error, it also returns the names that could be read.
func (p *openDir) list(dir string) ([]string, fs.FileInfo, error) {
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

// fileHead is the result of peek. The zero value means that the file doesn't exist.
type fileHead struct {
	info fs.FileInfo // nil if it isn't a regular file
	head []byte      // the first headBytes; uses the buffer of the caller
	err  error       // set if the file couldn't be read or isn't a regular file
}

// peek reads the head of a file into buf, whose length is headBytes.
func (p *openDir) peek(name string, buf []byte) fileHead {
	f, fi, err := p.open(name, fs.FileMode.IsRegular, transcript.ErrNotRegular)
	if err != nil {
		if err = p.failure(name, err); err == nil {
			fi = nil
		}
		return fileHead{info: fi, err: err}
	}
	defer f.Close()
	head, err := readHead(f, buf)
	if err != nil {
		err = p.failure(name, err)
	}
	return fileHead{info: fi, head: head, err: err}
}

// failure wraps the error for a file that couldn't be read, and adds the path. It returns nil if the file no longer
// exists, because it may have been removed after the listing. A link to a missing file is an error.
func (p *openDir) failure(name string, err error) error {
	if _, gone := p.root.Lstat(name); isAbsent(gone) {
		return nil
	}
	return fmt.Errorf("read %s: %w", filepath.Join(p.path, name), cause(err))
}

// open opens a file if want returns true for its mode, and returns the error other if not. It checks the mode before
// opening, because opening a device can have side effects. It checks the mode again afterwards, because another file
// may have got the name. If a file with the right mode can't be opened, open returns its info and the error.
func (p *openDir) open(name string, want func(fs.FileMode) bool, other error) (*os.File, fs.FileInfo, error) {
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

// isAbsent reports whether an error means that the path doesn't exist. A path below a file doesn't exist, either.
func isAbsent(err error) bool { return disk.IsAbsent(err) }

// cause removes the relative name from an error of an os.Root, because messages contain the full path.
func cause(err error) error {
	if errors.Is(err, disk.ErrNotRegular) {
		return transcript.ErrNotRegular
	}
	return disk.Cause(err)
}
