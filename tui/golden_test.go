package tui

import (
	"errors"
	"fmt"
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

func TestGolden(t *testing.T) {
	t.Parallel()
	empty := func() *fakeSource {
		return &fakeSource{batches: []sessions.Batch{{Done: true}}, doc: testDoc()}
	}
	failing := func() *fakeSource {
		return &fakeSource{batches: []sessions.Batch{{Done: true, Err: errors.New("read directory ~/.claude/projects: permission denied")}}}
	}
	partly := func() *fakeSource {
		s := testSource()
		s.batches[0].Err = errors.Join(errors.New("project directory /home/ada/.claude/projects/-x: permission denied"), errors.New("memory of /mnt/old: no answer in 1 s"))
		return s
	}
	closed := func() *fakeSource {
		s := testSource()
		s.err = errors.New("open transcript 3f9ac1e0: permission denied")
		return s
	}
	looked := testOptions()
	looked.Choices = []Choice{
		{Name: "Start a session here", Why: "runs claude in ~/code/teahouse", Run: &fakeRun{}},
		{Name: "Look around in a demo", Why: "made-up sessions in a temporary directory", Run: &fakeRun{}},
		{Name: "Open another directory", Why: "same as --claude-dir PATH", Folder: func(string) Takeover { return &fakeRun{} }},
	}
	looked.Looked = []Place{
		{Path: "/home/ada/.claude/projects", Note: "does not exist", Missing: true},
		{Path: "CLAUDE_CONFIG_DIR", Note: "is not set", Missing: false},
		{Path: "/home/ada/code/teahouse/.claude/memory", Note: "no backups, no documents", Missing: false},
	}
	deleted := func() *fakeSource {
		s := testSource()
		s.changes = []sessions.Batch{{Gone: []string{testRows()[3].Path}}}
		return s
	}
	tests := []struct {
		name   string
		source func() *fakeSource
		keys   []string
	}{
		{"list", testSource, nil},
		{"list-all", testSource, []string{"a", ".", "j", "j"}},
		{"filter", memorySource, []string{"shift+tab", "/", "s", "h", "a"}},
		{"filter-elsewhere", memorySource, []string{"tab", "/", "s", "k", "e", "t"}},
		{"preview", testSource, []string{"p", "right", "k"}},
		{"backups", memorySource, []string{"tab"}},
		{"documents", memorySource, []string{"shift+tab"}},
		{"deleted", deleted, []string{"j", "j", "j"}},
		{"palette", memorySource, []string{":", "r", "e"}},
		{"no-match", memorySource, []string{"tab", "/", "q", "q", "q"}},
		{"help", testSource, []string{"?"}},
		{"reader", testSource, []string{"enter"}},
		{"reader-top", testSource, []string{"enter", "g"}},
		{"reader-threads", testSource, []string{"enter", "G"}},
		{"reader-open", testSource, []string{"enter", "g", "j", "j", "z", "j", "z"}},
		{"reader-all", testSource, []string{"enter", "Z", "g"}},
		{"reader-find", testSource, []string{"enter", "/", "l", "e", "e", "w", "a", "y", "enter"}},
		{"reader-finding", testSource, []string{"enter", "/", "d", "a", "y"}},
		{"reader-marked", testSource, []string{"enter", "g", "v", "j", "j"}},
		{"reader-help", testSource, []string{"enter", "?"}},
		{"document", memorySource, []string{"shift+tab", "enter"}},
		{"empty", empty, nil},
		{"error", failing, nil},
		{"partly", partly, []string{"G"}},
		{"reader-error", closed, []string{"enter"}},
	}
	sizes := screenSizes()
	for _, test := range tests {
		for _, size := range sizes {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { // waits end at once
					m := testModel(t, test.source(), looked, size[0], size[1])
					press(t, m, test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

// TestThemes: all themes show the same characters, so one golden file is enough for the text.
func TestThemes(t *testing.T) {
	t.Parallel()
	themes := []struct {
		name  string
		msgs  []tea.Msg
		theme render.Theme
	}{
		{"dark", nil, render.Dark},
		{"light", []tea.Msg{tea.BackgroundColorMsg{Color: color.White}}, render.Light},
		{"light256", []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.ANSI256}}, render.Light256},
		{"light16", []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.ANSI}}, render.Light16},
		{"dark16", []tea.Msg{tea.BackgroundColorMsg{Color: color.Black}}, render.Dark16},
		{"nocolor", []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.Ascii}}, render.Mono},
	}
	screens := map[string][]string{
		"list": nil, "filter": {"tab", "/", "b"}, "help": {"?"}, "palette": {":"}, "reader": {"enter"}, "reader-open": {"enter", "Z", "g"},
		"find": {"enter", "/", "s"}, "backups": {"tab"}, "documents": {"shift+tab"},
	}
	for name, keys := range screens {
		for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 36}, {200, 60}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					m := testModel(t, memorySource(), testOptions(), size[0], size[1])
					press(t, m, keys...)
					want := plain(t, m)
					for _, th := range themes {
						for _, msg := range th.msgs {
							settle(t, m, func() tea.Msg { return msg })
						}
						if m.styles.Theme != th.theme {
							t.Errorf("%s has theme %d", th.name, m.styles.Theme)
						}
						if got := plain(t, m); got != want {
							t.Errorf("different characters in %s:\n%s", th.name, diff(want, got))
						}
						styled := strings.Join(m.screen(), "\n") + "\n"
						if name == "list" || name == "reader-open" {
							golden(t, fmt.Sprintf("styled-%s-%dx%d-%s", name, size[0], size[1], th.name), styled)
						}
						if th.theme == render.Mono && (strings.Contains(styled, "38;") || !strings.Contains(styled, "\x1b[1m")) {
							t.Error("NoColor has a colour, or nothing is bold")
						}
					}
				})
			})
		}
	}
}

// TestASCII: the ASCII characters are at the same positions as the other glyphs.
func TestASCII(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := testOptions()
		o.ASCII = true
		for _, keys := range [][]string{nil, {"?"}, {":"}, {"tab"}, {"shift+tab"}, {"enter"}, {"enter", "Z", "g"}} {
			m := testModel(t, memorySource(), o, 120, 36)
			press(t, m, keys...)
			got := ansi.Strip(m.View().Content)
			for _, c := range got {
				if c > 0x7e {
					t.Errorf("%v: %q is drawn:\n%s", keys, c, got)
					break
				}
			}
			want := strings.Split(plain(t, m), "\n")
			for i, line := range strings.Split(got, "\n") {
				if a, b := ansi.StringWidth(strings.TrimRight(line, " ")), ansi.StringWidth(want[i]); a != b {
					t.Errorf("%v: line %d has %d cells, not %d", keys, i, a, b)
				}
			}
		}
	})
}

func TestBarVisible(t *testing.T) {
	t.Parallel()
	moves := []string{"j", "k", "G", "g", "pgdown", "pgup", "down", "up"}
	for name, open := range map[string][]string{
		"list": nil, "all": {"a", "."}, "filter": {"tab", "/", "t", "enter"}, "backups": {"tab"}, "documents": {"shift+tab"},
		"reader": {"enter"}, "reader-all": {"enter", "Z"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(1, 0)) //nolint:gosec // a fixed seed makes the test repeatable
				m := testModel(t, memorySource(), testOptions(), 80, 24)
				press(t, m, open...)
				for range 60 {
					if rnd.IntN(4) == 0 {
						m.resize(20+rnd.IntN(200), 8+rnd.IntN(60))
						settle(t, m, func() tea.Msg { return nil })
					}
					move := moves[rnd.IntN(len(moves))]
					press(t, m, move)
					if s := plain(t, m); !strings.Contains(s, "▌") {
						t.Fatalf("no bar after %s at %dx%d:\n%s", move, m.width, m.height, s)
					}
				}
			})
		})
	}
}

// TestBarPastEnd: a narrower window wraps the last messages into more lines.
func TestBarPastEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 173, 36)
		press(t, m, "enter", "g", "G")
		m.resize(31, 58)
		settle(t, m, func() tea.Msg { return nil })
		press(t, m, "j")
		const end = "84 %" // the messages of the other thread follow after 84 %
		if s := plain(t, m); strings.Contains(s, end) || !strings.Contains(s, " %\n") || !strings.Contains(s, "▌") {
			t.Errorf("the bar isn't past the end:\n%s", s)
		}
	})
}
