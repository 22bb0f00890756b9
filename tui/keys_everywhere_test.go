package tui

import (
	"fmt"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
)

// everywhere returns a model with all interfaces.
func everywhere(t *testing.T, rows []sessions.Row, keys ...string) *model {
	t.Helper()
	s := chainedSource(nil)
	s.batches[0].Rows = rows
	m := newModel(t.Context(), World{
		Searcher: fakeSearcher{},
		Source:   s, Actions: &fakeActions{run: &fakeRun{}}, Changes: &fakeChanges{past: testPast()}, Projects: &fakeProjects{facts: fullProject()},
	}, testOptions())
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
	settle(t, m, tea.Batch(m.load(), askPast(m)))
	press(t, m, keys...)
	return m
}

func TestEveryKeyEverywhere(t *testing.T) {
	t.Parallel()
	all := append(append(testRows(), triageRows()...), chainedDocs()...)
	noMatch := []string{"/", "z", "q", "x", "z", "enter"}
	few := []string{"list", "page", "past"}
	worlds := map[string]struct {
		rows   []sessions.Row
		to     []string
		places []string
	}{
		"empty":       {nil, nil, few},
		"full":        {all, nil, []string{"list", "page", "reader", "facts", "filter", "find", "help", "palette", "copy", "past", "folder", "end"}},
		"backups":     {all, []string{"tab"}, []string{"list", "page", "reader", "marked", "plan"}},
		"documents":   {all, []string{"shift+tab"}, []string{"list", "page", "reader", "end"}},
		"no backup":   {all, append([]string{"tab"}, noMatch...), few},
		"no document": {all, append([]string{"shift+tab"}, noMatch...), few},
	}
	places := map[string][]string{
		"list": nil, "page": {"a", "P", "G"}, "reader": {"enter"}, "facts": {"i"}, "filter": {"tab", "/"}, "find": {"enter", "/"}, "help": {"?"}, "palette": {":"},
		"copy": {"y"}, "plan": {"d"}, "past": {"U"}, "folder": {"w", "d"}, "marked": {"space"}, "end": {"G"},
	}
	for name, world := range worlds {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				for _, place := range world.places {
					to := append(slices.Clone(world.to), places[place]...)
					m := everywhere(t, world.rows, to...)
					was := where(m)
					for _, k := range keysOf(m) {
						pressOne(t, m, fmt.Sprintf("%s, key %s", place, k), k)
						if where(m) != was || t.Failed() {
							m = everywhere(t, world.rows, to...)
						}
					}
				}
			})
		})
	}
}

// keysOf returns all keys of the current screen, and two unbound keys.
func keysOf(m *model) []string {
	keys := []string{"ä", "0"}
	for _, b := range keysIn(m, *m.front()) {
		keys = append(keys, b.Keys...)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func pressOne(t *testing.T, m *model, where, k string) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v", where, p)
		}
	}()
	press(t, m, k)
	m.screen()
}

// TestEditOnPage: e opens the document selected on the page, not the one selected in the list.
func TestEditOnPage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for name, keys := range map[string][]string{
			"nothing is listed":    {"tab", "/", "z", "q", "x", "z", "enter"},
			"the bar is on a todo": {"shift+tab", "G", "k"},
		} {
			m := everywhere(t, append(testRows(), chainedDocs()...), keys...)
			settle(t, m, m.toBase())
			if m.lists.Listed() == "" {
				press(t, m, "a")
			}
			press(t, m, "P")
			if m.pageOf() == "" { // no row matches the filter, so P opens the listed project
				t.Fatalf("%s: no page:\n%s", name, plain(t, m))
			}
			for m.subject() == nil || m.subject().Kind != sessions.KindDocument {
				bar := m.projectPage().Bar()
				if press(t, m, "j"); m.projectPage().Bar() == bar {
					t.Fatalf("%s: no document on the page:\n%s", name, plain(t, m))
				}
			}
			a := m.Actions.(*fakeActions)
			if press(t, m, "e"); len(a.edited) != 1 || a.edited[0] != fullProject().Document.Path+":0" {
				t.Errorf("%s: edited %q", name, a.edited)
			}
		}
	})
}

// TestKeyNeeds: a key that can't act on the row shows what to choose, such as "choose a session".
func TestKeyNeeds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		all := append(append(testRows(), triageRows()...), chainedDocs()...)
		for _, test := range []struct{ to, key, message string }{
			{"tab", "c", "c handover: choose a session"},
			{"shift+tab", "c", "c handover: choose a session"},
			{"tab", "f", "f fork: choose a session"},
			{"tab", "e", "e edit: choose a document"},
			{"tab", "[", "[: choose a document"},
			{"", "d", "d delete: live"},
			{"", "R", "R restore: choose a backup"},
			{"shift+tab", "space", "space mark: choose a session or backup"},
			{"shift+tab", "R", "R restore: choose a backup"},
			{"enter", "n", "n: search first"},
			{"", "ä", ""},
			{"", "/", ""},
		} {
			m := everywhere(t, all)
			if test.to != "" {
				press(t, m, test.to)
			}
			if press(t, m, test.key); m.status.text != test.message || m.hasDialog() {
				t.Errorf("%s %s: message %q, want %q", test.to, test.key, m.status.text, test.message)
			}
		}
		m := everywhere(t, nil)
		if press(t, m, "r"); m.status.text != "r resume: nothing is chosen" {
			t.Errorf("with nothing listed: %q", m.status.text)
		}
	})
}
