package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/screen"
)

// leave removes rows from the list, as a discard does.
func leave(t *testing.T, m *model, paths ...string) {
	t.Helper()
	m.actionRequest(screen.CarryOut{Plan: Plan{Leaves: paths}})
	settle(t, m, func() tea.Msg { return changedMsg{batch: sessions.Batch{Gone: paths}, from: closedChanges()} })
}

// TestBarSkipsNothing: when its row is removed, the bar moves to the next row of the group.
func TestBarSkipsNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rows := triageRows()
		for _, test := range []struct {
			name string
			keys []string
			gone []int
			want string
		}{
			{"those before it and itself", []string{"j", "j", "j"}, []int{0, 1, 2, 3}, "Dim the lamp at dusk"},
			{"the end of its group", []string{"j", "j"}, []int{1, 2}, "Move the slot picker"},
			{"all of its group", []string{"j"}, []int{0, 1, 2}, "Rewrite the waitlist e-mails"},
			{"the last", []string{"G"}, []int{12}, "Locked"},
		} {
			m, _ := triageModel(t, 120, 36, nil)
			press(t, m, test.keys...)
			var gone []string
			for _, i := range test.gone {
				gone = append(gone, rows[i].Path)
			}
			leave(t, m, gone...)
			if got := selectedTitle(m); got != test.want {
				t.Errorf("%s: the bar is on %q, want %q", test.name, got, test.want)
			}
		}
	})
}

// TestFilterTermsShown: footer and help list the terms of a filter, such as status.
func TestFilterTermsShown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := docModel(t, chainedSource(chainedDocs()), 200, 36)
		says := func(want string) {
			t.Helper()
			if got := plain(t, m); !strings.Contains(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
		}
		says("/ filter status, tag")
		press(t, m, "/", "f1")
		says("status:done")
		press(t, m, "esc")
		press(t, m, strings.Split("status:done", "")...)
		says("No document has status:done. Existing values: completed 4,")
		says("in-progress 1.")
		press(t, m, "esc", "/")
		press(t, m, strings.Split("kind:done", "")...)
		says("No document matches “kind:done”.")
		press(t, m, "esc", "tab")
		if got := plain(t, m); strings.Contains(got, "status, tag") {
			t.Errorf("in another list:\n%s", got)
		}
	})
}

func TestUndoLeft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		taken := PastAction{ID: "a", What: "Discarded 1", Back: true, Can: "undone"}
		step := PastAction{ID: "b", What: "Undid", Step: true, Can: "yes"}
		for _, test := range []struct {
			past []PastAction
			want string
		}{
			{[]PastAction{taken}, "nothing to undo"},
			{[]PastAction{step, taken}, "only an undo can be undone: U lists it"},
			{[]PastAction{step, {ID: "c", Can: "yes"}}, ""},
		} {
			m, _ := triageModel(t, 120, 36, func(c *fakeChanges) { c.past = test.past })
			if got := bindingOf(m, "u").Off; got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		}
	})
}

// TestUndoListed: u undoes an action of the listed projects. The undo list has the actions of all projects.
func TestUndoListed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		elsewhere := PastAction{ID: "a", What: "Discarded 1", Can: "yes", Elsewhere: true}
		m, c := triageModel(t, 120, 36, func(c *fakeChanges) { c.past = []PastAction{elsewhere} })
		press(t, m, "u", "esc")
		if len(c.asks) != 1 || c.asks[0].Dir != "" {
			t.Fatalf("of all projects: %+v", c.asks)
		}
		press(t, m, "a", "u")
		if want := "u undo: nothing to undo in this project: U lists actions in other projects"; len(c.asks) != 1 || m.status.text != want {
			t.Errorf("%+v, message %q", c.asks, m.status.text)
		}
		c.past = append(c.past, PastAction{ID: "b", Can: "yes"})
		settle(t, m, askPast(m))
		press(t, m, "u")
		if len(c.asks) != 2 || c.asks[1].Dir != m.lists.Project() || m.lists.Project() == "" {
			t.Errorf("of one project: %+v", c.asks)
		}
	})
}

// TestEmptiedBackups: undo is possible after the last backup was discarded.
func TestEmptiedBackups(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, func(c *fakeChanges) { c.past = testPast() })
		var all []string
		for _, r := range triageRows() {
			all = append(all, r.Path)
		}
		press(t, m, "a")
		leave(t, m, all...)
		got := plain(t, m)
		for _, want := range []string{"No backups in ~/code/teahouse", "Press u to restore discarded backups.", "u undo", "U undo list"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
		}
		if press(t, m, "tab"); !strings.Contains(plain(t, m), "u U undo, list") {
			t.Errorf("in the sessions:\n%s", plain(t, m))
		}
	})
}

// TestEscToPage: esc clears marks and filter first. Then it returns to the project page.
func TestEscToPage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := &fakeProjects{facts: fullProject()}
		p.facts.Needs[1].Path = testRows()[2].Path
		p.facts.Needs[1].Kind = survey.NeedUnsaved
		m := pageModel(t, p, 120, 36, "g", "down")
		bar := m.projectPage().Bar()
		if press(t, m, "enter"); m.pageOf() != "" {
			t.Fatalf("enter doesn't open the list:\n%s", plain(t, m))
		}
		if press(t, m, "tab", "/", "x", "enter", "esc", "shift+tab"); m.pageOf() != "" || pattern(m) != "" {
			t.Errorf("esc does not clear the filter: %q", pattern(m))
		}
		if press(t, m, "esc"); m.pageOf() == "" || m.projectPage().Bar() != bar || m.pageOf() != teahouse {
			t.Errorf("esc does not return:\n%s", plain(t, m))
		}
		if press(t, m, "esc", "esc"); m.pageOf() != "" {
			t.Error("esc on the page doesn't go back")
		}
		if press(t, m, "P", "tab", "esc"); m.pageOf() == "" {
			t.Error("esc doesn't return to the page after tab")
		}
	})
}

// TestMarkedKeys: footer and preview show how many rows a key will change.
func TestMarkedKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, nil)
		press(t, m, "space", "space")
		got := plain(t, m)
		for _, want := range []string{"d discard 2 ", "R restore 2 ", "V verify 2 ", "R restores the 2 marked rows, not this one.", "contain everything "} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
		}
		if lines := strings.Split(got, "\n"); !strings.HasSuffix(lines[34], " 3 of 13") {
			t.Errorf("%q", lines[34])
		}
	})
}

// TestPastStands: the undo list doesn't scroll while the bar moves.
func TestPastStands(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {80, 17}} {
			m, c := triageModel(t, size[0], size[1], func(c *fakeChanges) {
				c.past = testPast()
				c.past[1].Parts = longParts(60)
				c.past[3].Parts = []change.Part{{Name: "Undo", Lines: []change.Line{{Text: "Already undone before."}}}}
			})
			press(t, m, "U")
			edges := ""
			for range c.past {
				got := plain(t, m)
				var edge []string
				for i, line := range strings.Split(got, "\n") {
					if strings.Contains(line, "╭") || strings.Contains(line, "╰") || strings.Contains(line, "───────") {
						edge = append(edge, fmt.Sprint(i))
					}
				}
				if now := strings.Join(edge, " "); edges != "" && now != edges {
					t.Errorf("the dialog moves from %s to %s:\n%s", edges, now, got)
				} else {
					edges = now
				}
				if a := past(m)[at(m)]; a.Back && strings.Count(got, "Already undone") != 1 {
					t.Errorf("shown twice:\n%s", got)
				}
				press(t, m, "j")
			}
			press(t, m, "k", "k", "k", "k", "k", "j")
			if got := plain(t, m); !strings.Contains(got, "enter show") || !strings.Contains(got, "↓ …") {
				t.Errorf("%v: not all of the preview is visible:\n%s", size, got)
			}
			for range 60 {
				press(t, m, "pgdown")
			}
			if got := plain(t, m); !strings.Contains(got, "enter undo") || !strings.Contains(got, "raw/59.jsonl") {
				t.Errorf("%v: scrolled:\n%s", size, got)
			}
			c.plan = Plan{Title: "Undo", Verb: "undo", Parts: longParts(60)}
			if press(t, m, "enter"); c.done() != "undob " {
				t.Errorf("%v: enter did %q", size, c.done())
			}
		}
	})
}

func TestNoPositionOnOpen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := docModel(t, chainedSource(chainedDocs()[:6]), 120, 36)
		if got := plain(t, m); !strings.Contains(got, "1 of 6") {
			t.Errorf("on a row:\n%s", got)
		}
		if press(t, m, "G"); strings.Contains(plain(t, m), "6 of 6") {
			t.Errorf("on the line for more todos:\n%s", plain(t, m))
		}
		if press(t, m, "k"); strings.Contains(plain(t, m), "6 of 6") {
			t.Errorf("on a todo:\n%s", plain(t, m))
		}
	})
}

// TestNarrowTabs: a tab shows the number of pending backups only if there is room.
func TestNarrowTabs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 80, 24, nil)
		press(t, m, "tab")
		if got := plain(t, m); !strings.Contains(got, "Backups 12 3!") || !strings.Contains(got, "~/code/teahouse") {
			t.Errorf("%s", got)
		}
		m.resize(36, 24)
		if got := plain(t, m); !strings.Contains(got, "Backups 3!") {
			t.Errorf("%s", got)
		}
	})
}
