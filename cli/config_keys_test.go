package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/tui"
)

func TestConfigKeysDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "## Keys")
	if !found {
		t.Fatal("docs/config.md has no section Keys")
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.+?) \\| (.+?) \\|$").FindAllStringSubmatch(section, -1)
	names := tui.KeyNames()
	if len(rows) != len(names) {
		t.Errorf("%d rows for %d names", len(rows), len(names))
	}
	for i, k := range names[:min(len(names), len(rows))] {
		row := [3]string{rows[i][1], rows[i][2], rows[i][3]}
		if want := [3]string{k.Name, "`" + strings.Join(k.Keys, "` `") + "`", k.Does}; row != want {
			t.Errorf("row %d is %q, want %q", i, row, want)
		}
	}
}
