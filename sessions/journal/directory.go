package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

const (
	suffix     = ".json"
	tempPrefix = ".continuo-" // of files in the making
	tempSuffix = ".tmp"
	// tempAge is after what time a file in the making is taken for one whose writer was killed.
	tempAge = time.Hour

	fileMode = fs.FileMode(0o600)
	dirMode  = fs.FileMode(0o700)
)

// errLink says that a link is where a directory or a file of a journal has to be.
var errLink = errors.New("it is a link")

// directory is that of a journal, opened. All access goes through its root.
type directory struct{ root *os.Root }

func (s *Store) at(name string) string { return filepath.Join(s.dir, name) }

// openDirectory opens it where it is. The error wraps fs.ErrNotExist where it is not.
func openDirectory(dir string) (*directory, error) {
	fi, err := os.Lstat(dir)
	switch {
	case err != nil:
		return nil, err
	case fi.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !fi.IsDir():
		return nil, syscall.ENOTDIR
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &directory{root}, nil
}

// makeDirectory opens it, and makes it before that where it is not there. What lies in it is for its owner only.
func makeDirectory(dir string) (*directory, error) {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, err
	}
	d, err := openDirectory(dir)
	if err != nil {
		return nil, err
	}
	if fi, err := d.root.Stat("."); err == nil && fi.Mode().Perm()&0o077 != 0 {
		_ = d.root.Chmod(".", dirMode) // of somebody else's directory it cannot be
	}
	return d, nil
}

func (d *directory) close() { _ = d.root.Close() }

// names lists what is there. Names that were read before an error are returned with it.
func (d *directory) names() ([]string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// read reads an entry. Opening a device can move it, and another file may take the name afterwards, so it asks before
// and after.
func (d *directory) read(name string) ([]byte, error) {
	was, err := d.root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case was.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !was.Mode().IsRegular():
		return nil, transcript.ErrNotRegular
	}
	f, err := d.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	is, err := f.Stat()
	if err != nil || !os.SameFile(was, is) {
		return nil, errors.Join(err, transcript.ErrNotRegular)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxEntry+1))
	if err == nil && len(text) > maxEntry {
		err = ErrTooLarge
	}
	return text, err
}

// draft writes a file whole, and makes it last; a name is all that it needs. Now is by the clock of the file system.
func (d *directory) draft(text []byte) (temp string, now time.Time, err error) {
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	temp = tempPrefix + hex.EncodeToString(random[:]) + tempSuffix
	f, err := d.root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
	if err != nil {
		return "", now, err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	if fi, failed := f.Stat(); failed == nil {
		now = fi.ModTime()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		d.drop(temp) // nothing is lost: it was never in its place
	}
	return temp, now, err
}

// drop removes a file in the making.
func (d *directory) drop(temp string) { _ = d.root.Remove(temp) } // it is swept else

// publish gives a file in the making its name. Where that is taken it stays as it is and the error is fs.ErrExist.
func (d *directory) publish(temp, name string) error {
	err := d.root.Link(temp, name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	_, there := d.root.Lstat(name) // not every file system can link
	switch {
	case there == nil:
		return fs.ErrExist
	case errors.Is(there, fs.ErrNotExist):
		return d.root.Rename(temp, name)
	}
	return there
}

// sync makes the names last. Not every system can.
func (d *directory) sync() error {
	f, err := d.root.Open(".")
	if err != nil {
		return err
	}
	err = f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// rotate lets all but the newest entries go, and never the one that was just made, whatever the clock says, nor the one
// that it takes back: that may take a while, and be interrupted. What was in the making when its writer was killed goes,
// too. What cannot be removed goes the next time.
func (d *directory) rotate(made *Entry, now time.Time) {
	names, _ := d.names()
	var ids []string
	for _, name := range names {
		id, ok := strings.CutSuffix(name, suffix)
		if _, _, _, ours := parseID(id); ok && ours && id != made.ID {
			ids = append(ids, id)
		}
		if fi, err := d.root.Lstat(name); isTemp(name) && err == nil && fi.Mode().IsRegular() && now.Sub(fi.ModTime()) > tempAge {
			d.drop(name)
		}
	}
	for _, id := range d.leaving(ids, made) {
		_ = d.root.Remove(id + suffix)
	}
}

// isTemp reports whether a name is that of a file in the making.
func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// cause takes the relative name off an error of os.Root: our texts name the whole path.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return fmt.Errorf("%s: %w", le.Op, le.Err)
	}
	return err
}
