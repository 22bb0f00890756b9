package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions/resume"
)

func TestFacts(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 12}} {
		name := fmt.Sprintf("facts-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				m, a := menuModel(t, nil, size[0], size[1])
				if a.counted != 0 {
					t.Error("counted before anyone asked")
				}
				press(t, m, "i")
				fromList := plain(t, m)
				golden(t, name, fromList)
				press(t, m, "G")
				if got := plain(t, m); !strings.Contains(got, "id            3f9ac1e0\n") && size[0] > 40 {
					t.Errorf("no ID:\n%s", got)
				}
				press(t, m, "i", "enter", "i")
				if got := plain(t, m); got != fromList {
					t.Errorf("the reader shows other facts:\n%s", diff(fromList, got))
				}
				press(t, m, "i")
				if !m.isReading() || a.counted != 2 {
					t.Errorf("counted %d times, or not in the reader:\n%s", a.counted, plain(t, m))
				}
			})
		})
	}
}

func TestFactsAll(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, a := menuModel(t, nil, 120, 36)
		press(t, m, "i")
		if strings.Contains(plain(t, m), "go.mod") {
			t.Fatal("seven files are shown")
		}
		if press(t, m, "j", "j", "j", "j", "j", "enter"); !strings.Contains(plain(t, m), "go.mod") || strings.Contains(plain(t, m), " more") {
			t.Errorf("not all files:\n%s", plain(t, m))
		}
		if press(t, m, "enter"); strings.Contains(plain(t, m), "go.mod") {
			t.Errorf("the rows are still shown:\n%s", plain(t, m))
		}
		a.err = errors.New("file cannot be read: permission denied. Check the file")
		if press(t, m, "ctrl+r"); !strings.Contains(plain(t, m), "permission denied") {
			t.Errorf("no error:\n%s", plain(t, m))
		}
	})
}

func TestFactsPrice(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s, o := testSource(), testOptions()
				s.batches[0].Rows[0].Models, s.batches[0].Rows[0].ContextTokens = []string{"claude-opus-5-5"}, 61_400
				o.Prices = resume.Prices{Date: "2026-10-01", Models: map[string]resume.Price{"opus": {Input: 5, CacheRead: 0.5}}}
				m := testModel(t, s, o, size[0], size[1])
				press(t, m, "i", "G")
				got := plain(t, m)
				_, below, _ := strings.Cut(got, "context       61.4k tokens")
				if !strings.Contains(below, "About $0.03 to read again (prices of 2026-10-01).") {
					t.Errorf("no price:\n%s", got)
				}
			})
		})
	}
}

// TestFactsOpen: enter on a file or a failed call opens the conversation at this call.
func TestFactsOpen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := menuModel(t, nil, 120, 36)
		bar := func() string {
			for line := range strings.Lines(plain(t, m)) {
				if strings.HasPrefix(line, "▌") {
					return strings.Join(strings.Fields(line), " ")
				}
			}
			return plain(t, m)
		}
		press(t, m, "i", "enter")
		if got := bar(); !m.isReading() || !strings.HasPrefix(got, "▌ ▸ Read src/auth/jwt.go") {
			t.Errorf("enter on a file opened\n%s", got)
		}
		press(t, m, "esc", "j", "j", "j", "j", "j", "j", "enter")
		if got := bar(); !m.isReading() || !strings.Contains(got, "Bash go test ./src/auth -run Midnight") {
			t.Errorf("enter on a failed call opened\n%s", got)
		}
		press(t, m, "esc", "j", "enter")
		if m.isReading() || !strings.Contains(m.status.text, "not in the list") {
			t.Errorf("a call without a conversation says %q", m.status.text)
		}
	})
}

// TestFactsScope: tab switches from the session to the project, and then to all projects.
func TestFactsScope(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, a := menuModel(t, nil, 120, 36)
		press(t, m, "i", "y")
		if got := a.quotes[0].Text; !strings.Contains(got, "# Facts: Fix refresh token race at midnight\n") || !strings.Contains(got, "- prompts: 11\n") ||
			!strings.Contains(got, "| src/auth/jwt.go | 34 | 22 |\n") || !strings.Contains(got, "| `go test -run Skew ./src/auth` | exit 1, 2 times | 14:24 |\n") {
			t.Errorf("copied\n%s", got)
		}
		press(t, m, "tab")
		golden(t, "facts-project-120x36", plain(t, m))
		press(t, m, "tab")
		if got := plain(t, m); !strings.Contains(got, "sessions") || strings.Contains(got, "Context in tokens") {
			t.Errorf("all projects:\n%s", got)
		}
		press(t, m, "y")
		if got := a.quotes[1].Text; !strings.Contains(got, "# Facts: all projects, Oct 23 to Nov 21\n") {
			t.Errorf("copied\n%s", got)
		}
		press(t, m, "shift+tab", "shift+tab")
		if got := plain(t, m); !strings.Contains(got, "1 h 50 min") {
			t.Errorf("the session:\n%s", got)
		}
	})
}
