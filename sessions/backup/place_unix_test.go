//go:build unix

package backup

import (
	"errors"
	"os"
	"testing"
)

// TestOpenMemoryMisplaced: the memory is a link to a directory with another purpose.
func TestOpenMemoryMisplaced(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]error{
		"..":             ErrMisplaced, // the project
		"../.":           ErrMisplaced,
		".":              ErrMisplaced, // .claude
		"../.git":        ErrMisplaced,
		"../.git/hooks":  ErrMisplaced,
		"../.GIT":        ErrMisplaced,
		"../inner":       ErrMisplaced, // a repository
		"../inner/.git":  ErrMisplaced,
		"../..":          ErrLinkedOut,
		"../notes":       nil,
		"../notes/below": nil,
	} {
		p := newProject(t)
		p.remove(".claude/memory")
		for _, dir := range []string{".git/hooks", ".GIT", "inner/.git", "notes/below"} {
			p.mkdir(dir)
		}
		p.link(target, ".claude/memory")
		m, err := OpenMemory(p.dir)
		if !errors.Is(err, want) || (m == nil) != (want != nil) {
			t.Errorf("%s: %v, want %v", target, err, want)
		}
		if m != nil {
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	// .claude is a link to a directory in the project. That directory is no memory.
	p := newProject(t)
	p.remove(".claude")
	p.mkdir("conf/.claude")
	p.link("conf/.claude", ".claude")
	p.link("..", "conf/.claude/memory")
	if _, err := OpenMemory(p.dir); !errors.Is(err, ErrMisplaced) {
		t.Errorf("above .claude: %v", err)
	}
	// The memory is its own repository.
	p = newProject(t)
	p.mkdir(".claude/memory/.git")
	if err := p.open().Guard(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(p.memory("raw/.gitignore")); err != nil {
		t.Error(err)
	}
}
