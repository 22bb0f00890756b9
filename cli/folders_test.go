package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/cli/launch"
)

func TestFoldersLike(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, dir := range []string{"code/teahouse", "code/tides", "code/.hidden", "elsewhere"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "code", "tea.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d := resumeDeps(home)
	known := []string{"~/code/tides", "~/code/gone", "~/code/teahouse"}
	for typed, want := range map[string][]string{
		"":                   {"~/code/tides", "~/code/teahouse"},
		"TIDES":              {"~/code/tides"},
		"e":                  {"~/code/tides", "~/code/teahouse", "elsewhere"},
		"else":               {"elsewhere"},
		"~":                  {"~", "~/code", "~/elsewhere"},
		"~/code/":            {"~/code", "~/code/teahouse", "~/code/tides"},
		"~/code/t":           {"~/code/teahouse", "~/code/tides"},
		"~/code/T":           {"~/code/teahouse", "~/code/tides"},
		"~/code/.":           {"~/code/.hidden"},
		"~/code/tea.":        nil,
		"~/code/teahouse/":   {"~/code/teahouse"},
		"~/nowhere/":         nil,
		home + "/code/tide":  {home + "/code/tides"},
		"code/tea":           {"code/teahouse"},
		"nothing that fits":  nil,
		"../" + "nothing/at": nil,
	} {
		if got := launch.FoldersLike(t.Context(), d.Env, typed, known); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}
