package entries

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
)

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

// TestKeptFiles: the grimoire has more files than the limit, but NOTES.md is restored.
func TestKeptFiles(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root := place.RealPath(t.TempDir())
	grimoire := filepath.Join(root, "grimoires", "loa")
	notes := filepath.Join(grimoire, "NOTES.md")
	for _, path := range []string{filepath.Join(grimoire, "A", "1"), filepath.Join(grimoire, "A", "2"), filepath.Join(grimoire, "A", "3"), notes} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("# kept\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "one"}} {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", root}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	env := &place.Env{Host: host.Host{Environ: os.Environ()}}
	p, err := ledger.Find(root, env.LedgerEnv())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(grimoire); err != nil {
		t.Fatal(err)
	}
	k := &gitKeeper{env: env, project: &p, files: 2, bytes: keptBytes}
	all, one := heal.Fact{Part: heal.Grimoire, Path: grimoire, State: heal.Missing}, heal.Fact{Part: heal.Notes, Path: notes, State: heal.Missing}
	k.ask(t.Context(), &all)
	k.ask(t.Context(), &one)
	if len(all.Kept) != 2 || len(all.Left) != 2 {
		t.Errorf("kept %d files, left %q; want the limit of 2", len(all.Kept), all.Left)
	}
	if len(one.Kept) != 1 || string(one.Kept[0].Text) != "# kept\n" {
		t.Errorf("NOTES.md: kept %v, left %q", one.Kept, one.Left)
	}
}
