package place

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/internal/disk"
)

func TestEditFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	path := filepath.Join(dir, "list")
	add := func(text string) func([]byte) ([]byte, error) {
		return func(old []byte) ([]byte, error) { return append(old, text...), nil }
	}
	if err := editFile(t.Context(), path, add("a")); err != nil {
		t.Fatal(err)
	}
	root, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	alive, err := root.Create(".", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Drop()
	if err := os.WriteFile(filepath.Join(dir, ".continuo-0123456789abcdef.tmp"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := editFile(t.Context(), path, add("b")); err != nil {
		t.Fatal(err)
	}
	no := errors.New("no")
	if err := editFile(t.Context(), path, func([]byte) ([]byte, error) { return []byte("c"), no }); !errors.Is(err, no) {
		t.Error(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "ab" {
		t.Errorf("%q, %v", text, err)
	}
	if runtime.GOOS == "windows" { // Windows decides by age
		return
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode() != 0o600 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
	if names, err := root.Names("."); err != nil || !slices.Equal(names, []string{alive.Name(), "list"}) {
		t.Errorf("%q, %v", names, err)
	}
}
