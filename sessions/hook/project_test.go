package hook

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProjectOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		made []string // arguments for makePath
		from string
		want string // "-" none
	}{
		{"itself", []string{"p/.claude/memory"}, "p", "p"},
		{"itself, with a slash", []string{"p/.claude/memory"}, "p/../p/", "p"},
		{"none", []string{"p/.git"}, "p", "-"},
		{"a parent in the repository", []string{"p/.git", "p/.claude/memory", "p/a/b"}, "p/a/b", "p"},
		{"the nearest", []string{"p/.git", "p/.claude/memory", "p/a/.claude/memory", "p/a/b"}, "p/a/b", "p/a"},
		{"the root of the repository is as far as it goes", []string{".claude/memory", "p/.git", "p/a"}, "p/a", "-"},
		{"a worktree and a submodule end there too", []string{".claude/memory", "p/.git.file", "p/a"}, "p/a", "-"},
		{"no repository: the parent is another's", []string{"p/.claude/memory", "p/a"}, "p/a", "-"},
		{"no repository: itself", []string{"p/.claude/memory", "p/a/.claude/memory"}, "p/a", "p/a"},
		{"a directory that is gone", []string{"p/.git", "p/.claude/memory"}, "p/gone/too", "p"},
		{"below a file", []string{"p/.git", "p/.claude/memory", "p/f.file"}, "p/f/x", "p"},
		{"a file for a memory counts", []string{"p/.claude/memory.file"}, "p", "p"},
		{"the home", []string{"home/.claude/memory", "home/.git"}, "home", "-"},
		{"a directory in the home", []string{"home/.claude/memory", "home/.git", "home/a"}, "home/a", "-"},
		{"a project in the home", []string{"home/.claude/memory", "home/a/.claude/memory"}, "home/a", "home/a"},
		{"the home by a link", []string{"home/.claude/memory"}, "link", "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			make := append([]string{"home"}, tt.made...)
			for _, dir := range make {
				makePath(t, filepath.Join(root, filepath.FromSlash(dir)))
			}
			if err := os.Symlink("home", filepath.Join(root, "link")); err != nil {
				t.Skip(err)
			}
			want := filepath.Join(root, tt.want)
			if tt.want == "-" {
				want = ""
			}
			got, ok := ProjectOf(filepath.Join(root, tt.from), filepath.Join(root, "home"))
			if got != want || ok != (want != "") {
				t.Errorf("%q, %v; want %q", got, ok, want)
			}
		})
	}
	for _, dir := range []string{"", ".", "hook"} {
		if got, ok := ProjectOf(dir, ""); ok {
			t.Errorf("%q is in %q", dir, got)
		}
	}
}

// makePath creates a directory, or an empty file x for the path x.file.
func makePath(t *testing.T, path string) {
	t.Helper()
	if filepath.Ext(path) != ".file" {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return
	}
	path = path[:len(path)-len(".file")]
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
