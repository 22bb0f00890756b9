package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/dialog"
)

// livePlan returns the plan for a session that is live in a tmux pane.
func livePlan() *resume.Plan {
	id := "3f9ac1e0-71c4-4e0d-9c0a-41d2b6e87f35"
	return &resume.Plan{
		Title: "Resume", ID: id,
		Findings: []resume.Finding{{
			Kind: resume.FindingLive, What: "This session is live elsewhere.",
			Detail: "pid 48213 in tmux work:2 has it open since 13:20 and is busy, as of 40 s ago. Two writers would fork the session, and resume would show only one branch.",
		}},
		Choices: []resume.Choice{
			{Key: "a", Name: "Attach", Note: "switch to its tmux pane", Run: "tmux switch-client -t work:2", Ask: resume.Ask{Pane: "%5"}},
			{Key: "f", Name: "Fork", Note: "a new session with this history", Run: "claude --resume 3f9ac1e0 --fork-session", Ask: resume.Ask{Fork: true}},
			{Key: "o", Name: "Open", Note: "two writers fork the session; one branch becomes hidden", Run: "claude --resume 3f9ac1e0", Slow: true, Ask: resume.Ask{Second: true}},
		},
	}
}

// folderPlan is for a session whose worktree was removed. One choice is disabled.
func folderPlan() *resume.Plan {
	return &resume.Plan{
		Title: "Resume", ID: "3f9ac1e0-71c4-4e0d-9c0a-41d2b6e87f35",
		Findings: []resume.Finding{{
			Kind: resume.FindingWorktree, What: "The worktree ~/code/teahouse-midnight was removed.",
			Detail: "The session was started in it. Its branch fix/token-race is still there.",
		}},
		Choices: []resume.Choice{
			{Key: "m", Name: "Main worktree", Note: "start in ~/code/teahouse", Off: "claude 2.1.200 looks only there"},
			{Key: "c", Name: "Recreate", Note: "create it again from its branch", Run: "git -C ~/code/teahouse worktree add -- ~/code/teahouse-midnight fix/token-race", Ask: resume.Ask{Make: true}},
			{Key: "d", Name: "Another folder", Note: "choose a folder", Path: true},
		},
	}
}

// menuModel returns the given plan for r.
func menuModel(t *testing.T, plan *resume.Plan, w, h int) (*model, *fakeActions) {
	t.Helper()
	o := testOptions()
	o.Tmux = true
	m := testModel(t, testSource(), o, w, h)
	actions, ok := m.Actions.(*fakeActions)
	if !ok {
		t.Fatal("no fake")
	}
	actions.plan = plan
	return m, actions
}

func TestGoldenMenus(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		plan *resume.Plan
		keys []string
	}{
		{"plan-live", livePlan(), []string{"r"}},
		{"plan-live-end", livePlan(), []string{"r", "down", "down"}},
		{"plan-folder", folderPlan(), []string{"r"}},
		{"menu-copy", nil, []string{"y"}},
		{"menu-copy-reader", nil, []string{"enter", "y"}},
		{"menu-where", nil, []string{"w"}},
		{"menu-where-fork", nil, []string{"w", "f"}},
	}
	for _, test := range tests {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m, _ := menuModel(t, test.plan, size[0], size[1])
					press(t, m, test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

// TestPlanChoices: a choice repeats the request with the answer. Esc sends no request.
func TestPlanChoices(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tests := []struct {
			name string
			keys []string
			want []resume.Ask
		}{
			{"the letter", []string{"f"}, []resume.Ask{{Fork: true}}},
			{"enter takes the first", []string{"enter"}, []resume.Ask{{Pane: "%5"}}},
			{"the bar", []string{"down", "enter"}, []resume.Ask{{Fork: true}}},
			{"a second writer is taken with enter", []string{"o", "enter"}, []resume.Ask{{Second: true}}},
			{"esc", []string{"esc"}, nil},
			{"another letter", []string{"x", "esc"}, nil},
			{"the letter of a second writer", []string{"o", "o", "esc"}, nil},
		}
		for _, test := range tests {
			m, actions := menuModel(t, livePlan(), 80, 24)
			press(t, m, "r")
			if !shows[*dialog.Menu](m) || actions.ctx.Err() == nil {
				t.Fatalf("%s: no plan", test.name)
			}
			press(t, m, test.keys...)
			if got := actions.asks[1:]; !slices.EqualFunc(got, test.want, sameAsk) {
				t.Errorf("%s: asked %+v, want %+v", test.name, got, test.want)
			}
			if m.hasDialog() {
				t.Errorf("%s: the plan is still there", test.name)
			}
		}
	})
}

func sameAsk(a, b resume.Ask) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// TestPlanIsSeen: a choice must be visible before the user can take it.
func TestPlanIsSeen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, livePlan(), 40, 10)
		press(t, m, "r")
		if got := plain(t, m); !strings.Contains(got, "This session is live elsewhere.") || strings.Contains(got, "two writers fork") {
			t.Errorf("the plan doesn't start at the top:\n%s", got)
		}
		press(t, m, "o")
		if got := plain(t, m); len(actions.asks) != 1 || !strings.Contains(got, "two writers fork") {
			t.Errorf("asked %+v:\n%s", actions.asks, got)
		}
		press(t, m, "enter")
		if len(actions.asks) != 2 || !actions.asks[1].Second {
			t.Errorf("a visible choice isn't taken: %+v", actions.asks)
		}
	})
}

func TestPasteChoosesNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, livePlan(), 80, 24)
		press(t, m, "r")
		settle(t, m, func() tea.Msg { return tea.PasteMsg{Content: "o"} })
		if len(actions.asks) != 1 || !shows[*dialog.Menu](m) {
			t.Errorf("a paste was taken for a key: %+v", actions.asks)
		}
	})
}

// TestPlanOff: a disabled choice shows its reason and sends no request.
func TestPlanOff(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, folderPlan(), 80, 24)
		press(t, m, "r")
		if at(m) != 1 {
			t.Errorf("the bar is on %d", at(m))
		}
		press(t, m, "m")
		if got := plain(t, m); len(actions.asks) != 1 || !strings.Contains(got, "Main worktree: claude 2.1.200 looks only there") {
			t.Errorf("asked %+v:\n%s", actions.asks, got)
		}
	})
}

// TestPlanCopy: y copies the command for a shell or, without one, the displayed command.
func TestPlanCopy(t *testing.T) {
	bubble(t, func(t *testing.T) {
		plan := livePlan()
		plan.Choices[0].Line, plan.Choices[2].Off = "tmux switch-client -t '%5'", "not now"
		m, actions := menuModel(t, plan, 80, 24)
		press(t, m, "r", "y", "down", "y", "down", "y")
		want := []string{"tmux switch-client -t '%5'", "claude --resume 3f9ac1e0-71c4-4e0d-9c0a-41d2b6e87f35 --fork-session"}
		if len(actions.quotes) != 2 || actions.quotes[0].Text != want[0] || actions.quotes[1].Text != want[1] || !shows[*dialog.Menu](m) {
			t.Errorf("copied %+v", actions.quotes)
		}
		if got := plain(t, m); !strings.Contains(got, "There is no command here to copy.") {
			t.Errorf("no message:\n%s", got)
		}
	})
}

func TestFolder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, folderPlan(), 80, 24)
		press(t, m, "r", "d")
		if got := plain(t, m); !strings.Contains(got, "~/code/pantry") || strings.Contains(got, "│    ~/code/teahouse") {
			t.Errorf("the folders of the other sessions aren't offered:\n%s", got)
		}
		press(t, m, "~", "/", "down", "down", "tab")
		if typedIn(m, "in") != "~/two/" {
			t.Errorf("completed to %q", typedIn(m, "in"))
		}
		press(t, m, "backspace", "x", "enter")
		if len(actions.asks) != 2 || actions.asks[1].Folder != "~/twox" {
			t.Errorf("asked %+v", actions.asks)
		}
		m.away = false
		press(t, m, "w", "d", "ctrl+u", "enter")
		if got := plain(t, m); !shows[*dialog.Folder](m) || len(actions.asks) != 2 || !strings.Contains(got, "Enter a folder first.") {
			t.Errorf("an empty folder was taken:\n%s", got)
		}
		press(t, m, "z")
		if got := plain(t, m); !strings.Contains(got, "zone") {
			t.Errorf("the folder isn't completed:\n%s", got)
		}
	})
}

// TestWhere: each item starts the session in its place, such as a new tmux window.
func TestWhere(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for key, want := range map[string]resume.Where{
			"w": resume.WhereWindow, "s": resume.WhereSplit, "p": resume.WherePopup, "h": resume.WhereHere,
		} {
			m, actions := menuModel(t, nil, 80, 24)
			press(t, m, "w", key)
			if len(actions.asks) != 1 || actions.asks[0].In != want {
				t.Errorf("%s: asked %+v", key, actions.asks)
			}
		}
		m := testModel(t, testSource(), testOptions(), 80, 24)
		press(t, m, "w", "s")
		if got := plain(t, m); !strings.Contains(got, "Split: not inside tmux") {
			t.Errorf("no reason:\n%s", got)
		}
	})
}

func TestStarted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		actions.message = "Started in tmux work:3."
		press(t, m, "w", "w")
		if got := plain(t, m); !strings.Contains(got, "Started in tmux work:3.") || actions.ctx.Err() == nil {
			t.Errorf("no message:\n%s", got)
		}
		actions.message, actions.leave = "", true
		_, cmd := m.Update(keyPress("r"))
		for _, msg := range answers(cmd) {
			if _, cmd = m.Update(msg); slices.Contains(answers(cmd), tea.Msg(tea.QuitMsg{})) {
				return
			}
		}
		t.Error("the browser stays")
	})
}

// TestResumeAnswerTooLate: the user presses a key before the answer arrives, so nothing starts.
func TestResumeAnswerTooLate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		_, cmd := m.Update(keyPress("r"))
		press(t, m, "down")
		settle(t, m, cmd)
		if run := m.Actions.(*fakeActions).run; run.ran != 0 || m.away || m.hasDialog() {
			t.Error("a late answer started a program")
		}
		actions.plan = livePlan()
		_, cmd = m.Update(keyPress("r"))
		press(t, m, "down")
		settle(t, m, cmd)
		if m.hasDialog() {
			t.Error("a late plan was shown")
		}
	})
}

func TestCopyMenu(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for key, want := range map[string]QuoteKind{"c": QuoteCommand, "i": QuoteID, "p": QuotePath, "a": QuoteAnswer, "b": QuoteCode} {
			m, actions := menuModel(t, nil, 80, 24)
			press(t, m, "y", key)
			if len(actions.quotes) != 1 || actions.quotes[0].Kind != want {
				t.Errorf("%s: copied %+v", key, actions.quotes)
			}
			if got := plain(t, m); !strings.Contains(got, "Copied "+string(want)+".") {
				t.Errorf("%s: no message:\n%s", key, got)
			}
		}
		m, actions := menuModel(t, nil, 80, 24)
		press(t, m, "enter", "g", "y", "s")
		if len(actions.quotes) != 1 || !strings.HasPrefix(actions.quotes[0].Text, "Tokens issued right before midnight") {
			t.Errorf("copied %+v", actions.quotes)
		}
	})
}

func TestEdit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		press(t, m, "enter", "g", "e")
		if got := plain(t, m); len(actions.edited) != 0 || !strings.Contains(got, "e edit: select a call that reads or edits a file") || m.away || !peekIn(m.acts.edit, "lookup", "cancel").IsNil() {
			t.Errorf("edited %q:\n%s", actions.edited, got)
		}
		press(t, m, "j", "j", "j", "e")
		if want := []string{"/home/ada/code/teahouse/src/auth/jwt.go:0"}; !slices.Equal(actions.edited, want) {
			t.Errorf("edited %q, want %q", actions.edited, want)
		}
	})
}

func TestMenuMouse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, livePlan(), 80, 24)
		press(t, m, "r")
		x, y := cellOf(t, m, "Fork")
		click := func(x, y int) {
			settle(t, m, func() tea.Msg { return tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y} })
		}
		click(x, y)
		if !shows[*dialog.Menu](m) || at(m) != 1 {
			t.Fatalf("the bar is on %d", at(m))
		}
		click(x, y)
		if len(actions.asks) != 2 || !actions.asks[1].Fork {
			t.Errorf("asked %+v", actions.asks)
		}
		actions.plan = livePlan()
		m.away = false
		press(t, m, "r")
		click(0, 0)
		if m.hasDialog() || len(actions.asks) != 3 {
			t.Error("a click beside the menu did something")
		}
	})
}

func cellOf(t *testing.T, m *model, text string) (x, y int) {
	t.Helper()
	for y, l := range strings.Split(plain(t, m), "\n") {
		if i := strings.Index(l, text); i >= 0 {
			return len([]rune(l[:i])), y
		}
	}
	t.Fatalf("no %q on the screen", text)
	return 0, 0
}

// TestSlowGuard: a slow lookup shows a message until the next key or the answer.
func TestSlowGuard(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := menuModel(t, livePlan(), 80, 24)
		_, cmd := m.Update(keyPress("r"))
		answered := answers(cmd)
		slow := slices.IndexFunc(answered, func(msg tea.Msg) bool {
			a, ok := msg.(answerMsg)
			return ok && strings.HasSuffix(fmt.Sprintf("%T", a.msg), "slowMsg")
		})
		m.Update(answered[slow])
		if got := plain(t, m); !strings.Contains(got, "Checking session and folder…") {
			t.Errorf("no message:\n%s", got)
		}
		for i, msg := range answered {
			if i != slow {
				m.Update(msg)
			}
		}
		if m.status.text != "" || !shows[*dialog.Menu](m) {
			t.Errorf("the message is still %q", m.status.text)
		}
		if m.Update(answered[slow]); m.status.text != "" {
			t.Error("the message appears after the answer")
		}
	})
}
