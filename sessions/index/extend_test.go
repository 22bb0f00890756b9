package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

// ending is a context that ends after some calls of Err.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestContext: ctx ends during an update. The read bytes aren't read again.
func TestContext(t *testing.T) {
	t.Parallel()
	path, cache := filepath.Join(t.TempDir(), "a.jsonl"), t.TempDir()
	answer := func(tokens int) string {
		return fmt.Sprintf(`{"type":"assistant","timestamp":"2026-11-21T10:00:00Z","message":{"role":"assistant","model":"m","usage":{"input_tokens":%d},"content":[{"type":"text","text":"tide"}]}}`, tokens) + "\n"
	}
	const boundary = `{"type":"system","subtype":"compact_boundary"}` + "\n"
	write := func(flag int, text string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|flag, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	x := Open(cache)
	check := func(ctx context.Context, tokens, base int64) {
		t.Helper()
		ses := sessions.Session{Path: path}
		x.Context(ctx, &ses)
		if ses.ContextTokens != tokens || ses.ContextBase != base || ses.ContextBegan.IsZero() != (base == 0) {
			t.Errorf("%d of %d since %v, want %d of %d", ses.ContextTokens, ses.ContextBase, ses.ContextBegan, tokens, base)
		}
	}
	write(0, answer(100)+strings.Repeat(answer(200), 2*batchRecords))
	check(&ending{t.Context(), 1}, 0, 0)
	if s := x.Status(); s.Texts < batchRecords || s.Texts > 2*batchRecords {
		t.Errorf("%d texts after one batchRecords", s.Texts)
	}
	write(0, strings.Repeat("x", 500)) // other first answers, so that reading them again would give other figures
	check(t.Context(), 200, 100)
	x.Close()
	x = Open(cache)
	defer func() { x.Close() }()
	write(os.O_APPEND, answer(300))
	check(t.Context(), 300, 100)
	update := func() {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Update(t.Context(), []File{{Path: path, Info: info}}); err != nil {
			t.Fatal(err)
		}
	}
	write(os.O_APPEND, answer(400))
	update()
	check(t.Context(), 400, 100)
	if got, want := len(found(t, x, "tide")), 2*batchRecords+3; got != want {
		t.Errorf("%d texts found, want %d", got, want)
	}
	write(os.O_APPEND, boundary)
	check(t.Context(), 0, 0)
	write(os.O_APPEND, answer(50)+answer(60))
	check(t.Context(), 60, 50)
	write(os.O_TRUNC, answer(7))
	check(t.Context(), 7, 7)
	update()
	if got := len(found(t, x, "tide")); got != 1 {
		t.Errorf("%d texts found in the new file, want 1", got)
	}
}
