package sessions_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// TestQuiet checks which rows a list hides by default.
func TestQuiet(t *testing.T) {
	t.Parallel()
	for _, kind := range []sessions.Kind{sessions.KindSession, sessions.KindBackup, sessions.KindDocument} {
		for state, want := range map[sessions.State]bool{
			sessions.StateOK: false, sessions.StateEmpty: true, sessions.StateStub: true, sessions.StateDamaged: false, sessions.StateUnreadable: false,
		} {
			r := sessions.Row{Kind: kind, Session: sessions.Session{State: state}}
			if r.Quiet() != (want && kind == sessions.KindSession) {
				t.Errorf("%s %s: %v", kind, state, r.Quiet())
			}
			if r.Flags = []sessions.Flag{sessions.FlagSDK}; r.Quiet() != (kind == sessions.KindSession) {
				t.Errorf("%s %s of claude -p: %v", kind, state, r.Quiet())
			}
			if r.Flags, r.Archived = nil, true; r.Quiet() != (kind == sessions.KindSession) {
				t.Errorf("archived %s %s: %v", kind, state, r.Quiet())
			}
		}
	}
}

// TestBadge checks that Badge returns the first badge in the order that applies.
func TestBadge(t *testing.T) {
	t.Parallel()
	none := sessions.FlagNoBackup
	for _, tt := range []struct {
		row  sessions.Session
		want sessions.Badge
	}{
		{sessions.Session{State: sessions.StateOK, Flags: []sessions.Flag{none, sessions.FlagSDK}}, sessions.BadgeOK},
		{sessions.Session{State: sessions.StateStub, Flags: []sessions.Flag{none}}, sessions.BadgeStub},
		{sessions.Session{State: sessions.StateEmpty}, sessions.BadgeStub},
		{sessions.Session{State: sessions.StateUnreadable, Flags: []sessions.Flag{sessions.FlagPurgeSoon}}, sessions.BadgeBroken},
		{sessions.Session{State: sessions.StateOK, Copied: true, Flags: []sessions.Flag{sessions.FlagPurgeSoon}}, sessions.BadgeOK},
		{sessions.Session{State: sessions.StateOK, Flags: []sessions.Flag{sessions.FlagHiddenBranch, none}}, sessions.BadgeHiddenBranch},
		{sessions.Session{State: sessions.StateOK, Flags: []sessions.Flag{sessions.FlagPurgeSoon, none}}, sessions.BadgePurgeSoon},
		{sessions.Session{State: sessions.StateDamaged, Flags: []sessions.Flag{none}}, sessions.BadgeOK},
		{sessions.Session{State: sessions.StateOK, Flags: []sessions.Flag{sessions.FlagLive, none}}, sessions.BadgeLive},
	} {
		r := sessions.Row{Kind: sessions.KindSession, Session: tt.row}
		if got := r.Badge(); got != tt.want {
			t.Errorf("%s %v: %s, want %s", tt.row.State, tt.row.Flags, got, tt.want)
		}
	}
}

// TestMayRun checks that a run of claude -p counts as running if it wrote recently, and any other session if it is
// live.
func TestMayRun(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	sdk := []sessions.Flag{sessions.FlagSDK}
	for _, tt := range []struct {
		ses  sessions.Session
		want bool
	}{
		{sessions.Session{Modified: now}, false},
		{sessions.Session{Modified: now.AddDate(0, 0, -1), Live: &sessions.Live{}}, true},
		{sessions.Session{Modified: now.Add(-9 * time.Minute), Flags: sdk}, true},
		{sessions.Session{Modified: now.Add(-10 * time.Minute), Flags: sdk}, false},
	} {
		if got := tt.ses.MayRun(now); got != tt.want {
			t.Errorf("%+v: %v", tt.ses, got)
		}
	}
}

// TestSetFlag checks that SetFlag keeps the order of the flags, and doesn't change the slice that others share.
func TestSetFlag(t *testing.T) {
	t.Parallel()
	was := []sessions.Flag{sessions.FlagHiddenBranch, sessions.FlagSDK}
	s := sessions.Session{Flags: was}
	for range 2 {
		s.SetFlag(sessions.FlagNoBackup, true)
	}
	if want := []sessions.Flag{sessions.FlagHiddenBranch, sessions.FlagNoBackup, sessions.FlagSDK}; !slices.Equal(s.Flags, want) {
		t.Errorf("%v, want %v", s.Flags, want)
	}
	for range 2 {
		s.SetFlag(sessions.FlagHiddenBranch, false)
	}
	if want := []sessions.Flag{sessions.FlagNoBackup, sessions.FlagSDK}; !slices.Equal(s.Flags, want) || was[0] != sessions.FlagHiddenBranch || was[1] != sessions.FlagSDK {
		t.Errorf("%v, want %v; before %v", s.Flags, want, was)
	}
}

// TestShellCommandFirst checks that a session is named after its first prompt, not after a shell command before the
// prompt. This must also hold in the quick pass if the prompt isn't in the first peek.
func TestShellCommandFirst(t *testing.T) {
	t.Parallel()
	shell := turn("u1", "<bash-input>git switch main</bash-input>", "/w")
	ask := turn("u2", "Sort the tea", "/w")
	long := strings.Repeat(answer("a", "u1", "m", "2026-02-28T10:00:05.000Z", 1), 100) // more than 32 KB
	for data, want := range map[string]string{
		shell: "! git switch main", shell + ask: "Sort the tea", ask + shell: "Sort the tea",
		shell + long + ask + long: "Sort the tea", shell + long + long: "! git switch main",
	} {
		set := find(t, tree(t, map[string]string{"projects/p/" + idA + ".jsonl": data}))
		quick := set.Sessions[0]
		if err := set.Exact(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if s := set.Sessions[0]; quick.Name != want || s.Name != want || s.Prompt != want || quick.Exact != (len(data) < 32<<10) {
			t.Errorf("%d bytes: quick %q, exact %q, prompt %q, want %q", len(data), quick.Name, s.Name, s.Prompt, want)
		}
	}
}

func TestArchived(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/p/.claude/memory/session-2026-11-14-1810.md": true,
		`C:\p\.claude\memory\session-x.md`:             true,
		"/session-p/active-context.md":                 false,
		"/p/.claude/memory/project-memory.md":          false,
	} {
		if r := (&sessions.Row{Kind: sessions.KindDocument, Session: sessions.Session{Path: path}}); r.IsSessionDocument() != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
	if r := (&sessions.Row{Kind: sessions.KindBackup, Session: sessions.Session{Path: "/p/session-x.md"}}); r.IsSessionDocument() {
		t.Error("a backup")
	}
}
