package backup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestHasCopies: whatever may hold a conversation counts, what keeps git away from them does not.
func TestHasCopies(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"raw/.continuo-0123456789abcdef.tmp": false, "trash/20261120_110213Z-discard/.continuo-0123456789abcdef.tmp": false, // of killed writers
		"raw/.gitignore": false, "raw/.sums": false, "trash/.gitignore": false, "session-2026-11-21-1102Z.md": false,
		"raw/20261121_110213Z_exit.jsonl": true, "raw/.continuo-00.tmp": true, "raw/x": true,
		"sessions/raw/a.jsonl": true, "trash/20261120_110213Z-discard/deed.json": true,
		".pending-backup": false, ".pending-backup-exit": true,
	} {
		project := t.TempDir()
		path := filepath.Join(project, ".claude", "memory", filepath.FromSlash(name))
		text := ""
		if name == ".pending-backup-exit" {
			text = "/elsewhere/x.jsonl\n"
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		if got, err := HasCopies(t.Context(), project); got != want || err != nil {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

// TestPurgeMade: a backup that gets its name while a purge removes what keeps git away gets that back.
func TestPurgeMade(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	memory := filepath.Join(project, ".claude", "memory")
	if err := os.MkdirAll(memory, 0o700); err != nil {
		t.Fatal(err)
	}
	m, err := OpenMemory(project)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Guard(); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	if err := m.Purge(t.Context(), func(bool) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	err = m.Purge(t.Context(), func(copies bool) error {
		if copies {
			t.Error("there are copies")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := m.lock(ctx); err == nil {
			t.Error("somebody else gets the lock")
		}
		return errors.Join(
			os.Remove(filepath.Join(memory, ".gitignore")), os.Remove(filepath.Join(memory, "raw", ".gitignore")),
			os.WriteFile(filepath.Join(memory, "raw", "20261121_110213Z_exit.jsonl"), []byte("{}\n"), 0o600),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{".gitignore": ignoreBlock, "raw/.gitignore": "*\n"} {
		if text, err := os.ReadFile(filepath.Join(memory, name)); string(text) != want {
			t.Errorf("%s: %q %v", name, text, err)
		}
	}
	if err := m.Purge(t.Context(), func(copies bool) error {
		if !copies {
			t.Error("there are no copies")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// TestPurgeSweeps: what killed writers left in a memory is gone after a purge, and what one is writing is not.
func TestPurgeSweeps(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const name = ".continuo-0123456789abcdef.tmp"
	dirs := []string{"", "raw/", "sessions/raw/", "trash/", "trash/20261120_110213Z-discard/"}
	for _, dir := range dirs {
		p.write(".claude/memory/"+dir+name, "half a conversation")
	}
	alive := inTheMaking(t, p.memory("raw"))
	if err := p.open().Purge(t.Context(), func(copies bool) error {
		if !copies {
			t.Error("who is copying now is not seen")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		if slices.Contains(p.names(dir), name) {
			t.Errorf("%s is left in %q", name, dir)
		}
	}
	if !slices.Contains(p.names("raw"), alive) || slices.Contains(p.names("trash"), "20261120_110213Z-discard") {
		t.Errorf("raw %q, trash %q", p.names("raw"), p.names("trash"))
	}
}
