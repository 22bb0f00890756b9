package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestFindWaits: the wait for documents that are being written is short in total.
func TestFindWaits(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("session-2026-01-%02d.md", i+1))
		p.write(".claude/memory/"+names[i], "---\nstatus: in")
	}
	synctest.Test(t, func(t *testing.T) {
		for _, name := range names {
			if err := os.Chtimes(p.memory(name), time.Now(), time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		start := time.Now()
		if _, err := Find(ctx, p.dir, nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 50*time.Millisecond {
			t.Errorf("given up after %v: %v", time.Since(start), err)
		}
		start = time.Now()
		found, err := Find(t.Context(), p.dir, nil)
		if took := time.Since(start); err != nil || len(found.Documents) != 30 || took != documentWaits*documentWait {
			t.Errorf("%d documents in %v, %v", len(found.Documents), took, err)
		}
	})
}
