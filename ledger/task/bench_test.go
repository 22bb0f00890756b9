package task

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/act"
)

func TestMain(m *testing.M) { os.Exit(drilltest.InMemory(m)) }

// slug is the task of the tests.
const slug = "feat-user-auth"

type bench struct {
	root  string
	now   time.Time
	store *act.Store
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{root: t.TempDir(), now: time.Date(2025, 12, 4, 10, 0, 0, 0, time.UTC)}
	b.store = &act.Store{Journal: t.TempDir(), Now: func() time.Time { return b.now }}
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.root, "tasks", slug, name) }

func (b *bench) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b.path(name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// read reads the task. A task without files is empty.
func (b *bench) read(t *testing.T) *Task {
	t.Helper()
	task, err := Read(t.Context(), b.root, slug)
	if err != nil && !errors.Is(err, ErrNone) {
		t.Fatal(err)
	}
	return task
}

// planner returns the plan of a command for a task.
type planner func(ctx context.Context, t *Task) (change.Change, error)

func (b *bench) do(t *testing.T, plan planner, n int) (*Report, error) {
	t.Helper()
	some := func(ctx context.Context) (change.Change, error) {
		c, err := plan(ctx, b.read(t))
		if n >= 0 {
			c.Ops = c.Ops[:min(n, len(c.Ops))]
		}
		return c, err
	}
	shown, err := some(t.Context())
	if err != nil {
		return nil, err
	}
	done, err := b.store.Do(t.Context(), &shown, some)
	if err != nil {
		t.Fatal(err)
	}
	return done.Report.(*Report), nil
}

func (b *bench) start(gate Gate) planner {
	return func(ctx context.Context, t *Task) (change.Change, error) {
		return t.PlanStart(ctx, &Start{Now: b.now, Agent: "agent-builder-001", FromGate: gate})
	}
}

func (b *bench) save(event Event, gate Gate, content string) planner {
	return func(ctx context.Context, t *Task) (change.Change, error) {
		a := &Ask{Now: b.now, Event: event, Gate: gate}
		if content != "" {
			var err error
			if a.Content, err = ParseContent([]byte(content)); err != nil {
				return change.Change{}, err
			}
		}
		return t.PlanCheckpoint(ctx, a)
	}
}

func (b *bench) move(to State) planner {
	return func(ctx context.Context, t *Task) (change.Change, error) {
		return t.PlanMove(ctx, to, &Ask{Now: b.now})
	}
}

func (b *bench) reap(live bool) planner {
	return func(ctx context.Context, t *Task) (change.Change, error) {
		return t.PlanReap(ctx, b.now, func(string) Seen { return Seen{Live: live} })
	}
}

// must runs plans, one minute apart.
func (b *bench) must(t *testing.T, plans ...planner) {
	t.Helper()
	for _, p := range plans {
		if _, err := b.do(t, p, -1); err != nil {
			t.Fatal(err)
		}
		b.now = b.now.Add(time.Minute)
	}
}

func (b *bench) verified(t *testing.T) {
	t.Helper()
	task := b.read(t)
	if len(b.files(t)) == 0 {
		return // the task doesn't exist yet
	}
	for _, f := range task.Verify() {
		t.Errorf("%s: rule %d: %s", f.File, f.Rule, f.What)
	}
	if task.Problem != nil {
		t.Error(task.Problem)
	}
	if t.Failed() {
		t.Fatal(b.tree(t))
	}
}

func foundIn(t *Task) string {
	var all strings.Builder
	for _, f := range t.Verify() {
		fmt.Fprintf(&all, "%d %s: %s\n", f.Rule, f.File, f.What)
	}
	return all.String()
}

// files returns the contents of the task's files, by path.
func (b *bench) files(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(b.path("."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(b.path("."), path)
		all[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

func (b *bench) tree(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for name, text := range b.files(t) {
		fmt.Fprintf(&all, "%s:\n%s\n", name, text)
	}
	return all.String()
}

func (b *bench) restore(t *testing.T, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(b.path(".")); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		b.write(t, name, text)
	}
}
