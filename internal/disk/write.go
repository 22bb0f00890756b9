package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrOwned says that putting a new file in the place of another one would take it from its owner.
var ErrOwned = errors.New("it belongs to another user")

// Draft is a whole file in the making, beside where it will belong, and makes it last: a name is all that it needs. It
// has exactly the mode.
func (r *Root) Draft(name string, text []byte, mode fs.FileMode) (*Temp, error) {
	t, err := r.Create(filepath.Dir(name), mode)
	if err != nil {
		return nil, err
	}
	if err := t.fill(text, mode); err != nil {
		t.Drop()
		return nil, err
	}
	return t, nil
}

func (t *Temp) fill(text []byte, mode fs.FileMode) error {
	if _, err := t.Write(text); err != nil {
		return err
	}
	if err := t.Chmod(mode); err != nil {
		return err
	}
	return t.Sync()
}

// Replace writes a file whole or not at all: a reader sees the old one or the new one, after a crash too.
func (r *Root) Replace(name string, text []byte, mode fs.FileMode) error {
	t, err := r.Draft(name, text, mode)
	if err != nil {
		return err
	}
	defer t.Drop()
	if err := t.Replace(name); err != nil {
		return err
	}
	return r.SyncDir(filepath.Dir(name))
}

// Touch makes an empty file, of two who want it only for one: else the error is fs.ErrExist. The umask takes its part of
// the mode.
func (r *Root) Touch(name string, mode fs.FileMode) error {
	f, err := r.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	return f.Close()
}

// Flush makes what was appended to a file last.
func (r *Root) Flush(name string) error {
	f, err := r.root.OpenFile(name, os.O_WRONLY|nonblock, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
