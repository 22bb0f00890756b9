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

// mendingEditor is an editor that corrects one reference, and records its arguments.
const mendingEditor = `#!/bin/sh
echo "$@" >>'%s'
for file; do :; done
sed 's#/mica.go:5\]#/burner.go:5]#' "$file" >"$file.new" && cat "$file.new" >"$file" && rm "$file.new"
echo the editor runs
read answer
`

// backedNotes returns lampNotes with evidence for every decision.
func backedNotes() string {
	return lampNotes + "**Evidence**:\n- `package lamp` [${PROJECT_ROOT}/burner.go:1]\n"
}

// gatedLamplight creates lamplight with a strict gate. The evidence of one decision is missing.
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

// TestStoryGate runs the gate before /clear, corrects a reference, passes the gate, and hands over.
func TestStoryGate(t *testing.T) {
	t.Parallel()
	var project, trajectory string
	d := newResumeWorld(t, 120, 36, func(home string) { project, trajectory = gatedLamplight(t, home) }, "EDITOR=mend")
	edited := filepath.Join(d.dir, "edited")
	putProgram(t, filepath.Join(d.dir, "bin", "mend"), fmt.Sprintf(mendingEditor, edited))
	runAt(t, d, project, "", "init", "--project", "--yes")
	d.browse("Trim", 1)
	x := &homeFiles{t: t, home: d.home, files: contents(t, d.home)}

	// The gate fails, and writes nothing.
	d.keys("c")
	d.panel("Handover", "Gate", "before /compact", "Full gate", "before /clear", "Nothing has been written yet.", "B backup only")
	d.keys("G")
	d.wait(`^ {4}Gate +full, 7 steps, strict`)
	d.wait(`✓ 1 +Grounding +1\.00 \(needs 0\.95\)`)
	d.wait(`^▌ ✗ 3 +Decision log`)
	d.wait(`✗ mica\.go:5 .*file is gone`)
	d.wait(`✗ Failed\. .*1 decision points to missing code\. Fix it before /clear\. .*exit 1`)
	d.keys("c")
	d.wait(`^ c handover: gate failed`)
	x.is("the gate is run")

	// When the editor ends, the gate runs again.
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

	// Hand over: the trajectory gets the gate's result, and NOTES.md gets the checkpoint.
	was := readFile(t, trajectory)
	d.keys("c")
	d.panel("Handover", "✓ NOTES.md", "✓ trajectory", "Nothing has been written yet.")
	d.keys("Enter")
	d.panel("Write the handover", "trajectory: a record in the agent log", "Nothing has changed yet.")
	x.is("the plan of the handover is shown")
	d.keys("Enter")
	eventually(t, "handed over", func() bool { return strings.Contains(readFile(t, trajectory), `"phase":"session_handoff"`) })
	logged, ok := strings.CutPrefix(readFile(t, trajectory), was)
	if !ok || !strings.Contains(logged, `"phase":"grounding_check"`) || !strings.HasSuffix(logged, "\n") {
		t.Errorf("appended to the trajectory: %q", logged)
	}
	if got := readFile(t, notes); !strings.Contains(got, "**Last Checkpoint**: "+now().UTC().Format(time.RFC3339)) {
		t.Errorf("NOTES.md has no checkpoint:\n%s", got)
	}
	d.keys("Escape")
	d.wait(` 1 of 1(?:$|  )`)

	goOnAfterClear(t, d, project)
	if _, err := os.Stat(filepath.Join(project, ".beads")); !os.IsNotExist(err) {
		t.Errorf("there are beads: %v", err)
	}
}

// goOnAfterClear runs the SessionStart hook of /clear, and starts a new session.
func goOnAfterClear(t *testing.T, d *resumeWorld, project string) {
	t.Helper()
	runAt(t, d, project, `{"session_id":"5e550000-0000-4000-8000-0000000000ff","cwd":"`+project+`","hook_event_name":"SessionStart","source":"clear"}`, "hook", "session-start")
	d.keys("c")
	d.panel("Handover")
	d.wait(`Gate .*/compact +passed just now`)
	d.wait(`Full gate .*/clear +passed just now`)
	d.keys("Escape")
	d.gone(`Handover`)
	d.keys("1")
	d.panel("Recover", "Where I was", "of 200 tokens")
	d.panel("Answer 2 of the talk.")
	d.keys("Enter")
	eventually(t, "started the client", func() bool { return len(d.runs()) == 1 })
	name := d.runs()[0]
	d.seen[name] = true
	if got := readFile(t, filepath.Join(d.dir, "runs", name)); !strings.Contains(got, "Answer 2 of the talk.") {
		t.Errorf("the new session begins with %q", got)
	}
	d.back()
	d.before = contents(t, d.home)
	d.leave()
}

// runAt runs a continuo command while the browser is open.
func runAt(t *testing.T, d *resumeWorld, project, stdin string, args ...string) {
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
