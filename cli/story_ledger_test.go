//go:build unix

package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// lampNotes is a NOTES.md with two broken references: one has moved, one has no file.
const lampNotes = "# Agent Working Memory (NOTES.md)\n\n" +
	"## Active Sub-Goals\n\n- [ ] Trim the wick\n\n" +
	"## Session Continuity\n\n### Active Context\n- **Current Bead**: lamp-3 (one wick for every lamp)\n" +
	"- **Last Checkpoint**: 2026-11-21T08:00:00Z\n- **Reasoning State**: The burner holds the flame now, the chimney is next.\n\n" +
	"### Lightweight Identifiers\n| Identifier | Purpose | Last Verified |\n|---|---|---|\n" +
	"| ${PROJECT_ROOT}/burner.go:3 | The flame | 08:00:00Z |\n| ${PROJECT_ROOT}/gone.go:7 | The old burner | 08:00:00Z |\n\n" +
	"### Pending Questions\n- [ ] Does the chimney need a shade?\n\n" +
	"## Decision Log\n\n" +
	"#### 2026-11-20T10:00:00Z - One wick for every lamp\n**Decision**: All lamps burn the same wick.\n**Rationale**: Three wicks were kept in stock for nothing.\n" +
	"**Evidence**:\n- `const Wick = 12` [${PROJECT_ROOT}/burner.go:1]\n\n" +
	"#### 2026-11-18T10:00:00Z - The chimney is glass\n**Decision**: No mica.\n**Rationale**: Mica goes blind in a winter.\n**Evidence**:\n- `var Chimney = \"glass\"` [${PROJECT_ROOT}/burner.go:5]\n\n" +
	"#### 2026-11-12T10:00:00Z - Oil comes in tins\n**Decision**: Tins of two litres.\n**Rationale**: A barrel leaks.\n"

func lamplight(t *testing.T, home string) (project string) {
	t.Helper()
	oil := past{n: 1, name: "Trim the lamps", folder: "lamplight", turns: 2}
	tell(t, home, oil)
	project = oil.workdir(home)
	putFile(t, filepath.Join(project, "grimoires", "loa", "NOTES.md"), lampNotes)
	putFile(t, filepath.Join(project, "burner.go"), "package lamp\n\nconst Wick = 12\n\nvar Chimney = \"glass\"\n")
	if err := os.MkdirAll(filepath.Join(project, ".claude", "memory"), 0o700); err != nil {
		t.Fatal(err)
	}
	m, err := backup.OpenMemory(project)
	if err == nil {
		err = errors.Join(m.Guard(), m.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return project
}

// TestStoryLedger reads a ledger after /clear, copies level 1, searches, and stages the result.
func TestStoryLedger(t *testing.T) {
	t.Parallel()
	var project string
	d := newResumeWorld(t, 120, 36, func(home string) { project = lamplight(t, home) })
	d.tmux("set-option", "-s", "set-clipboard", "on") // makes tmux accept OSC 52 from programs
	run := func(at time.Time, stdin string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), filepath.Join(d.program, "continuo"), args...)
		cmd.Dir = project
		cmd.Env = []string{
			"HOME=" + d.home, "PATH=" + d.paths, "TZ=UTC", "CLAUDE_PROJECT_DIR=" + project, "TEST_NOW=" + at.Format(time.RFC3339), "GORACE=atexit_sleep_ms=0",
			"XDG_STATE_HOME=" + filepath.Join(d.home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(d.home, "config"), "XDG_CACHE_HOME=" + filepath.Join(d.home, "cache"),
		}
		cmd.Stdin = strings.NewReader(stdin)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s%s", args, err, out, stderr.Bytes())
		}
		return string(out)
	}
	run(now(), "", "init", "--project", "--yes")
	d.browse("Trim", 1)
	x := &homeFiles{t: t, home: d.home, files: contents(t, d.home)}

	d.wait(`^ continuo .* Ledger`)
	d.keys("Tab")
	d.wait(`No backups`)
	d.keys("Tab")
	d.wait(`Standalone`)
	d.keys("Tab")
	d.wait(`^ +NOTES\.md`)
	d.wait(`One wick for every lamp`)
	seen := d.wait(`burner\.go:1 .*moved to :3`)
	if first, second := strings.Index(seen, "One wick"), strings.Index(seen, "The chimney is glass"); first > second {
		t.Errorf("the older decision comes first:\n%s", seen)
	}
	d.wait(`✓ burner\.go:5 .*quote found`)
	d.wait(`\? Does the chimney need a shade\?`)
	d.wait(`✗ 1 of 4 code references is broken`)
	x.is("the ledger is read")

	d.keys("1")
	d.panel("Recover", "Where I was", "of 200 tokens")
	d.panel("the chimney is next")
	d.keys("y")
	d.panel("Copied level 1")
	copied := d.tmux("show-buffer")
	if !strings.Contains(copied, "The burner holds the flame now, the chimney is next.") || !strings.Contains(copied, "One wick for every lamp") {
		t.Errorf("copied:\n%s", copied)
	}
	if n := len([]rune(copied)); n > 800 {
		t.Errorf("level 1 has %d runes", n)
	}
	x.is("level 1 is copied")

	d.keys("2")
	d.panel("This topic", "of 500 tokens")
	d.keys("/")
	d.keys("C-u")
	d.text("glass chimney")
	d.wait(`about +glass chimney`)
	d.keys("Enter")
	d.panel("about", "glass chimney", "Decisions", "1 of 3", "The chimney is glass")
	d.keys("S")
	d.panel("Stage", ".staged-recovery", "Nothing has changed yet.")
	x.is("the plan is shown")
	d.keys("Enter")
	staged := filepath.Join(project, ".claude", "memory", ".staged-recovery")
	eventually(t, "staged", func() bool { _, err := os.Stat(staged); return err == nil })
	if info, err := os.Stat(staged); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if text := readFile(t, filepath.Join(project, ".claude", "memory", ".gitignore")); !strings.Contains(text, ".staged-recovery") {
		t.Errorf(".gitignore is\n%s", text)
	}
	d.wait(`^ Staged\. The next session that starts in lamplight prints it once`)
	d.before = contents(t, d.home)
	d.keys("q")
	d.ended(out.ExitDone)
	eventually(t, "status reports the staged recovery", func() bool { // a folder may respond too late
		output := run(now(), "", "status")
		return strings.Contains(output, "a recovery of about") || strings.Contains(output, "A recovery of about")
	})

	hook := func() string {
		return run(now().Add(time.Hour),
			`{"session_id":"5e550000-0000-4000-8000-0000000000ff","cwd":"`+project+`","hook_event_name":"SessionStart","source":"clear"}`, "hook", "session-start")
	}
	if first := hook(); !strings.Contains(first, "The chimney is glass") || !strings.HasPrefix(first, "STAGED_RECOVERY: ") {
		t.Errorf("the start says %q", first)
	}
	if _, err := os.Stat(staged); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
	if second := hook(); second != "" {
		t.Errorf("the next start says %q", second)
	}
}
