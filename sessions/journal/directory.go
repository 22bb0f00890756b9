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

// errLink is returned if the directory or a file of a journal is a link.
var errLink = errors.New("it is a link")

// directory is the open directory of a journal. All files of the journal are accessed through it.
type directory struct{ *disk.Root }

func (s *Store) at(name string) string { return filepath.Join(s.dir, name) }

// openDirectory opens an existing directory. The error wraps fs.ErrNotExist if it is missing.
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

// makeDirectory opens the directory of the journal. It creates a missing one with mode 0700.
func makeDirectory(dir string) (*directory, error) {
	d, err := openDirectory(dir)
	if errors.Is(err, fs.ErrNotExist) {
		made, failed := disk.Make(dir, dirMode)
		if failed != nil {
			return nil, failed
		}
		_ = made.Close() // nothing is lost
		d, err = openDirectory(dir)
	}
	if err != nil {
		return nil, err
	}
	if fi, err := d.Stat("."); err == nil && fi.Mode().Perm()&0o077 != 0 {
		_ = d.Chmod(".", dirMode) // fails if another user owns the directory
	}
	return d, nil
}

// read reads an entry. Opening a device can have side effects, so it checks first that the file is regular.
// Afterwards it checks that it has opened the same file.
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
		err = errTooLarge
	}
	return text, err
}

// rotate deletes the entries of expired. After an error, the next rotate tries again.
func (d *directory) rotate(made *Entry) {
	names, _ := d.Names(".")
	var ids []string
	for _, name := range names {
		id, ok := strings.CutSuffix(name, suffix)
		if _, _, _, ours := parseID(id); ok && ours && id != made.ID {
			ids = append(ids, id)
		}
	}
	for _, id := range d.expired(ids, made) {
		_ = d.Remove(id + suffix)
	}
}
