// Package backup reads and writes the files that the hooks of spec 000 keep in a project: raw backups of transcripts,
// the markers that make a backup pending, and the documents of the project's memory.
//
// Find, Pending and Stock look in the four places that versions of the hooks have used:
//
//	.claude/memory/raw/*.jsonl           backups   (.claude/memory/sessions/raw in the spec's flow B)
//	.claude/memory/.pending-backup*      markers
//	.claude/memory/session-*.md          documents (other versions: .claude/memory/sessions and planning/sessions)
//	.claude/memory/active-context.md     and project-memory.md
//
// The file .claude/memory/.staged-recovery is a recovery of the ledger (spec 002) that the next start of a session
// prints once.
//
// These functions don't write, and don't open files outside those directories. A directory may be a link, but a link in
// a directory that points outside that directory is reported as a problem. The functions read at most 64 KB of each
// file. Names, targets and error texts are unfiltered, so clean them before they reach a terminal. Every other text is
// one clean line.
//
// Memory writes the files below .claude/memory. Save makes a backup. Other methods restore backups, and discard and
// prune them to the trash in the memory. A file gets its name when it is complete and on the disk, and a line is
// appended with one write. So a killed process leaves the old state or the new one, and possibly a temporary file,
// which is deleted later. git sees none of these files.
//
// The package reads neither the environment nor the clock.
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
	// ErrNoMemory is returned if a project has no .claude/memory. Backups aren't enabled in such a project.
	ErrNoMemory = errors.New("no .claude/memory")
	// ErrLinkedOut is returned if .claude/memory of a project, or a directory in it, is a link that points outside the
	// project. Transcripts contain secrets, so they aren't written to a path that a repository chooses.
	ErrLinkedOut = errors.New("a link that points outside the project")
	// ErrMisplaced is returned if .claude/memory of a project is a link to a folder with other contents: the project
	// itself, the parent of its .claude, a repository, or a folder in one.
	ErrMisplaced = errors.New("a link to a folder with other contents")
	// ErrLocked is returned if another program doesn't release the lock of the memory.
	ErrLocked = disk.ErrLocked
)

const (
	lockName = ".lock"

	fileMode = fs.FileMode(0o600)
	dirMode  = fs.FileMode(0o700)
)

// Memory is the .claude/memory of one project, opened for writing. All access goes through its root, so that links
// can't lead out of the directory. Memory is safe for concurrent use; a lock excludes other processes.
type Memory struct {
	files
	project string
}

// OpenMemory opens the memory of a project, which must be an absolute path. The error is ErrNoMemory, ErrLinkedOut,
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

// placed returns an error if a memory, with all links followed, isn't in its project or is a directory with another
// purpose.
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

// Trash returns the trash of the memory, which need not exist.
func (m *Memory) Trash() Trash { return Trash{m.files, m.project} }

// Close closes the directory.
func (m *Memory) Close() error { return m.root.Close() }
