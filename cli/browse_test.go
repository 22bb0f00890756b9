package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
)

// TestProjectHere: the folder is a project if Claude Code ran there or it has a ledger.
func TestProjectHere(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file string // below the home directory
		dir  string
		want bool // whether the project is dir
	}{
		"nothing":       {"code/tea/main.go", "code/tea", false},
		"notes":         {"code/tea/NOTES.md", "code/tea", true},
		"grimoire":      {"code/tea/grimoires/loa/NOTES.md", "code/tea", true},
		"beads":         {"code/tea/.beads/issues.jsonl", "code/tea", true},
		"client":        {"", "code/tea", true},
		"of the parent": {"code/NOTES.md", "code/tea", false},
		"of the home":   {".beads/registry.json", ".", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			d := resumeDeps(home)
			d.Dir = filepath.Join(home, tt.dir)
			file := filepath.Join(home, tt.file)
			if name == "client" {
				file = filepath.Join(home, ".claude", "projects", sessions.Slug(place.RealPath(d.Dir)), "a.jsonl")
			}
			for _, dir := range []string{d.Dir, filepath.Dir(file)} {
				if err := os.MkdirAll(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			want := ""
			if tt.want {
				want = place.RealPath(d.Dir)
			}
			if got := browse.ProjectHere(t.Context(), d.Env, []string{filepath.Join(home, ".claude")}); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
