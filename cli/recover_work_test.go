package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/ledger/recovery"
)

// TestRecoverWork limits the work of level 1 with a long NOTES.md. It measures allocations, so it can't be
// parallel.
func TestRecoverWork(t *testing.T) {
	const size, identifiers, source = 200 << 10, 11, 256 << 10
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	b.WriteString("# Notes\n\n## Session Continuity\n\n- **Current Bead**: br-1 (guest tokens)\n- **Last Checkpoint**: 2026-11-20T10:00:00Z\n" +
		"- **Reasoning State**: " + strings.Repeat("The guest is done and the admin is next. ", 20) + "\n\n### Lightweight Identifiers\n\n| Identifier | Purpose |\n|---|---|\n")
	for i := range identifiers {
		fmt.Fprintf(&b, "| ${PROJECT_ROOT}/src/f%d.go:3 | what it is for |\n", i)
		write(fmt.Sprintf("src/f%d.go", i), strings.Repeat("const leeway = 30\n", source/18))
	}
	b.WriteString("\n## Decision Log\n")
	decisions := 0
	for ; b.Len() < size; decisions++ {
		fmt.Fprintf(&b, "\n### 2026-02-%02dT10:00:00Z - Keep part %d\n\n**Decision**: Keep it %s\n**Rationale**: It is %s\n\n**Evidence**:\n- `const leeway = 30` [${PROJECT_ROOT}/src/f1.go:3]\n\n```go\n## not a heading\n```\n",
			decisions%28+1, decisions, strings.Repeat("simple ", 20), strings.Repeat("right ", 20))
	}
	write("grimoires/loa/NOTES.md", b.String())
	write(".git/HEAD", "")
	d := newDeps(Program{Env: []string{"HOME=" + t.TempDir()}, Dir: root, Now: now})
	ask := func(level recovery.Level) (r recovery.Result, objects, bytes int) {
		t.Helper()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, _, err := ledgers.Recover(t.Context(), d.Env, &ledgers.RecoverAsk{Ask: recovery.Ask{Level: level, Query: "src"}, Dir: root})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		return r, int(after.Mallocs - before.Mallocs), int(after.TotalAlloc - before.TotalAlloc)
	}
	r, objects, bytes := ask(recovery.Where)
	if !strings.Contains(r.Text, "Keep part") || strings.Contains(r.Text, "src/f") {
		t.Fatalf("level 1 is\n%s", r.Text)
	}
	if most := 80 * decisions; objects > most {
		t.Errorf("%d objects for %d decisions, want at most %d", objects, decisions, most)
	}
	if most := 30 * size; bytes > most {
		t.Errorf("%d bytes for %d, want at most %d", bytes, size, most)
	}
	if _, all, sum := ask(recovery.Topic); sum < bytes+identifiers*source {
		t.Errorf("level 2, which reads all of it, took %d objects and %d bytes: this test measures nothing", all, sum)
	}
}
