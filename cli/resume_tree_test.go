//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/resume"
)

// removedTree creates a worktree for the session, and deletes it. Its branch is "slots".
func (w *saveWorld) removedTree(folder string) {
	w.t.Helper()
	w.git("worktree", "add", "-q", "--no-checkout", "-b", "slots", folder)
	if err := os.RemoveAll(folder); err != nil {
		w.t.Fatal(err)
	}
	w.row.Dir, w.row.Workdir, w.row.Project, w.row.Branch = filepath.Join(w.home, ".claude"), folder, folder, "slots"
}

func (w *saveWorld) recreate() error {
	w.t.Helper()
	conf, err := place.LoadConfig(w.d.Env)
	if err != nil {
		w.t.Fatal(err)
	}
	claude := func() resume.Claude {
		return resume.Claude{Path: "/bin/claude", Name: "claude", Version: "2.1.329"}
	}
	f, err := launch.ResumeFacts(w.t.Context(), w.d.Env, launch.Starter{Conf: conf, Claude: claude}, w.row, resume.Ask{})
	if err != nil {
		w.t.Fatal(err)
	}
	plan := resume.PlanSession(f, resume.Ask{Make: true, Other: true, Known: true})
	if plan.Launch == nil || !slices.Contains(plan.Launch.Make, "worktree") {
		w.t.Fatalf("no worktree is made: %+v, %+v", plan, f.Tree)
	}
	return launch.MakeFolder(w.t.Context(), w.d.Env, plan.Launch)
}

// TestRecreateRunsNothing: the config of the repository names programs. None may run.
func TestRecreateRunsNothing(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	ran := w.trap()
	program := func(name string) string { return "touch '" + filepath.Join(ran, name) + "'; cat" }
	w.git("add", ".gitattributes")
	w.git("commit", "-q", "-m", "two")
	folder := filepath.Join(w.home, "teahouse-slots")
	w.removedTree(folder)
	w.git("config", "filter.evil.smudge", program("smudge"))
	w.git("config", "include.path", filepath.Join(w.home, "included")) // an include that applies only in the worktree
	w.write(filepath.Join(w.home, "included"), "[includeIf \"onbranch:slots\"]\n\tpath = slots\n")
	w.write(filepath.Join(w.home, "slots"), "[filter \"late\"]\n\tsmudge = \""+program("late")+"\"\n")
	w.write(filepath.Join(w.project, ".git", "info", "attributes"), ".gitattributes filter=late\n")
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction"} {
		path := filepath.Join(w.project, ".git", "hooks", hook)
		w.write(path, "#!/bin/sh\ntouch '"+filepath.Join(ran, hook)+"'\n")
		if err := os.Chmod(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range has(t, ran) {
		if err := os.Remove(filepath.Join(ran, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.recreate(); err != nil {
		t.Fatal(err)
	}
	if names := has(t, ran); names != nil {
		t.Errorf("%q were run", names)
	}
	if text := readFile(t, filepath.Join(folder, "a.txt")); text != "a" {
		t.Errorf("a.txt is %q", text)
	}
	if got := git(t, folder, "-c", "core.hooksPath=/dev/null", "branch", "--show-current"); got != "slots" {
		t.Errorf("the branch is %q", got)
	}
	for _, name := range []string{"a.txt", ".gitattributes"} {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	w.git("-C", folder, "checkout-index", "-a")
	w.git("-C", folder, "checkout", "-q", "--detach")
	for _, name := range []string{"smudge", "late", "post-checkout", "reference-transaction"} {
		if !slices.Contains(has(t, ran), name) {
			t.Errorf("the trap has no %s", name)
		}
	}
}

// TestRecreateUnsure: no worktree is created if its filters can't be disabled.
func TestRecreateUnsure(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	ran := w.trap()
	folder := filepath.Join(w.home, "teahouse-slots")
	w.removedTree(folder)
	w.git("config", "filter.a=b.smudge", "touch '"+filepath.Join(ran, "equals")+"'")
	w.write(filepath.Join(w.project, ".git", "info", "attributes"), "*.txt filter=a=b\n")
	before := has(t, ran)
	if err := w.recreate(); err == nil || !slices.Equal(has(t, ran), before) {
		t.Errorf("%v, %q were run", err, has(t, ran))
	}
	if _, err := os.Lstat(folder); err == nil {
		t.Error("the folder is there")
	}
}

// TestRecreateUnsureLate: the filter is found after the worktree was created. A worktree without files must not
// stay: a commit there deletes all files.
func TestRecreateUnsureLate(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	w.trap()
	folder := filepath.Join(w.home, "teahouse-slots")
	w.removedTree(folder)
	w.git("config", "include.path", filepath.Join(w.home, "included"))
	w.write(filepath.Join(w.home, "included"), "[includeIf \"onbranch:slots\"]\n\tpath = slots\n")
	w.write(filepath.Join(w.home, "slots"), "[filter \"a=b\"]\n\tsmudge = cat\n")
	if err := w.recreate(); err == nil {
		t.Error("it was made")
	}
	if _, err := os.Lstat(folder); err == nil {
		t.Error("the folder is there")
	}
	if list := git(t, w.project, "worktree", "list"); strings.Contains(list, "slots") {
		t.Errorf("git lists it: %s", list)
	}
}

// TestRemovedTreeAlone: the main worktree has no session.
func TestRemovedTreeAlone(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]struct{ tree, workdir string }{
		"beside the main worktree": {"hotfix", "hotfix"},
		"a folder in the worktree": {"hotfix", "hotfix/src/deep"},
		"in a folder of worktrees": {"trees/hotfix", "trees/hotfix"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSaveWorld(t)
			w.git("init", "-q", "-b", "main")
			w.git("commit", "-q", "--allow-empty", "-m", "one")
			w.removedTree(filepath.Join(w.home, at.tree))
			folder := filepath.Join(w.home, at.workdir)
			w.row.Workdir, w.row.Project = folder, folder
			main, tree := launch.LostFolder(t.Context(), w.d.Env, &w.row, folder)
			if main != w.project || !tree.Removed {
				t.Errorf("main %q, %+v", main, tree)
			}
		})
	}
}

// TestRemovedTreeLatest: git still lists the removed worktree.
func TestRemovedTreeLatest(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	w.git("init", "-q", "-b", "main")
	w.git("commit", "-q", "--allow-empty", "-m", "one")
	folder := filepath.Join(w.home, "trees", "hotfix")
	w.removedTree(folder)
	w.write(w.row.Path, strings.ReplaceAll(readFile(t, w.row.Path), w.project, folder))
	row, _, err := find.Session(t.Context(), w.d.Env, find.SessionArg{Latest: true})
	if err != nil || row.Workdir != folder || row.Project != w.project {
		t.Errorf("%q of %q, %v", row.Workdir, row.Project, err)
	}
}
