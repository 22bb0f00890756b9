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
	// TempPattern is the .gitignore pattern of temporary files.
	TempPattern = tempPrefix + "*" + tempSuffix

	// The contents of the directory of a hidden temporary file.
	ignoreName = ".gitignore"
	ignoreText = "*\n"
	draftName  = "draft"

	// createTries is the maximum number of times that Create tries. It tries again if a sweep has deleted its file, which
	// can only happen between creating and locking the file.
	createTries = 100
)

// IsTemp reports whether a name is that of a temporary file: .continuo-<16 hex>.tmp, or .continuo-init-<8 hex>-<16
// hex>.tmp of earlier versions.
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
	_, _ = rand.Read(random[:]) // rand.Read never returns an error
	return tempPrefix + hex.EncodeToString(random[:]) + tempSuffix
}

// Temp is a temporary file. It is written like any other file and gets its final name by Replace, Link or Publish.
// Until then the writer holds a lock on it, if the system has such locks. The caller must call Drop when done.
type Temp struct {
	*os.File

	root   *Root
	name   string
	hidden string   // directory that hides the file from git; "" if none
	guard  *os.File // the open directory hidden; it is locked instead of the file
	synced bool
	closed bool
	done   bool
}

// Create creates a temporary file in the directory of its final name, with the mode less the umask. The first Create of
// a Root in a directory also sweeps it.
func (r *Root) Create(dir string, mode fs.FileMode) (*Temp, error) { return r.create(dir, mode, false) }

// CreateHidden does what Create does, but for a git working tree. The file is in a directory of its own with a
// .gitignore of "*", so git doesn't see the file even if the writer is killed. There is one exception: a writer that is
// killed between creating and writing the .gitignore leaves an empty one, which git sees until the next sweep.
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

// errSwept is returned if a sweep deleted the file before its writer had the lock.
var errSwept = errors.New("removed while it was being written")

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
		t.name = "" // nothing to drop
		return err
	}
	if !hidden && !t.root.claim(t.File, t.name) {
		return errSwept
	}
	return nil
}

// hide creates the directory that hides the file.
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

// Name returns the path of the temporary file, relative to the root.
func (t *Temp) Name() string { return t.name }

// Write implements io.Writer.
func (t *Temp) Write(text []byte) (int, error) {
	if err := t.root.step("write", t.name); err != nil {
		return 0, err
	}
	return t.File.Write(text)
}

// Own sets the owner, group and mode to those of another file. The error is errOwned if the system doesn't allow this.
func (t *Temp) Own(like fs.FileInfo) error {
	if err := own(t.File, like); err != nil {
		return err
	}
	return t.Chmod(like.Mode().Perm()) // Create applied the umask
}

// Sync fsyncs the file, once.
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

// Replace renames the temporary file to its final name and replaces an existing file of that name: a reader sees the
// old or the new file. Call SyncDir afterwards.
func (t *Temp) Replace(name string) error {
	return t.give(name, func() error { return t.root.root.Rename(t.name, name) })
}

// Link renames the temporary file to its final name, but never replaces another file. The error is fs.ErrExist if the
// name is taken, and another error if the file system has no hard links. Link needs no lock.
func (t *Temp) Link(name string) error {
	return t.give(name, func() error { return t.root.relink(t.name, name) })
}

// Publish does what Link does, but also works without hard links, as Move does. The caller must hold a lock.
func (t *Temp) Publish(name string) error {
	return t.give(name, func() error { return t.root.move(t.name, name) })
}

// give fsyncs the file and calls the function how, which renames the file to name. The lock is held until after the
// rename.
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
	return t.Close()
}

// Drop deletes the temporary file, unless it has its final name. It may be called more than once, and on nil.
func (t *Temp) Drop() {
	if t == nil || t.done {
		return
	}
	t.done = true
	if !namesOpen {
		_ = t.close()
	}
	if t.name != "" {
		_ = t.root.root.Remove(t.name) // if this or a Remove below fails, the next sweep deletes the file
	}
	if t.hidden != "" {
		_ = t.root.root.Remove(filepath.Join(t.hidden, ignoreName))
		_ = t.root.root.Remove(t.hidden)
	}
	_ = t.close() // the file is synced or no longer needed
	if t.guard != nil {
		_ = t.guard.Close()
	}
}
