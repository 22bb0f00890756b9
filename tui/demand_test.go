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

// leave takes rows out of the list, as a discard does.
func leave(t *testing.T, m *model, paths ...string) {
	t.Helper()
	m.actionRequest(screen.CarryOut{Plan: Plan{Leaves: paths}})
	settle(t, m, func() tea.Msg { return changedMsg{batch: sessions.Batch{Gone: paths}, from: closedChanges()} })
}

// TestBarSkipsNothing: when rows leave the bar goes to the next of those that stay, within their group where there is one.
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

// TestTermsTold: the footer and help name the terms of a filter, and one that no document has says what there is.
func TestTermsTold(t *testing.T) {
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
		says("No document has status:done. There are completed 4, blocked 1,")
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

// TestUndoLeft: what u says is there is what it can undo.
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

// TestUndoListed: u undoes what was done in the projects that are listed, and the list of undo has the rest.
func TestUndoListed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		elsewhere := PastAction{ID: "a", What: "Discarded 1", Can: "yes", Elsewhere: true}
		m, c := triageModel(t, 120, 36, func(c *fakeChanges) { c.past = []PastAction{elsewhere} })
		press(t, m, "u", "esc")
		if len(c.asks) != 1 || c.asks[0].Dir != "" {
			t.Fatalf("of all projects: %+v", c.asks)
		}
		press(t, m, "a", "u")
		if want := "u undo: nothing to undo in this project: U lists the others"; len(c.asks) != 1 || m.status.text != want {
			t.Errorf("%+v, said %q", c.asks, m.status.text)
		}
		c.past = append(c.past, PastAction{ID: "b", Can: "yes"})
		settle(t, m, askPast(m))
		press(t, m, "u")
		if len(c.asks) != 2 || c.asks[1].Dir != m.lists.Project() || m.lists.Project() == "" {
			t.Errorf("of one project: %+v", c.asks)
		}
	})
}

// TestEmptiedBackups: when the last backup is discarded, undo stays in sight.
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
		for _, want := range []string{"No backups in ~/code/teahouse", "u restores discarded backups.", "u undo", "U undo list"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
		}
		if press(t, m, "tab"); !strings.Contains(plain(t, m), "u U undo, list") {
			t.Errorf("in the sessions:\n%s", plain(t, m))
		}
	})
}

// TestEscToPage: esc in the list that the page led to returns to it, where it was; what there is to clear goes first.
func TestEscToPage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := &fakeProjects{facts: fullProject()}
		p.facts.Needs[1].Path = testRows()[2].Path
		p.facts.Needs[1].Kind = survey.NeedUnsaved
		m := pageModel(t, p, 120, 36, "g", "down")
		bar := m.projectPage().Bar()
		if press(t, m, "enter"); m.pageOf() != "" {
			t.Fatalf("enter does not lead on:\n%s", plain(t, m))
		}
		if press(t, m, "/", "x", "enter", "esc"); m.pageOf() != "" || pattern(m) != "" {
			t.Errorf("esc does not clear the filter: %q", pattern(m))
		}
		if press(t, m, "esc"); m.pageOf() == "" || m.projectPage().Bar() != bar || m.pageOf() != teahouse {
			t.Errorf("esc does not return:\n%s", plain(t, m))
		}
		if press(t, m, "esc", "esc"); m.pageOf() != "" {
			t.Error("from there it does not go back")
		}
		if press(t, m, "P", "tab", "esc"); m.pageOf() == "" {
			t.Error("tab leads away for good")
		}
	})
}

// TestMarkedKeys: what the keys are about is counted, in the footer and beside the list; the position stays.
func TestMarkedKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, nil)
		press(t, m, "space", "space")
		got := plain(t, m)
		for _, want := range []string{"d discard 2 ", "R restore 2 ", "V verify 2 ", "R restores the 2 marked rows, not this one.", "hold all of it "} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
		}
		if lines := strings.Split(got, "\n"); !strings.HasSuffix(lines[34], " 3 of 13") {
			t.Errorf("%q", lines[34])
		}
	})
}

// TestPastStands: the list of what was done stands still while the bar moves, and what has no room is scrolled.
func TestPastStands(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {80, 17}} {
			m, c := triageModel(t, size[0], size[1], func(c *fakeChanges) {
				c.past = testPast()
				c.past[1].Parts = longParts(60)
				c.past[3].Parts = []change.Part{{Name: "Undo", Lines: []change.Line{{Text: "It was undone already."}}}}
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
					t.Errorf("it moves from %s to %s:\n%s", edges, now, got)
				} else {
					edges = now
				}
				if a := past(m)[at(m)]; a.Back && strings.Count(got, "was undone") != 1 {
					t.Errorf("said twice:\n%s", got)
				}
				press(t, m, "j")
			}
			press(t, m, "k", "k", "k", "k", "k", "j")
			if got := plain(t, m); !strings.Contains(got, "enter show") || !strings.Contains(got, "↓ …") {
				t.Errorf("%v: not all of it is seen:\n%s", size, got)
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

// TestNoPositionOnOpen: what is open in a document is no row with a number.
func TestNoPositionOnOpen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := docModel(t, chainedSource(chainedDocs()[:6]), 120, 36)
		if got := plain(t, m); !strings.Contains(got, "1 of 6") {
			t.Errorf("on a row:\n%s", got)
		}
		if press(t, m, "G"); strings.Contains(plain(t, m), "6 of 6") {
			t.Errorf("on what stands for more:\n%s", plain(t, m))
		}
		if press(t, m, "k"); strings.Contains(plain(t, m), "6 of 6") {
			t.Errorf("on a todo:\n%s", plain(t, m))
		}
	})
}

// TestNarrowTabs: where there is room a tab has its count beside what is pending.
func TestNarrowTabs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 80, 24, nil)
		press(t, m, "tab")
		if got := plain(t, m); !strings.Contains(got, "Backups 12 3!") || !strings.Contains(got, "~/code/teahouse") {
			t.Errorf("%s", got)
		}
		m.resize(48, 24)
		if got := plain(t, m); !strings.Contains(got, "Backups 3!") {
			t.Errorf("%s", got)
		}
	})
}
