package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions/demo"
)

func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReadsOnly: read commands write nothing to the config directory, the home or the current directory.
func TestReadsOnly(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	stats, err := demo.Write(t.Context(), filepath.Join(home, ".claude"), demo.Options{Now: now(), Root: home})
	if err != nil {
		t.Fatal(err)
	}
	project := stats.List[0].Workdir
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, home)
	for _, args := range [][]string{
		{},
		{"list"},
		{"list", "--all", "--json"},
		{"list", "--all", "--quick"},
		{"show", "--latest"},
		{"show", stats.List[0].ID, "--json"},
		{"path", "--latest"},
		{"show", "nothing like it"},
		{"version"},
		{"help"},
		{"list", "--claude-dir", "gone"},
	} {
		var out bytes.Buffer
		d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: project, Now: now, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
		execute(t.Context(), d.Env, d.Output, args)
		if out.Len() == 0 {
			t.Errorf("%q printed nothing", args)
		}
	}
	if after := snapshot(t, home); after != before {
		t.Errorf("something was written:\nbefore\n%s\nafter\n%s", before, after)
	}
}
