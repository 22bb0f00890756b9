package cli

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/continuo-tui/continuo/tui/render"
)

// fallbackWidth is the width of text that goes nowhere in particular.
const fallbackWidth = 80

// output is stdout or stderr. The first write that fails is kept, and nothing is written after it.
type output struct {
	w        io.Writer
	terminal bool         // a person looks at it; false for TERM=dumb too
	width    int          // in cells
	theme    render.Theme // when there is colour
	styles   *render.Styles
	failed   error
}

// newOutput looks at what w is. Colour is on in a terminal, unless NO_COLOR or TERM=dumb.
func newOutput(w io.Writer, getenv func(string) string) *output {
	o := &output{w: w, width: fallbackWidth, styles: render.NewStyles(render.None), theme: themeOf(getenv)}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) || getenv("TERM") == "dumb" {
		return o
	}
	o.terminal = true
	if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
		o.width = width
	} else if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
		o.width = n
	}
	o.styles = render.NewStyles(o.theme)
	if getenv("NO_COLOR") != "" {
		o.styles = render.NewStyles(render.Mono)
	}
	return o
}

// themeOf chooses the colours of a command. It does not ask the terminal for its background, which would cost
// every run a round trip: where COLORFGBG does not tell, it takes the colours that can be read on any page.
func themeOf(getenv func(string) string) render.Theme {
	_, ground, _ := strings.Cut(getenv("COLORFGBG"), ";")
	if i := strings.LastIndexByte(ground, ';'); i >= 0 {
		ground = ground[i+1:] // "15;default;0"
	}
	if n, err := strconv.Atoi(ground); err == nil && n != 7 && n < 9 {
		return render.Dark16
	}
	return render.Light16
}

// print writes s. What is foreign in it must be clean.
func (o *output) print(s string) {
	if o.failed == nil && s != "" {
		_, o.failed = io.WriteString(o.w, s)
	}
}

// setColor applies --color.
func (o *output) setColor(mode colorMode) {
	switch mode {
	case colorAlways:
		o.styles = render.NewStyles(o.theme)
	case colorNever:
		o.styles = render.NewStyles(render.None)
	case colorAuto:
	}
}

// isTerminal reports whether r is one.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// colorMode is the value of --color.
type colorMode string

// The values of --color.
const (
	colorAuto   colorMode = "auto"
	colorAlways colorMode = "always"
	colorNever  colorMode = "never"
)
