package out

import (
	"cmp"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"github.com/continuo-tui/continuo/tui/render"
)

// Widths of printed text.
const (
	ListMax    = 120 // maximum width of a list in cells
	ListMargin = 2   // empty cells at the right, as in the browser
	wrapLeast  = 11  // minimum width of a wrapped sentence in cells
)

// fallbackWidth is the width of text that isn't for a terminal.
const fallbackWidth = 80

// Stream is stdout or stderr. It keeps the first error of a write, and writes nothing after it.
type Stream struct {
	W        io.Writer
	Terminal bool         // writes to a terminal; false for TERM=dumb
	ASCII    bool         // use ASCII glyphs; only in a terminal
	Width    int          // width in cells
	theme    render.Theme // theme to use if colour is on
	Styles   *render.Styles
	Failed   error
}

// newStream returns a stream for w. Colour is on in a terminal, unless NO_COLOR or TERM=dumb.
func newStream(w io.Writer, getenv func(string) string) *Stream {
	o := &Stream{W: w, Width: fallbackWidth, Styles: render.NewStyles(render.None), theme: themeOf(getenv)}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) || getenv("TERM") == "dumb" {
		return o
	}
	o.Terminal = true
	if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
		o.Width = width
	} else if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
		o.Width = n
	}
	o.ASCII = ASCIIGlyphs(getenv)
	o.Styles = render.NewStyles(o.theme)
	if getenv("NO_COLOR") != "" {
		o.Styles = render.NewStyles(render.Mono)
	}
	return o
}

// themeOf selects the colours of a command by COLORFGBG. Without it, it selects colours that are readable on any
// background, because querying the terminal would delay every run.
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

// ASCIIGlyphs reports whether a terminal should get ASCII glyphs: by $CONTINUO_GLYPHS, else by the character set of
// the locale. A locale that names no character set counts as UTF-8, because many machines set no variable.
func ASCIIGlyphs(getenv func(string) string) bool {
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

// SetASCII applies --ascii, which has no effect in a pipe.
func (o *Stream) SetASCII(on bool) { o.ASCII = on && o.Terminal }

// Print writes s. Text from files in it must already be cleaned.
func (o *Stream) Print(s string) {
	if o.ASCII {
		s = render.ASCII(s)
	}
	o.Exact(s)
}

// Exact writes s without replacing glyphs, for JSON and paths.
func (o *Stream) Exact(s string) {
	if o.Failed == nil && s != "" {
		_, o.Failed = io.WriteString(o.W, s)
	}
}

// Write implements io.Writer for cobra, which prints help and version by itself.
func (o *Stream) Write(b []byte) (int, error) {
	o.Print(string(b))
	return len(b), o.Failed
}

// setColor applies --color.
func (o *Stream) setColor(mode ColorMode) {
	switch mode {
	case ColorAlways:
		o.Styles = render.NewStyles(o.theme)
	case ColorNever:
		o.Styles = render.NewStyles(render.None)
	case ColorAuto:
	}
}

// SetTheme applies the theme of the config if colour is on. byFlag says that a flag of this run set the colour.
func (o *Stream) SetTheme(theme string, byFlag bool) {
	switch {
	case theme == "dark":
		o.theme = render.Dark16
	case theme == "light":
		o.theme = render.Light16
	case theme == "none" && !byFlag:
		o.theme = render.Mono
	}
	if o.Styles.Theme < render.Mono {
		o.Styles = render.NewStyles(o.theme)
	}
}

// isTerminal reports whether r is a terminal.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// ColorMode is the value of --color.
type ColorMode string

// The values of --color.
const (
	ColorAuto   ColorMode = "auto"
	ColorAlways ColorMode = "always"
	ColorNever  ColorMode = "never"
)

// Page returns the width of a list line in cells: the width of the terminal without the margin, at most 120.
func (o *Stream) Page() int { return max(min(o.Width-ListMargin, ListMax), 1) }

// Wrapped returns a sentence with a newline at its end. In a terminal a long one is wrapped at words; a command in it
// begins a new line, for copying.
func (o *Stream) Wrapped(s string) string {
	if !o.Terminal || ansi.StringWidth(s) <= o.Width-ListMargin {
		return s + "\n"
	}
	s = strings.Replace(s, ": continuo ", ":\n  continuo ", 1)
	return strings.Join(render.Wrap(s, max(o.Width-ListMargin, wrapLeast)), "\n") + "\n"
}
