package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
)

const beadsSample = `{"id":"tea-29","title":"Cache menus","status":"closed","priority":2,"updated_at":"2026-11-03T12:00:00Z","closed_at":"2026-11-03T12:00:00Z"}
{"id":"tea-37","title":"Take the day constant out of src/auth, wherever it is that it has been copied to since","status":"open","priority":2,"updated_at":"2026-11-12T09:00:00Z","dependencies":[{"depends_on_id":"tea-41","type":"blocks"},{"depends_on_id":"tea-29","type":"related"},{"depends_on_id":"gone","type":"related"}]}
{"id":"tea-38","title":"Tell the runbook","status":"open","priority":3,"updated_at":"2026-11-12T09:05:00Z"}
{"id":"tea-41","title":"One check \u001b]0;x\u0007for all","description":"Why:\n\n- it \u001b[31mdiffers\r\nover there","status":"in_progress","priority":1,"issue_type":"task","assignee":"ada","updated_at":"2026-11-20T18:40:00Z","comments":[{"id":1,"author":"ada","text":"DECISION: Leeway is 30 s\nRationale: Hosts drift\nEvidence: ${PROJECT_ROOT}/src/clock.go:12 ` + "`const Leeway = 30`" + `","created_at":"2026-11-20T18:30:00Z"},{"id":2,"author":"bo","text":"Looks good","created_at":"2026-11-20T18:35:00Z"}]}
`

func TestBeadsInTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".beads"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".beads", "issues.jsonl"), []byte(beadsSample), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(width int, args ...string) string {
		code, stdout, stderr := testRun{
			terminal: true, width: width, args: append([]string{"beads", "--project", dir}, args...), env: []string{"HOME=" + t.TempDir(), "NO_COLOR=1"},
		}.do(t)
		if code != out.ExitDone {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		return ansi.Strip(stdout)
	}
	const list = `In progress 1
· One check for all                               ada  P1  21h  tea-41

Ready 1
· Tell the runbook                                     P3   9d  tea-38

Blocked 1
△ Take the day constant out of src…  waits for tea-41  P2   9d  tea-37

3 open, 1 closed. --all shows them. continuo beads ID shows one bead.
`
	if got := run(72); got != list {
		t.Errorf("the list is\n%s, want\n%s", got, list)
	}
	const one = `One check for all                                               tea-41
in progress, P1, task, of ada, changed Yesterday 18:40

Why:

- it differs
over there

Needed by 1
· tea-37  Take the day constant out of src/auth, wherev…  blocks, open

Decisions 1
· Leeway is 30 s                                       Yesterday 18:30
  Hosts drift
  ${PROJECT_ROOT}/src/clock.go:12
    const Leeway = 30

Comments 1
· bo                                                   Yesterday 18:35
  Looks good
`
	if got := run(72, "tea-41"); got != one {
		t.Errorf("the bead is\n%s, want\n%s", got, one)
	}
	if got := run(72, "tea-37"); !strings.Contains(got, "\nDepends on 3\n△ tea-41  One check for all") || !strings.Contains(got, "\n✓ tea-29  Cache menus") ||
		!strings.Contains(got, "\n· gone    not here") {
		t.Errorf("the bead is\n%s", got)
	}
	for _, width := range []int{1, 5, 20, 40, 80, 200} {
		for _, args := range [][]string{nil, {"--all"}, {"tea-41"}, {"tea-37"}, {"--check"}} {
			for line := range strings.Lines(run(width, args...)) {
				if line = strings.TrimSuffix(line, "\n"); ansi.StringWidth(line) > max(width, 20) || strings.HasSuffix(line, " ") || strings.ContainsAny(line, "\x1b\r\a") {
					t.Errorf("%d cells, %v: %q", width, args, line)
				}
			}
		}
	}
}
