package tui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/screen"
)

func talkModel(t *testing.T, w, h int, state keeper.Session) (*model, *fakeLive, *fakeActions) {
	t.Helper()
	row := liveRow(1, sessions.StatusBusy, "")
	state.ID, state.Dir = row.ID, row.Workdir
	f := &fakeLive{driven: state}
	m, a := liveModel(t, f, w, h, row)
	a.drives = row.ID
	settle(t, m, m.openDriven(screen.Drive{ID: row.ID}))
	return m, f, a
}

// TestTalkOpens: w c drives a session. Enter on the Live tab opens this session again.
func TestTalkOpens(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _, a := talkModel(t, 120, 36, keeper.Session{Status: keeper.StatusIdle})
		onTalk := func() bool { return m.top().screen.Name() == "Driven session" }
		if press(t, m, "esc", "esc"); onTalk() || !m.onBase() {
			t.Fatalf("esc leaves %s", m.top().screen.Name())
		}
		if press(t, m, "enter"); !onTalk() {
			t.Error("enter doesn't open a driven session")
		}
		press(t, m, "esc", "esc", "w", "c")
		if len(a.asks) != 1 || a.asks[0].In != resume.WhereContinuo || !onTalk() {
			t.Errorf("w c asks %+v", a.asks)
		}
	})
}

// TestQuitAsks: the question names the driven sessions that will end. A second ctrl+c quits.
func TestQuitAsks(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, f, _ := talkModel(t, 80, 24, question("Bash", psql, keeper.AttentionPermission))
		press(t, m, "esc", "ctrl+c")
		if text := plain(t, m); !strings.Contains(text, "Close continuo") || !strings.Contains(text, "Session 1") || !strings.Contains(text, "Its question is denied.") {
			t.Errorf("ctrl+c shows\n%s", text)
		}
		if press(t, m, "esc"); m.hasDialog() {
			t.Error("esc doesn't keep the browser open")
		}
		for _, key := range []string{"e", "ctrl+c"} {
			press(t, m, "ctrl+c")
			if !m.hasDialog() {
				t.Fatalf("%s: ctrl+c doesn't ask again", key)
			}
			if _, cmd := m.Update(keyPress(key)); !slices.Contains(answers(cmd), tea.Msg(tea.QuitMsg{})) {
				t.Errorf("%s doesn't quit", key)
			}
			press(t, m, "esc", "esc")
			settle(t, m, m.openDriven(screen.Drive{ID: f.driven.ID}))
			press(t, m, "esc")
		}
		f.driven.Status = keeper.StatusEnded
		if cmd := m.quit(); m.askQuit(cmd().(drivenMsg)) == nil || m.hasDialog() {
			t.Error("asks although the session has ended")
		}
	})
}

// TestQuitDetaches: a keeper runs the session, so quitting doesn't ask.
func TestQuitDetaches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, f, _ := talkModel(t, 120, 36, question("Bash", psql, keeper.AttentionPermission))
		press(t, m, "esc", "esc")
		m.opts.Keeper = true
		settle(t, m, m.openDriven(screen.Drive{ID: f.driven.ID}))
		press(t, m, "esc")
		if text := plain(t, m); !strings.Contains(text, "Q detach") {
			t.Errorf("the session shows\n%s", text)
		}
		for _, key := range []string{"ctrl+c", "Q"} {
			if _, cmd := m.Update(keyPress(key)); !slices.Contains(answers(cmd), tea.Msg(tea.QuitMsg{})) || m.hasDialog() {
				t.Errorf("%s doesn't quit", key)
			}
		}
		if press(t, m, "m", "e"); f.stopped != 100 || m.hasDialog() {
			t.Errorf("m e ends %d", f.stopped)
		}
	})
}

// TestBell: the bell rings once when a session starts to wait for the user.
func TestBell(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := liveModel(t, &fakeLive{}, 80, 24, liveRow(1, sessions.StatusWaiting, "Edit"), liveRow(2, sessions.StatusBusy, ""))
		m.opts.Bell = true
		rings := func(rows ...sessions.Row) bool {
			_, cmd := m.Update(changedMsg{batch: sessions.Batch{Rows: rows}, from: closedChanges()})
			return slices.ContainsFunc(answers(cmd), func(msg tea.Msg) bool { raw, ok := msg.(tea.RawMsg); return ok && raw.Msg == "\a" })
		}
		if rings(liveRow(1, sessions.StatusWaiting, "Edit")) || !rings(liveRow(2, sessions.StatusWaiting, "")) || rings(liveRow(2, sessions.StatusBusy, "")) {
			t.Error("the bell rings at the wrong time")
		}
	})
}

func question(tool, input string, kind keeper.AttentionKind) keeper.Session {
	return keeper.Session{Status: keeper.StatusWaiting, Model: "opus", Mode: "default", Open: []keeper.Attention{{
		ID: "q", Kind: kind, Tool: tool, Description: "Rebuild the slot index", Input: json.RawMessage(input), At: testNow().Add(-11 * time.Minute),
		Suggestions: []json.RawMessage{json.RawMessage(`{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"psql *"}],"behavior":"allow","destination":"localSettings"}`)},
	}}}
}

const psql = `{"command":"psql \"$DATABASE_URL\" -v ON_ERROR_STOP=1 \\\\\n  -c 'drop index slots_day_idx'","description":"Rebuild the slot index"}`

const pickerEdit = `{"file_path":"/home/ada/code/teahouse/src/slots/picker.go","old_string":"all := h.store.All()\nwriteJSON(w, all)","new_string":"rows := h.store.Free(q.Day)\nwriteJSON(w, rows)"}`

func TestTalkGolden(t *testing.T) {
	t.Parallel()
	busy := keeper.Session{Status: keeper.StatusBusy, Model: "opus", Mode: "default", Partial: "The server answers in 0.19 ms instead of 2.9 ms, so the page no longer waits.", Queued: []string{"And add the party size to the cache key."}}
	const several = `{"questions":[{"question":"Which parts?","header":"Parts","options":[{"label":"index","description":"drop and make it"},{"label":"table"}],"multiSelect":true}]}`
	const ask = `{"questions":[{"question":"Which database?","header":"DB","options":[{"label":"compose","description":"the local one"},{"label":"shared","description":"the one of the team"}],"multiSelect":false}]}`
	for name, test := range map[string]struct {
		state keeper.Session
		keys  []string
	}{
		"talk-writing":  {busy, []string{"T", "h", "e", "n", " ", "m", "e", "a", "s", "u", "r", "e", ":", "ctrl+j", "t", "e", "n"}},
		"talk-bash":     {question("Bash", psql, keeper.AttentionPermission), []string{"esc", "A"}},
		"talk-edit":     {question("Edit", pickerEdit, keeper.AttentionPermission), []string{"esc", "A"}},
		"talk-changed":  {question("Bash", psql, keeper.AttentionPermission), []string{"esc", "A", "e"}},
		"talk-several":  {question("AskUserQuestion", several, keeper.AttentionQuestion), []string{"esc", "A", "2"}},
		"talk-mode":     {busy, []string{"esc", "m"}},
		"talk-question": {question("AskUserQuestion", ask, keeper.AttentionQuestion), []string{"esc", "A"}},
	} {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					m, _, _ := talkModel(t, size[0], size[1], test.state)
					press(t, m, test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

// TestTalkSends: enter sends a message once, even if it is pressed twice.
func TestTalkSends(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, f, _ := talkModel(t, 80, 24, keeper.Session{Status: keeper.StatusIdle})
		press(t, m, "enter", "q", "?", "ctrl+j", "A", "enter", "enter", "up", "enter", "up", "up", "x", "enter", "up", "down", "enter", "ctrl+x")
		if want := []string{"q?\nA", "q?\nA", "qx?\nA"}; !slices.Equal(f.sent, want) {
			t.Errorf("sent %q, want %q", f.sent, want)
		}
		if f.stopped != 0 || !strings.Contains(m.status.text, "no turn is running") {
			t.Errorf("interrupted an idle session %d times: %q", f.stopped, m.status.text)
		}
		if press(t, m, "shift+tab", "p", "esc", "m", "o", "m", "m", "x", "enter"); !slices.Equal(f.set, []string{"plan", "opus", "x"}) || m.hasDialog() {
			t.Errorf("mode and model: %q", f.set)
		}
		if press(t, m, "Q", "e"); f.stopped != 100 || m.hasDialog() {
			t.Errorf("Q: %d", f.stopped)
		}
		if press(t, m, "esc"); m.tab != liveTab || !m.onBase() {
			t.Error("esc doesn't close the session")
		}
	})
}

func TestTalkAnswers(t *testing.T) {
	t.Parallel()
	const ask = `{"questions":[{"question":"Which tea?","options":[{"label":"Green"},{"label":"Black"}]},{"question":"Hot?","options":[{"label":"Yes"}]}]}`
	const several = `{"questions":[{"question":"Which teas?","multiSelect":true,"options":[{"label":"Green"},{"label":"Black"},{"label":"White"}]}]}`
	const write = `{"content":"a\n\n\tb\n","file_path":"f"}`
	for _, test := range []struct {
		name  string
		state keeper.Session
		keys  []string
		want  keeper.Answer
	}{
		{"once", question("Bash", psql, keeper.AttentionPermission), []string{"o"}, keeper.Answer{Allow: true}},
		{"always", question("Bash", psql, keeper.AttentionPermission), []string{"1"}, keeper.Answer{Allow: true, Always: question("", "", "").Open[0].Suggestions}},
		{"deny", question("Bash", psql, keeper.AttentionPermission), []string{"n", "n", "o", "enter"}, keeper.Answer{Message: "no"}},
		{"interrupt", question("Bash", psql, keeper.AttentionPermission), []string{"x"}, keeper.Answer{Interrupt: true}},
		{"edit", question("Write", write, keeper.AttentionPermission), []string{"e", "c", "ctrl+j", "d", "enter", "o"}, keeper.Answer{Allow: true, Input: json.RawMessage(`{"content":"a\n\n\tb\nc\nd","file_path":"f"}`)}},
		{"edit and discard", question("Write", write, keeper.AttentionPermission), []string{"e", "c", "esc", "A", "o"}, keeper.Answer{Allow: true}},
		{"several", question("AskUserQuestion", several, keeper.AttentionQuestion), []string{"1", "2", "3", "2", "s"}, keeper.Answer{
			Allow: true, Input: json.RawMessage(`{"answers":{"Which teas?":"Green, White"},` + several[1:]),
		}},
		{"several and more", question("AskUserQuestion", several, keeper.AttentionQuestion), []string{"s", "2", "t", "O", "enter"}, keeper.Answer{
			Allow: true, Input: json.RawMessage(`{"answers":{"Which teas?":"Black, O"},` + several[1:]),
		}},
		{"approve", question("ExitPlanMode", `{"plan":"Pour"}`, keeper.AttentionPlan), []string{"o"}, keeper.Answer{Allow: true}},
		{"choose", question("AskUserQuestion", ask, keeper.AttentionQuestion), []string{"2", "t", "H", "o", "t", "enter"}, keeper.Answer{
			Allow: true, Input: json.RawMessage(`{"answers":{"Hot?":"Hot","Which tea?":"Black"},"questions":` + ask[len(`{"questions":`):]),
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				m, f, _ := talkModel(t, 120, 36, test.state)
				press(t, m, append([]string{"esc", "A"}, test.keys...)...)
				got, _ := json.Marshal(f.answers)
				if want, _ := json.Marshal([]keeper.Answer{test.want}); string(got) != string(want) || m.hasDialog() {
					t.Errorf("answered %s, want %s:\n%s", got, want, plain(t, m))
				}
			})
		})
	}
	t.Run("from the Live tab", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			m, f, _ := talkModel(t, 120, 36, question("Bash", psql, keeper.AttentionPermission))
			row := liveRow(1, sessions.StatusWaiting, "Bash")
			row.Live.Entrypoint = keeper.Entrypoint
			changed(t, m, row)
			press(t, m, "esc", "esc", "A")
			if text := plain(t, m); !strings.Contains(text, "May it run this command?") {
				t.Fatalf("A shows\n%s", text)
			}
			if press(t, m, "o"); len(f.answers) != 1 || !f.answers[0].Allow || m.hasDialog() {
				t.Errorf("answered %+v", f.answers)
			}
		})
	})
	t.Run("a short command", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			m, _, _ := talkModel(t, 120, 36, question("Bash", `{"command":"touch made"}`, keeper.AttentionPermission))
			press(t, m, "esc", "A")
			if text := plain(t, m); !strings.Contains(text, "│ touch made ") || strings.Contains(text, "empty") {
				t.Errorf("A shows\n%s", text)
			}
		})
	})
	t.Run("left waiting", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			m, f, _ := talkModel(t, 120, 36, question("Bash", psql, keeper.AttentionPermission))
			if press(t, m, "esc", "A", "esc"); m.hasDialog() || len(f.answers) > 0 {
				t.Errorf("esc answers %+v", f.answers)
			}
		})
	})
}
