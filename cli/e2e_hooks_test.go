//go:build unix

package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestE2EHooks: each way to end a context leaves a backup. The next start announces it.
func TestE2EHooks(t *testing.T) {
	t.Parallel()
	w := newHookWorld(t, "continuo init --project --yes")
	first := w.begin("how is a bowline tied")
	w.startMessage("startup")
	w.end()
	one := w.backedUp(first, "prompt_input_exit", "SessionEnd", ".pending-backup")

	second := w.begin("and a sheet bend")
	w.startMessage("startup", pendingOne(one)...)
	w.text("/compact")
	w.wait(`^❯[ \x{a0}]/compact`)
	w.keys("Enter")
	w.wait(`Compacted`)
	two := w.backedUp(second, "compact", "PreCompact", ".pending-backup-compact")
	w.ready("")
	w.say("much about hitches")
	w.startMessage("compact", pendingEach("compact "+two, "exit "+one)...)

	w.say("what holds best") // the context is full, so the client compacts first
	three := w.backedUp(second, "compact", "PreCompact", ".pending-backup-compact")
	w.quiet()
	if _, err := os.Stat(two); err != nil {
		t.Error(err)
	}

	before := w.transcripts()
	w.text("/clear")
	w.wait(`^❯[ \x{a0}]/clear`)
	w.keys("Enter")
	four := w.backedUp(second, "clear", "SessionEnd", ".pending-backup-exit")
	w.gone(`what holds best`)
	w.ready("")
	w.say("which tide is it")
	third := w.newest(before)
	w.startMessage("clear", pendingEach("exit "+four, "compact "+three, "exit "+one)...)
	w.end()
	five := w.backedUp(third, "prompt_input_exit", "SessionEnd", ".pending-backup-exit")
	if got := readFile(t, w.memory(".pending-backup-exit-2")); got != four+"\n" {
		t.Errorf("the backup of before is named by %q", got)
	}
	w.staged()
	w.discarded(one, three, four, five)
	w.restored(first, one)
	w.uninstalled()
}

// TestE2EHookEnds ends sessions without /exit.
func TestE2EHookEnds(t *testing.T) {
	t.Parallel()
	w := newHookWorld(t, "continuo init --project --yes")

	before := w.transcripts()
	w.does(0, "claude -p 'how is a bowline tied'")
	one := w.backedUp(w.newest(before), "other", "SessionEnd", ".pending-backup")
	w.startMessage("startup")

	before = w.transcripts()
	w.does(0, "claude -p 'and a sheet bend'")
	two := w.backedUp(w.newest(before), "other", "SessionEnd", ".pending-backup-exit")
	w.startMessage("startup", pendingOne(one)...)

	w.window(w.code) // closing the window sends SIGHUP
	hung := w.begin("what holds best")
	w.startMessage("startup", pendingEach("exit "+two, "exit "+one)...)
	w.tmux("kill-window")
	w.wait(`^\$ *$`)
	w.backedUp(hung, "other", "SessionEnd", ".pending-backup-exit")

	w.window(w.code)
	killed := w.begin("which tide is it")
	w.eventually("the answer is on disk", func() bool { // the client writes the answer with a delay
		return strings.Contains(w.transcript(killed), heard("which tide is it"))
	})
	pids := w.writers(killed)
	if len(pids) != 1 {
		t.Fatalf("written to by %v", pids)
	}
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.wait(`Killed`)
	time.Sleep(time.Second) // time for a hook to run
	w.tmux("kill-window")   // the killed client left the terminal in raw mode
	w.wait(`^\$ *$`)
	if names := w.backups(); len(names) != len(w.had) {
		t.Errorf("backups: %v", names)
	}
	unsaved := regexp.MustCompile(`(?m)^△ +unsaved +1 session ended without a backup`)
	if output := w.does(0, "continuo status; continuo backup create --missed --yes"); !unsaved.MatchString(output) {
		t.Errorf("status printed:\n%s", output)
	}
	w.backedUp(killed, "missed", "continuo", ".pending-backup-exit")
	if output := w.does(0, "continuo status"); unsaved.MatchString(output) {
		t.Errorf("status still printed:\n%s", output)
	}
	w.quiet()
}

// TestE2EHookUser: hooks in user settings work only in projects with .claude/memory.
func TestE2EHookUser(t *testing.T) {
	t.Parallel()
	w := newHookWorld(t, "continuo init --user --yes")
	settings := filepath.Join(w.config, "settings.json")
	if text := readFile(t, filepath.Join(w.code, ".claude", "settings.json")); strings.Contains(text, "hooks") {
		t.Errorf("there are hooks in both scopes:\n%s", text)
	}
	before := w.transcripts()
	w.does(0, "claude -p 'how is a bowline tied'")
	id := w.newest(before)
	one := w.backedUp(id, "other", "SessionEnd", ".pending-backup")

	elsewhere := filepath.Join(w.home, "elsewhere")
	w.does(0, "cd ../elsewhere; claude -p 'and a sheet bend'")
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) > 0 {
		t.Errorf("made elsewhere: %v, %v", entries, err)
	}
	w.startMessage("startup")

	w.does(0, "cd ../code; claude -p 'what holds best'")
	w.startMessage("startup", pendingOne(one)...)

	if screen := w.does(1, "continuo init --project --yes"); !strings.Contains(screen, "~/.claude/settings.json") {
		t.Errorf("the first scope is not named:\n%s", screen)
	}
	w.run("continuo doctor hooks; echo code $?")
	w.wait(`^✓ SessionEnd`)
	w.wait(`^code 0$`)
	w.does(0, "continuo uninstall --user --yes")
	if _, err := os.Stat(settings); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("settings that were not there before: %v", err)
	}
}
