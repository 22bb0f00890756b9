package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/screen"
)

type fakeProjects struct {
	facts survey.Project
	err   error
	asked []string
}

func (p *fakeProjects) Project(_ context.Context, dir string) (survey.Project, error) {
	p.asked = append(p.asked, dir)
	return p.facts, p.err
}

const teahouse = "/home/ada/code/teahouse"

// calmProject returns a new project: a repository without sessions.
func calmProject() survey.Project {
	return survey.Project{
		Dir: teahouse, Checked: testNow(), Git: &survey.Repo{Branch: "main", Known: true},
		Hooks: survey.Hooks{Trouble: "not installed, so no backup is made when a session ends", Run: "continuo init"},
	}
}

// fullProject returns the project of the mock screens.
func fullProject() survey.Project {
	rows := slices.DeleteFunc(testRows(), func(r sessions.Row) bool { return r.Quiet() || r.Project != teahouse })
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, time.UTC) }
	document := testRow("session-2026-11-14-1810", "Guest tokens join the shared clock", 7*24*time.Hour, func(r *sessions.Row) {
		r.Kind, r.Path, r.Status = sessions.KindDocument, teahouse+"/.claude/memory/session-2026-11-14-1810.md", "in-progress"
		r.Created = at(14, 18, 10)
		r.Todos = []sessions.Todo{{Text: "one"}, {Text: "two"}, {Text: "three"}, {Text: "four", Done: true}}
	})
	installed := time.Date(2026, 10, 2, 9, 0, 0, 0, time.UTC)
	return survey.Project{
		Dir: teahouse, Checked: testNow().Add(-3 * time.Second), Trees: 2,
		Git: &survey.Repo{Branch: "main", Ahead: 1, Changed: 2, Known: true},
		Last: &survey.Last{
			Row: rows[0], Prompt: "Now the same for the guest tokens.",
			Answer: "The guest verifier had its own copy of the check. Both now share `Claims.Expired`. **Not done:** the admin console still compares days.",
		},
		Next:     []string{"Give guest tokens the shared check", "Then the admin console, with its own test", "Agree on the leeway with the owner of hosts"},
		NextFrom: "active-context.md", Todos: 7, TodosIn: 4,
		Needs: []survey.Need{
			{Kind: survey.NeedQuestion, N: 1, More: "Edit, in Move the slot picker to the server", Path: rows[1].Path},
			{Kind: survey.NeedPending, N: 2, More: "Today 11:02, Oct 11", Path: "/backup/one.jsonl"},
			{Kind: survey.NeedPurge, N: 1, Path: rows[13].Path, By: testNow().Add(48 * time.Hour)},
			{Kind: survey.NeedHooks, N: 1, More: "SessionEnd, since Nov 14"},
			{Kind: survey.NeedUnseen, N: 4, More: "Nov 19, Nov 18", Path: "/backup/two.jsonl"},
		},
		Context: &survey.Context{
			Path: teahouse + "/.claude/memory/active-context.md", Updated: testNow().Add(-4*time.Hour - 50*time.Minute), Bytes: 19_050, StaleAt: 24 * time.Hour, HeavyAt: 20 << 10,
		},
		Hooks: survey.Hooks{Events: []survey.Hook{
			{Event: "SessionStart", State: survey.HookFires, Since: installed, Fired: at(21, 13, 20)},
			{Event: "PreCompact", State: survey.HookFires, Since: installed, Fired: at(21, 11, 2)},
			{Event: "SessionEnd", State: survey.HookFails, Since: installed, Fired: at(14, 18, 10), Ended: 11, Why: "has not fired since Nov 14, 11 sessions ended"},
		}},
		Sessions: rows[:6], All: 38, Purged: 1, PurgedBy: testNow().Add(48 * time.Hour),
		Document: &document, Documents: 7,
		Kept: []survey.Kept{
			{Name: "Backups", Files: 21, Bytes: 35_000_000, Newest: at(21, 11, 2)},
			{Name: "Documents", Files: 7, Bytes: 31_000, Newest: at(14, 18, 10)},
			{Name: "Trash", Files: 4, Bytes: 1_100_000, Newest: at(16, 9, 0)},
		},
	}
}

func withProject(change func(*survey.Project)) survey.Project {
	p := fullProject()
	change(&p)
	return p
}

func pageModel(t *testing.T, p *fakeProjects, w, h int, keys ...string) *model {
	t.Helper()
	m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: testSource(), Actions: &fakeActions{run: &fakeRun{}}, Projects: p}, testOptions())
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, m.load())
	press(t, m, "P")
	press(t, m, keys...)
	return m
}

func TestProjectPageGolden(t *testing.T) {
	t.Parallel()
	noSessions := func(p *survey.Project) {
		p.Last, p.Sessions, p.All, p.Purged = nil, nil, 0, 0
	}
	for _, test := range []struct {
		name  string
		facts survey.Project
		err   error
		keys  []string
	}{
		{name: "full", facts: fullProject()},
		{name: "full-end", facts: fullProject(), keys: []string{"G", "G"}},
		{name: "full-need", facts: fullProject(), keys: []string{"g"}},
		{name: "calm", facts: calmProject()},
		{name: "no-hooks", facts: withProject(func(p *survey.Project) {
			p.Hooks, p.Needs = calmProject().Hooks, nil
		})},
		{name: "heavy", facts: withProject(func(p *survey.Project) {
			p.Context.Updated, p.Context.Bytes, p.Context.Memory = testNow().Add(-75*time.Hour), 48_000, 12_300
			p.Needs = nil
		})},
		{name: "pending", facts: withProject(func(p *survey.Project) {
			noSessions(p)
			p.Needs = p.Needs[1:2]
			p.Git, p.Trees, p.Context = nil, 0, nil
			p.Unread = []string{"Directory ~/code/teahouse/.claude/memory/raw: permission denied."}
		})},
		{name: "gone", err: errors.New("The folder ~/code/teahouse is gone. Its sessions are in the list.")},
	} {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("project-%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m := pageModel(t, &fakeProjects{facts: test.facts, err: test.err}, size[0], size[1], test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

func TestProjectHead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := &fakeProjects{facts: fullProject()}
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: testSource(), Actions: &fakeActions{run: &fakeRun{}}, Projects: p}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		settle(t, m, m.load())
		first := m.lists.Subject().Row.Path
		line := func() string { return strings.Split(plain(t, m), "\n")[2] }
		press(t, m, "up")
		if !onHead(m) || !strings.HasPrefix(line(), "▌ / teahouse") || m.subject() != nil {
			t.Errorf("after up: head %v, %q", onHead(m), line())
		}
		if strings.Count(plain(t, m), "▌") != 1 {
			t.Errorf("there are two bars:\n%s", plain(t, m))
		}
		press(t, m, "up")
		press(t, m, "down")
		if onHead(m) || m.lists.Subject().Row.Path != first || strings.HasPrefix(line(), "▌") {
			t.Errorf("after down: head %v, %s", onHead(m), m.lists.Subject().Row.Path)
		}
		press(t, m, "up", "enter")
		if !m.onPage() || !slices.Equal(p.asked, []string{teahouse}) {
			t.Fatalf("enter on the line: page %v, read %v", m.onPage(), p.asked)
		}
		press(t, m, "esc")
		if m.pageOf() != "" || !onHead(m) {
			t.Error("esc doesn't return to the line")
		}
		press(t, m, "a", "up", "up") // all projects
		if onHead(m) {
			t.Error("the line of all projects can be selected")
		}
		press(t, m, "a")
		settle(t, m, func() tea.Msg { return tea.MouseClickMsg{X: 6, Y: 2, Button: tea.MouseLeft} })
		if !m.onPage() {
			t.Error("a click on the line doesn't open the page")
		}
	})
}

func TestProjectPagePlaces(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := &fakeProjects{facts: fullProject()}
		s := memorySource()
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s, Actions: &fakeActions{run: &fakeRun{}}, Projects: p}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		settle(t, m, m.load())
		var pending string
		for r := range m.lists.Rows(sessions.KindBackup) {
			if r.Pending && r.Project == teahouse {
				pending = r.Path
			}
		}
		if pending == "" {
			t.Fatal("no backup is pending")
		}
		p.facts.Needs[1].Path = pending

		press(t, m, "P", "enter")
		if !m.isReading() || m.subject().Path != p.facts.Sessions[0].Path {
			t.Fatal("enter doesn't open the session")
		}
		press(t, m, "esc")
		if !m.onPage() || m.subject() == nil {
			t.Fatal("esc doesn't return to the page")
		}
		press(t, m, "enter", "P")
		if !m.onPage() {
			t.Error("P in the reader doesn't return to the page")
		}
		press(t, m, "G")
		if row := m.subject(); row == nil || row.Kind != sessions.KindDocument {
			t.Error("G doesn't select the document")
		}
		press(t, m, "right")
		if m.projectPage().Bar().Kind != survey.ItemNeed {
			t.Errorf("right selects %+v", m.projectPage().Bar())
		}
		press(t, m, "left")
		if m.subject() == nil {
			t.Errorf("left selects %+v", m.projectPage().Bar())
		}
		press(t, m, "g", "down", "enter")
		if m.pageOf() != "" || m.tab != 1 || m.lists.Subject().Row.Path != pending || m.lists.Listed() == "" {
			t.Errorf("pending opens tab %d at %s", m.tab, m.lists.Subject().Row.Path)
		}

		press(t, m, "P", "q", "enter", "P", "tab")
		if m.top().screen != m.lists || m.tab == 1 {
			t.Errorf("tab shows tab %d", m.tab)
		}
		press(t, m, "shift+tab", "enter")
		if !m.isReading() {
			t.Fatal("nothing is read")
		}
		path := m.subject().Path
		press(t, m, "P", "esc")
		if !m.isReading() || m.subject().Path != path || m.pageOf() != "" {
			t.Error("esc doesn't return to the reader")
		}
	})
}

// TestProjectPageLooks: several changes of the project cause one read, after two seconds.
func TestProjectPageLooks(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := &fakeProjects{facts: fullProject()}
		m := pageModel(t, p, 120, 36)
		change := func(row sessions.Row) {
			from := make(chan sessions.Batch)
			close(from)
			settle(t, m, func() tea.Msg { return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{row}}, from: from} })
		}
		rows := testRows()
		press(t, m, "down")
		bar := m.projectPage().Bar()
		row := rows[2]
		row.Name, row.Messages = "Renamed since", 90
		before := time.Now()
		change(row)
		if len(p.asked) != 2 || time.Since(before) < 2*time.Second {
			t.Errorf("read %d times, after %s", len(p.asked), time.Since(before))
		}
		if m.projectPage().Bar() != bar || !strings.Contains(plain(t, m), "Renamed since") {
			t.Errorf("the bar is on %+v, or the row is outdated:\n%s", m.projectPage().Bar(), plain(t, m))
		}
		change(rows[len(rows)-1])
		if len(p.asked) != 2 {
			t.Error("a change of another project causes a read")
		}
		press(t, m, "ctrl+r")
		if len(p.asked) != 3 {
			t.Errorf("ctrl+r: read %d times", len(p.asked))
		}
		old := m.top().id
		press(t, m, "esc", "P")
		other := project.New(project.Options{Context: t.Context(), Projects: &fakeProjects{facts: calmProject()}, Now: testNow})
		late := other.Open()[0].(screen.Cmd)()
		want := plain(t, m)
		settle(t, m, func() tea.Msg { return answerMsg{old, late} })
		if plain(t, m) != want {
			t.Error("a late answer is shown")
		}
		m.Update(answerMsg{m.top().id, screen.Second{Now: testNow().Add(9 * time.Second)}}) // no settle, because the clock never stops
		if got := plain(t, m); !strings.Contains(got, "checked 12 s ago") {
			t.Errorf("no age:\n%s", got)
		}
	})
}

func TestProjectPageNone(t *testing.T) {
	t.Parallel()
	m := testModel(t, testSource(), testOptions(), 120, 36)
	press(t, m, "up", "P")
	if onHead(m) || m.pageOf() != "" {
		t.Error("there is a page")
	}
}
