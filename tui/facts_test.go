package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions/resume"
)

// TestFacts checks that the key i opens and closes the facts of the selected session, in the list and in the reader.
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
				if got := plain(t, m); !strings.Contains(got, "3f9ac1e0-71c4-4e0d") && size[0] > 40 {
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

// TestFactsAll checks that enter shows the files that are left out, and that a failed count shows its error.
func TestFactsAll(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, a := menuModel(t, nil, 120, 36)
		press(t, m, "i")
		if strings.Contains(plain(t, m), "go.mod") {
			t.Fatal("seven files are shown")
		}
		if press(t, m, "enter"); !strings.Contains(plain(t, m), "go.mod") || strings.Contains(plain(t, m), " more") {
			t.Errorf("not all files:\n%s", plain(t, m))
		}
		a.err = errors.New("file cannot be read: permission denied. Check the file")
		if press(t, m, "ctrl+r"); !strings.Contains(plain(t, m), "permission denied") {
			t.Errorf("no error:\n%s", plain(t, m))
		}
	})
}

// TestFactsPrice checks that the price of the context is below its size and isn't cut.
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
