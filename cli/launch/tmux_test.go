package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/host"
)

func TestProgramWord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(names ...string) string {
		path := filepath.Join(append([]string{dir}, names...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	here, other := file("here", "continuo"), file("other", "continuo")
	if err := os.Mkdir(filepath.Join(dir, "link"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(here, filepath.Join(dir, "link", "continuo")); err != nil {
		t.Fatal(err)
	}
	paths := func(names ...string) string {
		for i := range names {
			names[i] = filepath.Join(dir, names[i])
		}
		return strings.Join(names, string(filepath.ListSeparator))
	}
	spaced := file("with a space", "continuo")
	for _, tt := range []struct{ name, path, paths, want string }{
		{"found", here, paths("gone", "here", "other"), "continuo"},
		{"found behind a link", here, paths("link"), "continuo"},
		{"another one first", here, paths("other", "here"), here},
		{"not found", here, paths("gone"), here},
		{"no path", here, "", here},
		{"this directory", here, ".", here},
		{"with a space", spaced, paths("other"), "'" + spaced + "'"},
		{"with a space, found", spaced, paths("with a space"), "continuo"},
		{"another program", other, paths("here"), other},
	} {
		if got, err := programWord(tt.path, host.Host{Environ: []string{"PATH=" + tt.paths}}); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	for _, path := range []string{"/a'b", `/a"b`, "/$HOME/x", "/a#b", "/a%H", "/a(b", "/a`b`", "/a\nb", `/a\b`, "/a\x1bb", "/a!b"} {
		if got, err := programWord(path, host.Host{}); err == nil {
			t.Errorf("%q was accepted as %q", path, got)
		}
	}
}
