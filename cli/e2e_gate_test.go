//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
)

// gateWorld is a hookWorld with strict enforcement.
type gateWorld struct{ *hookWorld }

// newGateWorld creates a trajectory with one claim without a citation.
func newGateWorld(t *testing.T, init string) *gateWorld {
	t.Helper()
	w := &gateWorld{newHookWorld(t, init)}
	w.api.tokens = func(prompt string) int {
		switch p := prompt[strings.LastIndex(prompt, "\n")+1:]; {
		case strings.HasPrefix(p, "much"):
			return 970_000 // of 1,000,000 tokens: the client compacts before the next prompt
		case strings.HasPrefix(p, "all"):
			return 990_000 // if the gate blocks this compaction, the client stops
		}
		return 100
	}
	w.write(filepath.Join(w.code, ".loa.config.yaml"), "grounding_enforcement: strict\n")
	w.write(filepath.Join(w.code, "grimoires", "loa", "NOTES.md"), "# Notes\n\n## Decision Log\n\n### Tie it twice (2026-11-20)\n")
	w.claims(false)
	return w
}

// claims writes three days, because the test may run at midnight.
func (w *gateWorld) claims(cited bool) {
	w.t.Helper()
	now := time.Now()
	claim := `{"ts":%q,"agent":"implementing-tasks","phase":"cite","claim":"the bowline holds","grounding":"assumption"}` + "\n"
	if cited {
		claim = `{"ts":%q,"agent":"implementing-tasks","phase":"cite","claim":"the bowline holds","grounding":"citation","citation":"${PROJECT_ROOT}/main.go:1"}` + "\n"
	}
	for _, at := range []time.Time{now.Add(-24 * time.Hour), now, now.Add(24 * time.Hour)} {
		name := "implementing-tasks-" + at.Format(time.DateOnly) + ".jsonl"
		w.write(filepath.Join(w.code, "grimoires", "loa", "a2a", "trajectory", name), fmt.Sprintf(claim, now.UTC().Format(time.RFC3339)))
	}
}

func (w *gateWorld) typed(command string) {
	w.t.Helper()
	w.text(command)
	w.wait(`^❯[ \x{a0}]` + command)
	w.keys("Enter")
}

// compactions counts the compactions in a transcript.
func (w *gateWorld) compactions(id string) int {
	w.t.Helper()
	n := 0
	for line := range strings.Lines(w.transcript(id)) {
		var record struct{ Subtype string }
		if json.Unmarshal([]byte(line), &record) == nil && record.Subtype == "compact_boundary" {
			n++
		}
	}
	return n
}

func (w *gateWorld) compacted(id string, n int) {
	w.t.Helper()
	w.eventually(fmt.Sprint(n, " compactions"), func() bool { return w.compactions(id) == n })
}

// ranGate returns the recorded runs of the gate, oldest first.
func (w *gateWorld) ranGate() string {
	w.t.Helper()
	var all []string
	text, _ := os.ReadFile(filepath.Join(w.home, "state", "continuo", place.HookRuns)) // the file may not exist yet
	for line := range strings.Lines(string(text)) {
		var run struct{ Event, Reason, Result, Error string }
		if err := json.Unmarshal([]byte(line), &run); err != nil {
			w.t.Fatal(err)
		}
		if run.Event == "gate" {
			all = append(all, strings.TrimSpace(run.Reason+" "+run.Result+" "+run.Error))
		}
	}
	return strings.Join(all, ", ")
}

func (w *gateWorld) gateRan(want ...string) {
	w.t.Helper()
	w.eventually("the gate ran: "+strings.Join(want, ", "), func() bool { return w.ranGate() == strings.Join(want, ", ") })
}

func (w *gateWorld) gateMessages() string {
	w.t.Helper()
	all := w.api.requests()
	return strings.Join(regexp.MustCompile(`GATE_NOT_PASSED:[^\n]*`).FindAllString(all[len(all)-1].Whole, -1), "\n")
}

// TestE2EGateTyped: a typed /compact is blocked, but a backup is made.
func TestE2EGateTyped(t *testing.T) {
	t.Parallel()
	w := newGateWorld(t, "continuo init --project --gate --yes")
	id := w.begin("how is a bowline tied")
	w.typed("/compact")
	w.wait(`Compaction blocked by PreCompact hook: .*on-gate\.sh\]: The gate failed, so`)
	w.wait(`nothing was compacted:`)
	w.wait(`^ +Grounding: 0\.00 \(needs 0\.95\)`)
	w.wait(`^ +the bowline holds: `)
	w.wait("^ +Fix this and try again; `continuo gate` shows")
	w.backedUp(id, "compact", "PreCompact", ".pending-backup")
	w.gateRan("manual held")
	w.say("does it hold")
	if n := w.compactions(id); n > 0 {
		t.Errorf("it was compacted %d times", n)
	}
	all := w.api.requests() // the client sends the text with the next prompt
	if last := all[len(all)-1].Whole; !strings.Contains(last, "Grounding: 0.00 (needs 0.95)") || strings.Contains(last, "Additional Instructions:") {
		t.Errorf("the model got:\n%s", last[max(0, len(last)-3000):])
	}

	w.claims(true)
	w.typed("/compact")
	w.wait(`Compacted`)
	w.compacted(id, 1)
	w.gateRan("manual held", "manual passed", "compact nothing")
	w.backedUp(id, "compact", "PreCompact", ".pending-backup-compact")
	w.ready("")
	w.say("and now")
	if message := w.gateMessages(); message != "" {
		t.Errorf("the model got %q", message)
	}
	for _, r := range w.api.requests() { // the compaction prompt would have any PreCompact output
		if strings.Contains(r.Whole, "Additional Instructions:") {
			t.Error("the compaction prompt contains hook output")
		}
	}
	w.end()
	for path, text := range w.files() {
		if !strings.HasPrefix(path, filepath.Join(w.code, ".claude")) {
			w.bare[path] = text // uninstall doesn't change the ledger
		}
	}
	w.uninstalled()
}

// TestE2EGateAuto: the gate blocks an automatic compaction only once, and the model is told.
func TestE2EGateAuto(t *testing.T) {
	t.Parallel()
	w := newGateWorld(t, "continuo init --project --gate --yes")
	id := w.begin("how is a bowline tied")
	w.say("much about hitches")
	w.say("much about bends")
	w.gateRan("auto held")
	w.backedUp(id, "compact", "PreCompact", ".pending-backup")
	if n := w.compactions(id); n > 0 {
		t.Errorf("it was compacted %d times", n)
	}
	w.say("what holds best")
	w.compacted(id, 1)
	w.gateRan("auto held", "auto let", "compact told")
	w.backedUp(id, "compact", "PreCompact", ".pending-backup-compact")
	const want = "GATE_NOT_PASSED: The gate had not passed before this compaction, which was blocked once: Grounding: 0.00 (needs 0.95)"
	if got := w.gateMessages(); !strings.HasPrefix(got, want) || strings.Contains(got, "bowline") || strings.Contains(got, "\n") {
		t.Errorf("the model got %q", got)
	}

	w.say("all about knots")
	w.typed("which tide is it")
	w.wait(`Context limit reached`)
	w.gateRan("auto held", "auto let", "compact told", "auto held")
	w.keys("C-u")
	w.wait(`^❯[ \x{a0}].*resend|^❯[ \x{a0}]*$`)
	w.say("which tide is it now")
	w.compacted(id, 2)
	w.gateRan("auto held", "auto let", "compact told", "auto held", "auto let", "compact told")
	w.end()
}

// TestE2EGateClear: /clear isn't blocked. The next session is told that the gate had not passed.
func TestE2EGateClear(t *testing.T) {
	t.Parallel()
	w := newGateWorld(t, "continuo init --user --gate --yes")
	w.begin("how is a bowline tied")
	w.typed("/clear")
	w.gone(`how is a bowline tied`)
	w.gateRan("clear told")
	w.ready("")
	w.say("which tide is it")
	const want = "GATE_NOT_PASSED: The gate had not passed before this /clear: Grounding: 0.00 (needs 0.95)"
	if got := w.gateMessages(); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, ". Run continuo gate --full.") || strings.Contains(got, "bowline") {
		t.Errorf("the model got %q", got)
	}

	w.claims(true)
	w.typed("/clear")
	w.gone(`which tide is it`)
	w.gateRan("clear told", "clear passed")
	w.ready("")
	w.say("what holds best")
	if got := w.gateMessages(); got != "" {
		t.Errorf("the model got %q", got)
	}
	w.end()
}
