package hook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeJudge returns fixed answers.
type fakeJudge struct {
	hold    bool
	reasons []Reason
	err     error
	bug     bool
	hangs   bool
	asked   []string
}

func (j *fakeJudge) Holds(context.Context, string) (bool, error) { return j.hold, nil }

func (j *fakeJudge) Reasons(ctx context.Context, dir string, full bool) ([]Reason, error) {
	j.asked = append(j.asked, fmt.Sprint(filepath.Base(dir), " ", full))
	if j.bug {
		panic("bug")
	}
	if j.hangs {
		<-ctx.Done()
	}
	return j.reasons, j.err
}

func strict(reasons ...Reason) *fakeJudge { return &fakeJudge{hold: true, reasons: reasons} }

// gated is a project with a gate and a counter of calls.
type gated struct {
	*world
	held *HeldOnce
}

func newGated(t *testing.T) *gated {
	t.Helper()
	w := newWorld(t)
	return &gated{w, OpenHeld(filepath.Join(w.home, "state", "held"))}
}

const (
	beforeAuto   = `{"session_id":"s-1","cwd":"$P","hook_event_name":"PreCompact","trigger":"auto","custom_instructions":null}`
	beforeManual = `{"session_id":"s-1","cwd":"$P","hook_event_name":"PreCompact","trigger":"manual"}`
	behindClear  = `{"session_id":"s-2","cwd":"$P","hook_event_name":"SessionStart","source":"clear"}`
	behindMade   = `{"session_id":"s-1","cwd":"$P","hook_event_name":"SessionStart","source":"compact"}`
)

func (g *gated) ask(payload string, j Judge) GateResult {
	g.t.Helper()
	r := Gate(g.t.Context(), g.in(payload), j, g.held)
	if r.Run.Event != EventGate || r.Run.Time != noon() || r.Held != (r.Run.Result == ResultHeld) || r.Held != (r.Err != "") || r.Held && r.Out != "" {
		g.t.Errorf("%+v", r)
	}
	return r
}

// result runs the gate hook. Run.Result must be want.
func (g *gated) result(want, payload string, j Judge) GateResult {
	g.t.Helper()
	r := g.ask(payload, j)
	if r.Run.Result != want {
		g.t.Errorf("%s: %+v, not %s", payload, r, want)
	}
	return r
}

var bad = Reason{"1 Grounding: 0.67 (needs 0.95)", []string{"1 of 3 claims cites nothing", "Cite\x1b[31m\nit"}} //nolint:gochecknoglobals // a value

// TestGateHolds: a failed gate blocks /compact. stderr has the reasons.
func TestGateHolds(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	for range 3 {
		r := g.result(ResultHeld, beforeManual, strict(bad, Reason{Step: "3 Decision log: 1 of 4 decisions has no evidence"}))
		want := msgRejected + "1 Grounding: 0.67 (needs 0.95)\n  1 of 3 claims cites nothing\n  Cite it\n" +
			"3 Decision log: 1 of 4 decisions has no evidence\n" + msgMend
		if r.Err != want || r.Run.Error != "" || r.Run.Reason != "manual" || r.Run.Project != g.project {
			t.Errorf("%q, %+v", r.Err, r.Run)
		}
	}
	j := strict()
	if r := g.result(ResultPassed, beforeManual, j); r.Out != "" || strings.Join(j.asked, ",") != filepath.Base(g.project)+" false" {
		t.Errorf("%+v, asked %q", r, j.asked)
	}
	if r := g.result(ResultNothing, beforeManual, &fakeJudge{reasons: []Reason{bad}}); r.Held || r.Out != "" {
		t.Errorf("not strict: %+v", r)
	}
	many := make([]Reason, 50)
	for i := range many {
		many[i] = Reason{strings.Repeat("é", 1000), []string{strings.Repeat("x\n", 1000)}}
	}
	if r := g.result(ResultHeld, beforeManual, strict(many...)); strings.Count(r.Err, "\n") != maxReasons+3 || len(r.Err) > maxReasons*maxReason*4 {
		t.Errorf("%d lines, %d bytes", strings.Count(r.Err, "\n"), len(r.Err))
	}
}

// TestGateAuto: an automatic compaction is blocked once. A compaction or a passed gate allows the next block.
func TestGateAuto(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	g.result(ResultHeld, beforeAuto, strict(bad))
	g.result(ResultLet, beforeAuto, strict(bad))
	g.result(ResultHeld, beforeManual, strict(bad))
	if r := g.result(ResultLet, beforeAuto, strict(bad)); r.Out+r.Err+r.Run.Error != "" {
		t.Errorf("result %+v", r)
	}
	g.result(ResultHeld, strings.Replace(beforeAuto, "s-1", "s-9", 1), strict(bad))
	after := g.result(ResultTold, behindMade, strict(bad))
	if want := msgBefore + "compaction, which was blocked once: 1 Grounding: 0.67 (needs 0.95). Run continuo gate.\n"; after.Out != want {
		t.Errorf("message to the model: %q", after.Out)
	}
	if r := g.result(ResultNothing, behindMade, strict(bad)); r.Out != "" {
		t.Errorf("second message: %q", r.Out)
	}
	g.result(ResultHeld, beforeAuto, strict(bad))
	g.result(ResultPassed, beforeAuto, strict())
	g.result(ResultHeld, beforeAuto, strict(bad))
	g.result(ResultLet, strings.Replace(beforeAuto, `"auto"`, `"new"`, 1), strict(bad))
}

// TestGateForgetful: the block can't be recorded, so an automatic compaction isn't blocked.
func TestGateForgetful(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	g.env = map[string]string{}
	g.result(ResultLet, strings.Replace(beforeAuto, "s-1", "", 1), strict(bad))
	for _, dir := range []string{"", filepath.Join(g.transcript, "held")} {
		g.held = OpenHeld(dir)
		if r := g.result(ResultLet, beforeAuto, strict(bad)); r.Run.Error == "" {
			t.Error("no reason why it was not blocked")
		}
		g.result(ResultHeld, beforeManual, strict(bad))
	}
}

// TestGateUnsure: an unchecked gate counts as failed.
func TestGateUnsure(t *testing.T) {
	t.Parallel()
	for name, j := range map[string]*fakeJudge{
		"an error": {hold: true, err: errors.New("trajectory\n\x1b[1mis torn")}, "a panic": {hold: true, bug: true},
	} {
		g := newGated(t)
		if r := g.result(ResultHeld, beforeManual, j); r.Run.Error == "" || r.Err != fmt.Sprintf(msgUnsure, r.Run.Error)+msgMend || strings.Contains(r.Err, "\x1b") {
			t.Errorf("%s: %q", name, r.Err)
		}
		g.result(ResultHeld, beforeAuto, j)
		g.result(ResultLet, beforeAuto, j)
		if r := g.result(ResultFailed, behindClear, j); r.Out != msgBefore+"/clear: it could not be checked. Run continuo gate --full.\n" {
			t.Errorf("%s: message to the model: %q", name, r.Out)
		}
		j.hold = false
		if r := g.result(ResultNothing, beforeManual, j); r.Run.Error != "" {
			t.Errorf("%s, not strict: %+v", name, r.Run)
		}
	}
}

// TestGateSlow: a run ends after ten seconds. An unfinished check counts as failed.
func TestGateSlow(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r := Gate(t.Context(), g.in(beforeManual), &fakeJudge{hold: true, hangs: true}, g.held)
		if took := time.Since(began); took != gateLimit || !r.Held || r.Run.Error != "took longer than 10 s" {
			t.Errorf("after %v: %+v", took, r)
		}
		stuck := make(chan struct{})
		began = time.Now()
		r = Gate(t.Context(), g.in(beforeManual), stuckJudge(stuck), g.held)
		if took := time.Since(began); took != gateLimit || r.Held || r.Run.Result != ResultFailed {
			t.Errorf("after %v: %+v", took, r)
		}
		close(stuck)
	})
}

// stuckJudge is a Judge whose Holds hangs.
type stuckJudge chan struct{}

func (j stuckJudge) Holds(context.Context, string) (bool, error) { <-j; return false, nil }

func (j stuckJudge) Reasons(context.Context, string, bool) ([]Reason, error) { return nil, nil }

// TestGateBehind: after a /clear, the model gets the failed checks, without text of agents.
func TestGateBehind(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	j := strict(bad, Reason{Step: "2 Negative grounding: 1 ghost"})
	if r := g.result(ResultTold, behindClear, j); r.Out != msgBefore+"/clear: 1 Grounding: 0.67 (needs 0.95); 2 Negative grounding: 1 ghost. Run continuo gate --full.\n" {
		t.Errorf("message to the model: %q", r.Out)
	}
	if strings.Join(j.asked, ",") != filepath.Base(g.project)+" true" {
		t.Errorf("asked %q", j.asked)
	}
	if r := g.result(ResultPassed, behindClear, strict()); r.Out != "" {
		t.Errorf("passed: %q", r.Out)
	}
	if r := g.result(ResultTold, behindClear, &fakeJudge{reasons: []Reason{bad}}); r.Out == "" {
		t.Error("failed, but doesn't block: no message to the model")
	}
	if r := g.result(ResultNothing, behindClear, &fakeJudge{}); r.Out != "" {
		t.Errorf("without a ledger: %q", r.Out)
	}
	if r := g.result(ResultFailed, behindClear, &fakeJudge{err: errors.New("no")}); r.Out != "" {
		t.Errorf("not strict, and not checked: %q", r.Out)
	}
	for _, payload := range []string{
		strings.Replace(behindClear, "clear", "startup", 1), strings.Replace(behindClear, "clear", "resume", 1), behindMade,
		strings.Replace(behindClear, "SessionStart", "SessionEnd", 1), `{}`,
	} {
		if r := g.result(ResultNothing, payload, j); r.Out != "" || len(j.asked) > 1 {
			t.Errorf("%s: %+v, asked %q", payload, r, j.asked)
		}
	}
}

// TestGateNowhere: without a memory or a payload, the judge isn't called.
func TestGateNowhere(t *testing.T) {
	t.Parallel()
	g := newGated(t)
	j := strict(bad)
	for _, payload := range []string{"", "secret", `["PreCompact"]`} {
		if r := g.result(ResultFailed, payload, j); r.Out != "" || strings.Contains(r.Run.Error, "secret") {
			t.Errorf("%q: %+v", payload, r)
		}
	}
	g.remove(g.memory())
	g.result(ResultNoMemory, beforeManual, j)
	g.result(ResultNoMemory, behindClear, j)
	if len(j.asked) > 0 {
		t.Errorf("asked %q", j.asked)
	}
}

// TestHeldOnce: once returns true to one of many concurrent callers.
func TestHeldOnce(t *testing.T) {
	t.Parallel()
	h := OpenHeld(filepath.Join(t.TempDir(), "a", "held"))
	var wg sync.WaitGroup
	first := make(chan bool, 20)
	for range cap(first) {
		wg.Go(func() {
			is, err := h.once("s")
			if err != nil {
				t.Error(err)
			}
			first <- is
		})
	}
	wg.Wait()
	close(first)
	n := 0
	for is := range first {
		if is {
			n++
		}
	}
	if n != 1 || !h.forget("s") || h.forget("s") {
		t.Errorf("%d were the first", n)
	}
	for i := range maxHeld + 20 {
		name := fmt.Sprint("../../", i)
		if is, err := h.once(name); err != nil || !is {
			t.Fatal(is, err)
		}
		at := noon().Add(time.Duration(i) * time.Second)
		if err := os.Chtimes(filepath.Join(h.dir, heldName(name)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(h.dir); err != nil || len(left) != maxHeld {
		t.Errorf("%d records left, %v", len(left), err)
	}
	if h.forget("../../19") || !h.forget("../../20") {
		t.Error("other records than the oldest were deleted")
	}
}
