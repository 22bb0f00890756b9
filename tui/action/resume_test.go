package action

import (
	"errors"
	"slices"
	"testing"

	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TestStartOf: the plan says where it would start, when that is not its own folder, or not here.
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
	a := NewResume(&Desk{Home: "/home/ada"})
	for _, tt := range tests {
		plan := &resume.Plan{Folder: tt.folder, In: tt.in, Findings: []resume.Finding{{Kind: tt.kind}}}
		if got := a.startOf(plan); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestVerbs: enter says what it does with each choice.
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

// TestPastAskedAgain: whatever may have written something has what was done asked for again: undo knows of it.
func TestPastAskedAgain(t *testing.T) {
	t.Parallel()
	d := &Desk{Context: t.Context()}
	asks := func(effects []screen.Effect) bool {
		return slices.ContainsFunc(effects, func(e screen.Effect) bool {
			switch e.(type) {
			case screen.AskPast, screen.LookAround: // it is among what is looked at
				return true
			}
			return false
		})
	}
	backup, restore := NewBackup(d), NewResume(d)
	for name, effects := range map[string][]screen.Effect{
		"a backup":                   backup.Took(backedUpMsg{outcome: Outcome{Said: "Backed up 1."}}),
		"a backup of which some are": backup.Took(backedUpMsg{err: errors.New("disk is full")}),
		"a client elsewhere":         restore.Took(preparedMsg{gen: restore.look.gen, outcome: Outcome{Said: "Started."}}),
		"one that is late":           restore.Took(preparedMsg{gen: -1, outcome: Outcome{Said: "Started."}}),
		"a start that failed":        restore.Took(preparedMsg{gen: restore.look.gen, err: errors.New("tmux: no server")}),
	} {
		if !asks(effects) {
			t.Errorf("%s: %+v", name, effects)
		}
	}
}

// TestAnotherChange: what was not asked for says nothing.
func TestAnotherChange(t *testing.T) {
	t.Parallel()
	a := NewChange(&Desk{Context: t.Context()})
	d := &doing{}
	effects := append(a.Took(doneMsg{of: d, done: screen.Done{Said: "another"}}), a.Took(doSlowMsg{d})...)
	if slices.ContainsFunc(effects, func(e screen.Effect) bool { _, tells := e.(screen.Tell); return tells }) {
		t.Errorf("said %+v", effects)
	}
}

// TestBackupSlow: a copy that takes its time says so, until it is made, and not over something else.
func TestBackupSlow(t *testing.T) {
	t.Parallel()
	d := &Desk{Context: t.Context()}
	a := NewBackup(d)
	a.make(nil)
	if got := a.Took(backupSlowMsg{}); len(got) != 1 || got[0] != screen.Effect(screen.Tell{Text: "Backing up…"}) {
		t.Errorf("said %+v", got)
	}
	d.Said = "Disk is full."
	if got := a.Took(backupSlowMsg{}); got != nil {
		t.Errorf("over something else: %+v", got)
	}
	d.Said = ""
	a.Took(backedUpMsg{err: errors.New("disk is full")})
	if got := a.Took(backupSlowMsg{}); got != nil || a.Busy() != "" {
		t.Errorf("once it has failed: %+v, %q", got, a.Busy())
	}
}
