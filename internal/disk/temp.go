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
	// TempPattern is the .gitignore pattern for temporary files.
	TempPattern = tempPrefix + "*" + tempSuffix

	// A hidden temporary file is named draftName. Its directory has a .gitignore.
	ignoreName = ".gitignore"
	ignoreText = "*\n"
	draftName  = "draft"

	// createTries is the maximum number of attempts of Create. An attempt fails if a sweep is faster than the lock.
	createTries = 100
)

// IsTemp reports whether a name is .continuo-<16 hex>.tmp. Earlier versions used .continuo-init-<8 hex>-<16 hex>.tmp.
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

// Temp is a temporary file. Replace, Link or Publish gives it its final name. Until then, its writer holds its lock.
// The caller must call Drop at the end.
type Temp struct {
	*os.File

	root   *Root
	name   string
	hidden string   // directory that hides the file from git; "" if none
	guard  *os.File // the open directory hidden, which is locked instead of the file
	synced bool
	closed bool
	done   bool
}

// Create creates a temporary file in a directory, with the mode less the umask. The final name must be in the same
// directory. The first Create of a Root in a directory also sweeps it.
func (r *Root) Create(dir string, mode fs.FileMode) (*Temp, error) { return r.create(dir, mode, false) }

// CreateHidden works like Create, for a git working tree. The file is in a directory with a .gitignore that contains
// "*", so git doesn't see it. A kill may leave an empty .gitignore, which git sees until the next sweep.
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

// errSwept is returned if a sweep was faster than the lock.
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
		t.name = "" // there is nothing to drop
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

// Own copies the owner, group and mode of another file to the temporary file. The error is errOwned if the system
// refuses.
func (t *Temp) Own(like fs.FileInfo) error {
	if err := own(t.File, like); err != nil {
		return err
	}
	return t.Chmod(like.Mode().Perm()) // needed because Create applied the umask
}

// Sync fsyncs the file. Later calls do nothing.
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

// Replace renames the temporary file to its final name, over an existing file. Call SyncDir afterwards.
func (t *Temp) Replace(name string) error {
	return t.give(name, func() error { return t.root.root.Rename(t.name, name) })
}

// Link renames the temporary file to its final name, without a lock and never over another file. If the name is
// taken, the error is fs.ErrExist. It is another error if the file system has no hard links.
func (t *Temp) Link(name string) error {
	return t.give(name, func() error { return t.root.relink(t.name, name) })
}

// Publish works like Link, but doesn't need hard links; see Move. The caller must have a lock.
func (t *Temp) Publish(name string) error {
	return t.give(name, func() error { return t.root.move(t.name, name) })
}

// give fsyncs the file and calls how, which renames it to name.
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

// Drop deletes the temporary file, unless it has its final name. It may be called several times, and for nil.
func (t *Temp) Drop() {
	if t == nil || t.done {
		return
	}
	t.done = true
	if !namesOpen {
		_ = t.close()
	}
	if t.name != "" {
		_ = t.root.root.Remove(t.name) // the next sweep deletes leftovers
	}
	if t.hidden != "" {
		_ = t.root.root.Remove(filepath.Join(t.hidden, ignoreName))
		_ = t.root.root.Remove(t.hidden)
	}
	_ = t.close() // the file is synced or isn't needed
	if t.guard != nil {
		_ = t.guard.Close()
	}
}
