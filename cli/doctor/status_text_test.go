package doctor

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// printed is the environment and the captured output of a run.
type printed struct {
	*place.Env
	*out.Output
}

func newPrinted(home string) printed {
	env := &place.Env{
		Home: home, Host: host.Host{Environ: []string{"HOME=" + home}}, Dir: "/",
		Now: func() time.Time { return time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC) },
	}
	return printed{env, out.New(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}, env.Host.Getenv)}
}

func TestStatusNarrow(t *testing.T) {
	t.Parallel()
	s := Status{Machine: survey.Machine{Live: []sessions.Live{{PID: 2, Status: "waiting", Cwd: "/a/" + strings.Repeat("long", 20), WaitingFor: "Bash"}}, Unknown: 3}}
	for width := range 60 {
		d := newPrinted("")
		d.Out.Width = width
		for line := range strings.Lines(statusText(d.Env, d.Output, &s, nil)) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > max(width, 14) {
				t.Fatalf("%d cells: %q", width, line)
			}
		}
	}
}

// TestStatusHere: commands are never cut.
func TestStatusHere(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s := Status{
		Machine: survey.Machine{
			Pending: []survey.PendingProject{{Path: "/a", Count: 1, Unsaved: 4}, {Path: "/b", Count: 2}, {Path: "/c", Count: 1}, {Path: "/d", Count: 1}}, Unsaved: make([]survey.Unsaved, 4),
		},
		Here: hereStatus{
			Project: filepath.Join(home, "code", "teahouse"), Branch: "main\x1b[2J", Tracked: 2,
			Hooks: []HookTrouble{{Name: "SessionEnd", State: VerdictFinding, Text: "has not fired since Nov 14, 11 sessions ended"}, {Name: "hooks", State: VerdictWarning, Text: "may be wrong"}},
		},
	}
	for width, want := range map[int]string{
		100: `! pending     5 backups in 4 projects                                         continuo backup list
△ unsaved     4 sessions ended without a backup in a               continuo backup create --missed

teahouse                                                                   ~/code/teahouse on main
✗ hooks       SessionEnd has not fired since Nov 14, 11 sessions ended       continuo doctor hooks
✗ secret      raw backups are tracked by git, 2 files                        continuo doctor hooks
`,
		80: `! pending     5 backups in 4 projects                     continuo backup list
△ unsaved     4 sessions ended without a backup in a
              continuo backup create --missed

teahouse                                               ~/code/teahouse on main
✗ hooks       SessionEnd has not fired since Nov 14, 11 sessions ended
              continuo doctor hooks
✗ secret      raw backups are tracked by git, 2 files    continuo doctor hooks
`,
		40: `! pending     5 backups in 4 projects
  continuo backup list
△ unsaved     4 sessions ended without
              a backup in a
  continuo backup create --missed

teahouse       ~/code/teahouse on main
✗ hooks       SessionEnd has not fired
              since Nov 14, 11
              sessions ended
  continuo doctor hooks
✗ secret      raw backups are tracked
              by git, 2 files
  continuo doctor hooks
`,
	} {
		d := newPrinted(home)
		d.Out.Terminal, d.Out.Width = true, width
		if got := statusText(d.Env, d.Output, &s, nil); got != want {
			t.Errorf("%d cells:\n%s\nwant\n%s", width, got, want)
		}
	}
}

// TestStatusSlowPiped: some folders didn't respond.
func TestStatusSlowPiped(t *testing.T) {
	t.Parallel()
	s := Status{Machine: survey.Machine{Unknown: 2, Blind: []string{"/p/dead"}}}
	d := newPrinted("/nowhere")
	if piped := statusRecord(d.Env, &s, nil).Tabs(); !strings.Contains(piped, "pending\t-\t-\t-\n") || !strings.Contains(piped, "unknown\t2\t2 folders did not answer; the pending backups of dead are unknown\t-\n") {
		t.Errorf("piped:\n%s", piped)
	}
}
