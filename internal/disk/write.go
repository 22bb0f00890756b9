package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// errOwned is returned if replacing a file would change its owner.
var errOwned = errors.New("the file belongs to another user")

// Draft writes and fsyncs a temporary file for the given name. The umask doesn't apply to mode.
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

// Replace writes a file completely or not at all, even if the system crashes. The umask doesn't apply to mode.
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

// Touch creates an empty file with the mode less the umask. The error is fs.ErrExist if the name is taken. Only one
// of two processes succeeds.
func (r *Root) Touch(name string, mode fs.FileMode) error {
	f, err := r.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	return f.Close()
}

// Flush fsyncs a file after AppendLine.
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
