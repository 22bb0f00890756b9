package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/screen"
)

func TestGoldenFolder(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{"folder": nil, "folder-typed": {"~", "/", "down"}, "folder-empty": {"enter"}} {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					m, _ := menuModel(t, nil, size[0], size[1])
					press(t, m, "w", "d")
					press(t, m, keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

func TestFolderScrolls(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		var many []string
		for i := range 30 {
			many = append(many, fmt.Sprintf("~/code/f%02d", i))
		}
		actions.folders = many
		press(t, m, "w", "d")
		for _, size := range [][2]int{{80, 24}, {80, 10}, {80, 8}, {40, 10}, {40, 6}, {40, 4}, {20, 3}} {
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			for range 35 {
				press(t, m, "down")
				if got := plain(t, m); at(m) >= 0 && !strings.Contains(got, many[at(m)]) {
					t.Fatalf("%v: %s isn't visible:\n%s", size, many[at(m)], got)
				}
			}
			if at(m) != len(many)-1 && size[1] > 3 {
				t.Errorf("%v: the bar is on %d", size, at(m))
			}
			for range 35 {
				press(t, m, "up")
				if got := plain(t, m); at(m) >= 0 && !strings.Contains(got, many[at(m)]) {
					t.Fatalf("%v: %s isn't visible:\n%s", size, many[at(m)], got)
				}
			}
			if x, y, ok := m.front().screen.(screen.Cursored).Cursor(); !ok || x >= size[0] || y >= size[1] || !strings.Contains(strings.Split(plain(t, m), "\n")[y], "❯") {
				t.Errorf("%v: the cursor is at %d, %d (%v)", size, x, y, ok)
			}
		}
	})
}

// TestFolderAgain: the user corrects the name of a folder that doesn't exist.
func TestFolderAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		plan := folderPlan()
		plan.Folder = "/home/ada/cod/x"
		plan.Choices[2].Ask.Folder = plan.Folder
		actions.plan = plan
		press(t, m, "r", "d")
		if typedIn(m, "in") != "~/cod/x" {
			t.Errorf("the field has %q", typedIn(m, "in"))
		}
		press(t, m, "ctrl+w", "y", "enter")
		if len(actions.asks) != 2 || actions.asks[1].Folder != "y" {
			t.Errorf("asked %+v", actions.asks)
		}
	})
}

// TestFolderOneLook: one lookup runs at a time. The next lookup is for the latest text.
func TestFolderOneLook(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		press(t, m, "w")
		_, first := m.Update(keyPress("d"))
		for _, k := range []string{"a", "b", "c"} {
			if _, cmd := m.Update(keyPress(k)); cmd != nil {
				settle(t, m, cmd)
			}
		}
		if len(actions.typed) != 0 {
			t.Fatalf("requested %q", actions.typed)
		}
		settle(t, m, first)
		if got := fmt.Sprintf("%q", actions.typed); got != `["" "~/code/teahouseabc"]` {
			t.Errorf("requested %s", got)
		}
		if got := plain(t, m); !strings.Contains(got, "abcone") {
			t.Errorf("no answer:\n%s", got)
		}
	})
}

// TestNoFolder: “No folder” is shown only after a lookup, and never for an empty field.
func TestNoFolder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const words = "No folder starts with this."
		m, actions := menuModel(t, nil, 80, 24)
		actions.none = true
		press(t, m, "w", "d")
		if got := plain(t, m); strings.Contains(got, words) {
			t.Errorf("nothing is typed:\n%s", got)
		}
		_, cmd := m.Update(keyPress("z"))
		if got := plain(t, m); strings.Contains(got, words) {
			t.Errorf("nothing is known:\n%s", got)
		}
		settle(t, m, cmd)
		if got := plain(t, m); !strings.Contains(got, words) {
			t.Errorf("no message:\n%s", got)
		}
	})
}

// TestLongFolder: the end of a long path is visible in the field.
func TestLongFolder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		long := "/" + strings.Repeat("deep/", 300) + "end"
		press(t, m, "w", "d")
		settle(t, m, func() tea.Msg { return tea.PasteMsg{Content: long + "\n"} })
		if got := plain(t, m); typedIn(m, "in") != long || !strings.Contains(got, "deep/end") {
			t.Errorf("the field has %d bytes of %d:\n%s", len(typedIn(m, "in")), len(long), got)
		}
		press(t, m, "enter")
		if want := (resume.Ask{Folder: long}); len(actions.asks) != 1 || !sameAsk(actions.asks[0], want) {
			t.Errorf("asked %+v", actions.asks)
		}
	})
}
