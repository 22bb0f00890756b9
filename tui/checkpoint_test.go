package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
)

// checkpointModel returns a model with a session that has a backup, in a project with documents.
func checkpointModel(t *testing.T, w, h int, edit func(*sessions.Row)) (*model, *fakeChanges, *fakeActions) {
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

func TestGoldenCheckpoint(t *testing.T) {
	t.Parallel()
	for _, size := range screenSizes() {
		name := fmt.Sprintf("checkpoint-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m, _, _ := checkpointModel(t, size[0], size[1], nil)
				press(t, m, "c", "j")
				golden(t, name, plain(t, m))
			})
		})
	}
}

func TestCheckpoint(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		edit            func(*sessions.Row)
		keys            []string
		asked, kept     string
		message, didNot string
	}{
		"document":      {nil, []string{"c", "o"}, "save 1e0-…", "", "Discard", ""},
		"backup":        {nil, []string{"c", "b"}, "", alive, "Back up", ""},
		"stub":          {func(r *sessions.Row) { r.State = sessions.StateStub }, []string{".", "g", "c", "o"}, "", "", "Document: no message in it", ""},
		"deleted":       {func(r *sessions.Row) { r.Deleted = true }, []string{"c", "b"}, "", "", "Backup: deleted", ""},
		"closed":        {nil, []string{"c", "esc"}, "", "", "", "Checkpoint"},
		"in the reader": {nil, []string{"enter", "c", "o"}, "save 1e0-…", "", "", ""},
		"no session":    {nil, []string{"tab", "c"}, "", "", "", "Checkpoint"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m, changes, actions := checkpointModel(t, 120, 36, test.edit)
				press(t, m, test.keys...)
				saves := slices.DeleteFunc(slices.Clone(changes.asks), func(c Change) bool { return c.Kind != ChangeSave })
				switch {
				case test.asked == "" && len(saves) > 0:
					t.Errorf("requested %+v", saves)
				case test.asked != "" && (len(saves) != 1 || len(saves[0].Rows) != 1 || !strings.HasPrefix(saves[0].Rows[0].ID, alive)):
					t.Errorf("requested %+v", saves)
				}
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
