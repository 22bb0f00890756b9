package action

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TestStartOf: the plan names the folder if it differs from the session's folder.
func TestStartOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		folder string
		in     resume.Where
		kind   resume.FindingKind
		want   string
	}{
		{"", resume.WhereHere, resume.FindingLive, ""},
		{"/home/ada/x", resume.WhereHere, resume.FindingLive, " Claude Code starts in ~/x."},
		{"/home/ada/x", resume.WhereWindow, resume.FindingOtherFile, " Claude Code starts in ~/x, in a window."},
		{"", resume.WhereSplit, resume.FindingLive, " Claude Code starts in a split."},
		{"", resume.WhereWindow, resume.FindingNoTmux, ""},
		{"/home/ada/x", "", resume.FindingFolder, ""},
	}
	a := NewResume(&State{Home: "/home/ada"})
	for _, tt := range tests {
		plan := &resume.Plan{Folder: tt.folder, In: tt.in, Findings: []resume.Finding{{Kind: tt.kind}}}
		if got := a.startOf(plan); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestKnownPoint: the plan of a resume says what Claude still knows. The plan of a new session doesn't.
func TestKnownPoint(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	row := sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{
		First: now.Add(-22 * time.Hour), Last: now.Add(-21 * time.Hour), Exact: true, Messages: 119, Known: 38, ContextTokens: 61_400, State: sessions.StateOK,
	}}
	unknown := row
	unknown.Known = 0
	priced := row
	priced.Models = []string{"claude-opus-5-5"}
	prices := resume.Prices{Date: "2026-10-01", Models: map[string]resume.Price{"opus": {Input: 5, CacheRead: 0.5}}}
	a, choices := NewResume(&State{Now: now, Prices: prices}), []resume.Choice{{Name: "Resume"}}
	for name, c := range map[string]struct {
		row  sessions.Row
		plan resume.Plan
		want string
	}{
		"resume":      {row, resume.Plan{Title: "Resume", Choices: choices}, "Claude still knows 38 of 119 messages, 61.4k tokens. Last used 21 h ago: prompt cache probably expired."},
		"fork":        {row, resume.Plan{Title: "Fork", Choices: choices}, "Claude still knows 38 of 119 messages, 61.4k tokens. Last used 21 h ago: prompt cache probably expired."},
		"priced":      {priced, resume.Plan{Title: "Resume", Choices: choices}, "Claude still knows 38 of 119 messages, 61.4k tokens, about $0.31 to read again (prices of 2026-10-01). Last used 21 h ago: prompt cache probably expired."},
		"new":         {row, resume.Plan{Title: "New session", Choices: choices}, " "},
		"not counted": {unknown, resume.Plan{Title: "Resume", Choices: choices}, " "},
		"impossible":  {row, resume.Plan{Title: "Resume"}, " "},
	} {
		if p := a.knownPoint(&c.row, &c.plan); p.What+" "+p.Detail != c.want {
			t.Errorf("%s: %q", name, p.What+" "+p.Detail)
		}
	}
}

func TestVerbs(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Fork": "fork", "Attach": "attach", "Resume": "resume", "Recreate": "recreate", "Make it": "make it", "Open": "open",
		"Main folder": "start", "Main worktree": "start", "Its own folder": "start", "Here": "start", "Window": "start",
		"Take that one": "start", "New session": "start", "Take it up": "start", "Restore and resume": "restore and start",
	} {
		if got := verbOf(&resume.Choice{Name: name}); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := verbOf(&resume.Choice{Name: "Another folder", Path: true}); got != "name it" {
		t.Error(got)
	}
}

// TestPastAskedAgain: every event that may have added an action causes a read of the undo list.
func TestPastAskedAgain(t *testing.T) {
	t.Parallel()
	d := &State{Context: t.Context()}
	asks := func(effects []screen.Effect) bool {
		return slices.ContainsFunc(effects, func(e screen.Effect) bool {
			switch e.(type) {
			case screen.AskPast, screen.LookAround: // LookAround includes AskPast
				return true
			}
			return false
		})
	}
	backup, restore := NewBackup(d), NewResume(d)
	for name, effects := range map[string][]screen.Effect{
		"a backup":                   backup.Took(backedUpMsg{outcome: Outcome{Said: "Backed up 1."}}),
		"a backup of which some are": backup.Took(backedUpMsg{err: errors.New("disk is full")}),
		"a client elsewhere":         restore.Took(preparedMsg{gen: restore.lookup.gen, outcome: Outcome{Said: "Started."}}),
		"one that is late":           restore.Took(preparedMsg{gen: -1, outcome: Outcome{Said: "Started."}}),
		"a start that failed":        restore.Took(preparedMsg{gen: restore.lookup.gen, err: errors.New("tmux: no server")}),
	} {
		if !asks(effects) {
			t.Errorf("%s: %+v", name, effects)
		}
	}
}

func TestAnotherChange(t *testing.T) {
	t.Parallel()
	a := NewChange(&State{Context: t.Context()})
	d := &doing{}
	effects := append(a.Took(doneMsg{of: d, done: screen.Done{Said: "another"}}), a.Took(doSlowMsg{d})...)
	if slices.ContainsFunc(effects, func(e screen.Effect) bool { _, tells := e.(screen.Tell); return tells }) {
		t.Errorf("effects %+v", effects)
	}
}

// TestBackupSlow: the message about a slow backup doesn't replace another message.
func TestBackupSlow(t *testing.T) {
	t.Parallel()
	d := &State{Context: t.Context()}
	a := NewBackup(d)
	a.make(nil)
	if got := a.Took(backupSlowMsg{}); len(got) != 1 || got[0] != screen.Effect(screen.Tell{Text: "Backing up…"}) {
		t.Errorf("effects %+v", got)
	}
	d.Said = "Disk is full."
	if got := a.Took(backupSlowMsg{}); got != nil {
		t.Errorf("replaces another message: %+v", got)
	}
	d.Said = ""
	a.Took(backedUpMsg{err: errors.New("disk is full")})
	if got := a.Took(backupSlowMsg{}); got != nil || a.Busy() != "" {
		t.Errorf("after an error: %+v, %q", got, a.Busy())
	}
}
