package trajectory

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesCopies: a compressed copy of a plain file isn't read twice.
func TestFilesCopies(t *testing.T) {
	t.Parallel()
	const one, two = "{\"n\":1}\n", "{\"n\":2}\n"
	for name, c := range map[string]struct {
		plain, packed string
		want          int
	}{
		"the same":       {one, one, 1},
		"went on":        {one + two, one, 1},
		"begun anew":     {two, one, 2},
		"begun, longer":  {two + one, one, 2},
		"shorter":        {one, one + two, 2},
		"an empty plain": {"", one, 2},
	} {
		dir := t.TempDir()
		write(t, dir, "a-2026-02-06.jsonl", []byte(c.plain))
		write(t, dir, "a-2026-02-06.jsonl.gz", pack(t, c.packed))
		files, err := Files(dir)
		if err != nil || len(files) != c.want || c.want == 1 && files[0].Zip {
			t.Errorf("%s: %d files, %v", name, len(files), err)
		}
	}
	dir := t.TempDir()
	write(t, dir, "a-2026-02-06.jsonl.gz", pack(t, one))
	write(t, dir, "b-2026-02-06.jsonl", []byte(one))
	write(t, dir, "b-2026-02-06.jsonl.gz", []byte("torn"))
	write(t, dir, "c-2026-02-06.jsonl", []byte(one))
	write(t, dir, "c-2026-02-06.jsonl.gz", nil)
	files, err := Files(dir)
	var names []string
	for i := range files {
		names = append(names, filepath.Base(files[i].Path))
	}
	if got := strings.Join(names, " "); err != nil || len(files) != 5 {
		t.Errorf("%s, %v", got, err)
	}
}
