package entries

import (
	"path/filepath"
	"testing"
)

// TestKeptEntryNames checks that ordinary names are restored and unsafe names are refused.
func TestKeptEntryNames(t *testing.T) {
	t.Parallel()
	root := filepath.Join(string(filepath.Separator)+"p", "q")
	asked := filepath.Join(root, "g")
	for name, want := range map[string]bool{
		"g/NOTES.md": true, "g/.gitignore": true, "g/.github/a": true, "g/..a": true, "g/a b": true, "g/café": true, "g/a:b": true,
		"x": false, "gg/x": false, "g/../x": false, "/g/x": false, "": false, "g/": false,
	} {
		if e := newKeptEntry(root, asked, name); (e.path != "") != want || want && e.path != filepath.Join(root, filepath.FromSlash(name)) {
			t.Errorf("%q: %q", name, e.path)
		}
	}
}
