package tui

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

type fakeRecovery struct {
	mu      sync.Mutex
	looking context.Context
	looks   int      // calls of Recall
	asks    []string // directory, level and query of each request
	takes   []string // directory, level and way of each Take
	results map[recovery.Level]recovery.Result
	err     error
	lookErr error
	takeErr error
	run     *fakeRun
	look    survey.Ledger
	wait    func(ctx context.Context, ask recovery.Ask)
}

func (f *fakeRecovery) Ledger(context.Context, string) (survey.Ledger, error) { return f.look, f.err }

func (f *fakeRecovery) Recall(ctx context.Context, dir string) (Recall, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looking = ctx
	if f.looks++; f.lookErr != nil {
		return nil, f.lookErr
	}
	return &fakeRecall{f, dir}, nil
}

type fakeRecall struct {
	*fakeRecovery
	dir string
}

func (f *fakeRecall) Staged() (time.Time, int) { return f.look.Staged, f.look.StagedN }

func (f *fakeRecall) Recover(ctx context.Context, ask recovery.Ask) (recovery.Result, error) {
	f.mu.Lock()
	f.asks = append(f.asks, strings.TrimSpace(fmt.Sprintf("%s %d %s", render.Base(f.dir), ask.Level, ask.Query)))
	f.mu.Unlock()
	if f.wait != nil {
		f.wait(ctx, ask)
	}
	r := f.results[ask.Level]
	if ask.Query != "" {
		r.Query = ask.Query
	}
	return r, f.err
}

func (f *fakeRecovery) In(_ context.Context, dirs []string) []string { return dirs }

func (f *fakeRecovery) Timeline(context.Context, string, TimelineAsk) (survey.Timeline, error) {
	return survey.Timeline{}, nil
}

func (f *fakeRecovery) Gate(context.Context, string, GateAsk) (gate.Report, error) {
	return gate.Report{}, nil
}

func (f *fakeRecovery) Take(_ context.Context, dir string, r recovery.Result, how Taking) (Taken, error) {
	f.takes = append(f.takes, fmt.Sprintf("%s %d %s", render.Base(dir), r.Level, how))
	switch {
	case f.takeErr != nil:
		return Taken{}, f.takeErr
	case how == TakeSession && f.run != nil:
		return Taken{Run: f.run}, nil
	}
	return Taken{Said: "Did " + string(how) + "."}, nil
}

func (f *fakeRecovery) asked() string { return strings.Join(f.asks, "; ") }

func matched(text string, words ...string) [][2]int {
	var found [][2]int
	for i := range text {
		for _, w := range words {
			if strings.HasPrefix(strings.ToLower(text[i:]), w) && (len(found) == 0 || found[len(found)-1][1] <= i) {
				found = append(found, [2]int{i, i + len(w)})
			}
		}
	}
	return found
}

// testRecovery returns the recovery of the mock screens.
func testRecovery() map[recovery.Level]recovery.Result {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 9, 0, 0, 0, time.UTC) }
	notes := []handover.Mark{handover.MarkNotes}
	both := []handover.Mark{handover.MarkBead, handover.MarkNotes}
	document := []handover.Mark{handover.MarkDocument}
	decision := func(d int, text string) recovery.Line {
		return recovery.Line{Lead: fmt.Sprintf("Decision 2026-11-%02d: ", d), Text: text, When: day(d), Match: matched(text, "tokens", "token", "guest"), Marks: notes}
	}
	place := func(path string, from, to int, c ledger.Check) recovery.Line {
		ref := ledger.Ref{Path: path, From: from, To: to, Form: ledger.FormRooted}
		return recovery.Line{Text: fmt.Sprintf("- ${PROJECT_ROOT}/%s:%d", path, from), Ref: &ref, Check: &c, Marks: notes}
	}
	holds := ledger.Check{Status: ledger.Holds, Quoted: true}
	question := "Do guest tokens keep their own issuer after the merge?"
	where := recovery.Result{
		Level: recovery.Where, Tokens: 184, Budget: 200, Text: "where\n", From: []string{"NOTES.md"},
		Parts: []recovery.Part{
			{Name: "Session continuity", Lines: []recovery.Line{{Lead: "Reasoning state: ", Text: "Moving guest and admin tokens onto Claims.Expired. Guest is done, admin is next.", Marks: notes}, {Text: "Bead: tea-41 One check for every kind of token (in progress)", Marks: both}}},
			{Name: "Decisions", Note: "the last 3 of 14", Lines: []recovery.Line{decision(21, "Leeway is 30 s for every token kind"), decision(20, "Opening hours are rules")}},
			{Name: "Next", Lines: []recovery.Line{{Lead: "Next: ", Text: "Describe the leeway in the docs", Marks: document}}},
			{Name: "Superseded", Lines: []recovery.Line{{Lead: "Superseded: ", Text: "Leeway is 60 s for every token kind (NOTES.md decides otherwise)", Marks: document, Old: true}}},
		},
		LeftOut: []recovery.Left{{What: "decisions", N: 11, InNotes: 11}, {What: "questions", N: 1, InNotes: 1}}, Legend: "N NOTES.md, B bead, D document",
	}
	topic := recovery.Result{
		Level: recovery.Topic, Query: "guest tokens", Tokens: 431, Budget: 500, Text: "topic\n", From: []string{"NOTES.md"},
		Parts: []recovery.Part{
			where.Parts[0],
			{Name: "Decisions", Note: "3 of 14 match", Lines: []recovery.Line{
				decision(21, "Leeway is 30 s for every token kind, and lives beside the clock"),
				decision(21, "Guest tokens go through the same verifier as members"), decision(12, "Guest sessions never survive a password reset"),
				{Lead: "Why: ", Text: "A reset is a sign that somebody else may have the guest's link, and the link is all that a guest has to show for it.", Match: matched("A reset is a sign that somebody else may have the guest's link", "guest"), Marks: notes},
			}},
			{Name: "Open questions", Note: "1 of 3 matches", Lines: []recovery.Line{{Lead: "Question: ", Text: question, Open: true, Match: matched(question, "guest", "tokens"), Marks: both}}},
			{Name: "Identifiers", Note: "4 of 11", Lines: []recovery.Line{
				place("src/auth/guest.go", 12, 40, holds), place("src/auth/clock.go", 12, 12, holds),
				place("src/hours/model.go", 88, 88, ledger.Check{Status: ledger.Moved, Quoted: true, At: 97}), place("src/limit/bucket.go", 140, 140, ledger.Check{Status: ledger.NoLine, Lines: 112}),
			}},
		},
		LeftOut: []recovery.Left{{What: "decisions", N: 11, InNotes: 11}, {What: "questions", N: 2, InNotes: 2}, {What: "debts", N: 6, InNotes: 6}, {What: "items", N: 4}}, Legend: "N NOTES.md, B bead",
	}
	all := recovery.Result{Level: recovery.All, Tokens: 7800, Text: "all\n", From: []string{"NOTES.md"}, Parts: []recovery.Part{{Name: "NOTES.md", Lines: []recovery.Line{{Text: "# teahouse"}, {}}}}}
	for i := range 120 {
		all.Parts[0].Lines = append(all.Parts[0].Lines, recovery.Line{Text: fmt.Sprintf("  - line %d of the notes", i+1)})
	}
	return map[recovery.Level]recovery.Result{recovery.Where: where, recovery.Topic: topic, recovery.All: all}
}

func recoverModel(t *testing.T, f *fakeRecovery, w, h int, keys ...string) *model {
	t.Helper()
	if f.results == nil {
		f.results = testRecovery()
	}
	m := newModel(t.Context(), World{
		Searcher: fakeSearcher{},
		Source:   memorySource(), Actions: &fakeActions{run: &fakeRun{}}, Changes: &fakeChanges{}, Projects: &fakeProjects{facts: fullProject()}, Ledgers: f,
	}, testOptions())
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, m.load())
	press(t, m, keys...)
	return m
}
