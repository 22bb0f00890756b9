package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/tui"
)

type orphanage struct {
	t          *testing.T
	home, root string
}

func newOrphanage(t *testing.T) *orphanage {
	t.Helper()
	o := &orphanage{t: t, home: mustReal(t, t.TempDir())}
	o.root = filepath.Join(o.home, "code", "tea")
	putFile(t, filepath.Join(o.root, ".git", "HEAD"), "ref: refs/heads/main\n")
	putFile(t, filepath.Join(o.home, ".claude", "projects", ".keep"), "")
	return o
}

func (o *orphanage) deps(at time.Time, input string) *deps {
	d := newDeps(Program{
		Env: []string{"HOME=" + o.home, "PATH=" + os.Getenv("PATH")}, Dir: o.root, Now: func() time.Time { return at },
		Stdin: strings.NewReader(input), Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer),
	})
	d.Browse = func(context.Context, tui.World, tui.Options) error { return nil }
	return d
}

func (o *orphanage) run(at time.Time, args ...string) {
	o.t.Helper()
	d := o.deps(at, "{}")
	if code := execute(o.t.Context(), d.Env, d.Output, args); code != out.ExitDone {
		o.t.Fatalf("%s: exit %d %s", args, code, d.Err.W)
	}
}

// state returns the state of the task's only session, and the type of its newest checkpoint.
func (o *orphanage) state(slug string) string {
	o.t.Helper()
	k, err := task.Read(o.t.Context(), o.root, slug)
	if err != nil {
		o.t.Fatal(err)
	}
	state := string(k.Newest().State)
	if n := len(k.Checkpoints); n > 0 {
		state += " " + string(k.Checkpoints[n-1].Type)
	}
	return state
}

// TestOrphans: a check suspends the killed session of a task. It runs at most once a minute.
func TestOrphans(t *testing.T) {
	t.Parallel()
	for name, check := range map[string]func(o *orphanage, at time.Time){
		"hook":   func(o *orphanage, at time.Time) { o.run(at, "hook", "task") },
		"status": func(o *orphanage, at time.Time) { o.run(at, "status", "--line") },
		"browser": func(o *orphanage, at time.Time) {
			d := o.deps(at, "")
			d.Browse = func(ctx context.Context, _ tui.World, _ tui.Options) error {
				for ctx.Err() == nil && o.state("auth") != "suspended interrupted" { // the check runs in the background of the browser
					time.Sleep(time.Millisecond)
				}
				return nil
			}
			if err := browse.Run(o.t.Context(), d.Env, d.Output); err != nil {
				o.t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOrphanage(t)
			begun := now().Add(-time.Hour)
			o.run(begun, "task", "start", "--task", "auth", "--yes")
			if name != "browser" {
				before := snapshot(t, o.root)
				if check(o, now()); o.stamp() != "" || snapshot(t, o.root) != before {
					t.Error("written without init --tasks")
				}
			}
			o.run(now(), "init", "--tasks", "--yes")
			check(o, now())
			if got := o.state("auth"); got != "suspended interrupted" {
				t.Fatalf("the task is %s", got)
			}
			incidents, err := os.ReadFile(filepath.Join(o.root, "tasks", "auth", "json", "incidents.jsonl"))
			if err != nil || strings.Count(string(incidents), `"session.interrupted"`) != 1 {
				t.Errorf("%v %s", err, incidents)
			}
			if name == "browser" {
				return
			}
			o.run(begun, "task", "start", "--task", "other", "--yes")
			if check(o, now().Add(59*time.Second)); o.state("other") != "active" {
				t.Error("checked twice in a minute")
			}
			if check(o, now().Add(time.Minute)); o.state("other") != "suspended interrupted" {
				t.Error("not checked after a minute")
			}
			o.run(now().Add(time.Minute), "undo", "--yes")
			if got := o.state("other"); got != "active" {
				t.Errorf("after undo the task is %s", got)
			}
		})
	}
}

// stamp returns the time of the last check, or "".
func (o *orphanage) stamp() string {
	text, _ := os.ReadFile(filepath.Join(o.home, ".local", "state", "continuo", "orphans"))
	return string(text)
}
