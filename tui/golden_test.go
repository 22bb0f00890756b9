package tui

import (
	"errors"
	"fmt"
	"image/color"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/continuo-tui/continuo/sessions"
)

// TestGolden compares whole screens with testdata. No line is ever wider than the terminal (plain asserts it).
func TestGolden(t *testing.T) {
	t.Parallel()
	empty := func() *fakeSource {
		return &fakeSource{batches: []sessions.Batch{{Done: true}}, doc: testDoc()}
	}
	failing := func() *fakeSource {
		return &fakeSource{batches: []sessions.Batch{{Done: true, Err: errors.New("read directory ~/.claude/projects: permission denied")}}}
	}
	closed := func() *fakeSource {
		s := testSource()
		s.err = errors.New("open transcript 3f9ac1e0: permission denied")
		return s
	}
	tests := []struct {
		name   string
		source func() *fakeSource
		keys   []string
	}{
		{"list", testSource, nil},
		{"list-all", testSource, []string{"a", ".", "j", "j"}},
		{"filter", testSource, []string{"/", "b", "o", "o", "k"}},
		{"no-match", testSource, []string{"/", "q", "q", "q"}},
		{"help", testSource, []string{"?"}},
		{"reader", testSource, []string{"enter"}},
		{"reader-top", testSource, []string{"enter", "g"}},
		{"reader-threads", testSource, []string{"enter", "G"}},
		{"empty", empty, nil},
		{"error", failing, nil},
		{"reader-error", closed, []string{"enter"}},
	}
	sizes := [][2]int{{1, 1}, {40, 10}, {80, 24}, {120, 36}}
	for _, test := range tests {
		for _, size := range sizes {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { // waits take no time
					m := testModel(t, test.source(), testOptions(), size[0], size[1])
					press(t, m, test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

// TestThemes holds what one golden pane for all themes rests on: the cells do not depend on the colours.
func TestThemes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, keys := range [][]string{nil, {"/", "b"}, {"?"}, {"enter"}} {
			m := testModel(t, testSource(), testOptions(), 100, 30)
			press(t, m, keys...)
			want := plain(t, m)
			for _, theme := range []tea.Msg{
				tea.BackgroundColorMsg{Color: color.White},
				tea.ColorProfileMsg{Profile: colorprofile.ANSI},
				tea.BackgroundColorMsg{Color: color.Black},
				tea.ColorProfileMsg{Profile: colorprofile.Ascii},
			} {
				before := m.styles.Theme
				settle(t, m, func() tea.Msg { return theme })
				if m.styles.Theme == before {
					t.Errorf("%T changed nothing", theme)
				}
				if got := plain(t, m); got != want {
					t.Errorf("%v: other cells in theme %d:\n%s", keys, m.styles.Theme, diff(want, got))
				}
			}
			if styled := strings.Join(m.screen(), ""); strings.Contains(styled, "38;") || !strings.Contains(styled, "\x1b[1m") {
				t.Error("without colour there is a colour, or nothing is bold")
			}
		}
	})
}
