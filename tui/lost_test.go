package tui

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/tui/rowtest"
)

// lostModel has a session of which only two backups are left.
func lostModel(t *testing.T, w, h int, more func(saved *sessions.Row)) (*model, *fakeActions, *fakeChanges) {
	t.Helper()
	s := testSource()
	rows := slices.DeleteFunc(s.batches[0].Rows, func(r sessions.Row) bool { return r.Has(sessions.FlagBackupOnly) })
	const day = 24 * time.Hour
	s.batches[0].Rows = append(rows,
		rowtest.Lost("7c41e9d2", "First sketch of the booking flow", "2026-10-11 19:21", 41*day, more),
		rowtest.Lost("7c41e9d2", "First sketch", "2026-10-10 19:21", 42*day, more))
	actions, changes := &fakeActions{run: &fakeRun{}}, &fakeChanges{}
	m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s, Actions: actions, Changes: changes}, testOptions())
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, tea.Batch(m.load(), askPast(m)))
	press(t, m, "G", "k")
	return m, actions, changes
}

func TestGoldenLost(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		keys []string
	}{
		{"lost", nil},
		{"lost-help", []string{"?"}},
		{"lost-mixed", []string{"space", "space", "d"}},
	} {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					m, _, _ := lostModel(t, size[0], size[1], nil)
					press(t, m, test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

// TestLostKeys: d, R and V act on the newest backup of the session. The other keys show a message.
func TestLostKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		keys        []string
		asked, says string
	}{
		{[]string{"d"}, "discard 1011_exit", "Discard"},
		{[]string{"R"}, "restore 1011_exit", ""},
		{[]string{"V"}, "verify 1011_exit", "Verify"},
		{[]string{"K"}, "", "K keep: not pending"},
		{[]string{"f"}, "", "f fork: only a backup of this session is left"},
		{[]string{"B"}, "", "B back up: only a backup of this session is left"},
		{[]string{"space", "k", "d"}, "discard 1011_exit", ""},
		{[]string{"space", "space", "d"}, "", "d discard: sessions and backups are marked; mark only one kind"},
		{[]string{"k", "space", "space", "d"}, "", "d delete: sessions and backups are marked; mark only one kind"},
		{[]string{"space", "space", "R"}, "", "R restore: sessions and backups are marked; mark only one kind"},
		{[]string{"ctrl+a", "V"}, "", "V verify: sessions and backups are marked; mark only one kind"},
	} {
		t.Run(strings.Join(test.keys, " "), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				m, _, changes := lostModel(t, 120, 36, nil)
				press(t, m, test.keys...)
				if got := changes.asked(); got != test.asked {
					t.Errorf("asked for %q, want %q", got, test.asked)
				}
				if !strings.Contains(plain(t, m), test.says) {
					t.Errorf("no %q:\n%s", test.says, plain(t, m))
				}
			})
		})
	}
}

func TestLostOpens(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions, _ := lostModel(t, 120, 36, nil)
		path := m.subject().Path
		if press(t, m, "enter"); m.subject().Path != path || m.subject().Kind != sessions.KindBackup || !m.isReading() {
			t.Errorf("enter opens %+v", m.subject())
		}
		press(t, m, "q", "r")
		if actions.row.Path != path || actions.row.Kind != sessions.KindBackup {
			t.Errorf("r resumes %+v", actions.row)
		}
	})
}

// TestLostOrganise: names, stars, tags and notes are stored for the session, not for its backup.
func TestLostOrganise(t *testing.T) {
	t.Parallel()
	const id = "7c41e9d2-71c4-4e0d"
	unknown := func(r *sessions.Row) { r.Path = "" }
	for _, test := range []struct {
		name string
		more func(*sessions.Row)
		keys []string
		want map[string]annotate.Note
		says string
	}{
		{"star", nil, []string{"*"}, map[string]annotate.Note{id: {Starred: true}}, "Starred “First sketch of the booking flow”."},
		{"no star", func(r *sessions.Row) { r.Starred = true }, []string{"*"}, map[string]annotate.Note{id: {}}, "Removed the star from "},
		{"name", nil, []string{"m", "ctrl+u", "S", "k", "enter"}, map[string]annotate.Note{id: {Name: "Sk"}}, "Named “Sk”."},
		{"tags", func(r *sessions.Row) { r.Tags = []string{"a"} }, []string{"t", "backspace", "b", "enter"}, map[string]annotate.Note{id: {Tags: []string{"b"}}}, "Tagged "},
		{"note", nil, []string{"N", "h", "i", "enter"}, map[string]annotate.Note{id: {Text: "hi"}}, "Saved the note on "},
		{"with a session", nil, []string{"space", "space", "*"}, map[string]annotate.Note{id: {Starred: true}, "a7b7b7b7-71c4-4e0d": {Starred: true}}, "Starred 2 sessions."},
		{"unknown folder", unknown, []string{"*"}, nil, "* star, or remove the star: the backup doesn't record the folder of its session"},
		{"unknown folder, marked", unknown, []string{"space", "space", "m"}, nil, "m name it: the backup doesn't record the folder of its session"},
		{"in the list of backups", nil, []string{"tab", "*"}, nil, "* star, or remove the star: choose a session"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				m, actions, _ := lostModel(t, 120, 36, test.more)
				press(t, m, test.keys...)
				if !reflect.DeepEqual(actions.notes, test.want) {
					t.Errorf("wrote %+v, want %+v", actions.notes, test.want)
				}
				if !strings.Contains(plain(t, m), test.says) {
					t.Errorf("no %q:\n%s", test.says, plain(t, m))
				}
			})
		})
	}
}
