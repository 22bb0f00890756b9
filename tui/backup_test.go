package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
)

// unsavedSource has sessions that ended without a backup.
func unsavedSource(ids ...string) *fakeSource {
	s := testSource()
	for i := range s.batches[0].Rows {
		r := &s.batches[0].Rows[i]
		r.Bytes = 1_400_000
		if slices.Contains(ids, r.ID[:8]) {
			r.Flags = append(slices.Clone(r.Flags), sessions.FlagNoBackup)
		}
	}
	return s
}

const (
	ended, other, stranger = "5d07be13", "a2b2b2b2", "d1d1d1d1" // stranger is in another project
	alive                  = "3f9ac1e0"                         // ID of the first row
	kept                   = "="                                // a reason for fakeActions.refuse: the session is already backed up
)

func backupModel(t *testing.T, s *fakeSource, w, h int) (*model, *fakeActions) {
	t.Helper()
	m := testModel(t, s, testOptions(), w, h)
	actions, ok := m.Actions.(*fakeActions)
	if !ok {
		t.Fatal("no fake")
	}
	return m, actions
}

func TestGoldenBackup(t *testing.T) {
	t.Parallel()
	many := []string{ended, other, stranger, "90e4c5aa", "a1b1b1b1", "a6b6b6b6", "a4b4b4b4", "a8b8b8b8"}
	tests := []struct {
		name   string
		ids    []string
		keys   []string
		refuse map[string]string
	}{
		{"unsaved", []string{ended, other, stranger}, nil, nil},
		{"backup-offered", []string{ended, other}, []string{"B", "j"}, nil},
		{"backup-one", nil, []string{"j", "j", "B"}, nil},
		{"backup-many", many, []string{"j", "j", "B", "j"}, map[string]string{other: "no .claude/memory; continuo init creates it"}},
		{"backup-kept", many, []string{"j", "j", "B"}, map[string]string{"90e4c5aa": kept}},
		{"backup-off", nil, []string{"j", "j", "B"}, map[string]string{"90e4c5aa": "no .claude/memory; continuo init creates it"}},
	}
	for _, test := range tests {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m, actions := backupModel(t, unsavedSource(test.ids...), size[0], size[1])
					actions.refuse = test.refuse
					press(t, m, test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

// TestBackupOffer: backups are offered once. The next key removes the offer.
func TestBackupOffer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := backupModel(t, unsavedSource(ended, stranger), 120, 36)
		if got := m.status; got.text != "1 session here ended without a backup, 1 elsewhere. B backs them up." || got.bad || !got.offer {
			t.Errorf("offer %+v", got)
		}
		press(t, m, "j")
		settle(t, m, m.load())
		if m.status.text != "" {
			t.Errorf("the offer is made again: %q", m.status.text)
		}
		m, _ = backupModel(t, unsavedSource(ended), 120, 36)
		if got := m.status.text; got != "1 session ended without a backup. B backs it up." {
			t.Errorf("one: %q", got)
		}
		m, _ = backupModel(t, unsavedSource(ended), 40, 10)
		if got := m.status.text; got != "1 not backed up. B backs it up." {
			t.Errorf("narrow: %q", got)
		}
		o := testOptions()
		o.Keys = map[string][]string{"backup": {"x"}}
		if m = testModel(t, unsavedSource(ended), o, 120, 36); !strings.Contains(m.status.text, " x backs it up") {
			t.Errorf("another key: %q", m.status.text)
		}
		if m, _ = backupModel(t, unsavedSource(ended, other), 120, 36); m.status.text != "2 sessions ended without a backup. B backs them up." {
			t.Errorf("none elsewhere: %q", m.status.text)
		}
		if m, _ = backupModel(t, unsavedSource(stranger), 120, 36); m.status.text != "1 session elsewhere ended without a backup. B backs it up." {
			t.Errorf("none here: %q", m.status.text)
		}
		o.Keys, o.Project = nil, ""
		if m = testModel(t, unsavedSource(ended, stranger), o, 80, 24); m.status.text != "2 sessions ended without a backup. B backs them up." {
			t.Errorf("of all projects: %q", m.status.text)
		}
		if m, _ = backupModel(t, testSource(), 120, 36); m.status.text != "" || m.offered {
			t.Errorf("offered although nothing is unsaved: %q", m.status.text)
		}
		m = newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: unsavedSource(ended)}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		if settle(t, m, m.load()); m.status.text != "" {
			t.Errorf("without actions: %q", m.status.text)
		}

		s := unsavedSource(ended)
		m = newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s, Actions: &fakeActions{}}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		m.Update(rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Rows: s.batches[0].Rows}, from: make(chan sessions.Batch)})
		press(t, m, "enter")
		settle(t, m, func() tea.Msg {
			return rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Rows: s.batches[0].Rows, Done: true}}
		})
		if !m.isReading() || m.status.text != "" {
			t.Errorf("offered in the reader: %q", m.status.text)
		}
		press(t, m, "esc")
		if m.clockTicked(clockMsg{testNow()}); !m.status.offer {
			t.Errorf("never offered: %q", m.status.text)
		}
	})
}

// TestBackupTaken: nothing is copied until the user confirms the plan.
func TestBackupTaken(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tests := []struct {
			name    string
			ids     []string
			refuse  map[string]string
			keys    []string
			want    [][]string // requested backups
			message string
		}{
			{"the offer", []string{ended, stranger}, nil, []string{"B", "a"}, [][]string{{alive, ended, stranger}, {"!" + ended, "!" + stranger}}, "Backed up 2."},
			{"the offer by enter", []string{ended, stranger}, nil, []string{"B", "enter"}, [][]string{{alive, ended, stranger}, {"!" + ended, "!" + stranger}}, "Backed up 2."},
			{"the selected one first", []string{ended, stranger}, nil, []string{"k", "B", "enter"}, [][]string{{alive, ended, stranger}, {"!" + alive}}, "Backed up 1."},
			{"it cannot be", []string{ended, stranger}, map[string]string{alive: "no"}, []string{"B", "enter"}, [][]string{{alive, ended, stranger}, {"!" + ended, "!" + stranger}}, "Backed up 2."},
			{"it is backed up", []string{ended}, map[string]string{alive: kept}, []string{"B", "enter"}, [][]string{{alive, ended}, {"!" + ended}}, "Backed up 1."},
			{"one that is not any more without", []string{ended, stranger}, map[string]string{ended: kept}, []string{"B", "a"}, [][]string{{alive, ended, stranger}, {"!" + stranger}}, "Backed up 1."},
			{"backed up already", nil, map[string]string{alive: kept}, []string{"B"}, [][]string{{alive}}, "It is already fully backed up."},
			{"and so is the other", []string{ended}, map[string]string{alive: kept, ended: kept}, []string{"B"}, [][]string{{alive, ended}}, "They are already fully backed up."},
			{"down to all", []string{ended, stranger}, nil, []string{"j", "B", "j", "enter"}, [][]string{{"b81d22f7", ended, stranger}, {"!" + ended, "!" + stranger}}, "Backed up 2."},
			{"the only one", []string{alive}, nil, []string{"B", "enter"}, [][]string{{alive}, {"!" + alive}}, "Backed up 1."},
			{"one that has one", nil, nil, []string{"B", "enter"}, [][]string{{alive}, {"!" + alive}}, "Backed up 1."},
			{"those that can be", []string{ended, stranger}, map[string]string{ended: "no"}, []string{"B", "a"}, [][]string{{alive, ended, stranger}, {"!" + stranger}}, "Backed up 1."},
			{"none that can be", nil, map[string]string{alive: "no"}, []string{"B"}, [][]string{{alive}}, "It cannot be backed up: no."},
			{"esc", []string{ended}, nil, []string{"B", "esc"}, [][]string{{alive, ended}}, ""},
			{"from the reader", nil, nil, []string{"enter", "B", "enter"}, [][]string{{alive}, {"!" + alive}}, "Backed up 1."},
		}
		for _, test := range tests {
			m, actions := backupModel(t, unsavedSource(test.ids...), 120, 36)
			actions.refuse = test.refuse
			press(t, m, test.keys...)
			if !slices.EqualFunc(actions.backups, test.want, slices.Equal) {
				t.Errorf("%s: backups %v, want %v", test.name, actions.backups, test.want)
			}
			if m.status.text != test.message || m.acts.backup.Busy() != "" {
				t.Errorf("%s: message %q, want %q", test.name, m.status.text, test.message)
			}
		}
	})
}

// TestBackupPlanStays: the choice of all sessions changes the list of copies, not the choices.
func TestBackupPlanStays(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := backupModel(t, unsavedSource(ended, stranger, other, "90e4c5aa", "a1b1b1b1"), 120, 36)
		line := func(word string) int {
			return slices.IndexFunc(strings.Split(plain(t, m), "\n"), func(l string) bool { return strings.Contains(l, word) })
		}
		press(t, m, "k", "B")
		at := line("All 5")
		if line("Teapot firmware") >= 0 || line(" 3f9ac1e0 ") < 0 || line("Claude offers the backup at every start") < 0 {
			t.Errorf("one session:\n%s", plain(t, m))
		}
		click := tea.MouseClickMsg{Button: tea.MouseLeft, X: 30, Y: at}
		settle(t, m, func() tea.Msg { return click })
		if line("All 5") != at || line("Teapot firmware") < 0 || line(" 5 sessions in 2 projects ") < 0 || line("Claude offers each backup at every start") < 0 {
			t.Errorf("all sessions, choices at line %d, then %d:\n%s", at, line("All 5"), plain(t, m))
		}
		settle(t, m, func() tea.Msg { return click })
		if n := len(actions.backups); n != 2 || len(actions.backups[1]) != 5 {
			t.Errorf("backups %v", actions.backups)
		}
	})
}

// TestBackupPlanLong: the choices stay visible for any number of sessions.
func TestBackupPlanLong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		row := s.batches[0].Rows[3]
		row.Bytes, row.Flags = 1_000_000, []sessions.Flag{sessions.FlagNoBackup}
		for i := range 40 {
			r := row
			r.ID, r.Path = fmt.Sprintf("%08d", i), fmt.Sprintf("/p/%d.jsonl", i)
			r.Workdir = fmt.Sprintf("/home/ada/code/p%d", i%5)
			s.batches[0].Rows = append(s.batches[0].Rows, r)
		}
		for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {80, 12}, {40, 10}, {20, 5}} {
			m, _ := backupModel(t, s, size[0], size[1])
			press(t, m, "B", "j")
			got := plain(t, m)
			if !strings.Contains(got, "▌  a  All 40") || size[1] >= 24 && (!strings.Contains(got, " 40 sessions in 5 projects ") ||
				!strings.Contains(got, "  … 3 more") || !strings.Contains(got, "Nothing has been copied yet.")) {
				t.Errorf("%v:\n%s", size, got)
			}
		}
	})
}

// TestBackupKeyOff: B does nothing if there is nothing to copy, or while a backup is being made.
func TestBackupKeyOff(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.batches[0].Rows[0].State = sessions.StateEmpty
		m, actions := backupModel(t, s, 120, 36)
		if press(t, m, ".", "g", "B"); len(actions.backups) != 0 || !strings.Contains(m.status.text, "the session is empty") {
			t.Errorf("backups %v, message %q", actions.backups, m.status.text)
		}
		m, actions = backupModel(t, memorySource(), 120, 36)
		press(t, m, "tab", "B")
		if len(actions.backups) != 0 || m.status.text != "B back up: choose a session" {
			t.Errorf("on a backup: backups %v, message %q", actions.backups, m.status.text)
		}
		m, actions = backupModel(t, unsavedSource(ended), 120, 36)
		actions.err = errors.New("disk is full")
		press(t, m, "B")
		if m.hasDialog() || !m.status.bad || m.status.text != "Disk is full." {
			t.Errorf("%+v", m.status)
		}
		actions.err = nil
		press(t, m, "esc", "B")
		_, cmd := m.Update(keyPress("enter"))
		if m.acts.backup.Busy() == "" {
			t.Fatal("no backup is being made")
		}
		if press(t, m, "j", "B"); m.hasDialog() || !strings.Contains(m.status.text, "a backup is being created") {
			t.Errorf("message %q", m.status.text)
		}
		actions.err = errors.New("disk is full")
		settle(t, m, cmd)
		if !m.status.bad || m.acts.backup.Busy() != "" {
			t.Errorf("%+v", m.status)
		}
	})
}
