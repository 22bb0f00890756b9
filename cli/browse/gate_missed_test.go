package browse

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/gate"
)

// TestMendedHostile: the reference would break the line.
func TestMendedHostile(t *testing.T) {
	t.Parallel()
	const was = "- `x` [${PROJECT_ROOT}/src/a.go:4]\n"
	for now, want := range map[string]bool{
		"${PROJECT_ROOT}/src/b.go:7": true, "${PROJECT_ROOT}/`\n## Blockers\n\x1b[31m /b.go:7": false, "${PROJECT_ROOT}/a`b.go:7": false, "": false,
	} {
		got, err := mended([]byte(was), &gate.Finding{Line: 1, Was: "${PROJECT_ROOT}/src/a.go:4", Now: now})
		if (err == nil) != want || want && string(got) != "- `x` ["+now+"]\n" {
			t.Errorf("%q: %q, %v", now, got, err)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Errorf("%q", err)
		}
	}
}
