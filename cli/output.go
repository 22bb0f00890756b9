package cli

import (
	"cmp"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/continuo-tui/continuo/tui/render"
)

// fallbackWidth is the width of text that goes nowhere in particular.
const fallbackWidth = 80

// stream is stdout or stderr. The first write that fails is kept, and nothing is written after it.
type stream struct {
	w        io.Writer
	terminal bool         // a person looks at it; false for TERM=dumb too
	ascii    bool         // glyphs in ASCII; only ever in a terminal
	width    int          // in cells
	theme    render.Theme // when there is colour
	styles   *render.Styles
	failed   error
}

// newStream looks at what w is. Colour is on in a terminal, unless NO_COLOR or TERM=dumb.
func newStream(w io.Writer, getenv func(string) string) *stream {
	o := &stream{w: w, width: fallbackWidth, styles: render.NewStyles(render.None), theme: themeOf(getenv)}
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
	o.ascii = asciiGlyphs(getenv)
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

// asciiGlyphs reports whether a terminal should get glyphs of ASCII: by $CONTINUO_GLYPHS, else by the character
// set that the locale names. A locale that names none, as on the many machines where no variable is set, counts
// as UTF-8: hardly a terminal of today is anything else.
func asciiGlyphs(getenv func(string) string) bool {
	switch getenv("CONTINUO_GLYPHS") {
	case "":
	case "ascii":
		return true
	default:
		return false
	}
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	_, set, named := strings.Cut(locale, ".")
	if !named {
		return locale == "C" || locale == "POSIX"
	}
	set, _, _ = strings.Cut(set, "@")
	return !strings.EqualFold(strings.ReplaceAll(set, "-", ""), "utf8")
}

// setASCII applies --ascii. What is piped has the same bytes with and without it.
func (o *stream) setASCII(on bool) { o.ascii = on && o.terminal }

// print writes s. What is foreign in it must be clean.
func (o *stream) print(s string) {
	if o.ascii {
		s = render.ASCII(s)
	}
	o.exact(s)
}

// exact writes s as it is, whatever glyphs the terminal has: JSON and paths.
func (o *stream) exact(s string) {
	if o.failed == nil && s != "" {
		_, o.failed = io.WriteString(o.w, s)
	}
}

// setColor applies --color.
func (o *stream) setColor(mode colorMode) {
	switch mode {
	case colorAlways:
		o.styles = render.NewStyles(o.theme)
	case colorNever:
		o.styles = render.NewStyles(render.None)
	case colorAuto:
	}
}

// setTheme applies the theme of the config to what has colour. said is whether this run has its own word on that.
func (o *stream) setTheme(theme string, said bool) {
	switch {
	case theme == "dark":
		o.theme = render.Dark16
	case theme == "light":
		o.theme = render.Light16
	case theme == "none" && !said:
		o.theme = render.Mono
	}
	if o.styles.Theme < render.Mono {
		o.styles = render.NewStyles(o.theme)
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
