package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
)

// TestLatestAbove: --latest looks in a parent directory only if that is a project.
func TestLatestAbove(t *testing.T) {
	t.Parallel()
	root := place.RealPath(t.TempDir())
	home := filepath.Join(root, "home")
	for _, path := range []string{
		"home/.claude/", "home/CLAUDE.md", "home/music/", "home/code/new/", "home/code/tea/.git/", "home/code/tea/src/", "home/code/tea/.claude/",
		"home/notes/.claude/", "home/notes/a/b/CLAUDE.md", "home/papers/CLAUDE.md", "home/papers/a/", "home/beads/.beads/", "home/beads/a/",
		"home/tmp/.claude/", "home/tmp/a/", "home/code/fresh/.git/", "home/wt/slots/", "home/code/tea/.git/worktrees/slots/",
	} {
		dir, file := filepath.Split(filepath.Join(root, path))
		if strings.HasSuffix(path, "/") {
			dir, file = filepath.Join(root, path), ""
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if file != "" {
			putFile(t, filepath.Join(dir, file), "")
		}
	}
	tree := filepath.Join(home, "code", "tea", ".git", "worktrees", "slots")
	putFile(t, filepath.Join(tree, "commondir"), "../..\n")
	putFile(t, filepath.Join(home, "wt", "slots", ".git"), "gitdir: "+tree+"\n")
	var rows []sessions.Row
	for i, dir := range []string{"/", "/tmp", "home", "home/tmp", "home/code", "home/code/tea", "home/notes", "home/papers", "home/beads"} {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(root, dir)
		}
		rows = append(rows, row(filepath.Base(dir), "", in(dir, dir), ago(time.Duration(i+1)*time.Hour)))
	}
	for dir, want := range map[string]string{
		"": "", "home": "home", "home/music": "", "home/tmp": "tmp", "home/tmp/a": "", "home/code": "code", "home/code/new": "", "home/code/fresh": "",
		"home/code/tea": "tea", "home/code/tea/src": "tea", "home/wt/slots": "tea",
		"home/notes": "notes", "home/notes/a": "notes", "home/notes/a/b": "notes", "home/papers/a": "papers", "home/beads/a": "beads",
	} {
		for _, command := range []string{"path", "resume"} {
			args := []string{command, "--latest"}
			if command == "resume" {
				args = append(args, "--dry-run")
			}
			code, stdout, stderr := testRun{
				src: fakeSource{rows: rows}, dir: filepath.Join(root, dir), env: []string{"HOME=" + home, "TMPDIR=" + filepath.Join(home, "tmp")}, args: args,
			}.do(t)
			if want == "" && code == out.ExitNone {
				continue
			}
			if want == "" || !strings.HasSuffix(stdout, "/"+want+".jsonl\n") && !strings.HasPrefix(stderr, want+" (the newest session") {
				t.Errorf("%s in %q: exit code %d, want %q\n%s%s", command, dir, code, want, stdout, stderr)
			}
		}
	}
}
