package tui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/taskview"
)

type fakeTasks struct {
	all  []*task.Task
	snap *taskview.Snapshot
	err  error
}

func (f *fakeTasks) Snapshot(context.Context, string) *taskview.Snapshot { return f.snap }

func (f *fakeTasks) Counts(_ context.Context, dirs []string) map[string]int {
	counts := map[string]int{}
	for _, dir := range dirs {
		counts[dir] = len(f.all)
	}
	return counts
}

func (f *fakeTasks) Tasks(context.Context, string) (survey.Tasks, error) {
	return survey.Tasks{Root: teahouse, All: f.all}, f.err
}

func testTasks(t *testing.T) []*task.Task {
	t.Helper()
	root, err := filepath.Abs("testdata/tasks")
	if err != nil {
		t.Fatal(err)
	}
	var all []*task.Task
	for _, slug := range []string{"waitlist-mails", "rate-limit"} {
		one, err := task.Read(t.Context(), root, slug)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

type takingLedgers struct {
	fakeLedgers

	took recovery.Result
	how  Taking
}

func (f *takingLedgers) Take(_ context.Context, _ string, r recovery.Result, how Taking) (Taken, error) {
	f.took, f.how = r, how
	return Taken{Said: "Started."}, nil
}

func tasksModel(t *testing.T, f *fakeTasks, w, h int, keys ...string) (*model, *takingLedgers) {
	t.Helper()
	l := &takingLedgers{fakeLedgers: fakeLedgers{ledger: survey.Ledger{None: true}}}
	m := newModel(t.Context(), World{
		Searcher: fakeSearcher{},
		Source:   testSource(), Actions: &fakeActions{run: &fakeRun{}}, Changes: &fakeChanges{}, Projects: &fakeProjects{facts: fullProject()}, Ledgers: l, Tasks: f,
	}, testOptions())
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, m.load())
	settle(t, m, m.toTab(tasksTab))
	press(t, m, keys...)
	return m, l
}

func TestTasksGolden(t *testing.T) {
	t.Parallel()
	all := testTasks(t)
	broken := testTasks(t)
	broken[0].Checkpoints = broken[0].Checkpoints[:6] // the files of two checkpoints are gone
	stuck := testTasks(t)
	stuck[0].Brief = testBrief()
	snap := &taskview.Snapshot{Snapshot: &snapshot.Snapshot{Updated: testNow().Add(-50 * time.Hour), Branch: "main", Blocks: make([]snapshot.Block, 4)}, Drift: snapshot.Drift{Ahead: 3}}
	for status, n := range map[string]int{snapshot.InProgress: 1, snapshot.Pending: 5, snapshot.Completed: 23} {
		snap.Tasks = append(snap.Tasks, slices.Repeat([]snapshot.Task{{Status: status}}, n)...)
	}
	for _, test := range []struct {
		name string
		fake fakeTasks
		keys []string
	}{
		{"list", fakeTasks{all: all, snap: snap}, nil},
		{"fixer", fakeTasks{all: stuck}, []string{"enter", "g", "enter"}},
		{"verified", fakeTasks{all: broken}, []string{"V"}},
		{"checkpoints", fakeTasks{all: all}, []string{"enter", "j", "j"}},
		{"checkpoint", fakeTasks{all: all}, []string{"enter", "j", "enter"}},
		{"findings", fakeTasks{all: broken}, []string{"enter", "g"}},
		{"complete", fakeTasks{all: all}, []string{"j"}},
		{"none", fakeTasks{}, nil},
		{"failed", fakeTasks{err: errors.New("the folder ~/code/teahouse is gone")}, nil},
		{"help", fakeTasks{all: all}, []string{"?"}},
	} {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("tasks-%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m, _ := tasksModel(t, &test.fake, size[0], size[1], test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

func testBrief() *task.Brief {
	text := "# Fixer: step 2 at G4 of waitlist-mails\n\n- Trigger: 3 consecutive failures on the same step\n- Permissions: read-only. Change no file.\n\n## What was tried\n\nThe mail is empty.\n"
	return &task.Brief{File: "ops/fixer-G4-step-2.md", Gate: "G4", Step: 2, Text: text}
}

// TestTasksFixer: r on the brief for a fixer starts a session in plan mode. On other rows, r continues the task.
func TestTasksFixer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		all := testTasks(t)
		all[0].Brief = testBrief()
		m, l := tasksModel(t, &fakeTasks{all: all}, 120, 36, "enter", "g", "r")
		if l.how != TakePlan || l.took.Text != testBrief().Text {
			t.Errorf("%s: %q", l.how, l.took.Text)
		}
		if press(t, m, "j", "r"); l.how != TakeSession || !strings.Contains(l.took.Text, "continuo task start --task waitlist-mails") {
			t.Errorf("%s: %q", l.how, l.took.Text)
		}
	})
}

func TestTasksVerify(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTasks{all: testTasks(t)}
		m, _ := tasksModel(t, f, 120, 36, "V")
		if !strings.Contains(plain(t, m), "Verified 2 sessions and 8 checkpoints of waitlist-mails.") {
			t.Error(plain(t, m))
		}
		f.all = testTasks(t)
		f.all[0].Checkpoints = f.all[0].Checkpoints[:6]
		if press(t, m, "V"); !strings.Contains(plain(t, m), "findings in 2 sessions and 6 checkpoints of waitlist-mails.") {
			t.Error(plain(t, m))
		}
	})
}

// TestTasksContinue: r starts a session with the two newest checkpoints. A complete task can't be continued.
func TestTasksContinue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, l := tasksModel(t, &fakeTasks{all: testTasks(t)}, 120, 36, "r")
		for _, want := range []string{"continuo task start --task waitlist-mails", "ckpt-2026-11-18-004", "ckpt-2026-11-18-003"} {
			if !strings.Contains(l.took.Text, want) {
				t.Errorf("the session gets no %q:\n%s", want, l.took.Text)
			}
		}
		if strings.Contains(l.took.Text, "ckpt-2026-11-18-002") {
			t.Error("the session gets the third newest checkpoint")
		}
		l.took = recovery.Result{}
		if press(t, m, "j", "r"); l.took.Text != "" || !strings.Contains(plain(t, m), "the task is complete") {
			t.Errorf("a complete task is continued with %q:\n%s", l.took.Text, plain(t, m))
		}
	})
}

func TestTasksKeepCheckpoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTasks{all: testTasks(t)}
		newer := f.all[0].Checkpoints[7]
		f.all[0].Checkpoints = f.all[0].Checkpoints[:7]
		m, _ := tasksModel(t, f, 120, 36, "enter")
		const before = "Three mails"
		if got := chosen(t, m); !strings.Contains(got, before) {
			t.Fatalf("the bar is on %q", got)
		}
		f.all = testTasks(t)
		press(t, m, "ctrl+r")
		if got := chosen(t, m); !strings.Contains(got, before) || !strings.Contains(plain(t, m), newer.Summary) {
			t.Errorf("the bar is on %q, not on %q:\n%s", got, before, plain(t, m))
		}
	})
}

func TestTasksFromProject(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &fakeProjects{facts: calmProject()}
		p.facts.Needs = []survey.Need{{Kind: survey.NeedTask, N: 1, Task: "rate-limit", More: "rate-limit at G10"}}
		m := newModel(t.Context(), World{
			Searcher: fakeSearcher{}, Source: testSource(), Projects: p, Ledgers: &takingLedgers{fakeLedgers: fakeLedgers{ledger: survey.Ledger{None: true}}},
			Tasks: &fakeTasks{all: testTasks(t)},
		}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		settle(t, m, m.load())
		press(t, m, "P")
		if press(t, m, "enter"); m.tab != tasksTab || !strings.Contains(chosen(t, m), "rate-limit") {
			t.Errorf("enter leads to:\n%s", plain(t, m))
		}
		if press(t, m, "esc"); !m.onPage() {
			t.Errorf("esc leads to:\n%s", plain(t, m))
		}
	})
}
