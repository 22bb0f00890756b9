//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestStoryColors uses few colours, no colours, and only ASCII.
func TestStoryColors(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	const (
		anyColor  = `\x1b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m`
		manyColor = `\x1b\[(?:[\d;]*;)?[34]8;[25];`
		noASCII   = `[^\x00-\x7e]`
	)
	for _, tt := range []struct {
		name, flags string
		env         []string
		without     string // pattern that must not match the output
		with        string // pattern that must occur
		fill        func(*testing.T, string)
	}{
		{"16 colours", "", []string{"TERM=xterm"}, manyColor, anyColor, writeDemo},
		{"NO_COLOR", "", []string{"NO_COLOR=1"}, anyColor, `\x1b\[(?:\d;)*1m`, writeDemo},
		{"no colours asked for", "--color never", nil, anyColor, `\x1b\[(?:\d;)*1m`, writeDemo},
		{"ASCII", "--ascii", nil, noASCII, manyColor, writePlain},
		{"ASCII without colours", "--ascii", []string{"NO_COLOR=1"}, noASCII + `|` + anyColor, `>`, writePlain},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 120, 36, tt.fill, tt.env...)
			w.start("continuo " + tt.flags)
			w.everywhere()
			w.keys("q")
			w.ended(0)
			stream := w.stream("ok\r\n")
			if found := regexp.MustCompile(".{0,60}(?:" + tt.without + ").{0,60}").FindString(stream); found != "" {
				t.Errorf("on the terminal: %q", found)
			}
			if !regexp.MustCompile(tt.with).MatchString(stream) {
				t.Errorf("%s never reaches the terminal", tt.with)
			}
		})
	}
}

func (w *world) everywhere() {
	w.t.Helper()
	w.wait(`all projects . \d+ sessions`)
	w.wait(` 1 of \d+(?:$|  )`)
	w.keys("j")
	w.wait(` 2 of \d+(?:$|  )`)
	w.keys("/")
	w.text("tea")
	w.wait(`^    .*\d+ match(es)? in \d+ session`)
	w.keys("Escape")
	w.wait(`all projects . \d+ sessions`)
	w.keys("?")
	w.wait(` Keys `)
	w.keys("Escape")
	w.gone(` Keys `)
	w.keys(":")
	w.wait(` Commands `)
	w.keys("Escape")
	w.gone(` Commands `)
	w.keys("Enter")
	w.wait(` message \d+ of \d+ `)
	w.keys("g", "Z", "/")
	w.text("the")
	w.keys("Enter")
	w.wait(`   match \d+ of \d+`)
	w.keys("q")
	w.wait(`all projects . \d+ sessions`)
}

// writePlain writes the demo with an x for every non-ASCII character.
func writePlain(t *testing.T, config string) {
	t.Helper()
	writeDemo(t, config)
	files, err := filepath.Glob(filepath.Join(config, "projects", "*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		text := strings.Map(func(r rune) rune {
			if r > 0x7e {
				return 'x'
			}
			return r
		}, readFile(t, path))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
