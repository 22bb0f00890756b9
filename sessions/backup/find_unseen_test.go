package backup

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/document"
)

func TestUnseen(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	is := func(what string, want int, seen ...string) {
		t.Helper()
		opened := map[string]bool{}
		for _, name := range seen {
			opened[filepath.Join(p.dir, ".claude", "memory", name)] = true
		}
		if n, err := Unseen(t.Context(), p.dir, time.Time{}.In(east()), opened); n != want || err != nil {
			t.Errorf("%s: %d, want %d, %v", what, n, want, err)
		}
	}
	is("no memory", 0)
	p.write(".claude/memory/raw/20260101_000000Z_exit.jsonl", "{}\n")
	p.write(".claude/memory/raw/20260103_000000Z_exit.jsonl", "{}\n")
	p.write(".claude/memory/sessions/raw/20260105_000000Z_exit.jsonl", "{}\n")
	p.write(".claude/memory/raw/.continuo-1.tmp", "{}\n")
	is("no document", 3)
	is("opened", 1, "raw/20260101_000000Z_exit.jsonl", "sessions/raw/20260105_000000Z_exit.jsonl")
	is("all opened", 0, "raw/20260101_000000Z_exit.jsonl", "sessions/raw/20260105_000000Z_exit.jsonl", "raw/20260103_000000Z_exit.jsonl")
	p.write(".claude/memory/active-context.md", "> Last Updated: 2026-02-01 00:00:00\n")
	is("the context is no session document", 3)
	p.write("planning/sessions/session-2026-02-01-0000.md", "---\ndate: 2026-01-02T00:00:00Z\n---\n")
	is("a document, as it says itself", 2)
	p.write(".claude/memory/.pending-backup", "raw/20260103_000000Z_exit.jsonl\n")
	p.write(".claude/memory/.pending-backup-exit", filepath.Join(p.dir, ".claude/memory/raw/20260103_000000Z_exit.jsonl")+"\n")
	is("pending", 1)
	p.write(".claude/memory/session-2026-01-05-0000Z.md", "")
	is("a document of that second may not have it, and is as old", 0)
	if _, err := Unseen(t.Context(), "relative", time.Time{}, nil); err == nil {
		t.Error("a relative project")
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	if list, err := Documents(t.Context(), p.dir, nil); list != nil || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	p.write(".claude/memory/session-2026-01-01-0000.md", "## Remaining Todos\n- [ ] x\n")
	p.write(".claude/memory/sessions/session-2026-01-03-0000.md", "")
	p.write("planning/sessions/session-2026-01-02-0000.md", "")
	p.write(".claude/memory/project-memory.md", "")
	list, err := Documents(t.Context(), p.dir, east())
	if err != nil || len(list) != 4 || list[0].Kind != document.KindProjectMemory || len(list[3].Todos) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	found, err := Find(t.Context(), p.dir, east())
	for i := range found.Documents {
		if found.Documents[i].Path != list[i].Path || err != nil {
			t.Errorf("%d: %s, found %s, %v", i, list[i].Path, found.Documents[i].Path, err)
		}
	}
}
