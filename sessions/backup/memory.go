package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
)

var (
	// ErrNoMemory says that a project has no .claude/memory: nobody has asked for its sessions to be kept there.
	ErrNoMemory = errors.New("no .claude/memory")
	// ErrLinkedOut says that .claude/memory of a project, or a directory in it, is a link that leads out of the
	// project. Transcripts hold secrets, so none is written to where a repository points.
	ErrLinkedOut = errors.New("a link that points outside the project")
	// ErrMisplaced says that .claude/memory of a project is a link to where a memory would be among other things: the
	// project itself, what holds its .claude, a repository, or the inside of one.
	ErrMisplaced = errors.New("a link to a folder that holds other things")
	// ErrLocked says that another program holds the lock of the memory and does not go on.
	ErrLocked = disk.ErrLocked
)

const (
	lockName = ".lock"

	fileMode = fs.FileMode(0o600)
	dirMode  = fs.FileMode(0o700)
)

// Memory is the .claude/memory of one project, opened for writing. All access goes through its root, so that no link
// leads out of it. It is safe for concurrent use; processes keep out of each other's way by a lock.
type Memory struct {
	root    *disk.Root
	project string
	path    string
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

// failed says of an error what was done to which name; nil stays nil.
func (m *Memory) failed(what, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", what, m.at(name), cause(err))
}

// lock keeps other writers of this memory out until unlock. The error is ErrLocked when nobody gives it back within
// two seconds, or too many want it for ten, that of ctx, or that of the system.
func (m *Memory) lock(ctx context.Context) (unlock func(), err error) {
	unlock, err = m.root.Lock(ctx, lockName)
	return unlock, m.failed("lock", lockName, err)
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
	return m.failed("directory", dir, err)
}

// create makes a file of its own beside where it will belong.
func (m *Memory) create(dir string) (*disk.Temp, error) {
	temp, err := m.root.Create(dir, fileMode)
	return temp, m.failed("write", dir, err)
}

// draft writes a file whole beside where it will belong, and makes it last. A name is all that it needs.
func (m *Memory) draft(name string, text []byte, mode fs.FileMode) (*disk.Temp, error) {
	temp, err := m.root.Draft(name, text, mode)
	return temp, m.failed("write", name, err)
}

// adopt gives a draft its name, whatever has it. A draft that cannot have it is removed.
func (m *Memory) adopt(temp *disk.Temp, name string) error {
	defer temp.Drop()
	return m.failed("write", name, temp.Replace(name))
}

// replace writes a file whole or not at all: a reader sees the old one or the new one, after a crash too.
func (m *Memory) replace(name string, text []byte, mode fs.FileMode) error {
	return m.failed("write", name, m.root.Replace(name, text, mode))
}

// publish gives a finished file of create its name. Where that is taken it stays as it is and the error is
// fs.ErrExist. The caller holds the lock: not every file system can link, and renaming takes a second step. He makes
// the name last with syncDir: failing there is another thing than having no name.
func (m *Memory) publish(temp *disk.Temp, name string) error {
	return m.failed("write", name, temp.Publish(name))
}

// link is publish for who does not hold the lock. Where there are no links the error is none of fs.ErrExist.
func (m *Memory) link(temp *disk.Temp, name string) error {
	return m.failed("write", name, temp.Link(name))
}

// syncDir makes the names in a directory last. Not every system can.
func (m *Memory) syncDir(dir string) error {
	return m.failed("directory", dir, m.root.SyncDir(dir))
}
