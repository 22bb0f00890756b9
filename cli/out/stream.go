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
	wrapLeast  = 11  // minimum width of a wrapped sentence, in cells
)

// fallbackWidth is the width of text if there is no terminal.
const fallbackWidth = 80

// Stream is stdout or stderr. After the first write error, which it keeps, it writes nothing more.
type Stream struct {
	W        io.Writer
	Terminal bool         // it writes to a terminal; false if TERM is dumb
	ASCII    bool         // use ASCII glyphs; only on a terminal
	Width    int          // in cells
	theme    render.Theme // the theme to use if colours are on
	Styles   *render.Styles
	Failed   error
}

// newStream returns a stream that writes to w. Colours are on if w is a terminal, unless NO_COLOR is set or TERM
// is dumb.
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

// themeOf chooses the colours by COLORFGBG. Without this variable, it chooses colours that are readable on any
// background. It doesn't ask the terminal, because that would delay every run.
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

// ASCIIGlyphs reports whether a terminal should get ASCII glyphs. $CONTINUO_GLYPHS decides or, if it isn't set, the
// character set of the locale. A locale without a character set counts as UTF-8, because many machines set no locale.
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

// SetASCII applies --ascii. In a pipe, this has no effect.
func (o *Stream) SetASCII(on bool) { o.ASCII = on && o.Terminal }

// Print writes s, with ASCII glyphs if they are on. Text from files must be cleaned before.
func (o *Stream) Print(s string) {
	if o.ASCII {
		s = render.ASCII(s)
	}
	o.Exact(s)
}

// Exact writes s without replacing glyphs, for JSON and for paths.
func (o *Stream) Exact(s string) {
	if o.Failed == nil && s != "" {
		_, o.Failed = io.WriteString(o.W, s)
	}
}

// Write implements io.Writer. cobra uses it to print the help and the version.
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

// SetTheme applies the theme of the config if colours are on. byFlag means that --color was given in this run, which
// takes precedence over the config.
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

// Page returns the width of a line of a list in cells: the width of the terminal without the margin, but at most 120.
func (o *Stream) Page() int { return max(min(o.Width-ListMargin, ListMax), 1) }

// Wrapped returns a sentence with a newline at the end. On a terminal, it wraps a long sentence at words. If the
// sentence ends with a command, the command begins on a new line, so it can be copied.
func (o *Stream) Wrapped(s string) string {
	if !o.Terminal || ansi.StringWidth(s) <= o.Width-ListMargin {
		return s + "\n"
	}
	s = strings.Replace(s, ": continuo ", ":\n  continuo ", 1)
	return strings.Join(render.Wrap(s, max(o.Width-ListMargin, wrapLeast)), "\n") + "\n"
}
