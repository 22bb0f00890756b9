package backup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

var (
	// ErrNoMemory says that a project has no .claude/memory: nobody has asked for its sessions to be kept there.
	ErrNoMemory = errors.New("no .claude/memory")
	// ErrLinkedOut says that .claude/memory of a project, or a directory in it, is a link that leads out of the
	// project. Transcripts hold secrets, so none is written to where a repository points.
	ErrLinkedOut = errors.New("it is a link that leads out of the project")
	// ErrLocked says that another program holds the lock of the memory and does not go on.
	ErrLocked = errors.New("locked by another program")
)

const (
	lockName  = ".lock"
	lockLimit = 2 * time.Second // who holds it needs some milliseconds, one who is stopped all day
	// lockMost is the limit while it goes from hand to hand.
	lockMost = 5 * lockLimit

	tempPrefix = ".continuo-" // of files in the making; Find and git leave them alone
	tempSuffix = ".tmp"
	// tempAge is after what time a file in the making is taken for one whose writer was killed.
	tempAge = time.Hour

	fileMode = fs.FileMode(0o600)
	dirMode  = fs.FileMode(0o700)
)

// Memory is the .claude/memory of one project, opened for writing. All access goes through its root, so that no link
// leads out of it. It is safe for concurrent use; processes keep out of each other's way by a lock.
type Memory struct {
	root    *os.Root
	project string
	path    string
}

// OpenMemory opens the memory of a project, which has to be an absolute path. The error is ErrNoMemory where there is
// none, ErrLinkedOut, or that of the system.
func OpenMemory(project string) (*Memory, error) {
	if !filepath.IsAbs(project) {
		return nil, fmt.Errorf("project %q: not an absolute path", project)
	}
	project = filepath.Clean(project)
	path := filepath.Join(project, ".claude", "memory")
	p, err := enter(path)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, fmt.Errorf("project %s: %w", project, ErrNoMemory)
	}
	inside, err := isInside(path, project)
	if err == nil && !inside {
		err = ErrLinkedOut
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("directory %s: %w", path, err), p.root.Close())
	}
	return &Memory{root: p.root, project: project, path: path}, nil
}

// isInside reports whether a path lies in a directory when all links are followed.
func isInside(path, dir string) (bool, error) {
	physical, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false, cause(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return false, cause(err)
	}
	rel, err := filepath.Rel(dir, physical)
	return err == nil && filepath.IsLocal(rel), nil
}

// Project is the directory that OpenMemory was given.
func (m *Memory) Project() string { return m.project }

// Path is the directory of the memory as the project names it.
func (m *Memory) Path() string { return m.path }

// Close gives the directory back.
func (m *Memory) Close() error { return m.root.Close() }

// at is the whole path of a name in the memory.
func (m *Memory) at(name string) string { return filepath.Join(m.path, name) }

// lock keeps other writers of this memory out until unlock. The error is ErrLocked when nobody gives it back within
// lockLimit, or too many want it for lockMost, that of ctx, or that of the system.
func (m *Memory) lock(ctx context.Context) (unlock func(), err error) {
	type answer struct {
		unlock func()
		err    error
	}
	got := make(chan answer)
	given := make(chan struct{})
	go func() {
		var a answer
		a.unlock, a.err = m.waitForLock()
		select {
		case got <- a:
		case <-given:
			if a.err == nil {
				a.unlock()
			}
		}
	}()
	defer close(given)
	limit := time.NewTicker(lockLimit)
	defer limit.Stop()
	held := m.lockHeld()
	for range lockMost / lockLimit {
		select {
		case a := <-got:
			if a.err != nil {
				return nil, fmt.Errorf("lock %s: %w", m.at(lockName), cause(a.err))
			}
			return a.unlock, nil
		case <-ctx.Done():
			return nil, fmt.Errorf("lock %s: %w", m.at(lockName), ctx.Err())
		case <-limit.C:
		}
		before := held
		if held = m.lockHeld(); held.Equal(before) {
			break
		}
	}
	return nil, fmt.Errorf("lock %s: %w", m.at(lockName), ErrLocked)
}

// lockHeld is since when who has the lock has it, by the clock of the file system.
func (m *Memory) lockHeld() time.Time {
	fi, err := m.root.Lstat(lockName)
	if err != nil {
		return time.Time{}
	}
	return fi.ModTime()
}

// waitForLock waits as long as it takes. The file is opened through the root, so that no link leads the lock out, and
// looked at afterwards: who cleans up may have removed it, and then the next one locks another.
func (m *Memory) waitForLock() (unlock func(), err error) {
	for {
		if fi, err := m.root.Lstat(lockName); err == nil && !fi.Mode().IsRegular() {
			return nil, transcript.ErrNotRegular
		}
		f, err := m.root.OpenFile(lockName, os.O_CREATE|os.O_RDWR|nonblock, fileMode)
		if err != nil {
			return nil, err
		}
		fi, err := f.Stat()
		if err == nil {
			unlock, err = hold(f)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if now, err := m.root.Lstat(lockName); err == nil && os.SameFile(fi, now) {
			_, _ = f.WriteAt([]byte{'\n'}, 0) // tells lockHeld
			return unlock, nil
		}
		unlock()
	}
}

// mkdir makes a directory of the memory, and is content with one that is there. The error of one that is a link out of
// the memory is ErrLinkedOut.
func (m *Memory) mkdir(dir string) error {
	err := m.root.MkdirAll(dir, dirMode)
	if err == nil {
		return nil
	}
	if fi, there := m.root.Lstat(dir); there == nil && fi.Mode()&fs.ModeSymlink != 0 {
		err = ErrLinkedOut
	}
	return fmt.Errorf("directory %s: %w", m.at(dir), cause(err))
}

// create makes a file of its own beside where it will belong.
func (m *Memory) create(dir string) (*os.File, string, error) {
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	name := filepath.Join(dir, tempPrefix+hex.EncodeToString(random[:])+tempSuffix)
	f, err := m.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, fileMode)
	if err != nil {
		return nil, "", fmt.Errorf("write %s: %w", m.at(dir), cause(err))
	}
	return f, name, nil
}

// draft writes a file whole beside where it will belong, and makes it last. Renaming it is all that is left to do.
func (m *Memory) draft(name string, text []byte, mode fs.FileMode) (temp string, err error) {
	f, temp, err := m.create(filepath.Dir(name))
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = m.root.Remove(temp) // nothing is lost: it was never in its place
		return "", fmt.Errorf("write %s: %w", m.at(name), cause(err))
	}
	return temp, nil
}

// adopt gives a draft its name, whatever has it. A draft that cannot have it is removed.
func (m *Memory) adopt(temp, name string) error {
	if err := m.root.Rename(temp, name); err != nil {
		_ = m.root.Remove(temp)
		return fmt.Errorf("write %s: %w", m.at(name), cause(err))
	}
	return nil
}

// replace writes a file whole or not at all: a reader sees the old one or the new one, after a crash too.
func (m *Memory) replace(name string, text []byte, mode fs.FileMode) error {
	temp, err := m.draft(name, text, mode)
	if err == nil {
		err = m.adopt(temp, name)
	}
	if err != nil {
		return err
	}
	return m.syncDir(filepath.Dir(name))
}

// publish gives a finished file of create its name. Where that is taken it stays as it is and the error is
// fs.ErrExist. The caller holds the lock: not every file system can link, and renaming takes a second step. He makes the
// name last with syncDir: failing there is another thing than having no name.
func (m *Memory) publish(temp, name string) error {
	err := m.link(temp, name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	_, there := m.root.Lstat(name)
	switch {
	case there == nil:
		err = fs.ErrExist
	case isAbsent(there):
		err = m.root.Rename(temp, name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", m.at(name), cause(err))
	}
	return nil
}

// link is publish for who does not hold the lock. Where there are no links the error is none of fs.ErrExist.
func (m *Memory) link(temp, name string) error {
	if err := m.root.Link(temp, name); err != nil {
		return fmt.Errorf("write %s: %w", m.at(name), cause(err))
	}
	_ = m.root.Remove(temp) // it has its name; a second one does no harm, and is swept
	return nil
}

// syncDir makes the names in a directory last. Not every system can.
func (m *Memory) syncDir(dir string) error {
	f, err := m.root.Open(dir)
	if err != nil {
		return fmt.Errorf("directory %s: %w", m.at(dir), cause(err))
	}
	err = f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("directory %s: %w", m.at(dir), cause(err))
	}
	return nil
}

// isTemp reports whether a name is that of a file in the making.
func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}
