package task

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/drilltest"
)

var drillSeeds = flag.Uint64("drill", 6, "how many random sequences of commands are run, and values that replace each byte") //nolint:gochecknoglobals // a flag

// step returns the plan of a random command; nil if the task refuses the command.
func (b *bench) step(t *testing.T, r *rand.Rand) planner {
	t.Helper()
	gate := Gate([]string{"", "", "G0", "G1", "G3", "G4", "G7", "G10"}[r.IntN(8)])
	event := Events()[r.IntN(len(Events()))]
	content := []string{
		"", `{"summary":"Leeway is 30 s","next_steps":["Retry"],"vendor":{"b":1,"a":[2]}}`,
		`{"step":3,"state":{"tests":{"passing":9,"failing":2},"decisions":[{"decision":"Use JWT","rationale":"Stateless","x":1}]}}`,
	}[r.IntN(3)]
	plans := []planner{
		b.start(gate), b.start(""), b.save(event, gate, content), b.save(event, "", content), b.save(event, gate, content), b.move(Active),
		b.move(Suspended), b.move(Complete), b.move(Terminated), b.reap(false), b.reap(true),
		b.begin("", &Check{"smoke", r.IntN(2), ""}), b.health(&Check{"smoke", r.IntN(2), ""}), b.end(Success), b.end(Failed), b.failed(TestFailed, 1, "red"), b.failed(Persistent, 2, "no"),
		func(ctx context.Context, t *Task) (change.Change, error) { return t.PlanIndex(ctx) },
	}
	plan := plans[r.IntN(len(plans))]
	if _, err := plan(t.Context(), b.read(t)); err != nil {
		return nil
	}
	return plan
}

// tick moves the clock: usually forward, sometimes not, and rarely back.
func (b *bench) tick(r *rand.Rand) {
	b.now = b.now.Add([]time.Duration{0, 0, time.Second, time.Minute, 7 * time.Minute, 30 * time.Hour, -time.Hour}[r.IntN(7)])
}

func TestAnySequence(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	for seed := range 2 * *drillSeeds {
		r := rand.New(rand.NewPCG(seed, 1))
		b := newBench(t)
		for range 25 {
			if plan := b.step(t, r); plan != nil {
				if _, err := b.do(t, plan, -1); err != nil {
					t.Fatal(err)
				}
				b.verified(t)
			}
			b.tick(r)
		}
		if seed == 0 && len(b.read(t).Checkpoints) == 0 {
			t.Error("no checkpoint was written")
		}
	}
}

// TestKilledBetween stops each command after each of its writes. PlanReap must repair the task.
func TestKilledBetween(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	for seed := range *drillSeeds {
		r := rand.New(rand.NewPCG(seed, 2))
		b := newBench(t)
		for range 12 {
			plan := b.step(t, r)
			if plan == nil {
				b.tick(r)
				continue
			}
			before, now := b.files(t), b.now
			c, err := plan(t.Context(), b.read(t))
			if err != nil {
				t.Fatal(err)
			}
			for n := 1; n < len(c.Ops); n++ {
				if _, err := b.do(t, plan, n); err != nil {
					t.Fatal(err)
				}
				b.now = b.now.Add(10 * time.Minute)
				b.must(t, b.reap(false))
				b.verified(t)
				if c, err := b.reap(false)(t.Context(), b.read(t)); err != nil || len(c.Ops) > 0 {
					t.Fatalf("a second reap has %d ops, %v", len(c.Ops), err)
				}
				b.restore(t, before)
				b.now = now
			}
			if _, err := b.do(t, plan, -1); err != nil {
				t.Fatal(err)
			}
			b.tick(r)
		}
	}
}

func (b *bench) chain(t *testing.T) {
	t.Helper()
	b.must(
		t, b.start(""), b.save(GateTransition, "G1", `{"summary":"Task and criteria"}`), b.save(Decided, "G2", `{"summary":"Promote on cancel"}`), b.move(Complete),
		b.start(""), b.save(FileChange, "G4", `{"state":{"files_changed":[{"path":"src/auth.ts","action":"modified"}]}}`), b.save(ErrorRecovery, "G3", ""), b.move(Suspended),
		b.start(""), b.save(GateTransition, "G5", ""),
	)
}

// TestCorrupted changes about every fourth byte. Verify must name the file.
func TestCorrupted(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	b := newBench(t)
	b.chain(t)
	b.verified(t)
	r := rand.New(rand.NewPCG(3, 3))
	for name, text := range b.files(t) {
		if !strings.HasPrefix(name, "json/") { // the log doesn't belong to the chain
			continue
		}
		named := func(what string) {
			t.Helper()
			if found := foundIn(b.read(t)); !strings.Contains(found, strings.TrimPrefix(name, "json/")) {
				t.Errorf("%s: not named in:\n%s", what, found)
			}
		}
		if err := os.Remove(b.path(name)); err != nil {
			t.Fatal(err)
		}
		named(name + " deleted")
		if strings.Contains(name, "checkpoint") {
			b.write(t, name, text)
			whole := b.read(t)
			for i := r.IntN(7); i < len(text); i += 1 + r.IntN(7) {
				for range max(*drillSeeds/6, 1) {
					damaged := []byte(text)
					damaged[i] ^= byte(1 + r.IntN(255))
					task := with(*whole, name, damaged)
					if found := foundIn(task); !strings.Contains(found, strings.TrimPrefix(name, "json/")) {
						t.Errorf("%s: not named in:\n%s", damaged, found)
					}
				}
			}
			b.write(t, name, text[:len(text)/2])
			named(name + " torn")
		}
		b.write(t, name, text)
	}
	b.verified(t)
}

func with(t Task, name string, text []byte) *Task {
	if name == indexFileName {
		t.Index = parseIndex(text)
		return &t
	}
	t.Checkpoints = slices.Clone(t.Checkpoints)
	for i, c := range t.Checkpoints {
		if c.Path() == name {
			t.Checkpoints[i] = parseCheckpoint(c.Name, text)
		}
	}
	t.sort()
	return &t
}

// TestFieldsOfSessions removes or changes each field of each session. Verify must name the field.
func TestFieldsOfSessions(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	b := newBench(t)
	b.chain(t)
	wrong := map[string]any{
		"session_id": "session-other", "task_slug": "feat-other", "current_gate": "G10", "checkpoint_count": 9, "parent_session": "session-none",
		"child_sessions": []string{"session-none"}, "started_at": "2025-12-05T00:00:00Z", "last_activity": "2025-12-03T00:00:00Z", "state": "done", "agent_id": "",
	}
	for _, s := range b.read(t).Sessions {
		named := func(what string, o object) {
			t.Helper()
			b.write(t, s.Path(), string(o.file()))
			if found := foundIn(b.read(t)); !strings.Contains(found, s.Name) {
				t.Errorf("%s of %s: not named in:\n%s", what, s.Name, found)
			}
		}
		for key, value := range wrong {
			for what, change := range map[string]func(o *object){
				"a missing " + key: func(o *object) { o.drop(key) }, "a wrong type of " + key: func(o *object) { o.set(key, true) }, "another " + key: func(o *object) { o.set(key, value) },
			} {
				o := s.object.clone()
				change(&o)
				named(what, o)
			}
		}
		b.write(t, s.Path(), string(s.text))
	}
	b.verified(t)
}

func TestContradictions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.chain(t)
	s := b.read(t).Sessions[1]
	for old, now := range map[string]string{
		`"session_id": "session-`:                `"session_id": "session_`,
		`"agent_id": "agent-builder-001"`:        `"agent_id": 7`,
		`"task_slug": "feat-user-auth"`:          `"task_slug": "feat-other"`,
		`"state": "suspended"`:                   `"state": "complete"`,
		`"state": "suspended",`:                  ``,
		`"started_at": "2025-12-04T10:04:00Z"`:   `"started_at": "2025-12-04T10:05:30Z"`,
		`"started_at": "2025-12-04T10:04`:        `"started_at": "2025-12-04 10:04`,
		`"last_activity": "2025-12-04T10:07:00Z`: `"last_activity": "2025-12-04T10:05:00Z`,
		`"current_gate": "G3"`:                   `"current_gate": "G4"`,
		`"checkpoint_count": 2`:                  `"checkpoint_count": 3`,
		`"parent_session": "session-`:            `"parent_session": "session_`,
		`"child_sessions": [`:                    `"child_sessions": [], "x": [`,
		`"resumed_from": "ckpt-2025-12-04-003"`:  `"resumed_from": "ckpt-2025-12-04-004"`,
	} {
		text := strings.Replace(string(s.text), old, now, 1)
		if text == string(s.text) {
			t.Fatalf("%s is not in:\n%s", old, text)
		}
		b.write(t, s.Path(), text)
		if found := foundIn(b.read(t)); !strings.Contains(found, s.Name) {
			t.Errorf("%s: not named in:\n%s", now, found)
		}
	}
}
