package disk

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	tempPrefix = ".continuo-"
	tempSuffix = ".tmp"
	// TempPattern is what a .gitignore has to say of files in the making.
	TempPattern = tempPrefix + "*" + tempSuffix

	// In a hidden one there are these two.
	ignoreName = ".gitignore"
	ignoreText = "*\n"
	draftName  = "draft"

	// createTries is how often a file in the making is made again that a sweeper took for a dead one: it sees each only
	// in the instant before the lock.
	createTries = 10
)

// IsTemp reports whether a name is that of a file in the making: .continuo-<16 hex>.tmp. Those of "init" had a mark
// before the number once.
func IsTemp(name string) bool {
	name, ours := strings.CutPrefix(name, tempPrefix)
	number, whole := strings.CutSuffix(name, tempSuffix)
	if mark, ok := strings.CutPrefix(number, "init-"); ok {
		mark, number, ok = strings.Cut(mark, "-")
		whole = whole && ok && isHex(mark, 8)
	}
	return ours && whole && isHex(number, 16)
}

func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

func tempName() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	return tempPrefix + hex.EncodeToString(random[:]) + tempSuffix
}

// Temp is a file in the making: it is written to like any file, and gets its name when it is whole. Its writer holds
// a lock on it as long as it has none, where the system has such. Drop has to be called in the end.
type Temp struct {
	*os.File

	root   *Root
	name   string
	hidden string   // the directory that it is hidden in; "" none
	guard  *os.File // of that directory, which has the lock then
	synced bool
	closed bool
	done   bool
}

// Create makes a file in the making beside where it will belong, and sweeps that directory. The umask takes its part of
// the mode.
func (r *Root) Create(dir string, mode fs.FileMode) (*Temp, error) { return r.create(dir, mode, false) }

// CreateHidden is Create where git must not see it, not even when its writer is killed: it lies in a directory of its
// own, which tells git to ignore all in it. Who is killed in the instant before that is written leaves an empty file.
func (r *Root) CreateHidden(dir string, mode fs.FileMode) (*Temp, error) {
	return r.create(dir, mode, true)
}

func (r *Root) create(dir string, mode fs.FileMode, hidden bool) (*Temp, error) {
	if err := r.step("create", dir); err != nil {
		return nil, err
	}
	for range createTries {
		t := &Temp{root: r, name: filepath.Join(dir, tempName())}
		err := t.make(mode, hidden)
		if err == nil {
			r.sweepFor(t, dir)
			return t, nil
		}
		t.Drop()
		if !errors.Is(err, errSwept) {
			return nil, err
		}
	}
	return nil, errSwept
}

// errSwept says that a sweeper took a file for a dead one before its writer had the lock.
var errSwept = errors.New("taken away while it was made")

func (t *Temp) make(mode fs.FileMode, hidden bool) (err error) {
	if hidden {
		if err = t.hide(); err != nil {
			return err
		}
	}
	t.File, err = t.root.root.OpenFile(t.name, os.O_CREATE|os.O_EXCL|os.O_RDWR, mode)
	if err != nil {
		if hidden && IsAbsent(err) {
			return errSwept
		}
		t.name = "" // it is not there, or somebody else's
		return err
	}
	if !hidden && !t.root.claim(t.File, t.name) {
		return errSwept
	}
	return nil
}

// hide makes the directory for it.
func (t *Temp) hide() (err error) {
	t.hidden, t.name = t.name, ""
	if err := t.root.root.Mkdir(t.hidden, 0o755); err != nil {
		t.hidden = ""
		return err
	}
	if t.guard, err = t.root.root.Open(t.hidden); err != nil {
		return swept(err)
	}
	if !t.root.claim(t.guard, t.hidden) {
		return errSwept
	}
	f, err := t.root.root.OpenFile(filepath.Join(t.hidden, ignoreName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return swept(err)
	}
	_, err = f.WriteString(ignoreText)
	if closed := f.Close(); err == nil {
		err = closed
	}
	t.name = filepath.Join(t.hidden, draftName)
	return err
}

func swept(err error) error {
	if IsAbsent(err) {
		return errSwept
	}
	return err
}

// Name is where it lies, below the root.
func (t *Temp) Name() string { return t.name }

// Write implements io.Writer.
func (t *Temp) Write(text []byte) (int, error) {
	if err := t.root.step("write", t.name); err != nil {
		return 0, err
	}
	return t.File.Write(text)
}

// Own gives it the owner, the group and the mode of another file. The error is ErrOwned where it may not.
func (t *Temp) Own(like fs.FileInfo) error {
	if err := own(t.File, like); err != nil {
		return err
	}
	return t.Chmod(like.Mode().Perm()) // the umask took its part
}

// Sync makes what was written last.
func (t *Temp) Sync() error {
	if t.synced {
		return nil
	}
	if err := t.root.step("sync", t.name); err != nil {
		return err
	}
	err := t.File.Sync()
	t.synced = err == nil
	return err
}

// Replace gives it a name, whatever has that: a reader sees the old file or this one. SyncDir makes the name last.
func (t *Temp) Replace(name string) error {
	return t.give(name, func() error { return t.root.root.Rename(t.name, name) })
}

// Link gives it a name that nothing has, else the error is fs.ErrExist. Where the file system has no links, it is another
// one, and Publish may do under a lock.
func (t *Temp) Link(name string) error {
	return t.give(name, func() error { return t.root.relink(t.name, name) })
}

// Publish is Link, and where there are no links it renames, after a look whether the name is taken: the caller holds a
// lock.
func (t *Temp) Publish(name string) error {
	return t.give(name, func() error { return t.root.Move(t.name, name) })
}

// give makes it last, and then gives it a name. The lock is held until it has that.
func (t *Temp) give(name string, how func() error) error {
	err := t.Sync()
	if err == nil && !namesOpen {
		err = t.close()
	}
	if err == nil {
		err = t.root.step("rename", name)
	}
	if err == nil {
		err = how()
	}
	if err == nil {
		t.name = ""
		t.Drop()
	}
	return err
}

func (t *Temp) close() error {
	if t.closed || t.File == nil {
		return nil
	}
	t.closed = true
	return t.File.Close()
}

// Drop takes it away, unless it has a name by now.
func (t *Temp) Drop() {
	if t == nil || t.done {
		return
	}
	t.done = true
	if !namesOpen {
		_ = t.close()
	}
	if t.name != "" {
		_ = t.root.root.Remove(t.name) // it is swept else, as below
	}
	if t.hidden != "" {
		_ = t.root.root.Remove(filepath.Join(t.hidden, ignoreName))
		_ = t.root.root.Remove(t.hidden)
	}
	_ = t.close() // all of it was synced, or is not wanted
	if t.guard != nil {
		_ = t.guard.Close()
	}
}
