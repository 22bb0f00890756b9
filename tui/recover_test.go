package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

func TestRecoverGolden(t *testing.T) {
	t.Parallel()
	staged := func() *fakeRecovery {
		return &fakeRecovery{look: survey.Ledger{Staged: testNow().Add(-2 * time.Hour), StagedN: 431}}
	}
	nothing := func() *fakeRecovery {
		r := testRecovery()
		r[recovery.Where] = recovery.Result{Level: recovery.Where, Budget: 200, Notes: []string{"There is no NOTES.md here, no document and no bead."}}
		return &fakeRecovery{results: r}
	}
	instead := func() *fakeRecovery {
		r := testRecovery()
		w := r[recovery.Where]
		w.Notes = []string{"There is no NOTES.md. This is made of the last session document, session-2026-11-20-token-race.md, as it stands."}
		r[recovery.Where] = w
		w.Level, w.Budget, w.From = recovery.All, 0, []string{"document session-2026-11-20-token-race.md"}
		r[recovery.All] = w
		return &fakeRecovery{results: r}
	}
	tests := []struct {
		name    string
		ledgers func() *fakeRecovery
		keys    []string
	}{
		{"recover-topic", func() *fakeRecovery { return &fakeRecovery{} }, []string{"2"}},
		{"recover-where", instead, []string{"1"}},
		{"recover-all", staged, []string{"3", "pgdown"}},
		{"recover-typing", func() *fakeRecovery { return &fakeRecovery{} }, []string{"2", "/", "l", "e", "e"}},
		{"recover-nothing", nothing, []string{"1", "y"}},
		{"recover-error", func() *fakeRecovery {
			return &fakeRecovery{err: errors.New("NOTES.md is 50 MB long, continuo reads 16 MB. Move what is old to an archive")}
		}, []string{"1"}},
	}
	for _, test := range tests {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					golden(t, name, plain(t, recoverModel(t, test.ledgers(), size[0], size[1], test.keys...)))
				})
			})
		}
	}
}

func TestRecoverSizes(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		m := recoverModel(t, &fakeRecovery{look: survey.Ledger{Staged: testNow()}}, 120, 36, "2")
		for _, h := range []int{1, 2, 3, 5, 8, 12, 14, 30, 60} {
			for _, w := range []int{1, 3, 8, 20, 39, 71, 72, 90, 200} {
				settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
				for _, k := range []string{"1", "pgdown", "3", "G", "pgup", "2", "/", "x", "esc", "g"} {
					press(t, m, k)
					if plain(t, m); t.Failed() {
						t.Fatalf("at %dx%d, after %s", w, h, k)
					}
				}
			}
		}
	})
}

// TestRecoverAsks: all levels are requested at once, the selected level first.
func TestRecoverAsks(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeRecovery{}
		m := recoverModel(t, f, 120, 36, "2")
		if got, want := f.asked(), "teahouse 2; teahouse 1; teahouse 3"; got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
		for _, test := range []struct {
			key  string
			want recovery.Level
		}{{"1", 1}, {"down", 2}, {"j", 3}, {"down", 3}, {"k", 2}, {"3", 3}, {"2", 2}, {"up", 1}} {
			if press(t, m, test.key); recovery.Level(peek(m, "level").Int()) != test.want {
				t.Errorf("%s goes to level %d, not %d", test.key, recovery.Level(peek(m, "level").Int()), test.want)
			}
		}
		if len(f.asks) != 3 {
			t.Errorf("moving asked again: %q", f.asked())
		}
		ctx := f.looking
		if press(t, m, "esc"); m.hasDialog() || ctx.Err() == nil {
			t.Error("esc doesn't close the dialog or cancel the queries")
		}
	})
}

// TestRecoverPlaces: the keys exist on every screen. Where they can't work, they show a message.
func TestRecoverPlaces(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for name, keys := range map[string][]string{
			"sessions": nil, "backups": {"tab"}, "documents": {"tab", "tab"}, "ledger": {"shift+tab"}, "reader": {"enter"}, "page": {"P"}, "head": {"g", "k"},
		} {
			f := &fakeRecovery{}
			m := recoverModel(t, f, 120, 36, keys...)
			if press(t, m, "1"); !shows[*dialog.Recover](m) || render.Base(peek(m, "opts", "Dir").String()) != "teahouse" {
				t.Errorf("%s: no recovery of teahouse: %q, message %q", name, f.asked(), m.status.text)
			}
		}
		m := recoverModel(t, &fakeRecovery{}, 120, 36)
		row := testRow("77777777", "Nobody knows where", time.Minute, func(r *sessions.Row) { r.Project, r.Workdir = "", "" })
		settle(t, m, m.request(screen.Read{Row: row}))
		if press(t, m, "1"); m.hasDialog() || m.status.text != "1 recover where I was: no project folder" {
			t.Errorf("without a folder: %q", m.status.text)
		}
		m = testModel(t, testSource(), testOptions(), 120, 36)
		if press(t, m, "1"); m.hasDialog() || m.status.text != "" {
			t.Errorf("without ledgers: %q", m.status.text)
		}
	})
}

// TestRecoverAbout: level 2 is requested again after a pause in typing. Esc restores the previous query.
func TestRecoverAbout(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeRecovery{}
		m := recoverModel(t, f, 120, 36, "1", "/")
		if !peek(m, "typing").Bool() || recovery.Level(peek(m, "level").Int()) != recovery.Topic {
			t.Fatalf("/ does not type: level %d", recovery.Level(peek(m, "level").Int()))
		}
		if press(t, m, "1", "3"); typedIn(m, "about") != "13" || recovery.Level(peek(m, "level").Int()) != recovery.Topic {
			t.Errorf("digits aren't typed: %q", typedIn(m, "about"))
		}
		press(t, m, "ctrl+u", "q", "S")
		if press(t, m, "enter"); peek(m, "typing").Bool() || typedIn(m, "about") != "qS" || !strings.HasSuffix(f.asked(), "teahouse 2 qS") {
			t.Errorf("enter: %q, asked %q", typedIn(m, "about"), f.asked())
		}
		press(t, m, "/", "x")
		if press(t, m, "esc"); typedIn(m, "about") != "qS" || !shows[*dialog.Recover](m) || !strings.HasSuffix(f.asked(), "teahouse 2 qS") {
			t.Errorf("esc: %q, asked %q", typedIn(m, "about"), f.asked())
		}
		press(t, m, "/", "ctrl+u")
		if press(t, m, "tab"); typedIn(m, "about") != "guest tokens" {
			t.Errorf("tab copied %q", typedIn(m, "about"))
		}
		if press(t, m, "backspace", "down"); peek(m, "typing").Bool() || recovery.Level(peek(m, "level").Int()) != recovery.All || typedIn(m, "about") != "guest token" {
			t.Errorf("down: typing %v, level %d", peek(m, "typing").Bool(), recovery.Level(peek(m, "level").Int()))
		}
	})
}

// TestRecoverStale: the keys wait for the new answer of the selected level.
func TestRecoverStale(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeRecovery{}
		m := recoverModel(t, f, 120, 36, "2")
		m.Update(keyPress("/"))
		m.Update(keyPress("c"))
		_, cmd := m.Update(keyPress("a"))
		m.Update(keyPress("enter"))
		if m.Update(keyPress("y")); m.status.text != "y copy: still reading" || len(f.takes) != 0 {
			t.Errorf("while the level is read: message %q, took %q", m.status.text, f.takes)
		}
		m.Update(keyPress("1"))
		_, copies := m.Update(keyPress("y"))
		settle(t, m, copies)
		if got := strings.Join(f.takes, "; "); got != "teahouse 1 copy" {
			t.Errorf("another level: took %q", got)
		}
		settle(t, m, cmd) // the pause
		if f.asks[len(f.asks)-1] != "teahouse 2 ca" || peek(m, "levels", int(recovery.Topic)-1, "asking").Bool() {
			t.Errorf("asked %q", f.asked())
		}
		_, cmd = m.Update(keyPress("/"))
		settle(t, m, cmd)
		_, cmd = m.Update(keyPress("b"))
		press(t, m, "esc", "esc")
		asked := len(f.asks)
		if settle(t, m, cmd); m.hasDialog() || f.looks != 1 || len(f.asks) != asked {
			t.Error("an answer after the close was used")
		}
	})
}

// TestRecoverLooks: all levels share one read of the ledger. After an error, the next query reads again.
func TestRecoverLooks(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeRecovery{}
		m := recoverModel(t, f, 120, 36, "2", "1", "3", "/", "x", "enter")
		if f.looks != 1 || f.asked() != "teahouse 2; teahouse 1; teahouse 3; teahouse 2 x" {
			t.Errorf("%d reads, asked %q", f.looks, f.asked())
		}
		press(t, m, "esc", "1")
		if f.looks != 2 {
			t.Errorf("opened again: %d reads", f.looks)
		}
		f = &fakeRecovery{lookErr: errors.New("the disk does not respond")}
		m = recoverModel(t, f, 120, 36, "1")
		if s := plain(t, m); strings.Count(s, "✗ not read") != 3 || !strings.Contains(s, "disk does not respond") || len(f.asks) > 0 {
			t.Errorf("asked %q:\n%s", f.asked(), s)
		}
		f.lookErr = nil
		if press(t, m, "2", "/", "x", "enter"); f.looks != 2 || f.asked() != "teahouse 2 x; teahouse 1; teahouse 3" || strings.Contains(plain(t, m), "not read") {
			t.Errorf("%d reads, asked %q:\n%s", f.looks, f.asked(), plain(t, m))
		}
	})
}

// TestRecoverUnderPlan: the pause in typing ends while a plan is in front.
func TestRecoverUnderPlan(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeRecovery{look: survey.Ledger{Staged: testNow(), StagedN: 92}}
		m := recoverModel(t, f, 120, 36, "2", "/")
		_, pause := m.Update(keyPress("c"))
		m.Update(keyPress("enter"))
		if press(t, m, "x"); !shows[*dialog.Plan](m) {
			t.Fatalf("no plan: panel %T", m.front().screen)
		}
		settle(t, m, pause)
		if press(t, m, "esc"); !shows[*dialog.Recover](m) || peek(m, "levels", int(recovery.Topic)-1, "asking").Bool() || f.asks[len(f.asks)-1] != "teahouse 2 c" {
			t.Errorf("panel %T, asked %s", m.front().screen, f.asked())
		}
	})
}

func TestRecoverTake(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeRecovery{run: &fakeRun{}}
		m := recoverModel(t, f, 120, 36, "2", "y")
		if m.status.text != "Did copy." || !shows[*dialog.Recover](m) {
			t.Errorf("copy: message %q", m.status.text)
		}
		if press(t, m, "1", "E"); m.status.text != "Did file." || !shows[*dialog.Recover](m) {
			t.Errorf("export: message %q", m.status.text)
		}
		if press(t, m, "enter"); strings.Join(f.takes, "; ") != "teahouse 2 copy; teahouse 1 file; teahouse 1 session" {
			t.Errorf("took %q", f.takes)
		}
		if m.hasDialog() || !m.away {
			t.Errorf("no session got the terminal: panel %T", m.front().screen)
		}
		settle(t, m, func() tea.Msg { return resumedMsg{} })
		f.takeErr = errors.New("claude is not on the PATH")
		if press(t, m, "1", "enter"); !shows[*dialog.Recover](m) || m.status.text != "Claude is not on the PATH." {
			t.Errorf("a failure: %q, panel %T", m.status.text, m.front().screen)
		}
		f.takeErr, f.run = nil, nil
		if press(t, m, "enter"); m.hasDialog() || m.status.text != "Did session." {
			t.Errorf("elsewhere: %q", m.status.text)
		}
	})
}

// TestRecoverLeave: a key before the answer arrives cancels the start of the session.
func TestRecoverLeave(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeRecovery{run: &fakeRun{}}
		m := recoverModel(t, f, 120, 36, "1")
		_, cmd := m.Update(keyPress("enter"))
		m.Update(keyPress("esc"))
		settle(t, m, cmd)
		if f.run.ran != 0 || m.hasDialog() {
			t.Errorf("the session ran %d times", f.run.ran)
		}
	})
}

// TestRecoverStage: S shows a plan, and esc returns to the dialog. x removes the staged recovery.
func TestRecoverStage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := &fakeRecovery{}
		m := recoverModel(t, f, 120, 36, "1")
		c := m.Changes.(*fakeChanges)
		if press(t, m, "x"); m.status.text != "x unstage: nothing is staged" {
			t.Errorf("x: %q", m.status.text)
		}
		if press(t, m, "2", "S"); !shows[*dialog.Plan](m) || len(c.asks) != 1 || c.asks[0].Kind != ChangeStage || c.asks[0].Dir != "/home/ada/code/teahouse" || c.asks[0].Text != "topic\n" {
			t.Fatalf("asked %+v, panel %T", c.asks, m.front().screen)
		}
		if press(t, m, "esc"); !shows[*dialog.Recover](m) || recovery.Level(peek(m, "level").Int()) != recovery.Topic || len(f.asks) != 3 {
			t.Errorf("esc: panel %T, asked %q", m.front().screen, f.asked())
		}
		ctx := f.looking
		if press(t, m, "S", "enter"); m.hasDialog() || len(c.did) != 1 || ctx.Err() == nil {
			t.Errorf("enter: panel %T, did %d", m.front().screen, len(c.did))
		}
		f.look.Staged, f.look.StagedN = testNow().Add(-time.Hour), 431
		if press(t, m, "1"); !strings.Contains(plain(t, m), "△ Staged 1 h ago: 431 tokens for the next start.") {
			t.Errorf("the staged recovery isn't shown:\n%s", plain(t, m))
		}
		if press(t, m, "x"); len(c.asks) != 3 || c.asks[2].Kind != ChangeStage || c.asks[2].Text != "" {
			t.Errorf("x asked %+v", c.asks)
		}
	})
}

// TestRecoverMatches: matching words are highlighted, even across two lines.
func TestRecoverMatches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := recoverModel(t, &fakeRecovery{}, 120, 36, "2")
		styles := render.NewStyles(render.Dark)
		for _, w := range []int{120, 74, 44} {
			settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: 50} })
			screen := strings.Join(m.screen(), "\n")
			for _, word := range []string{"Guest", "tokens", "token"} {
				if !strings.Contains(screen, styles.Paint(render.Match, word)) {
					t.Errorf("at %d cells %q isn't highlighted:\n%s", w, word, ansi.Strip(screen))
				}
			}
		}
	})
}
