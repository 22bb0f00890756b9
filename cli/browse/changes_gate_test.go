package browse

import (
	"testing"

	"github.com/continuo-tui/continuo/ledger/gate"
)

func TestMended(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		line int
		want string // "" if refused
	}{
		"once":                 {"a\r\n- `x` [src/a.go:4]\r\n", 2, "a\r\n- `x` [src/b.go:7]\r\n"},
		"of another line":      {"[src/a.go:4]\n\n", 2, ""},
		"twice":                {"src/a.go:4 src/a.go:4", 1, ""},
		"a longer one":         {"src/a.go:45", 1, ""},
		"a range":              {"src/a.go:4-7", 1, ""},
		"of a longer path":     {"lib/src/a.go:4", 1, ""},
		"beside a longer one":  {"src/a.go:45, src/a.go:4.", 1, "src/a.go:45, src/b.go:7."},
		"a line that is not":   {"x\n", 9, ""},
		"the end without line": {"src/a.go:4", 1, "src/b.go:7"},
	} {
		got, err := mended([]byte(c.text), &gate.Finding{Line: c.line, Was: "src/a.go:4", Now: "src/b.go:7"})
		if (err != nil) != (c.want == "") || err == nil && string(got) != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
