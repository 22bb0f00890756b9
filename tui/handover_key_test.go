package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
)

// handoverModel has a session with a backup, in a project with documents.
func handoverModel(t *testing.T, w, h int, edit func(*sessions.Row)) (*model, *fakeChanges, *fakeActions) {
	t.Helper()
	s := testSource()
	first := s.batches[0].Rows[0]
	for i := range s.batches[0].Rows {
		if r := &s.batches[0].Rows[i]; strings.HasPrefix(r.ID, alive) {
			if edit != nil {
				edit(r)
			}
			first = *r
		}
	}
	kept := func(kind sessions.Kind, path string, age time.Duration) sessions.Row {
		return testRow("x", "A copy", age, func(r *sessions.Row) {
			r.Kind, r.Path, r.Created, r.Of, r.Project, r.Workdir = kind, first.Project+"/.claude/memory/"+path, testNow().Add(-age), first.ID, first.Project, first.Project
			r.ID = path
		})
	}
	s.batches[0].Rows = append(s.batches[0].Rows,
		kept(sessions.KindBackup, "raw/20261120_110213Z_compact.jsonl", 26*time.Hour), kept(sessions.KindBackup, "raw/20261121_110213Z_compact.jsonl", 4*time.Hour),
		kept(sessions.KindDocument, "session-2026-11-14-1810Z.md", 7*24*time.Hour), kept(sessions.KindDocument, "active-context.md", time.Hour))
	actions, changes := &fakeActions{run: &fakeRun{}}, &fakeChanges{}
	m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s, Actions: actions, Changes: changes}, testOptions())
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, m.load())
	settle(t, m, askPast(m))
	return m, changes, actions
}

func TestHandoverKey(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		edit            func(*sessions.Row)
		keys            []string
		kept            string
		message, didNot string
	}{
		"backup":        {nil, []string{"c", "B"}, alive, "Back up", ""},
		"deleted":       {func(r *sessions.Row) { r.Deleted = true }, []string{"c", "B"}, "", "Backup only: deleted", ""},
		"closed":        {nil, []string{"c", "esc"}, "", "", "Handover"},
		"in the reader": {nil, []string{"enter", "c"}, "", "Handover", ""},
		"no session":    {nil, []string{"tab", "c"}, "", "", "Handover"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m, changes, actions := handoverModel(t, 120, 36, test.edit)
				press(t, m, test.keys...)
				if asked := fmt.Sprint(actions.backups); test.kept != "" && !strings.Contains(asked, test.kept) || test.kept == "" && len(actions.backups) > 0 {
					t.Errorf("requested backups: %v", asked)
				}
				screen := plain(t, m)
				if !strings.Contains(screen, test.message) {
					t.Errorf("%q is not on the screen:\n%s", test.message, screen)
				}
				if test.didNot != "" && strings.Contains(screen, test.didNot) {
					t.Errorf("%q is on the screen:\n%s", test.didNot, screen)
				}
				if len(changes.did) > 0 {
					t.Errorf("done without confirmation: %+v", changes.did)
				}
			})
		})
	}
}
