//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/ledger/trajectory"
)

func healGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// healConfig sets the default path of each part of a ledger.
const healConfig = "paths:\n  grimoire: grimoires/loa\n  beads: .beads\nmemory:\n  trajectory_dir: grimoires/loa/a2a/trajectory\n"

// healStates returns state and action of each part, in order.
func healStates(h *entries.HealLook) string {
	var words []string
	for i := range h.Steps {
		if s := &h.Steps[i]; s.Part != heal.Index {
			words = append(words, string(s.State)+" "+string(s.Do))
		}
	}
	return strings.Join(words, ", ")
}

type healOdd struct {
	name string
	make func(t *testing.T, root string)
	want string // states and actions
	why  string // expected in the reasons of the parts
	left int    // expected problems
}

func healOdds() []healOdd {
	const notes = "grimoires/loa/NOTES.md"
	return []healOdd{
		{"NOTES.md is a folder", func(t *testing.T, root string) { mkdirs(t, root, notes) }, "there , wrong leave, missing make, missing make", "It isn't a regular file.", 0},
		{"NOTES.md is a pipe", func(t *testing.T, root string) {
			mkdirs(t, root, "grimoires/loa")
			if err := syscall.Mkfifo(filepath.Join(root, notes), 0o600); err != nil {
				t.Skip(err)
			}
		}, "there , wrong leave, missing make, missing make", "It isn't a regular file.", 0},
		{"NOTES.md is binary", func(t *testing.T, root string) { put(t, root, notes, "a\x00b") }, "there , wrong leave, missing make, missing make", "It isn't text.", 0},
		{"NOTES.md is huge", func(t *testing.T, root string) {
			put(t, root, notes, "")
			if err := os.Truncate(filepath.Join(root, notes), 1<<40); err != nil {
				t.Skip(err)
			}
		}, "there , wrong leave, missing make, missing make", "It is longer than 16 MB.", 0},
		{"NOTES.md is a link out", func(t *testing.T, root string) { link(t, root, "../outside", notes) }, "there , missing template, missing make, missing make", "", 1},
		{"the grimoire is a link out", func(t *testing.T, root string) { link(t, root, "../../elsewhere", "grimoires/loa") }, "wrong leave, wrong leave, missing make, wrong leave", "It leads out of the project.", 0},
		{"a broken link", func(t *testing.T, root string) { link(t, root, "gone", ".beads") }, "missing make, missing template, wrong leave, missing make", "a broken link", 0},
		{"a file where the beads are", func(t *testing.T, root string) { put(t, root, ".beads", "x") }, "missing make, missing template, wrong leave, missing make", "It isn't a folder.", 0},
		{"a file above the trajectory", func(t *testing.T, root string) { put(t, root, "grimoires/loa/a2a", "x") }, "there , missing template, missing make, missing make", "", 1},
		{"detached HEAD", func(t *testing.T, root string) {
			put(t, root, notes, "# kept")
			healGit(t, root, "init", "-q")
			healGit(t, root, "add", ".")
			healGit(t, root, "commit", "-qm", "one")
			healGit(t, root, "checkout", "-q", "--detach")
			if err := os.RemoveAll(filepath.Join(root, "grimoires")); err != nil {
				t.Fatal(err)
			}
		}, "missing restore, missing restore, missing make, missing make", "", 0},
		{"no commit yet", func(t *testing.T, root string) { healGit(t, root, "init", "-q") }, "missing make, missing template, missing make, missing make", "", 0},
		{"a bare repository", func(t *testing.T, root string) { healGit(t, root, "init", "-q", "--bare") }, "missing make, missing template, missing make, missing make", "", 0},
		{"a broken .git", func(t *testing.T, root string) { put(t, root, ".git", "gitdir: nowhere\n") }, "missing make, missing template, missing make, missing make", "", 0},
		{"what git has leads into .git", func(t *testing.T, root string) {
			put(t, root, "grimoires/loa/.claude/settings.json", "{}")
			put(t, root, notes, "# kept")
			if err := os.Symlink("/etc/passwd", filepath.Join(root, "grimoires/loa/link")); err != nil {
				t.Fatal(err)
			}
			healGit(t, root, "init", "-q")
			healGit(t, root, "add", ".")
			healGit(t, root, "commit", "-qm", "one")
			if err := os.RemoveAll(filepath.Join(root, "grimoires")); err != nil {
				t.Fatal(err)
			}
		}, "missing restore, missing restore, missing make, missing make", "is outside of the ledger's folders. grimoires/loa/link is a link; restore it with git.", 0},
	}
}

// TestHealHostile: an obstacle is at the path of one part. The other parts are healed.
func TestHealHostile(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, c := range healOdds() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, root := startWorld(t, "", nil)
			put(t, filepath.Dir(root), "outside", "secret")
			mkdirs(t, filepath.Dir(root), "elsewhere")
			put(t, root, ".loa.config.yaml", healConfig)
			c.make(t, root)
			h, err := entries.LookHeal(t.Context(), d.Env, root)
			if err != nil {
				t.Fatal(err)
			}
			if got := healStates(h); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			var why []string
			for i := range h.Steps {
				why = append(append(why, h.Steps[i].Why), h.Steps[i].Left...)
			}
			if all := strings.Join(why, " "); !strings.Contains(all, c.why) {
				t.Errorf("%q, want %q in it", all, c.why)
			}
			done := doHeal(t, d, h)
			done.Problems = slices.DeleteFunc(done.Problems, func(s string) bool { return strings.Contains(s, "could not be logged") })
			if len(done.Problems) != c.left || done.Failed != c.left {
				t.Errorf("%d failed: %q", done.Failed, done.Problems)
			}
			if text, err := os.ReadFile(filepath.Join(filepath.Dir(root), "outside")); string(text) != "secret" {
				t.Errorf("%q, %v", text, err)
			}
			if left, err := os.ReadDir(filepath.Join(filepath.Dir(root), "elsewhere")); len(left) != 0 {
				t.Errorf("%v, %v", left, err)
			}
			if _, err := os.Lstat(filepath.Join(root, "grimoires", "loa", ".claude")); err == nil {
				t.Error("settings of the client came back")
			}
			if again, err := entries.LookHeal(t.Context(), d.Env, root); err != nil || heal.Issues(again.Steps) != h.Stuck()+done.Failed {
				t.Errorf("then %s, %v", healStates(again), err)
			}
		})
	}
}

func TestHealGitRunsNothing(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	ran := w.trap()
	put(t, w.project, "grimoires/loa/NOTES.md", "# kept\n")
	put(t, w.project, ".loa.config.yaml", healConfig)
	put(t, w.project, ".gitattributes", "* filter=evil diff=evil\n")
	w.git("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=", "-c", "filter.evil.clean=cat", "add", "grimoires", ".gitattributes")
	w.git("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=", "-c", "filter.evil.clean=cat", "commit", "-q", "-m", "two")
	for _, name := range has(t, ran) {
		if err := os.Remove(filepath.Join(ran, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(w.project, "grimoires")); err != nil {
		t.Fatal(err)
	}
	h, err := entries.LookHeal(t.Context(), w.d.Env, w.project)
	if err != nil {
		t.Fatal(err)
	}
	if got := healStates(h); got != "missing restore, missing restore, missing make, missing make" {
		t.Error(got)
	}
	if done := doHeal(t, w.d, h); len(done.Problems) != 0 {
		t.Error(done.Problems)
	}
	if names := has(t, ran); len(names) != 0 {
		t.Errorf("ran: %v", names)
	}
	if text, err := os.ReadFile(filepath.Join(w.project, "grimoires", "loa", "NOTES.md")); string(text) != "# kept\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestHealReadOnly: one folder is read-only.
func TestHealReadOnly(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	d, root := startWorld(t, "", nil)
	put(t, root, ".loa.config.yaml", healConfig)
	mkdirs(t, root, "grimoires/loa")
	at := filepath.Join(root, "grimoires", "loa")
	if err := os.Chmod(at, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(at, 0o700) })
	h, err := entries.LookHeal(t.Context(), d.Env, root)
	if err != nil {
		t.Fatal(err)
	}
	done := doHeal(t, d, h)
	if done.Failed != 2 || len(done.Made) != 1 || !strings.Contains(strings.Join(done.Problems, " "), "permission denied") {
		t.Errorf("%+v", done)
	}
}

func mkdirs(t *testing.T, root, rel string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(rel)), 0o700); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, root, rel, text string) {
	t.Helper()
	mkdirs(t, root, filepath.ToSlash(filepath.Dir(filepath.FromSlash(rel))))
	if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(rel)), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, root, to, rel string) {
	t.Helper()
	mkdirs(t, root, filepath.ToSlash(filepath.Dir(filepath.FromSlash(rel))))
	if err := os.Symlink(to, filepath.Join(root, filepath.FromSlash(rel))); err != nil {
		t.Fatal(err)
	}
}

func TestContextHostile(t *testing.T) {
	t.Parallel()
	const notes, log = "grimoires/loa/NOTES.md", "grimoires/loa/a2a/trajectory"
	for name, c := range map[string]struct {
		make   func(t *testing.T, root string)
		output string
	}{
		"NOTES.md is a folder":        {func(t *testing.T, root string) { mkdirs(t, root, notes) }, "is not a regular file"},
		"NOTES.md is binary":          {func(t *testing.T, root string) { put(t, root, notes, "## Decision Log\x00") }, "is not a text file"},
		"NOTES.md is a link out":      {func(t *testing.T, root string) { link(t, root, "../../../outside", notes) }, "outside the project"},
		"the trajectory is a link":    {func(t *testing.T, root string) { link(t, root, "../../../../elsewhere", log) }, "outside the project"},
		"the trajectory is a file":    {func(t *testing.T, root string) { put(t, root, log, "x") }, "not a directory"},
		"a log of today is a link":    {func(t *testing.T, root string) { link(t, root, "/dev/zero", log+"/a-2026-11-21.jsonl") }, ""},
		"a log of today is a pipe":    {func(t *testing.T, root string) { mkfifo(t, root, log+"/a-2026-11-21.jsonl") }, ""},
		"a log of today without ends": {func(t *testing.T, root string) { put(t, root, log+"/a-2026-11-21.jsonl", strings.Repeat("x", 1<<20)) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, root := startWorld(t, "", nil)
			put(t, filepath.Dir(root), "outside", "## Decision Log\n")
			put(t, filepath.Dir(root), "elsewhere/a-2026-11-21.jsonl", "{}\n")
			c.make(t, root)
			var output strings.Builder
			d.Err = &out.Stream{W: &output, Styles: d.Out.Styles}
			k, err := ledgers.LookContext(t.Context(), d.Env, d.Output, &ledgers.ContextAsk{Project: root})
			if err != nil {
				t.Fatal(err)
			}
			if k.Decisions || k.Continuity || k.Today != 0 || !strings.Contains(output.String(), c.output) {
				t.Errorf("%+v\n%s", k, &output)
			}
		})
	}
}

// TestNewestHandoff: only the newest day with a handoff counts.
func TestNewestHandoff(t *testing.T) {
	t.Parallel()
	d, root := startWorld(t, "", nil)
	const log = "grimoires/loa/a2a/trajectory/"
	put(t, root, log+"a-2026-11-19.jsonl", `{"ts":"2026-11-30T00:00:00Z","phase":"session_handoff"}`+"\n")
	put(t, root, log+"a-2026-11-20.jsonl", `{"ts":"2026-11-20T09:00:00Z","phase":"session_handoff"}`+"\n"+`{"ts":"2026-11-20T11:00:00Z","phase":"handoff"}`+"\n{torn")
	put(t, root, log+"b-2026-11-20.jsonl", `{"ts":"2026-11-20T10:00:00Z","phase":"session_handoff"}`+"\n")
	put(t, root, log+"a-2026-11-21.jsonl", `{"ts":"2026-11-21T10:00:00Z","phase":"cite"}`+"\n")
	put(t, root, log+"system-2026-11-22.jsonl", `{"ts":"2026-11-22T10:00:00Z","phase":"handoff"}`+"\n")
	put(t, root, log+"big-2026-11-22.jsonl", `{"ts":"2026-11-22T10:00:00Z","phase":"handoff"}`+"\n"+strings.Repeat(" ", 8<<20))
	p, err := place.LedgerOf(d.Env, root)
	if err != nil {
		t.Fatal(err)
	}
	at, where := trajectory.NewestHandoff(t.Context(), &p)
	if got := at.Format("2006-01-02 15:04"); got != "2026-11-20 11:00" || where != "a-2026-11-20.jsonl" {
		t.Errorf("%s, %s", got, where)
	}
	put(t, root, log+"big-2026-11-22.jsonl", strings.Repeat(" ", 8<<20)+"\n"+`{"ts":"2026-11-22T10:00:00Z","phase":"handoff"}`+"\n")
	if at, where := trajectory.NewestHandoff(t.Context(), &p); at.Day() != 22 || where != "big-2026-11-22.jsonl" {
		t.Errorf("at the end: %s, %s", at, where)
	}
	if err := os.RemoveAll(filepath.Join(root, "grimoires")); err != nil {
		t.Fatal(err)
	}
	if at, _ := trajectory.NewestHandoff(t.Context(), &p); !at.IsZero() {
		t.Error(at)
	}
}

func mkfifo(t *testing.T, root, rel string) {
	t.Helper()
	mkdirs(t, root, filepath.ToSlash(filepath.Dir(filepath.FromSlash(rel))))
	if err := syscall.Mkfifo(filepath.Join(root, filepath.FromSlash(rel)), 0o600); err != nil {
		t.Skip(err)
	}
}
