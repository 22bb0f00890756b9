//go:build unix

package backup

import (
	"fmt"
	"testing"
)

// TestPendingThroughLinks: the hook used another path of the project.
func TestPendingThroughLinks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for i := range 20 {
		p.pipe(fmt.Sprintf(".claude/memory/raw/2026010%d_0000%02d.jsonl", 1+i/10, i))
	}
	p.write(".claude/memory/raw/20260105_000000.jsonl", "")
	p.link(".", "alias")
	for target, want := range map[string]int{
		p.path("alias/.claude/memory/raw/20260105_000000.jsonl"): 1,
		p.path("alias/.claude/memory/raw/gone.jsonl"):            0,
		p.path("alias/.claude/20260105_000000.jsonl"):            0,
	} {
		p.write(".claude/memory/.pending-backup", target)
		if n, err := Pending(t.Context(), p.dir); n != want || err != nil { // opening the pipe would block
			t.Errorf("%s: %d, %v, want %d", target, n, err, want)
		}
	}
	p.pipe(".claude/memory/.pending-backup-exit")
	if _, err := Pending(t.Context(), p.dir); err == nil {
		t.Error("a pipe was accepted as a marker")
	}
}
