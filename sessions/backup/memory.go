// Package backup reads and writes the files that the hooks of spec 000 keep in a project: raw backups of transcripts,
// markers that make a backup pending, and documents. They are in the memory directory, .claude/memory. Comments call
// it "memory" for short.
//
// Find, Pending and Stock read these files. Some of the files come from older versions of the hooks:
//
//	.claude/memory/raw/*.jsonl           backups   (.claude/memory/sessions/raw in the spec's flow B)
//	.claude/memory/.pending-backup*      markers
//	.claude/memory/session-*.md          documents (other versions: .claude/memory/sessions and planning/sessions)
//	.claude/memory/active-context.md     and project-memory.md
//
// The file .claude/memory/.staged-recovery has a recovery of the ledger (spec 002). The next session prints the
// recovery once, at its start.
//
// These functions don't write, and they open only files in the directories above. Directories may be links. A file
// that links to another directory is reported as a problem. At most 64 KB of each file are read. Names, targets and
// error texts are as in the files: clean them before you print them. All other texts are clean lines.
//
// Memory writes the files below .claude/memory. Save makes a backup. Other methods restore backups or move them to
// the trash, .claude/memory/trash. A kill leaves each file old or new, because files are complete and synced before
// they get their names. The next writer deletes temporary files. All of these files are hidden from git.
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
	// ErrNoMemory is returned for a project without .claude/memory, which has no backups.
	ErrNoMemory = errors.New("no .claude/memory")
	// ErrLinkedOut is returned if .claude/memory, or a directory in it, is a link that points outside the project. A
	// repository could contain such a link, and transcripts have secrets.
	ErrLinkedOut = errors.New("a link that points outside the project")
	// ErrMisplaced is returned if .claude/memory is a link to a directory with another purpose. These are the
	// project, the parent of its .claude, a repository, and a folder in a repository.
	ErrMisplaced = errors.New("a link to a folder with other contents")
	// ErrLocked is returned if another program keeps the lock for too long.
	ErrLocked = disk.ErrLocked
)

const (
	lockName = ".lock"

	fileMode = fs.FileMode(0o600)
	dirMode  = fs.FileMode(0o700)
)

// Memory is the .claude/memory of one project, opened for writing. It uses an os.Root, which doesn't follow links out
// of the directory. Memory is safe for concurrent use. A lock excludes other processes.
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

// placed returns an error if the real path of a memory is outside its project, or has another purpose.
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

// Trash returns the trash of the memory, which may not exist yet.
func (m *Memory) Trash() Trash { return Trash{m.files, m.project} }

// Close closes the directory.
func (m *Memory) Close() error { return m.root.Close() }
