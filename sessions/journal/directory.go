package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	suffix = ".json"

	fileMode = fs.FileMode(0o600)
	dirMode  = fs.FileMode(0o700)
)

// errLink says that a link is where a directory or a file of a journal has to be.
var errLink = errors.New("it is a link")

// directory is that of a journal, opened. All access goes through its root.
type directory struct{ *disk.Root }

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
	root, err := disk.Open(dir)
	if err != nil {
		return nil, err
	}
	return &directory{root}, nil
}

// makeDirectory opens it, and makes it before that where it is not there. What lies in it is for its owner only.
func makeDirectory(dir string) (*directory, error) {
	d, err := openDirectory(dir)
	if errors.Is(err, fs.ErrNotExist) {
		made, failed := disk.Make(dir, dirMode)
		if failed != nil {
			return nil, failed
		}
		_ = made.Close() // nothing was written
		d, err = openDirectory(dir)
	}
	if err != nil {
		return nil, err
	}
	if fi, err := d.Stat("."); err == nil && fi.Mode().Perm()&0o077 != 0 {
		_ = d.Chmod(".", dirMode) // of somebody else's directory it cannot be
	}
	return d, nil
}

// read reads an entry. Opening a device can move it, and another file may take the name afterwards, so it asks before
// and after.
func (d *directory) read(name string) ([]byte, error) {
	was, err := d.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case was.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !was.Mode().IsRegular():
		return nil, transcript.ErrNotRegular
	}
	f, err := d.Open(name)
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

// rotate lets all but the newest entries go, and never the one that was just made, whatever the clock says, nor the one
// that it takes back: that may take a while, and be interrupted. What cannot be removed goes the next time.
func (d *directory) rotate(made *Entry) {
	names, _ := d.Names(".")
	var ids []string
	for _, name := range names {
		id, ok := strings.CutSuffix(name, suffix)
		if _, _, _, ours := parseID(id); ok && ours && id != made.ID {
			ids = append(ids, id)
		}
	}
	for _, id := range d.leaving(ids, made) {
		_ = d.Remove(id + suffix)
	}
}
