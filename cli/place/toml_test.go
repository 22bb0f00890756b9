package place

import (
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/continuo-tui/continuo/cli/out"
)

// TestTOML: names and values must decode to the same text, and be safe on a terminal.
func TestTOML(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain-1_x", "go to", "a.b", "é✓", `"\'`, "\x1b[31m\x00\x7f\u009b", "\u202e\u2028\U000E0041", "a\r\n\tb"} {
		line := TOMLPath(text) + " = " + TOMLText(text)
		var got map[string]string
		if err := toml.Unmarshal([]byte(line), &got); err != nil || got[text] != text || len(got) != 1 {
			t.Errorf("%q: %s is %q, %v", text, line, got, err)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || out.MustEscape(r) }) {
			t.Errorf("%q: %q", text, line)
		}
	}
}
