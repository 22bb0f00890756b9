//go:build unix

package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/survey"
)

func TestProjectHooks(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		ill  func(g *guarded)
		want survey.Hook // expected state of SessionEnd
		need *survey.Need
		none string // expected Hooks.Trouble
	}{
		"not yet": {ill: func(*guarded) {}, want: survey.Hook{State: survey.HookWaits}},
		"fires": {
			ill:  func(g *guarded) { g.ran(hook.EventEnd, 3*time.Hour, "") },
			want: survey.Hook{State: survey.HookFires, Fired: now().Add(-3 * time.Hour)},
		},
		"failed": {
			ill:  func(g *guarded) { g.ran(hook.EventEnd, 3*time.Hour, "no space\x1b[31m left") },
			want: survey.Hook{State: survey.HookWarns, Fired: now().Add(-3 * time.Hour), Why: "failed today 12:52: no space left"},
		},
		"does not fire any more": {
			ill: func(g *guarded) {
				g.ran(hook.EventEnd, 3*day, "")
				g.missed(time.Hour, 2*time.Hour, 4*day)
			},
			want: survey.Hook{State: survey.HookFails, Fired: now().Add(-3 * day), Ended: 2, Why: "has not fired since Nov 18, 2 sessions ended"},
			need: &survey.Need{Kind: survey.NeedHooks, N: 1, More: "SessionEnd, since Nov 18"},
		},
		"not installed": {ill: func(g *guarded) { g.settings("{}") }, none: "not installed, so no backup is made when a session ends"},
		"all off": {
			ill:  func(g *guarded) { g.settings(strings.TrimSuffix(userHooks(g.home), "}") + `,"disableAllHooks":true}`) },
			want: survey.Hook{State: survey.HookWaits}, none: "hooks are all off: disableAllHooks is set in ~/.claude/settings.json",
			need: &survey.Need{Kind: survey.NeedHooks, N: 3, More: "hooks are all off: disableAllHooks is set in ~/.claude/settings.json"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGuarded(t)
			tt.ill(g)
			var out, errs bytes.Buffer
			d := g.deps(t, &out, &errs)
			l := place.ProjectLook(d.Env, fakeSource{}, []string{filepath.Join(g.home, ".claude")}, g.project)
			l.Rows = g.rows
			p, err := survey.ProjectOf(t.Context(), l)
			if err != nil {
				t.Fatal(err)
			}
			var got survey.Hook
			for _, h := range p.Hooks.Events {
				if h.Event == "SessionEnd" {
					got = h
				}
			}
			if tt.want.State != "" {
				tt.want.Event, tt.want.Since = "SessionEnd", now().Add(-8*day)
			}
			if !got.Since.Equal(tt.want.Since) || !got.Fired.Equal(tt.want.Fired) {
				t.Errorf("since %s, fired %s", got.Since, got.Fired)
			}
			got.Since, got.Fired = tt.want.Since, tt.want.Fired
			if got != tt.want || p.Hooks.Trouble != tt.none {
				t.Errorf("%+v, %q, want %+v", got, p.Hooks.Trouble, tt.want)
			}
			n := p.Need(survey.Item{Kind: survey.ItemNeed, Key: string(survey.NeedHooks)})
			if (n == nil) != (tt.need == nil) || n != nil && *n != *tt.need {
				t.Errorf("needs %+v, want %+v", n, tt.need)
			}
		})
	}
}

// TestProjectPipe: active-context.md is a FIFO. The command must not wait for it.
func TestProjectPipe(t *testing.T) {
	t.Parallel()
	home, dir := projectTree(t)
	memory := filepath.Join(dir, ".claude", "memory")
	if err := os.MkdirAll(memory, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(memory, "active-context.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lookAtProject(t, home, fakeSource{rows: []sessions.Row{row("a", "a", in(dir, dir), ago(time.Hour))}}, dir)
	if err != nil || p.Context != nil || p.All != 1 || len(p.Unread) != 1 || !strings.Contains(p.Unread[0], "~/code/tea/.claude/memory/active-context.md") {
		t.Errorf("%+v, %q, %v", p.Context, p.Unread, err)
	}
}

func TestProjectUnreadable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	home, dir := projectTree(t)
	memory := filepath.Join(dir, ".claude", "memory")
	if err := errors.Join(os.MkdirAll(memory, 0o700), os.Chmod(memory, 0)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(memory, 0o700) })
	p, err := lookAtProject(t, home, fakeSource{}, dir)
	if err != nil || len(p.Unread) == 0 || !strings.Contains(p.Unread[0], "permission denied") {
		t.Errorf("%q, %v", p.Unread, err)
	}
}

func TestProjectMemoryFile(t *testing.T) {
	t.Parallel()
	home, dir := projectTree(t)
	if err := os.MkdirAll(filepath.Join(dir, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".claude", "memory"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lookAtProject(t, home, fakeSource{}, dir)
	if err != nil || len(p.Unread) != 1 {
		t.Errorf("%q, %v", p.Unread, err)
	}
}
