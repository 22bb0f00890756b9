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

// The widths of printed text.
const (
	ListMax    = 120 // maximum width of a list, in cells
	ListMargin = 2   // free cells at the right edge, as in the browser
	wrapLeast  = 11  // minimum width of a sentence, in cells
)

// fallbackWidth is the width without a terminal.
const fallbackWidth = 80

// Stream is stdout or stderr. It keeps the first write error, and then writes nothing more.
type Stream struct {
	W        io.Writer
	Terminal bool         // a terminal; false if TERM is dumb
	ASCII    bool         // ASCII glyphs; only on a terminal
	Width    int          // in cells
	theme    render.Theme // the theme if colours are on
	Styles   *render.Styles
	Failed   error
}

// newStream returns a stream for w. A terminal has colours unless NO_COLOR is set or TERM is dumb.
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

// themeOf chooses the colours by COLORFGBG; otherwise, they suit any background. Asking the terminal would delay
// every run.
func themeOf(getenv func(string) string) render.Theme {
	_, ground, _ := strings.Cut(getenv("COLORFGBG"), ";")
	if i := strings.LastIndexByte(ground, ';'); i >= 0 {
		ground = ground[i+1:] // such as "15;default;0"
	}
	if n, err := strconv.Atoi(ground); err == nil && n != 7 && n < 9 {
		return render.Dark16
	}
	return render.Light16
}

// ASCIIGlyphs reports whether a terminal should get ASCII glyphs. $CONTINUO_GLYPHS decides, or else the
// character set of the locale. The default is UTF-8, because many machines set no locale.
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

// SetASCII applies --ascii; not in a pipe.
func (o *Stream) SetASCII(on bool) { o.ASCII = on && o.Terminal }

// Print writes s, with ASCII glyphs if they are on. Clean text from files first.
func (o *Stream) Print(s string) {
	if o.ASCII {
		s = render.ASCII(s)
	}
	o.Exact(s)
}

// Exact writes s without replacing glyphs.
func (o *Stream) Exact(s string) {
	if o.Failed == nil && s != "" {
		_, o.Failed = io.WriteString(o.W, s)
	}
}

// Write implements io.Writer, for cobra's help and version.
func (o *Stream) Write(b []byte) (int, error) {
	o.Print(string(b))
	return len(b), o.Failed
}

// setColor applies the value of --color.
func (o *Stream) setColor(mode ColorMode) {
	switch mode {
	case ColorAlways:
		o.Styles = render.NewStyles(o.theme)
	case ColorNever:
		o.Styles = render.NewStyles(render.None)
	case ColorAuto:
	}
}

// SetTheme applies the config's theme if colours are on. byFlag means that --color was given, which takes
// precedence.
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

// ColorMode is a value of --color.
type ColorMode string

// The values of --color.
const (
	ColorAuto   ColorMode = "auto"
	ColorAlways ColorMode = "always"
	ColorNever  ColorMode = "never"
)

// Page returns the width of a list in cells: the terminal without the margin, but at most 120.
func (o *Stream) Page() int { return max(min(o.Width-ListMargin, ListMax), 1) }

// Wrapped returns a sentence and a newline. On a terminal, it wraps at words. A command at the end of a long
// sentence gets its own line for copying.
func (o *Stream) Wrapped(s string) string {
	if !o.Terminal || ansi.StringWidth(s) <= o.Width-ListMargin {
		return s + "\n"
	}
	s = strings.Replace(s, ": continuo ", ":\n  continuo ", 1)
	return strings.Join(render.Wrap(s, max(o.Width-ListMargin, wrapLeast)), "\n") + "\n"
}
