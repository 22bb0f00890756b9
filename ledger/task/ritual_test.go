package task

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

func (b *bench) begin(goal string, c *Check) planner {
	return func(ctx context.Context, t *Task) (change.Change, error) {
		return t.PlanStart(ctx, &Start{Now: b.now, Agent: "agent-builder-001", Goal: goal, Check: c})
	}
}

func (b *bench) health(c *Check) planner {
	return func(ctx context.Context, t *Task) (change.Change, error) { return t.PlanHealth(ctx, b.now, c) }
}

func (b *bench) unhealthy(c *Check) planner {
	return func(ctx context.Context, t *Task) (change.Change, error) { return t.PlanUnhealthy(ctx, b.now, c) }
}

func (b *bench) end(o Outcome) planner {
	return func(ctx context.Context, t *Task) (change.Change, error) {
		return t.PlanEnd(ctx, o, &Ask{Now: b.now})
	}
}

func (b *bench) failed(kind Failure, step int, what string) planner {
	return func(ctx context.Context, t *Task) (change.Change, error) {
		return t.PlanFail(ctx, &Fail{b.now, kind, step, what})
	}
}

func TestSection22Regression(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bad := &Check{"make smoke", 2, "boom"}
	b.must(t, b.begin("", bad), b.unhealthy(bad))
	b.verified(t)
	k := b.read(t)
	c := k.Checkpoints[0]
	if c.Type != ErrorRecovery || !strings.Contains(compact(t, []byte(c.Text())), `"command":"make smoke","exit_code":2,"output":"boom"`) {
		t.Errorf("%s", c.Text())
	}
	if k.Status.Next[0] != "P0: fix the health check: make smoke" || k.Status.Health.Passed {
		t.Errorf("%q %+v", k.Status.Next, k.Status.Health)
	}
	for _, plan := range []planner{b.save(GateTransition, "G1", ""), b.save(Decided, "G2", "")} {
		if _, err := b.do(t, plan, -1); !errors.Is(err, ErrUnhealthy) {
			t.Errorf("a gate is passed while the health check fails: %v", err)
		}
	}
	b.must(t, b.save(Decided, "", ""), b.health(bad), b.health(&Check{"make smoke", 0, ""}))
	if k = b.read(t); len(k.Status.Next) != 0 || !k.Status.Health.Passed {
		t.Errorf("%q", k.Status.Next)
	}
	if last := k.Last(); last.Type != ErrorRecovery || !strings.Contains(last.Text(), `"resolution"`) {
		t.Errorf("%s", last.Text())
	}
	b.must(t, b.save(GateTransition, "G1", ""))
	b.verified(t)
}

func TestSection41Shutdown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		gate    Gate
		outcome Outcome
		blocked bool
		status  string
	}{
		{"success at the last gate", "G10", Success, false, Completed},
		{"success before it", "G4", Success, false, InProgress},
		{"partial at the last gate", "G10", Partial, false, InProgress},
		{"failed", "G2", Failed, false, InProgress},
		{"blockers", "G10", Success, true, Blocked},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.must(t, b.begin("Refresh tokens", nil), b.save(GateTransition, test.gate, `{"summary":"Done so far","next_steps":["Rate limit"]}`))
			if test.blocked {
				b.must(t, b.failed(Persistent, 1, "no access"))
			}
			b.write(t, logFile, "# Log\n\nfree text")
			b.now = b.now.Add(time.Hour)
			b.must(t, b.end(test.outcome))
			b.verified(t)
			k, files := b.read(t), b.files(t)
			if k.Status.Status != test.status || k.Newest().State != Complete || k.Last().Type != SessionEnd {
				t.Errorf("%s, %s, %s", k.Status.Status, k.Newest().State, k.Last().Type)
			}
			log := files[logFile]
			for _, want := range []string{"# Log\n\nfree text\n\n## Session 2025-12-04 (1 h ", "\n\n**Goal**: Refresh tokens\n**Completed**: Done so far", "\n**Next**: Rate limit\n"} {
				if !strings.Contains(log, want) {
					t.Errorf("the log lacks %q:\n%s", want, log)
				}
			}
			if wants := "**Blocked**: none"; strings.Contains(log, wants) == test.blocked {
				t.Error(log)
			}
			var e event
			if err := json.Unmarshal([]byte(files[eventsFile]), &e); err != nil {
				t.Fatal(err)
			}
			if e.SpecVersion != "1.0" || e.Type != "session.complete" || e.Data != (eventData{k.Newest().ID, test.outcome, "Rate limit"}) {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestSection51Preconditions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(t, b.start(""), func(ctx context.Context, k *Task) (change.Change, error) {
		c, err := ParseContent([]byte(`{"state":{"files_changed":[{"path":"a.go"},{"path":"old.go","action":"deleted"}],"tests":{"passing":1}}}`))
		if err != nil {
			return change.Change{}, err
		}
		return k.PlanCheckpoint(ctx, &Ask{Now: b.now, Event: GateTransition, Gate: "G4", Content: c, Commit: "abc"})
	})
	k := b.read(t)
	yes := func(string) bool { return true }
	no := func(string) bool { return false }
	held := func(list []Precondition) (all string) {
		for _, p := range list {
			all += map[bool]string{true: "1", false: "0"}[p.Holds]
		}
		return all
	}
	if got := held(k.Preconditions(k.Last(), yes, yes)); got != "1111" {
		t.Error(got)
	}
	if got := held(k.Preconditions(k.Last(), no, no)); got != "0011" {
		t.Error(got)
	}
	b.must(t, b.move(Suspended), b.start(""), b.save(GateTransition, "G5", ""))
	k = b.read(t)
	if got := held(k.Preconditions(k.Checkpoints[0], yes, yes)); got != "1110" {
		t.Error(got)
	}
	if got := held(k.Preconditions(k.Last(), yes, yes)); got != "1101" {
		t.Error(got)
	}
}

func TestSection52Retry(t *testing.T) {
	t.Parallel()
	table := map[Failure]string{
		Transient: "Retry same step, max 3 attempts", TestFailed: "Diagnose, fix, retry step", Resource: "Wait, increase limits, retry",
		Logic: "Rollback to checkpoint, re-plan", Persistent: "Escalate to human review",
	}
	for _, kind := range Failures() {
		if kind.Retry() != table[kind] {
			t.Errorf("%s: %s", kind, kind.Retry())
		}
		b := newBench(t)
		b.must(t, b.start(""), b.save(GateTransition, "G4", ""), b.failed(kind, 3, "it broke"))
		b.verified(t)
		if k := b.read(t); (k.Status.Status == Blocked) != (kind == Persistent) || k.Last().Step != 3 || k.Last().Type != ErrorRecovery {
			t.Errorf("%s: %s\n%s", kind, k.Status.Status, k.Last().Text())
		}
	}
}

func TestSection53Fixer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	brief := func() string { return b.files(t)[Fixer("G4", 3)] }
	b.must(t, b.start(""), b.save(GateTransition, "G4", ""), b.failed(Transient, 3, "first"), b.failed(TestFailed, 3, "second"))
	if brief() != "" {
		t.Error("a brief after two failures")
	}
	// Another step or another type of checkpoint resets the count.
	b.must(t, b.failed(TestFailed, 4, "other"), b.failed(TestFailed, 3, "third"), b.save(FileChange, "", ""), b.failed(TestFailed, 3, "fourth"))
	if brief() != "" || b.read(t).Brief != nil {
		t.Error("a brief after failures that aren't consecutive")
	}
	b.must(t, b.move(Suspended), b.move(Active), b.failed(TestFailed, 3, "fifth"), b.failed(Logic, 3, "sixth"))
	for _, want := range []string{"3 consecutive failures on the same step", "only step 3 at G4", "read-only", "10 minutes", "suggested fix, or an escalation", "fourth", "fifth", "sixth"} {
		if !strings.Contains(brief(), want) {
			t.Errorf("the brief lacks %q:\n%s", want, brief())
		}
	}
	if strings.Contains(brief(), "third") {
		t.Error(brief())
	}
	if read := b.read(t).Brief; read == nil || *read != (Brief{Fixer("G4", 3), "G4", 3, brief()}) {
		t.Errorf("%+v", read)
	}
	if b.must(t, b.save(FileChange, "", "")); b.read(t).Brief != nil {
		t.Error("the brief is still wanted after the step has succeeded")
	}
	b.verified(t)
}

func TestSection61Logs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(t, b.begin("Log in", &Check{Command: "true"}), b.save(Decided, "", ""), b.end(Partial))
	first := b.read(t).Newest().ID
	b.must(t, func(ctx context.Context, k *Task) (change.Change, error) {
		k.Prefix = "[auth]"
		return k.PlanStart(ctx, &Start{Now: b.now, Agent: "a", Check: &Check{"false", 1, ""}})
	}, b.unhealthy(&Check{"false", 1, ""}))
	second := b.read(t).Newest().ID
	want := strings.NewReplacer("FIRST", first, "SECOND", second).Replace(`[brAInwav] Session start: FIRST resuming from none
[brAInwav] Health check: pass
[brAInwav] Session starting: Log in
[brAInwav] Checkpoint created: ckpt-2025-12-04-001
[brAInwav] Checkpoint created: ckpt-2025-12-04-002
[brAInwav] Session end: FIRST outcome=partial
[auth] Session start: SECOND resuming from ckpt-2025-12-04-002
[auth] Health check: fail
[brAInwav] Checkpoint created: ckpt-2025-12-04-003
`)
	if got := b.files(t)[evidenceFile]; got != want {
		t.Errorf("got:\n%s", got)
	}
}
