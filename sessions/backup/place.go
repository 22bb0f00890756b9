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

// headBytes is the number of bytes that are read of a file. Session IDs, front matter and summaries are in this part.
const headBytes = 64 << 10

// openDir is an open directory. Its os.Root doesn't follow links out of the directory, even new ones.
type openDir struct {
	root *disk.Root
	path string // path as given to enter
}

// enter opens a directory. Without one, it returns nil and no error.
func enter(path string) (*openDir, error) {
	// Check the type first: OpenRoot blocks on a pipe.
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

// list returns the sorted names in a directory, and its info. Both are nil without a directory. After an error, the
// readable names are returned.
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

// fileHead is the result of peek. The zero value is a missing file.
type fileHead struct {
	info fs.FileInfo // nil for anything but a regular file
	head []byte      // the first headBytes, in the buffer of the caller
	err  error       // why the file couldn't be read
}

// peek reads the head of a file into buf. len(buf) must be headBytes.
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

// failure adds the path to an error. It returns nil if the file was removed since the listing. A link to a missing
// file is an error.
func (p *openDir) failure(name string, err error) error {
	if _, gone := p.root.Lstat(name); isAbsent(gone) {
		return nil
	}
	return fmt.Errorf("read %s: %w", filepath.Join(p.path, name), cause(err))
}

// open opens a file if want returns true for its mode. Otherwise it returns the error other. open checks the mode
// first, because opening a device can have side effects. It checks again afterwards, because the file may be another
// one by then. If a file with the right mode can't be opened, open returns its info and the error.
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

// readHead reads until buf is full or r ends.
func readHead(r io.Reader, buf []byte) ([]byte, error) {
	n, err := io.ReadFull(r, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return buf[:n], err
}

// isAbsent reports whether an error means that the path doesn't exist. This includes a path below a file.
func isAbsent(err error) bool { return disk.IsAbsent(err) }

// cause removes the relative name from an error, because messages have the full path.
func cause(err error) error {
	if errors.Is(err, disk.ErrNotRegular) {
		return transcript.ErrNotRegular
	}
	return disk.Cause(err)
}
