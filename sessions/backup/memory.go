// Package backup reads and writes the files that the hooks of spec 000 keep in a project: raw backups of transcripts,
// markers that make a backup pending, and documents. These files are in the memory directory, .claude/memory. Comments
// call it "memory" for short.
//
// Find, Pending and Stock read these files. Some of them are written only by older versions of the hooks:
//
//	.claude/memory/raw/*.jsonl           backups   (.claude/memory/sessions/raw in the spec's flow B)
//	.claude/memory/.pending-backup*      markers
//	.claude/memory/session-*.md          documents (other versions: .claude/memory/sessions and planning/sessions)
//	.claude/memory/active-context.md     and project-memory.md
//
// The file .claude/memory/.staged-recovery contains a recovery of the ledger (spec 002). The next session prints it
// once, at its start.
//
// These functions don't write, and they open only files in the directories above. A directory may be a link. A file
// that is a link to another directory isn't opened, but reported as a problem. At most 64 KB of each file are read.
// Names, targets and error texts are as in the files: clean them before you print them. All other texts are clean
// lines.
//
// Memory writes the files below .claude/memory. Save makes a backup. Other methods restore backups or move them to the
// trash, .claude/memory/trash. A file gets its final name when it is complete and synced to the disk, and a line is
// appended with one write. So after a kill, each file is either old or new. A temporary file may remain; the next
// writer deletes it. All of these files are hidden from git.
//
// The package doesn't read the environment or the clock.
package backup

import (
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
	// ErrLinkedOut is returned if .claude/memory, or a directory in it, is a link that points outside the project.
	// continuo doesn't write transcripts to such a path, because they contain secrets and a repository could have set
	// the link.
	ErrLinkedOut = errors.New("a link that points outside the project")
	// ErrMisplaced is returned if .claude/memory of a project is a link to a folder with another purpose: the project
	// itself, the parent of its .claude, a repository, or a folder in a repository.
	ErrMisplaced = errors.New("a link to a folder with other contents")
	// ErrLocked is returned if another program keeps the lock for too long.
	ErrLocked = disk.ErrLocked
)

const (
	lockName = ".lock"

	fileMode = fs.FileMode(0o600)
	dirMode  = fs.FileMode(0o700)
)

// Memory is the .claude/memory of one project, opened for writing. It accesses files only through an os.Root, which
// doesn't follow links out of the directory. Memory is safe for concurrent use, and a lock excludes other processes.
type Memory struct {
	files
	project string
}

// OpenMemory opens the memory of a project. project must be an absolute path. The error is ErrNoMemory, ErrLinkedOut,
// ErrMisplaced, or a system error.
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
	return &Memory{files{p}, project}, nil
}

// placed returns an error if the real path of a memory isn't in its project, or is a directory with another purpose.
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
		return nil // without links, the memory may also be a repository
	}
	rel, _ := filepath.Rel(project, memory)
	inGit := slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), func(s string) bool { return strings.EqualFold(s, ".git") })
	_, git := os.Lstat(filepath.Join(memory, ".git"))
	if holds(memory, project) || holds(memory, claude) || inGit || !isAbsent(git) {
		return ErrMisplaced
	}
	return nil
}

// Project returns the directory given to OpenMemory.
func (m *Memory) Project() string { return m.project }

// Trash returns the trash of the memory. The trash directory need not exist.
func (m *Memory) Trash() Trash { return Trash{m.files, m.project} }

// Close closes the directory.
func (m *Memory) Close() error { return m.root.Close() }
