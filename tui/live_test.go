package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/tui/render"
)

// fakeLive has a client in a tmux window, and one driven session.
type fakeLive struct {
	pid, asked int
	driven     keeper.Session
	other      []keeper.Session // more driven sessions
	sent       []string
	answers    []keeper.Answer
	stopped    int
	set        []string // modes and models
}

func (f *fakeLive) Sessions() []keeper.Session { return append(f.other, f.driven) }

func (f *fakeLive) Session(id string) (keeper.Session, bool) { return f.driven, id == f.driven.ID }

// Events returns one event. The next call fails, because a test can't wait for more.
func (f *fakeLive) Events(_ context.Context, after uint64) ([]keeper.Event, bool, error) {
	if after > 0 {
		return nil, false, context.Canceled
	}
	events := []keeper.Event{{ID: 1, Session: f.driven.ID, Kind: keeper.EventCreated}}
	if f.driven.Status == keeper.StatusEnded {
		events = append(events, keeper.Event{ID: 2, Session: f.driven.ID, Kind: keeper.EventEnded})
	}
	return events, false, nil
}

func (f *fakeLive) Send(_, text string) error { f.sent = append(f.sent, text); return nil }

func (f *fakeLive) Answer(_, _ string, a keeper.Answer) error {
	f.answers = append(f.answers, a)
	return nil
}

func (f *fakeLive) Interrupt(context.Context, string) error { f.stopped++; return nil }

func (f *fakeLive) SetMode(_ context.Context, _, mode string) error {
	f.set = append(f.set, mode)
	return nil
}

func (f *fakeLive) SetModel(_ context.Context, _, model string) error {
	f.set = append(f.set, model)
	return nil
}

func (f *fakeLive) End(string) error { f.stopped += 100; return nil }

func (f *fakeLive) Panes(_ context.Context, pids []int) map[int]LivePane {
	if len(pids) > 1 { // the preview passes a single pid
		f.asked++
	}
	return map[int]LivePane{f.pid: {ID: "%5", Name: "work:2"}}
}

func liveRow(pid int, status sessions.Status, waits string) sessions.Row {
	return testRow(fmt.Sprintf("%08d", pid), fmt.Sprint("Session ", pid), time.Hour, func(r *sessions.Row) {
		r.Messages, r.Branch, r.Flags = 31, "main", []sessions.Flag{sessions.FlagLive}
		r.Live = &sessions.Live{PID: pid, SessionID: r.ID, Status: status, WaitingFor: waits, Verified: true, Updated: testNow().Add(-time.Duration(pid) * time.Minute)}
	})
}

func liveModel(t *testing.T, live Live, w, h int, rows ...sessions.Row) (*model, *fakeActions) {
	t.Helper()
	s, a := &fakeSource{batches: []sessions.Batch{{Rows: rows, Done: true}}, doc: testDoc()}, &fakeActions{run: &fakeRun{}}
	m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: s, Actions: a, Live: live}, testOptions())
	settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
	settle(t, m, m.load())
	press(t, m, "shift+tab")
	return m, a
}

func TestLiveWindow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := liveModel(t, &fakeLive{pid: 2}, 120, 36, liveRow(2, sessions.StatusIdle, ""))
		press(t, m, "tab")
		if got := plain(t, m); !strings.Contains(got, "● live in tmux work:2") {
			t.Errorf("no window in\n%s", got)
		}
	})
}

func changed(t *testing.T, m *model, rows ...sessions.Row) {
	t.Helper()
	settle(t, m, func() tea.Msg { return changedMsg{batch: sessions.Batch{Rows: rows}, from: closedChanges()} })
}

func TestLiveGolden(t *testing.T) {
	t.Parallel()
	rows := []sessions.Row{
		liveRow(1, sessions.StatusIdle, ""), liveRow(2, sessions.StatusBusy, ""), liveRow(3, sessions.StatusWaiting, "permission to run make"),
		liveRow(4, "compacting\x1b[2J", ""), testRow("90e4c5aa", "Ended an hour ago", time.Hour, nil), testRow("90e4c5ab", "Ended yesterday", 24*time.Hour, nil),
		testRow("90e4c5ac", "Ended with exit", 2*time.Hour, nil), testBackup(),
	}
	failed := keeper.Session{ID: rows[4].ID, Status: keeper.StatusEnded, Err: "claude: exit status 1. Error: no model is called opsu\nmore"}
	waiting := question("Edit", pickerEdit, keeper.AttentionPermission)
	waiting.ID, waiting.Dir = rows[2].ID, rows[2].Workdir
	exit := &rows[len(rows)-1]
	exit.Of, exit.Created, exit.Last = rows[6].ID, testNow().Add(-time.Hour), testNow().Add(-time.Hour)
	rows[0].ContextTokens, rows[1].ContextTokens, rows[2].Live.Entrypoint = 183_000, 62_300, keeper.Entrypoint
	for _, size := range screenSizes() {
		name := fmt.Sprintf("live-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				m, _ := liveModel(t, &fakeLive{pid: 2, driven: failed, other: []keeper.Session{waiting}}, size[0], size[1], rows...)
				golden(t, name, plain(t, m))
			})
		})
	}
}

func TestLiveTab(t *testing.T) {
	bubble(t, func(t *testing.T) {
		panes := &fakeLive{pid: 2}
		m, a := liveModel(t, panes, 120, 36, liveRow(1, sessions.StatusIdle, ""), liveRow(2, sessions.StatusBusy, ""))
		a.message = "Went there."
		if first, _, _ := strings.Cut(plain(t, m), "\n"); !strings.Contains(first, "Live 2 ") {
			t.Errorf("tabs %q", first)
		}
		if got := render.Title(m.subject()); got != "Session 2" { // the busy one
			t.Errorf("the bar is on %s", got)
		}
		press(t, m, "a")
		if n := len(a.asks); n != 1 || a.asks[0].Pane != "%5" {
			t.Errorf("a asks %+v", a.asks)
		}
		press(t, m, "j")
		if press(t, m, "a"); len(a.asks) != 1 || !strings.Contains(m.status.text, "isn't a tmux window") {
			t.Errorf("a outside of tmux: %q", m.status.text)
		}
		press(t, m, "G")

		changed(t, m, liveRow(1, sessions.StatusWaiting, "Edit"), liveRow(3, sessions.StatusIdle, ""))
		if got := render.Title(m.subject()); got != "Session 1" {
			t.Errorf("after a change, the bar is on %s", got)
		}
		text := plain(t, m)
		if first, _, _ := strings.Cut(text, "\n"); !strings.Contains(first, "Live 3 1?") || !strings.Contains(text, "1 session waits for you") {
			t.Errorf("a session waits:\n%s", text)
		}
		if panes.asked != 2 {
			t.Errorf("asked %d times for the panes of two sets of clients", panes.asked)
		}
		press(t, m, "enter")
		if !m.isReading() {
			t.Error("enter doesn't read")
		}
		press(t, m, "q")
		ended := liveRow(1, "", "")
		ended.Live = nil
		changed(t, m, ended)
		if text = plain(t, m); !strings.Contains(text[strings.Index(text, "Ended today"):], "· Session 1 ") {
			t.Errorf("a session has ended:\n%s", text)
		}
		if press(t, m, "a"); len(a.asks) != 1 {
			t.Errorf("a on an ended session asks %+v", a.asks)
		}
		press(t, m, "tab")
		if m.tab != sessionsTab {
			t.Errorf("tab shows tab %d", m.tab)
		}
	})
}

func TestLiveEmpty(t *testing.T) {
	t.Parallel()
	for _, size := range screenSizes() {
		name := fmt.Sprintf("live-empty-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				m, _ := liveModel(t, &fakeLive{}, size[0], size[1], liveRow(1, sessions.StatusIdle, ""))
				changed(t, m, testRow("00000001", "Session 1", 24*time.Hour, nil))
				golden(t, name, plain(t, m))
				press(t, m, "a", "j", "G", "pgdown", "ctrl+d", "ctrl+u", "enter")
				if !m.hasDialog() {
					t.Errorf("enter shows\n%s", plain(t, m))
				}
				press(t, m, "esc", "j", "enter")
				if m.tab != sessionsTab {
					t.Errorf("the second choice shows tab %d", m.tab)
				}
			})
		})
	}
}
