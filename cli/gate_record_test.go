package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

// TestGateHandover: a handover needs a passed gate.
func TestGateHandover(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	w.write(ledger.ConfigName, "grounding_enforcement: strict\n")
	w.write(gateFile, gateAssumed)
	ask := tui.Change{Kind: tui.ChangeHandover, Dir: w.project, Gate: &gate.Report{Mode: gate.Full, Agent: survey.GateAgent, Day: gateDay}}
	if _, err := w.changes().Handover(t.Context(), ask); err == nil || !strings.Contains(err.Error(), "The gate does not pass any more.") {
		t.Fatalf("rejected: %v", err)
	}
	w.write(gateFile, gateCited)
	plan, c := w.handover(ask)
	if plan.Verb != "write" || w.read(gateFile) != gateCited {
		t.Fatalf("%+v, %q", plan, w.read(gateFile))
	}
	done, err := c.Do(t.Context(), plan)
	got, _ := strings.CutPrefix(w.read(gateFile), gateCited)
	if lines := strings.Split(got, "\n"); err != nil || len(lines) != 3 || !strings.Contains(lines[0], `"phase":"grounding_check"`) || !strings.Contains(lines[1], `"next_session_ready":false`) || done.But != "" {
		t.Errorf("%s, %+v, %v", got, done, err) // not ready, because there is no session
	}
}

func (w *noteWorld) handover(ask tui.Change) (tui.Plan, browse.Changes) {
	w.t.Helper()
	h, err := w.changes().Handover(w.t.Context(), ask)
	if err != nil {
		w.t.Fatal(err)
	}
	ask.Handover = &h
	plan, c, err := w.change(ask)
	if err != nil {
		w.t.Fatal(err)
	}
	return plan, c
}

// TestGateSession: a session that runs the command is preferred to the newest session.
func TestGateSession(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	w.write(gateFile, gateCited)
	ids := map[string]string{}
	for i, at := range []string{"teahouse", "elsewhere", "teahouse"} {
		id := "00000000-0000-4000-8000-00000000000" + string(rune('1'+i))
		dir := filepath.Join(w.home, at)
		record := `{"type":"user","uuid":"` + id + `","parentUuid":null,"sessionId":"` + id + `","cwd":` + jsonWord(dir) + `,"timestamp":"2026-11-2` + string(rune('0'+i)) + `T15:00:00Z","message":{"role":"user","content":"Go"}}` + "\n"
		name := filepath.Join(w.home, ".claude", "projects", at, id+".jsonl")
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.MkdirAll(dir, 0o700), os.WriteFile(name, []byte(record), 0o600)); err != nil {
			t.Fatal(err)
		}
		ids[string(rune('1'+i))] = id
	}
	for own, want := range map[string]string{"": ids["3"], ids["1"]: ids["1"], ids["2"]: ids["3"], "x": ids["3"]} {
		d := newDeps(Program{Env: []string{"HOME=" + w.home, "PATH=", "CLAUDE_CODE_SESSION_ID=" + own}, Dir: w.project, Now: now, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
		k, err := ledgers.LookGate(t.Context(), d.Env, ledgers.GateAsk{GateAsk: survey.GateAsk{Day: gateDay, Full: true}, Dir: w.project})
		if err != nil || k.Session.ID != want || k.Handoff.SessionID != want || !k.Handoff.Ready {
			t.Errorf("run by %q: %v, session %q, not %q; %+v", own, err, k.Session.ID, want, k.Handoff)
		}
	}
}

// TestGateUncounted: the trajectory can't be read, so its claims aren't logged.
func TestGateUncounted(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	w.write(filepath.Dir(gateFile), "no directory")
	k := w.look(ledgers.GateAsk{GateAsk: survey.GateAsk{Full: true}})
	if k.Report.Steps[0].Status != gate.Unknown || k.Handoff.Ratio != 0 || k.Handoff.Ready {
		t.Fatalf("%+v, %+v", k.Report.Steps[0], k.Handoff)
	}
	if got := (&ledgers.GateRun{GateLook: &k}).Record(false).Tabs(); !strings.Contains(strings.SplitN(got, "\n", 2)[0], "\t"+gateDay+"\t-\t0.95") {
		t.Errorf("into a pipe: %q", got)
	}
	if all := k.Records(); len(all) != 1 || all[0].Phase != "session_handoff" {
		t.Errorf("%+v", all)
	}
}

// TestGatePassedUnwritten: the gate passed, but a file could not be written.
func TestGatePassedUnwritten(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, "# Notes\n\n## Decision Log\n")
	output := w.run(out.ExitFailed, "gate", "--record", "--date", gateDay)
	if !strings.Contains(output, "✗ The gate passed, but not everything could be written. ") || !strings.Contains(output, "no Session Continuity") || !strings.Contains(output, "The result is in implementing-tasks-") {
		t.Errorf("%q", output)
	}
}
