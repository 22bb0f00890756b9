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
	"slices"
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
	// ErrMisplaced says that .claude/memory of a project is a link to where a memory would be among other things: the
	// project itself, what holds its .claude, a repository, or the inside of one.
	ErrMisplaced = errors.New("it is a link to no place of its own")
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
	synced  func(dir string) error // instead of its error after syncDir, where a test asks for the order; else nil
	taken   func()                 // where a test is killed when it has taken what is staged; else nil
}

// OpenMemory opens the memory of a project, which has to be an absolute path. The error is ErrNoMemory where there is
// none, ErrLinkedOut, ErrMisplaced, or that of the system.
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
	if err := placed(path, project); err != nil {
		return nil, errors.Join(fmt.Errorf("directory %s: %w", path, err), p.root.Close())
	}
	return &Memory{root: p.root, project: project, path: path}, nil
}

// placed reports whether a memory lies in its project, and in a place of its own, when all links are followed.
func placed(memory, project string) error {
	claude := filepath.Dir(memory)
	physical := []*string{&memory, &claude, &project}
	for _, path := range physical {
		var err error
		if *path, err = filepath.EvalSymlinks(*path); err != nil {
			return cause(err)
		}
	}
	holds := func(dir, path string) bool {
		rel, err := filepath.Rel(dir, path)
		return err == nil && filepath.IsLocal(rel)
	}
	if !holds(project, memory) {
		return ErrLinkedOut
	}
	if memory == filepath.Join(project, ".claude", "memory") {
		return nil // it may be a repository, too
	}
	rel, _ := filepath.Rel(project, memory)
	inGit := slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), func(s string) bool { return strings.EqualFold(s, ".git") })
	_, git := os.Lstat(filepath.Join(memory, ".git"))
	if holds(memory, project) || holds(memory, claude) || inGit || !isAbsent(git) {
		return ErrMisplaced
	}
	return nil
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
			tellHeld(f, fi.Size())
			return unlock, nil
		}
		unlock()
	}
}

// tellHeld tells lockHeld. A file with anything else in it is somebody's: then who waits does so only once.
func tellHeld(f *os.File, size int64) {
	var text [1]byte
	n, _ := f.ReadAt(text[:], 0)
	if size == 0 || size == 1 && n == 1 && text[0] == '\n' {
		_, _ = f.WriteAt([]byte{'\n'}, 0)
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

// tempName is a name for a file in the making.
func (m *Memory) tempName(dir string) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	return filepath.Join(dir, tempPrefix+hex.EncodeToString(random[:])+tempSuffix)
}

// create makes a file of its own beside where it will belong.
func (m *Memory) create(dir string) (*os.File, string, error) {
	name := m.tempName(dir)
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
// fs.ErrExist. The caller holds the lock: not every file system can link, and renaming takes a second step. He makes
// the name last with syncDir: failing there is another thing than having no name.
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
	if m.synced != nil {
		err = m.synced(dir)
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
