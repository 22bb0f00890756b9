//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mendingEditor is an editor that corrects one identifier in the file it is given, and writes down where it was opened.
const mendingEditor = `#!/bin/sh
echo "$@" >>'%s'
for file; do :; done
sed 's#/mica.go:5\]#/burner.go:5]#' "$file" >"$file.new" && cat "$file.new" >"$file" && rm "$file.new"
echo the editor runs
read answer
`

// backedNotes are those of lamplight with evidence for each decision.
func backedNotes() string {
	return lampNotes + "**Evidence**:\n- `package lamp` [${PROJECT_ROOT}/burner.go:1]\n"
}

// gatedLamplight is lamplight with a strict gate that decisions can keep shut, and a trajectory of the day. One decision
// rests on a file that is gone.
func gatedLamplight(t *testing.T, home string) (project, trajectory string) {
	t.Helper()
	project = lamplight(t, home)
	grimoire := filepath.Join(project, "grimoires", "loa")
	putFile(t, filepath.Join(grimoire, "NOTES.md"), strings.Replace(backedNotes(), "burner.go:5]", "mica.go:5]", 1))
	putFile(t, filepath.Join(project, ".loa.config.yaml"), "grounding:\n  enforcement: strict\ngate:\n  block: [3]\n")
	trajectory = filepath.Join(grimoire, "a2a", "trajectory", "implementing-tasks-"+now().Format(time.DateOnly)+".jsonl")
	var claims strings.Builder
	for i := range 20 {
		fmt.Fprintf(&claims, `{"ts":%q,"agent":"implementing-tasks","phase":"cite","claim":"The wick is %d","grounding":"code_reference"}`+"\n",
			now().Add(-time.Hour).Format(time.RFC3339), i)
	}
	putFile(t, trajectory, claims.String())
	return project, trajectory
}

// TestStoryGate: before /clear someone has the gate look. It is not passed: a decision rests on a file that is gone. They mend
// that in their editor, the gate is passed, and the handoff goes into the trajectory. After the /clear the new session goes
// on where the old one was.
func TestStoryGate(t *testing.T) {
	t.Parallel()
	var project, trajectory string
	d := newDesk(t, 120, 36, func(home string) { project, trajectory = gatedLamplight(t, home) }, "EDITOR=mend")
	edited := filepath.Join(d.dir, "edited")
	putProgram(t, filepath.Join(d.dir, "bin", "mend"), fmt.Sprintf(mendingEditor, edited))
	runAt(t, d, project, "", "init", "--project", "--yes")
	d.browse("Trim", 1)
	x := &homeFiles{t: t, home: d.home, files: contents(t, d.home)}

	// The gate, run from the keyboard: it is not passed, and nothing is written.
	d.keys("c")
	d.panel("Checkpoint", "Gate", "before /compact", "Full gate", "before /clear", "Backup", "Document", "Writes nothing.")
	d.keys("G")
	d.wait(`^ {4}Gate +full, 7 steps, strict`)
	d.wait(`✓ 1 +Grounding +1\.00 \(needs 0\.95\)`)
	d.wait(`^▌ ✗ 3 +Decision log`)
	d.wait(`✗ mica\.go:5 .*file is gone`)
	d.wait(`✗ Failed\. .*1 decision points to missing code\. Fix it before /clear\. .*exit 1`)
	d.keys("c")
	d.wait(`^ c write the handoff: gate failed`)
	x.is("the gate is run")

	// The evidence is mended in the editor; the gate is run again when that has ended.
	d.keys("e")
	d.wait(`^the editor runs`)
	if got := readFile(t, edited); !strings.Contains(got, "NOTES.md") {
		t.Errorf("the editor got %q", got)
	}
	d.keys("Enter")
	d.wait(`✓ 3 +Decision log`)
	d.wait(`Passed\. .*Nothing was written\. +exit 0`)
	notes := filepath.Join(project, "grimoires", "loa", "NOTES.md")
	if got := readFile(t, notes); got != backedNotes() {
		t.Errorf("NOTES.md is\n%s", got)
	}
	x.files = contents(t, d.home)

	// The handoff: its plan, then a line in the trajectory, and nothing else.
	was := readFile(t, trajectory)
	d.keys("c")
	d.panel("Write the handoff", "Touched", "2 lines at the end of implementing-tasks", "Nothing has changed yet.")
	x.is("the plan of the handoff is shown")
	d.keys("Enter")
	eventually(t, "handed off", func() bool { return strings.Contains(readFile(t, trajectory), `"phase":"session_handoff"`) })
	logged, ok := strings.CutPrefix(readFile(t, trajectory), was)
	if !ok || !strings.Contains(logged, `"phase":"grounding_check"`) || !strings.HasSuffix(logged, "\n") {
		t.Errorf("the trajectory has, behind what it had, %q", logged)
	}
	if got := readFile(t, notes); got != backedNotes() {
		t.Errorf("the handoff wrote NOTES.md:\n%s", got)
	}
	d.keys("Escape")
	d.wait(` 1 of 1$`)

	goOnAfterClear(t, d, project)
	if _, err := os.Stat(filepath.Join(project, ".beads")); !os.IsNotExist(err) {
		t.Errorf("there are beads: %v", err)
	}
}

// goOnAfterClear: the session is cleared, and the new one has where the old one was: level 1.
func goOnAfterClear(t *testing.T, d *desk, project string) {
	t.Helper()
	runAt(t, d, project, `{"session_id":"5e550000-0000-4000-8000-0000000000ff","cwd":"`+project+`","hook_event_name":"SessionStart","source":"clear"}`, "hook", "session-start")
	d.keys("c")
	d.panel("Checkpoint")
	d.wait(`Gate .*/compact +passed just now`)
	d.wait(`Full gate .*/clear +passed just now`)
	d.keys("Escape")
	d.gone(`Checkpoint`)
	d.keys("1")
	d.panel("Recover", "Where I was", "of 100 tokens")
	d.panel("the chimney is next")
	d.keys("Enter")
	eventually(t, "started the client", func() bool { return len(d.runs()) == 1 })
	name := d.runs()[0]
	d.seen[name] = true
	if got := readFile(t, filepath.Join(d.dir, "runs", name)); !strings.Contains(got, "The burner holds the flame now, the chimney is next.") {
		t.Errorf("the new session begins with %q", got)
	}
	d.back()
	d.before = contents(t, d.home)
	d.leave()
}

// runAt runs a command of continuo in a project, beside the browser.
func runAt(t *testing.T, d *desk, project, stdin string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(d.program, "continuo"), args...)
	cmd.Dir = project
	cmd.Env = []string{
		"HOME=" + d.home, "PATH=" + d.paths, "TZ=UTC", "CLAUDE_PROJECT_DIR=" + project, "TEST_NOW=" + now().Add(time.Hour).Format(time.RFC3339),
		"XDG_STATE_HOME=" + filepath.Join(d.home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(d.home, "config"), "XDG_CACHE_HOME=" + filepath.Join(d.home, "cache"),
		"GORACE=atexit_sleep_ms=0",
	}
	cmd.Stdin = strings.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}
