package backup

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestHasCopies(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"raw/.continuo-0123456789abcdef.tmp": false, "trash/20261120_110213Z-discard/.continuo-0123456789abcdef.tmp": false, // of killed writers
		"raw/.gitignore": false, "raw/.sums": false, "trash/.gitignore": false, "session-2026-11-21-1102Z.md": false,
		"raw/20261121_110213Z_exit.jsonl": true, "raw/.continuo-00.tmp": true, "raw/x": true,
		"sessions/raw/a.jsonl": true, "trash/20261120_110213Z-discard/deed.json": true,
		".pending-backup": false, ".pending-backup-exit": true,
	} {
		project := t.TempDir()
		path := filepath.Join(project, ".claude", "memory", filepath.FromSlash(name))
		text := ""
		if name == ".pending-backup-exit" {
			text = "/elsewhere/x.jsonl\n"
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		if got, err := HasCopies(t.Context(), project); got != want || err != nil {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}
