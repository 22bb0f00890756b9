//go:build unix

package backup

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/disk"
)

func (p project) link(target, name string) {
	p.t.Helper()
	if err := os.Symlink(target, p.path(name)); err != nil {
		p.t.Fatal(err)
	}
}

func (p project) pipe(name string) {
	p.t.Helper()
	if err := syscall.Mkfifo(p.path(name), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func TestFindPipes(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.pipe(".claude/memory/raw/20260101_000000.jsonl")
	p.pipe(".claude/memory/.pending-backup-exit")
	p.pipe(".claude/memory/session-1.md")
	p.pipe(".claude/memory/sessions")
	p.mkdir("planning")
	p.pipe("planning/sessions")
	p.want(nil, nil, []string{
		"read M/raw/20260101_000000.jsonl: not a regular file",
		"read M/.pending-backup-exit: not a regular file",
		"read M/session-1.md: not a regular file",
		"directory M/sessions: not a directory",
		"directory " + p.path("planning/sessions") + ": not a directory",
	})
}

// TestOpenDoesNotWait: a pipe replaces the file after the check of its type.
func TestOpenDoesNotWait(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.pipe("pipe")
	root, err := disk.Open(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := root.Open("pipe")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestFindLinks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("secret.jsonl", `{"sessionId":"secret"}`)
	p.write(".claude/memory/raw/20260101_000000.jsonl", `{"sessionId":"one"}`)
	p.write(".claude/memory/session-2.md", "# Two\n")
	p.link("20260101_000000.jsonl", ".claude/memory/raw/20260102_000000.jsonl") // target within the memory
	p.link("../../../secret.jsonl", ".claude/memory/raw/20260103_000000.jsonl") // target outside of the memory directory
	p.link(p.path("secret.jsonl"), ".claude/memory/raw/20260104_000000.jsonl")
	p.link("20260105_000000.jsonl", ".claude/memory/raw/20260105_000000.jsonl") // a link to itself
	p.link("gone", ".claude/memory/raw/20260106_000000.jsonl")
	p.link("/dev/zero", ".claude/memory/session-1.md")
	p.link(".", ".claude/memory/sessions")                  // the same directory again
	p.link("../.claude", p.path("planning")[len(p.dir)+1:]) // planning/sessions doesn't exist
	p.link("raw/20260103_000000.jsonl", ".claude/memory/.pending-backup")
	p.write(".claude/memory/.pending-backup-exit", p.memory("raw/20260103_000000.jsonl"))
	found := p.want([]string{"raw/20260102_000000.jsonl", "raw/20260101_000000.jsonl"}, []string{"session-2.md"}, []string{
		"read M/raw/20260103_000000.jsonl: path escapes from parent",
		"read M/raw/20260104_000000.jsonl: path escapes from parent",
		"read M/raw/20260105_000000.jsonl: too many levels of symbolic links",
		"read M/raw/20260106_000000.jsonl: no such file or directory",
		"read M/.pending-backup: path escapes from parent",
		"read M/session-1.md: path escapes from parent",
	})
	if found.Backups[0].SessionID != "one" {
		t.Errorf("backup behind a link: %+v", found.Backups[0])
	}
	if found.Markers[0].State != MarkerOutside || found.Markers[1].State != MarkerUnreadable {
		t.Errorf("markers %+v", found.Markers)
	}
}

// TestFindThroughLinks: a marker may contain the path through the link or the real path.
func TestFindThroughLinks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("real/memory/raw/20260101_000000.jsonl", "")
	if err := os.Remove(p.memory("raw")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(p.memory("")); err != nil {
		t.Fatal(err)
	}
	p.link("../real/memory", ".claude/memory")
	p.link("real", "alias")
	physical, err := filepath.EvalSymlinks(p.path("real/memory"))
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string]MarkerState{
		p.memory("raw/20260101_000000.jsonl"):                   MarkerValid,
		filepath.Join(physical, "raw", "20260101_000000.jsonl"): MarkerValid,
		p.path("alias/memory/raw/20260101_000000.jsonl"):        MarkerValid,
		filepath.Join(physical, "raw", "gone.jsonl"):            MarkerStale,
		p.path("alias/memory/20260101_000000.jsonl"):            MarkerOutside,
	} {
		p.write("real/memory/.pending-backup", target)
		found := p.want([]string{"raw/20260101_000000.jsonl"}, nil, nil)
		if len(found.Markers) != 1 || found.Markers[0].State != want || found.Backups[0].Pending != (want == MarkerValid) {
			t.Errorf("%s: %+v, want %s", target, found, want)
		}
	}
}

func TestFindWithoutPermission(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may read everything; TestUnreadableFileIsARow covers the rows")
	}
	p := newProject(t)
	p.write(".claude/memory/raw/20260101_000000_exit.jsonl", "123")
	p.write(".claude/memory/session-2026-01-01-0000.md", "")
	p.write(".claude/memory/.pending-backup", p.memory("raw/20260101_000000_exit.jsonl"))
	p.write(".claude/memory/.pending-backup-exit", "")
	p.mkdir(".claude/memory/sessions")
	for _, name := range []string{"raw/20260101_000000_exit.jsonl", "session-2026-01-01-0000.md", ".pending-backup-exit", "sessions"} {
		if err := os.Chmod(p.memory(name), 0); err != nil {
			t.Fatal(err)
		}
	}
	found := p.want([]string{"raw/20260101_000000_exit.jsonl"}, []string{"session-2026-01-01-0000.md"}, []string{
		"read M/raw/20260101_000000_exit.jsonl: permission denied",
		"directory M/sessions/raw: permission denied",
		"read M/.pending-backup-exit: permission denied",
		"read M/session-2026-01-01-0000.md: permission denied",
		"directory M/sessions: permission denied",
	})
	if b := found.Backups[0]; b.Problem == "" || b.Bytes != 3 || !b.Pending {
		t.Errorf("backup %+v", b)
	}
	if found.Documents[0].Problem == "" {
		t.Errorf("document %+v", found.Documents[0])
	}
	if found.Markers[0].State != MarkerUnreadable || found.Markers[1].State != MarkerValid {
		t.Errorf("markers %+v", found.Markers)
	}
}
