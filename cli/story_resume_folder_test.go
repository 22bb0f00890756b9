//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

// git runs git without the user's config, and returns its output.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=ada", "-c", "user.email=ada@localhost"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repository creates a repository with one commit on main.
func repository(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	putFile(t, filepath.Join(dir, "bell.txt"), "ding\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "one")
}

func TestStoryFolderGone(t *testing.T) {
	t.Parallel()
	in, alone := past{n: 1, name: "Tune the harbour bell", folder: "harbour/bell", gone: true}, past{n: 2, name: "Count the lamps", folder: "pier", gone: true}
	d := newResumeWorld(t, 120, 30, func(home string) {
		tell(t, home, in, alone, past{n: 3, name: "Paint the gates", folder: "quay"})
		repository(t, filepath.Join(home, "code", "harbour"))
	})
	says := []string{
		"The folder ~/code/harbour/bell is gone.", "The session was started in this folder and used its files.", "m Main folder", "start in ~/code/harbour",
		"claude --resume 5e550000", "d Another folder", "c Recreate", "create an empty folder and start there", "mkdir -p ~/code/harbour/bell && claude --resume 5e550000", "Nothing has run yet.",
	}
	d.browse("Tune", 3)
	d.keys("r")
	d.panel(says...)
	d.offers("mdc")
	d.keys("m")
	d.back()
	d.ran(filepath.Join(d.code, "harbour"), "--resume", in.id())
	d.keys("f")
	d.panel(append([]string{"Fork", "Tune the harbour bell"}, says[0])...)
	d.keys("d")
	d.wait(`─ Another folder ─`)
	d.text("~/code/quay")
	d.wait(`❯ ~/code/quay +│`)
	d.keys("Enter")
	d.back()
	d.ran(filepath.Join(d.code, "quay"), "--resume", in.id(), "--fork-session")
	d.keys("r")
	d.panel(says...)
	d.keys("c")
	d.back()
	d.ran(filepath.Join(d.code, "harbour", "bell"), "--resume", in.id())
	d.pick("Count")
	d.keys("r")
	d.panel("The folder ~/code/pier is gone.", "d Another folder", "c Recreate")
	d.offers("dc")
	d.keys("Escape")
	d.gone(`─ Resume ─`)
	d.leave(filepath.Join(d.code, "harbour", "bell"))

	made := []string{filepath.Join(d.code, "harbour", "bell"), filepath.Join(d.code, "pier")}
	d.start("continuo resume " + alone.id() + " </dev/null")
	d.wait(`^✗ The folder ~/code/pier is gone\.`)
	d.wait(`^  hint  continuo resume ` + alone.id() + ` --make +create an empty folder and start there`)
	d.wait(`^  hint  continuo resume ` + alone.id() + ` --folder PATH +choose a folder`)
	d.ended(out.ExitNo, made[0])
	d.start("continuo resume " + alone.id() + " --make --dry-run")
	d.wait(`^mkdir -p \S+/code/pier && cd `)
	d.ended(out.ExitDone, made[0])
	d.start("continuo resume " + alone.id() + " --make")
	d.started()
	d.ran(made[1], "--resume", alone.id())
	d.keys("Enter")
	d.ended(out.ExitDone, made...)
}

func TestStoryWorktree(t *testing.T) {
	t.Parallel()
	tree := func(n int, name string) past {
		return past{n: n, name: name + " the slots", folder: "harbour/.claude/worktrees/" + strings.ToLower(name), branch: strings.ToLower(name), gone: true}
	}
	count, paint, lost := tree(1, "Count"), tree(2, "Paint"), tree(3, "Lose")
	d := newResumeWorld(t, 120, 30, func(home string) {
		tell(t, home, count, paint, lost)
		repository(t, filepath.Join(home, "code", "harbour"))
		for _, k := range []past{count, paint} {
			git(t, filepath.Join(home, "code", "harbour"), "worktree", "add", "-q", "-b", k.branch, k.workdir(home))
		}
		git(t, filepath.Join(home, "code", "harbour"), "worktree", "remove", count.workdir(home))
		if err := os.RemoveAll(paint.workdir(home)); err != nil {
			t.Fatal(err)
		}
	})
	main := filepath.Join(d.code, "harbour")
	d.browse("Count", 3)
	d.keys("r")
	d.panel("The worktree ~/code/harbour/.claude/worktrees/count was removed.", "Its branch count is still there.", "m Main worktree", "start in ~/code/harbour",
		"d Another folder", "c Recreate", "create it again from its branch",
		"git -C ~/code/harbour worktree add -- ~/code/harbour/.claude/worktrees/count count && claude --resume 5e550000")
	d.offers("mdc")
	d.keys("m")
	d.back()
	d.ran(main, "--resume", count.id())
	d.keys("r")
	d.panel("The worktree ~/code/harbour/.claude/worktrees/count was removed.")
	d.keys("c")
	d.back()
	d.ran(count.workdir(d.home), "--resume", count.id())
	if got := git(t, count.workdir(d.home), "branch", "--show-current"); got != "count" || readFile(t, filepath.Join(count.workdir(d.home), "bell.txt")) != "ding\n" {
		t.Errorf("in the worktree there is %q", got)
	}
	d.pick("Paint")
	d.keys("r")
	d.panel("The worktree ~/code/harbour/.claude/worktrees/paint was removed.", "git -C ~/code/harbour worktree add -f -- ~/code/harbour/.claude/worktrees/paint paint")
	d.keys("c")
	d.back()
	d.ran(paint.workdir(d.home), "--resume", paint.id())
	if got := git(t, paint.workdir(d.home), "branch", "--show-current"); got != "paint" {
		t.Errorf("in the worktree there is %q", got)
	}
	d.pick("Lose") // its branch is gone too
	d.keys("r")
	d.panel("The worktree ~/code/harbour/.claude/worktrees/lose was removed.", "mkdir -p ~/code/harbour/.claude/worktrees/lose")
	if now := d.look(); strings.Contains(now, "branch") && strings.Contains(now, "git -C") {
		t.Errorf("a branch that is gone is offered:\n%s", now)
	}
	d.keys("Escape")
	d.gone(`─ Resume ─`)
	wrote := append(everything(filepath.Join(main, ".git"), filepath.Join(main, ".claude")), filepath.Join(main, ".git"))
	d.leave(wrote...)
}

func TestStoryFolderWrong(t *testing.T) {
	t.Parallel()
	list := []past{
		{n: 1, name: "File", folder: "file", gone: true},
		{n: 2, name: "Loop", folder: "loop", gone: true},
		{n: 3, name: "Denied", folder: "denied/harbour"},
		{n: 4, name: "Relative", folder: `!C:\code\harbour`, gone: true},
		{n: 5, name: "Unknown", folder: "!", gone: true, project: "-nowhere"},
		{n: 6, name: "There", folder: "quay"},
	}
	d := newResumeWorld(t, 120, 30, func(home string) {
		tell(t, home, list...)
		putFile(t, filepath.Join(home, "code", "file"), "")
		if err := os.Symlink("loop", filepath.Join(home, "code", "loop")); err != nil {
			t.Fatal(err)
		}
	})
	denied := filepath.Join(d.code, "denied")
	says := map[string]string{
		"File": "~/code/file isn't a folder.", "Loop": "The folder ~/code/loop doesn't respond.", "Denied": "The folder ~/code/denied/harbour cannot be opened.",
		"Relative": `The folder of this session is C:\code\harbour.`, "Unknown": "The transcript doesn't name the folder of the session.",
	}
	if os.Getuid() == 0 {
		delete(says, "Denied") // root may enter every folder
	}
	d.browse("File", len(list))
	for _, k := range list {
		if says[k.name] == "" {
			continue
		}
		d.pick(k.name)
		if k.name == "Denied" {
			if err := os.Chmod(denied, 0); err != nil {
				t.Fatal(err)
			}
		}
		d.keys("r")
		d.panel(says[k.name], "d Another folder", "Nothing has run yet.")
		d.offers("d")
		d.keys("Enter")
		d.wait(`─ Another folder ─`)
		d.text("~/code/quay")
		d.wait(`❯ ~/code/quay +│`)
		d.keys("Enter")
		d.back()
		d.ran(filepath.Join(d.code, "quay"), "--resume", k.id())
		if k.name == "Denied" {
			if err := os.Chmod(denied, 0o700); err != nil { //nolint:gosec // as it was
				t.Fatal(err)
			}
		}
	}
	d.leave()
}

// TestStoryFolderName: the folder's name has special characters of the shell and of tmux. No part of it may be
// run.
func TestStoryFolderName(t *testing.T) {
	t.Parallel()
	k := past{n: 1, name: "Tune the harbour bell", folder: "it's a \"bell\" $(touch x) `touch x` #(touch x) #{pane_id} #S %H; touch x;"}
	d := newResumeWorld(t, 100, 30, func(home string) { tell(t, home, k) })
	looker, folder := d.sit(), k.workdir(d.home)
	d.browse("Tune", 1)
	for _, place := range []struct{ letter, name string }{{"h", "here"}, {"w", "window"}, {"s", "split"}, {"p", "popup"}} {
		d.keys("w")
		d.wait(`─ Resume in ─`)
		d.keys(place.letter)
		d.opened(place.name, `^ continuo`, looker)
		d.ran(folder, "--resume", k.id())
	}
	d.leave()
	d.start("continuo resume --dry-run " + k.id() + " >" + d.dir + "/line; sh " + d.dir + "/line") // the printed line must work in a shell
	d.started()
	d.ran(folder, "--resume", k.id())
	d.keys("Enter")
	d.ended(out.ExitDone)
	if found, err := filepath.Glob("x"); err != nil || len(found) > 0 { // the tmux server's current directory
		t.Errorf("something was run: %v, %v", found, err)
	}
}
