package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// fakeChanges records requests and changes nothing.
type fakeChanges struct {
	mu    sync.Mutex
	asks  []Change
	fills []Change
	did   []Plan
	past  []PastAction
	looks int

	plan      Plan
	err       error
	doErr     error
	but       string
	wait      time.Duration // how long Plan takes
	hold      chan struct{} // Do waits until hold is closed
	cancelled int
}

func (c *fakeChanges) Plan(ctx context.Context, ask Change) (Plan, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asks = append(c.asks, ask)
	if c.wait > 0 {
		select {
		case <-time.After(c.wait):
		case <-ctx.Done():
			c.cancelled++
			return Plan{}, ctx.Err()
		}
	}
	plan := c.plan
	if plan.Title == "" {
		plan = testPlan(ask)
	}
	plan.Change = ask
	return plan, c.err
}

func (c *fakeChanges) Do(ctx context.Context, plan Plan) (Done, error) {
	if c.hold != nil {
		<-c.hold
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.did = append(c.did, plan)
	if c.doErr != nil {
		return Done{}, c.doErr
	}
	return Done{Said: fmt.Sprintf("Did %s %d.", plan.Change.Kind, len(plan.Change.Rows)), But: c.but}, nil
}

// Handover implements action.Changes. The handover has an entry of each kind.
func (c *fakeChanges) Handover(_ context.Context, ask Change) (Handover, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fills = append(c.fills, ask)
	if ask.Handover != nil {
		return *ask.Handover, c.err
	}
	return testHandover(ask), c.err
}

func (c *fakeChanges) Past(context.Context) ([]PastAction, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	return slices.Clone(c.past), c.err
}

// asked returns the requests as one string.
func (c *fakeChanges) asked() string {
	var words []string
	for _, a := range c.asks {
		words = append(words, string(a.Kind)+a.Past+" "+idsOf(a.Rows))
	}
	return strings.Join(words, "; ")
}

func (c *fakeChanges) done() string {
	var words []string
	for _, p := range c.did {
		words = append(words, string(p.Change.Kind)+p.Change.Past+" "+idsOf(p.Change.Rows))
	}
	return strings.Join(words, "; ")
}

func idsOf(rows []sessions.Row) string {
	var ids []string
	for i := range rows {
		ids = append(ids, rows[i].ID[4:8]+rows[i].ID[16:])
	}
	return strings.Join(ids, " ")
}

// testPlan returns the plan of the mock screens for the given rows.
func testPlan(ask Change) Plan {
	p := Plan{Title: "Discard", About: words.Counted(len(ask.Rows), "backup", "backups") + " in 2 projects", Verb: fmt.Sprintf("discard %d", len(ask.Rows)), Command: "continuo backup discard"}
	switch ask.Kind {
	case ChangeVerify:
		p.Title, p.Verb, p.Command = "Verify", "", ""
	case ChangeUndo:
		p.Title, p.About, p.Verb = "Undo", "Discarded 2 backups", "undo"
		p.Parts = undoParts()
		return p
	case ChangeRestore:
		p.Title, p.Verb = "Restore", "restore"
	case ChangeDiscard, ChangeDelete, ChangeSave, ChangeNote, ChangeStage, ChangeExport, ChangeHandover, ChangeEvidence,
		ChangeDelta, ChangeForks, ChangeHeal, ChangeLint:
	}
	touched := change.Part{Name: "Touched", Lines: []change.Line{{Text: words.Counted(len(ask.Rows), "file", "files") + ", 3.1 MB, go to the trash of their project"}, {}}}
	for i := range ask.Rows {
		touched.Lines = append(touched.Lines,
			change.Line{Text: "Today 11:02      teahouse   = same as the live file", Right: words.Size(ask.Rows[i].Bytes), Cut: true},
			change.Line{Tone: change.Faint, Text: "raw/" + ask.Rows[i].ID + ".jsonl", Whole: true})
	}
	p.Parts = []change.Part{
		touched,
		{Name: "Removed", Lines: []change.Line{{Text: "2 markers, so that Claude no longer offers these backups at its start"}, {Tone: change.Faint, Text: ".pending-backup-compact in teahouse, .pending-backup-exit in pantry"}}},
		{Name: "Stays", Lines: []change.Line{
			{Mark: change.Good, Text: "every line of them is still in the live transcripts, compared just now"},
			{Mark: change.Note, Text: "Oct 11 19:21 is not marked and stays pending: it is the only copy"},
		}},
		{Name: "Undo", Lines: []change.Line{{Text: "u restores both files and both markers, byte for byte."}, {Text: "continuo can undo your last 20 actions. The trash itself is emptied only by you."}}},
	}
	return p
}

func undoParts() []change.Part {
	return []change.Part{
		{Name: "moves", Lines: []change.Line{
			{Text: "raw/20261121_110213Z_compact.jsonl   from the trash of teahouse, 2.2 MB", Cut: true},
			{Text: "raw/20261120_184207Z_exit.jsonl      from the trash of pantry, 890 kB", Cut: true},
		}},
		{Name: "writes", Lines: []change.Line{{Text: "2 markers, as they were: .pending-backup-compact, .pending-backup-exit"}}},
	}
}

// testPast returns the undo list of the mock screens.
func testPast() []PastAction {
	parts := undoParts()
	return []PastAction{
		{ID: "a", When: "15:44", What: "Discarded 2 backups", Where: "teahouse, pantry", Can: "yes", Parts: parts},
		{ID: "b", When: "15:41", What: "Restored Pick a job queue", Where: "teahouse", Can: "yes", Parts: []change.Part{{Name: "removes", Lines: []change.Line{{Text: "the session that it made"}}}}},
		{ID: "c", When: "14:10", What: "Restored First sketch of the booking flow", Where: "teahouse", Can: "no, resumed since", Off: true, Parts: []change.Part{{Name: "why", Lines: []change.Line{{Text: "somebody has gone on with the session"}}}}},
		{ID: "d", When: "Yesterday 18:49", What: "Discarded 1 backup", Where: "lamplight", Can: "undone at 18:50", Back: true},
		{ID: "e", When: "Nov 16 11:15", What: "Discarded 4 backups", Where: "teahouse", Can: "no, trash emptied", Off: true},
	}
}

func triageSource() *fakeSource {
	s := testSource()
	s.batches[0].Rows = append(s.batches[0].Rows, triageRows()...)
	s.changes = []sessions.Batch{{Gone: []string{triageRows()[8].Path}}} // deleted while the undo list is open
	return s
}

func triageModel(t *testing.T, w, h int, more func(*fakeChanges)) (*model, *fakeChanges) {
	t.Helper()
	c := &fakeChanges{}
	if more != nil {
		more(c)
	}
	m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: triageSource(), Actions: &fakeActions{run: &fakeRun{}}, Changes: c}, testOptions())
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, tea.Batch(m.load(), askPast(m)))
	press(t, m, "a", "tab")
	return m, c
}

func TestGoldenTriage(t *testing.T) {
	t.Parallel()
	past := func(c *fakeChanges) { c.past = testPast() }
	tests := []struct {
		name string
		more func(*fakeChanges)
		keys []string
	}{
		{"triage", nil, nil},
		{"triage-marked", past, []string{"space", "space"}},
		{"triage-seen", nil, []string{"j", "j", "j", "j", "j", "j", "space", "j", "space", "j", "space"}},
		{"triage-end", nil, []string{"G"}},
		{"triage-plan", past, []string{"space", "space", "d"}},
		{"triage-report", nil, []string{"V"}},
		{"triage-past", past, []string{"U"}},
		{"triage-past-off", past, []string{"U", "j", "j"}},
		{"triage-past-none", nil, []string{"U"}},
		{"triage-reader", past, []string{"enter"}},
	}
	for _, test := range tests {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m, _ := triageModel(t, size[0], size[1], test.more)
					press(t, m, test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

// TestTriageASCII: the ASCII glyphs are at the same positions as the other glyphs.
func TestTriageASCII(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, keys := range [][]string{{"space", "space"}, {"space", "d"}, {"U"}} {
			m, _ := triageModel(t, 120, 36, func(c *fakeChanges) { c.past = testPast() })
			press(t, m, keys...)
			want := strings.Split(plain(t, m), "\n")
			m.opts.ASCII = true
			for i, line := range strings.Split(ansi.Strip(m.View().Content), "\n") {
				if line = strings.TrimRight(line, " "); ansi.StringWidth(line) != ansi.StringWidth(want[i]) || strings.ContainsFunc(line, func(c rune) bool { return c > 0x7e }) {
					t.Errorf("%v: %q for %q", keys, line, want[i])
				}
			}
		}
	})
}

func TestTriageFits(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		for _, keys := range [][]string{nil, {"space", "d"}, {"V"}, {"U"}, {"enter"}} {
			m, _ := triageModel(t, 120, 36, func(c *fakeChanges) { c.past = testPast() })
			press(t, m, keys...)
			for w := 1; w <= 130; w += 5 {
				for _, h := range []int{1, 2, 3, 5, 9, 12, 17, 30, 50} {
					m.Update(tea.WindowSizeMsg{Width: w, Height: h})
					if plain(t, m); t.Failed() {
						t.Fatalf("%v at %dx%d", keys, w, h)
					}
				}
			}
		}
	})
}

// TestTriageActs: the keys change the marked rows or, if no row is marked, the selected row.
func TestTriageActs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tests := []struct {
			name        string
			keys        []string
			asked, done string
			message     string
		}{
			{"the one under the bar", []string{"d", "enter"}, "discard 1121_compact", "discard 1121_compact", "Did discard 1."},
			{"two that are marked", []string{"space", "space", "j", "d", "enter"}, "discard 1121_compact 1120_exit", "discard 1121_compact 1120_exit", "Did discard 2."},
			{"in the order of the list", []string{"G", "space", "g", "space", "R", "enter"}, "restore 1121_compact 1105_clear", "restore 1121_compact 1105_clear", "Did restore 2."},
			{"marked and unmarked", []string{"space", "k", "space", "d", "esc"}, "discard 1120_exit", "", ""},
			{"a range", []string{"j", "space", "j", "v", "d", "esc"}, "discard 1120_exit 1011_exit 1119_clear", "", ""},
			{"a range upwards", []string{"j", "j", "space", "g", "v", "d", "esc"}, "discard 1121_compact 1120_exit 1011_exit", "", ""},
			{"a range from nowhere", []string{"v", "j", "j", "v", "d", "esc"}, "discard 1121_compact 1120_exit 1011_exit", "", ""},
			{"all of them, as filtered", []string{"/", "p", "e", "n", "d", "i", "n", "g", "enter", "ctrl+a", "d", "esc"}, "discard 1121_compact 1120_exit 1011_exit", "", ""},
			{"the group", []string{"j", "ctrl+a", "d", "esc"}, "discard 1121_compact 1120_exit 1011_exit", "", ""},
			{"the rest of the group", []string{"space", "ctrl+a", "space", "d", "esc"}, "discard 1121_compact 1011_exit", "", ""},
			{"the group, all, and none", []string{"j", "ctrl+a", "ctrl+a", "ctrl+a", "d", "esc"}, "discard 1120_exit", "", ""},
			{"esc takes the marks away", []string{"space", "space", "esc", "d", "esc"}, "discard 1011_exit", "", ""},
			{"a report", []string{"V", "enter"}, "verify 1121_compact", "", ""},
			{"marked, and out of sight", []string{"space", "/", "L", "o", "c", "k", "enter", "d", "enter"}, "discard 1121_compact", "discard 1121_compact", "Did discard 1."},
			{"marked in another project", []string{"j", "space", "a", "d", "enter"}, "discard 1120_exit", "discard 1120_exit", "Did discard 1."},
			{"of the one that is read, not of those marked", []string{"space", "enter", "d", "enter"}, "discard 1120_exit", "discard 1120_exit", "Did discard 1."},
			{"kept", []string{"K", "enter"}, "keep 1121_compact", "keep 1121_compact", "Did keep 1."},
			{"one of those marked is pending", []string{"space", "j", "j", "space", "K", "enter"}, "keep 1121_compact 1119_clear", "keep 1121_compact 1119_clear", "Did keep 2."},
			{"not pending", []string{"j", "j", "j", "K"}, "", "", "K keep: not pending"},
			{"none of those marked is pending", []string{"j", "j", "j", "space", "space", "g", "K"}, "", "", "K keep: not pending"},
			{"the one that is read is not pending", []string{"space", "j", "j", "enter", "K"}, "", "", "K keep: not pending"},
			{"nothing to undo", []string{"u"}, "", "", "u undo: nothing to undo"},
		}
		for _, test := range tests {
			m, c := triageModel(t, 120, 36, nil)
			press(t, m, test.keys...)
			if c.asked() != test.asked || c.done() != test.done || m.status.text != test.message {
				t.Errorf("%s: asked %q, did %q, message %q", test.name, c.asked(), c.done(), m.status.text)
			}
			if m.hasDialog() || m.acts.change.Busy() != "" {
				t.Errorf("%s: a dialog stays open:\n%s", test.name, plain(t, m))
			}
		}
	})
}

// TestTriageKeysAway: sessions and deleted backups can't be changed.
func TestTriageKeysAway(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 120, 36, nil)
		press(t, m, "shift+tab", "R", "V", "K", "d")
		if len(c.asks) != 0 || m.status.text != "d delete: live" || m.hasDialog() {
			t.Errorf("on a session: %q, %q", c.asked(), m.status.text)
		}
		m = testModel(t, triageSource(), testOptions(), 120, 36)
		press(t, m, "a", "tab", "d", "R", "V", "space", "u", "U")
		if got := strings.ReplaceAll(plain(t, m), "Safe to discard.", ""); strings.Contains(got, "discard") || strings.Contains(got, "marked") || m.hasDialog() {
			t.Errorf("without changes:\n%s", got)
		}
		m, c = triageModel(t, 120, 36, nil)
		press(t, m, "j", "j", "j", "j", "j", "j", "j", "j", "d") // the deleted one
		if len(c.asks) != 0 || m.status.text != "d discard: deleted" {
			t.Errorf("on a deleted backup: %q, %q", c.asked(), m.status.text)
		}
	})
}

func TestTriageProgram(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 120, 36, nil)
		rows := triageRows()
		c.past = testPast()
		press(t, m, "space", "space", "d", "enter")
		gone := sessions.Batch{Gone: []string{rows[0].Path, rows[1].Path}}
		settle(t, m, func() tea.Msg { return changedMsg{batch: gone, from: closedChanges()} })
		got := plain(t, m)
		if strings.Contains(got, "Nov 20") || strings.Contains(got, "✓ 2") || !strings.Contains(got, "Pending 1") || strings.Count(got, "deleted") != 1 {
			t.Errorf("after the discard:\n%s", got)
		}
		if selectedTitle(m) != "First sketch of the booking flow" || c.looks != 2 {
			t.Errorf("the bar is on %q, %d lookups", selectedTitle(m), c.looks)
		}
		press(t, m, "u", "enter")
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: rows[:2]}, from: closedChanges()}
		})
		if got = plain(t, m); !strings.Contains(got, "Pending 3") || c.done() != "discard 1121_compact 1120_exit; undo " {
			t.Errorf("undone, %q:\n%s", c.done(), got)
		}
		if selectedTitle(m) != "First sketch of the booking flow" {
			t.Errorf("the bar is on %q", selectedTitle(m))
		}
		settle(t, m, func() tea.Msg { return changedMsg{batch: gone, from: closedChanges()} })
		if got = plain(t, m); strings.Count(got, "✗ deleted") != 3 || !strings.Contains(got, "Pending 1") {
			t.Errorf("deleted by another program:\n%s", got)
		}
	})
}

// TestTriageKeep: a kept backup isn't pending any more, but stays in the list.
func TestTriageKeep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 120, 36, nil)
		row := triageRows()[1]
		c.past = testPast()
		press(t, m, "j", "K", "enter")
		row.Pending = false
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{row}}, from: closedChanges()}
		})
		got := plain(t, m)
		if !strings.Contains(got, "Pending 2") || !strings.Contains(got, "Reviewed 7") || strings.Count(got, "deleted") != 1 || selectedTitle(m) != "Teapot firmware" {
			t.Errorf("kept, the bar is on %q:\n%s", selectedTitle(m), got)
		}
		press(t, m, "K", "u", "enter")
		row.Pending = true
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{row}}, from: closedChanges()}
		})
		if got = plain(t, m); !strings.Contains(got, "Pending 3") || c.done() != "keep 1120_exit; undo " {
			t.Errorf("undone, %q:\n%s", c.done(), got)
		}
	})
}

// TestTriageMarks: a mark stays on its row during reloads.
func TestTriageMarks(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, nil)
		rows := triageRows()
		press(t, m, "space", "space", "ctrl+r")
		if n := len(marked(m)); n != 2 {
			t.Fatalf("%d marked after a refresh", n)
		}
		press(t, m, "/", "L", "o", "c", "k", "enter")
		if got := plain(t, m); !strings.Contains(got, "✓ 2 marked, 2 of them not visible · 3.1 MB · nothing is lost: their live files contain everything") {
			t.Errorf("filtered:\n%s", got)
		}
		press(t, m, "esc") // clears the marks
		if len(marked(m)) != 0 || pattern(m) == "" {
			t.Errorf("%d marked, filter %q", len(marked(m)), pattern(m))
		}
		press(t, m, "esc", "g", "space", "space", "space")
		if got := plain(t, m); !strings.Contains(got, "✓ 3 marked · 4.5 MB · 1 of them is the only copy") || !strings.Contains(got, "d discard 3") {
			t.Errorf("three:\n%s", got)
		}
		read := rows[0]
		read.Pending = false
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{read}, Gone: []string{rows[1].Path}}, from: closedChanges()}
		})
		if got := idsOf(marked(m)); got != "1011_exit 1121_compact" {
			t.Errorf("marked %s", got)
		}
	})
}

// TestTriageRegroup: the bar stays on its row when the row moves to another group.
func TestTriageRegroup(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, nil)
		press(t, m, "j")
		seen := triageRows()[1]
		seen.Pending = false
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{seen}}, from: closedChanges()}
		})
		if selectedTitle(m) != "Teapot firmware" || !strings.Contains(plain(t, m), "Reviewed 7") {
			t.Errorf("the bar is on %q:\n%s", selectedTitle(m), plain(t, m))
		}
	})
}
