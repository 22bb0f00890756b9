package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// fakeLedgers returns the same ledger each time and counts the reads.
type fakeLedgers struct {
	ledger survey.Ledger
	err    error
	asked  []string

	logged    survey.Timeline
	loggedErr error
	timelines []context.Context

	gate    gate.Report
	gateErr error
	gates   []string // runs: project and mode
	gatesOf []string // sessions of the runs
	// If gateRun returns false, Gate fails with the error of ctx.
	gateRun func(ctx context.Context, full bool) bool
}

func (f *fakeLedgers) In(_ context.Context, dirs []string) []string {
	if f.ledger.None || f.err != nil {
		return nil
	}
	return dirs
}

func (f *fakeLedgers) Ledger(_ context.Context, dir string) (survey.Ledger, error) {
	f.asked = append(f.asked, dir)
	l := f.ledger
	l.Dir = dir
	return l, f.err
}

func (f *fakeLedgers) Recall(context.Context, string) (Recall, error) {
	return &fakeRecall{fakeRecovery: &fakeRecovery{}}, nil
}

func (f *fakeLedgers) Take(context.Context, string, recovery.Result, Taking) (Taken, error) {
	return Taken{}, nil
}

func (f *fakeLedgers) Timeline(ctx context.Context, _ string, ask TimelineAsk) (survey.Timeline, error) {
	l := f.logged
	f.timelines = append(f.timelines, ctx)
	if ask.Phase != "" {
		l.Entries = nil
		for _, e := range f.logged.Entries {
			if e.Phase == ask.Phase || e.Phase == ask.Or {
				l.Entries = append(l.Entries, e)
			}
		}
	}
	return l, f.loggedErr
}

func (f *fakeLedgers) Gate(ctx context.Context, dir string, ask GateAsk) (gate.Report, error) {
	f.gates, f.gatesOf = append(f.gates, fmt.Sprint(filepath.Base(dir), " ", ask.Full)), append(f.gatesOf, ask.Session)
	r := f.gate
	if f.gateRun != nil && !f.gateRun(ctx, ask.Full) {
		return gate.Report{}, ctx.Err()
	}
	return r, f.gateErr
}

func foundThere(r ledger.Ref) ledger.Check {
	switch r.Path {
	case "src/hours/model.go":
		return ledger.Check{Status: ledger.Moved, Quoted: true, At: 97}
	case "src/hours/calendar.go":
		return ledger.Check{Status: ledger.NoFile}
	case "src/limit/bucket.go":
		return ledger.Check{Status: ledger.NoLine, Lines: 112}
	}
	return ledger.Check{Status: ledger.Holds, Quoted: true}
}

func ledgerOf(text []byte) survey.Ledger {
	l := survey.Ledger{
		Dir: teahouse, Notes: notes.Parse(text), Written: testNow().Add(-2 * time.Hour), At: testNow().Add(-3 * time.Second),
		Project:  ledger.Project{Root: teahouse, Grimoire: teahouse + "/grimoires/loa", Notes: teahouse + "/grimoires/loa/NOTES.md", Beads: teahouse + "/.beads"},
		Evidence: map[survey.Backing]ledger.Check{},
	}
	for _, id := range l.Notes.Identifiers() {
		l.Checked = append(l.Checked, recovery.Checked{Identifier: id, Check: foundThere(id.Ref)})
	}
	decisions := l.Notes.Decisions()
	for i := range decisions {
		for k := range decisions[i].Evidence {
			e := &decisions[i].Evidence[k]
			l.Evidence[survey.BackingOf(e)] = foundThere(e.Ref)
		}
	}
	return l
}

func testNotes(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/ledger/NOTES.md")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func testBeads() *beads.Graph {
	day := testNow().Add(-48 * time.Hour)
	open := func(id, title string, priority int, on ...string) beads.Bead {
		b := beads.Bead{ID: id, Title: title, Status: "open", Priority: priority, Type: "task", Created: day, Updated: day}
		for _, o := range on {
			b.Deps = append(b.Deps, beads.Dep{On: o, Type: "blocks"})
		}
		return b
	}
	list := []beads.Bead{
		open("tea-38", "Tell the runbook how far hosts may drift", 3), open("tea-40", "Sweep fixtures whose tokens never expire", 1),
		open("tea-41", "One check for every kind of token", 1), open("tea-37", "Take the day constant out of src/auth", 2, "tea-41"),
		open("tea-42", "Admin tokens", 2, "tea-41", "tea-38"),
	}
	list[2].Status, list[2].Assignee = "in_progress", "ada"
	list[2].Description = "Members, guests and the admin console each compare times\nin a way of their own.\n\nOne.\nTwo.\nThree.\nFour."
	return &beads.Graph{Beads: list, Shape: "br"}
}

// testLedger returns the ledger of the mock screens.
func testLedger(t *testing.T) survey.Ledger {
	t.Helper()
	l := ledgerOf(testNotes(t))
	l.Beads = testBeads()
	return l
}

func ledgerModel(t *testing.T, f *fakeLedgers, w, h int, keys ...string) *model {
	t.Helper()
	m := newModel(t.Context(), World{
		Searcher: fakeSearcher{},
		Source:   testSource(), Actions: &fakeActions{run: &fakeRun{}}, Changes: &fakeChanges{}, Projects: &fakeProjects{facts: fullProject()}, Ledgers: f,
	}, testOptions())
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, m.load())
	settle(t, m, m.toTab(ledgerTab))
	press(t, m, keys...)
	return m
}
