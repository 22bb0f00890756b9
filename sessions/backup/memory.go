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
	// ErrNoMemory is returned if a project has no .claude/memory: backups aren't enabled there.
	ErrNoMemory = errors.New("no .claude/memory")
	// ErrLinkedOut is returned if .claude/memory of a project, or a directory in it, is a link that points outside the
	// project. Transcripts contain secrets, so none is written to a place that a repository chooses.
	ErrLinkedOut = errors.New("a link that points outside the project")
	// ErrMisplaced is returned if .claude/memory of a project is a link to a folder with other contents: the project
	// itself, the parent of its .claude, a repository, or a folder in one.
	ErrMisplaced = errors.New("a link to a folder that holds other things")
	// ErrLocked is returned if another program doesn't release the lock of the memory.
	ErrLocked = disk.ErrLocked
)

const (
	lockName = ".lock"

	fileMode = fs.FileMode(0o600)
	dirMode  = fs.FileMode(0o700)
)

// Memory is the .claude/memory of one project, opened for writing. All access goes through its root, so no link leads
// out of it. It is safe for concurrent use; a lock excludes other processes.
type Memory struct {
	root    *disk.Root
	project string
	path    string
}

// OpenMemory opens the memory of a project, which must be an absolute path. The error is ErrNoMemory, ErrLinkedOut,
// ErrMisplaced, or that of the system.
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

// failed wraps an error with the operation and the name; nil stays nil.
func (m *Memory) failed(what, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", what, m.at(name), cause(err))
}

// lock excludes other writers of this memory until unlock. The error is ErrLocked if the lock isn't released within two
// seconds, or others get it for ten seconds, that of ctx, or that of the system.
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

// draft writes and fsyncs a temporary file in the directory of name. It still has to be published.
func (m *Memory) draft(name string, text []byte, mode fs.FileMode) (*disk.Temp, error) {
	temp, err := m.root.Draft(name, text, mode)
	return temp, m.failed("write", name, err)
}

// adopt publishes a draft under its name and replaces an existing file. The draft is removed if that fails.
func (m *Memory) adopt(temp *disk.Temp, name string) error {
	defer temp.Drop()
	return m.failed("write", name, temp.Replace(name))
}

// replace writes a file whole or not at all: a reader sees the old one or the new one, after a crash too.
func (m *Memory) replace(name string, text []byte, mode fs.FileMode) error {
	return m.failed("write", name, m.root.Replace(name, text, mode))
}

// publish gives a finished temporary file its name. If the name is taken, the error is fs.ErrExist. The caller holds
// the lock, because some file systems can't link and a rename takes a second step, and calls syncDir to make the name
// durable: a failure there doesn't mean that the file has no name.
func (m *Memory) publish(temp *disk.Temp, name string) error {
	return m.failed("write", name, temp.Publish(name))
}

// link is publish without the lock. If the file system has no links, the error is not fs.ErrExist.
func (m *Memory) link(temp *disk.Temp, name string) error {
	return m.failed("write", name, temp.Link(name))
}

// syncDir makes the names in a directory last. Not every system can.
func (m *Memory) syncDir(dir string) error {
	return m.failed("directory", dir, m.root.SyncDir(dir))
}
