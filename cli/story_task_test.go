//go:build unix

package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger/task"
)

// TestStoryTask follows a task from a failing health check to its end.
func TestStoryTask(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	d := newResumeWorld(t, 120, 36, func(home string) {
		tell(t, home, harbour())
		putFile(t, filepath.Join(harbour().workdir(home), "package.json"), `{"scripts":{"test:smoke":"test -f mended || { echo the lamp is out; exit 3; }"}}`)
		putFile(t, filepath.Join(harbour().workdir(home), ".git", "HEAD"), "1111111111111111111111111111111111111111\n")
	})
	folder := filepath.Join(d.code, "harbour")
	ran := 0
	runs := func(code int, command string, says ...string) {
		t.Helper()
		ran++
		d.text(fmt.Sprintf("clear; %s; echo ran %d $?", command, ran))
		d.keys("Enter")
		screen := d.wait(fmt.Sprintf(`^ran %d \d+$`, ran))
		for _, text := range append(says, fmt.Sprintf("\nran %d %d\n", ran, code)) {
			if !strings.Contains(screen, text) {
				t.Errorf("%s doesn't say %q:\n%s", command, text, screen)
			}
		}
		d.wait(`^\$ *$`)
	}
	const later = "TEST_NOW=2026-11-21T16:10:00Z "
	d.live(`"busy"`)
	client, _ := d.elsewhere(harbour())
	eventually(t, "the client is live", func() bool { return len(d.registry()) > 1 })
	d.text("cd " + folder + "; CLAUDE_CODE_SESSION_ID=" + harbour().id() + " continuo task start --task lamps --goal 'Light the lamps' --health")
	d.keys("Enter")
	for _, step := range []string{`^1 Log +△ implementation-log.md`, `^2 Status +✓ a new task`, `^3 History +△ no commits`, `^4 Health +from scripts`, `^5 Goal +✓ Light the lamps`, `\[y/N\]`} {
		d.wait(step)
	}
	d.keys("y", "Enter")
	d.wait(`Health check: fail`)
	d.wait(`the lamp is out`)
	d.wait(`^\$ *$`)
	runs(1, "continuo task checkpoint --event gate_transition --gate G1 --yes", "no checkpoint at a higher gate")
	runs(0, "touch mended; continuo task health --health --yes", "Health check: pass")
	runs(0, "continuo task checkpoint --event gate_transition --gate G1 --yes", "Checkpoint created: ckpt-2026-11-21-003")
	runs(0, `continuo task checkpoint --event file_change --from '{"summary":"Two lamps burn","next_steps":["The third lamp"]}' --yes`, "ckpt-2026-11-21-004")

	runs(0, later+"continuo task reap --yes", "Nothing to do") // a client has the session open
	if err := syscall.Kill(client.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	runs(0, later+"continuo task reap --yes", "was interrupted: it is suspended")
	runs(0, later+"continuo task reap --yes", "Nothing to do")
	runs(0, "continuo task verify", "1 task with 5 checkpoints verified")

	d.start(later + "continuo")
	d.wait(`Tasks 1`)
	d.keys("P")
	d.wait(`1 task to resume`)
	d.keys("l")
	d.wait(`▌ △ 1 task to resume`)
	d.keys("Enter")
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		d.resize(size[0], size[1])
		d.wait(`^▌ △ lamps +G1`)
		d.keys("Enter")
		d.wait(`lamps +chain of 5 verifies ✓`)
		d.wait(`▌ △ .*interrupted +Found by reap`)
		d.keys("V")
		d.wait(`Verified 1 session and 5 checkpoints of lamps\.`)
		d.fits("the checkpoints", size[0], size[1])
		d.keys("Escape")
	}
	d.wait(`^▌ △ lamps +G1`)
	d.keys("r")
	d.back()
	names := d.runs()
	if len(names) != 1 {
		t.Fatalf("%d clients were started", len(names))
	}
	d.seen[names[0]] = true
	if text := readFile(t, filepath.Join(d.dir, "runs", names[0])); !strings.Contains(text, "continuo task start --task lamps") || !strings.Contains(text, `"ckpt-2026-11-21-005"`) {
		t.Errorf("the client got %q", text)
	}
	d.leave(everything(d.home)...)

	runs(0, later+"continuo task start --yes", "Session start:", "\nckpt-2026-11-21-005\n")
	runs(0, later+"continuo task end --outcome partial --yes", "outcome=partial")
	runs(0, "continuo task verify", "1 task with 6 checkpoints verified")
	one, err := task.Read(t.Context(), folder, "lamps")
	if err != nil || len(one.Sessions) != 2 || one.Newest().State != task.Complete || one.Newest().Parent != one.Sessions[0].ID {
		t.Errorf("%+v %v", one, err)
	}
}
