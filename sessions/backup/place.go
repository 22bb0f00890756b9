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

// headBytes is how much of a file is read. The session id of a transcript stands in one of its first records, and
// the front matter and summary of a document in its first screen.
const headBytes = 64 << 10

// place is a directory that is read. All access goes through its root, so that no link, not even one that
// appears between two calls, leads out of it.
type place struct {
	root *disk.Root
	path string // as the project names it
}

// enter opens a directory. It is nil without an error where there is none.
func enter(path string) (*place, error) {
	// OpenRoot would wait for a writer on a pipe.
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

// list returns the names in a directory in order, and the directory itself, which is nil when there is none.
// Names that were read before an error are returned with it.
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

// glance is what one look at a file gave: nothing at all if the file is not there.
type glance struct {
	info fs.FileInfo // nil if it is no regular file
	head []byte      // the first headBytes, in the buffer that was passed
	err  error       // why it is no regular file or could not be read
}

// look reads the head of a file into buf, which is headBytes long.
func (p *place) look(name string, buf []byte) glance {
	fail := func(err error) error {
		return fmt.Errorf("read %s: %w", filepath.Join(p.path, name), cause(err))
	}
	if _, err := p.root.Lstat(name); err != nil {
		if isAbsent(err) {
			return glance{}
		}
		return glance{err: fail(err)}
	}
	f, fi, err := p.open(name, fs.FileMode.IsRegular, transcript.ErrNotRegular)
	if err != nil {
		return glance{info: fi, err: fail(err)}
	}
	defer f.Close()
	head, err := readHead(f, buf)
	if err != nil {
		return glance{info: fi, head: head, err: fail(err)}
	}
	return glance{info: fi, head: head}
}

// open opens what is of the wanted mode. Opening a device can move it, and another file may take the name
// afterwards, so it asks before and after. The info is there without the file where opening alone was refused.
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

// readHead fills buf once, and asks r for no byte more.
func readHead(r io.Reader, buf []byte) ([]byte, error) {
	n, err := io.ReadFull(r, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return buf[:n], err
}

// isAbsent reports that nothing has the path, as below a file that has the name of a directory.
func isAbsent(err error) bool { return disk.IsAbsent(err) }

// cause takes the relative name off an error of a root: our texts name the whole path.
func cause(err error) error {
	if errors.Is(err, disk.ErrNotRegular) {
		return transcript.ErrNotRegular
	}
	return disk.Cause(err)
}
