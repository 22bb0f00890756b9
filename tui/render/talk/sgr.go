package talk

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// sgr is the state of the colours in an output. It maps bold and the 16 colours to inks.
type sgr struct {
	ink  render.Ink // Text stands for the default colour
	bold bool
}

// noColors is the state at the start of an output.
func noColors() sgr { return sgr{ink: render.Text} }

// spans returns the spans of a line, and updates the state. It returns nil for a line without colours. It also returns
// nil for other escape sequences between the colours, because only Clean understands them.
func (g *sgr) spans(line string) []render.Span {
	if *g == noColors() && !strings.Contains(line, "\x1b[") {
		return nil
	}
	var spans []render.Span
	var text strings.Builder
	for rest, from := line, 0; ; {
		i := strings.Index(rest[from:], "\x1b[")
		params, n := "", 0
		if i >= 0 {
			params, n = colorsAt(rest[from+i:])
		}
		if i >= 0 && n == 0 { // another sequence, which stays in the piece
			from += i + 1
			continue
		}
		piece := rest
		if i >= 0 {
			piece = rest[:from+i]
		}
		if piece = oneLine(piece); piece != "" {
			text.WriteString(piece)
			spans = append(spans, render.Span{Ink: g.inked(), Text: piece})
		}
		if i < 0 {
			break
		}
		g.set(params)
		rest, from = rest[from+i+n:], 0
	}
	if text.String() != oneLine(line) {
		return nil
	}
	return spans
}

// oneLine cleans a text without line breaks like render.Wrap. Line breaks from cleaning become blanks.
func oneLine(s string) string {
	return strings.ReplaceAll(render.Untab(transcript.Clean(s)), "\n", " ")
}

// colorsAt returns the parameters and the length of the colour sequence at the start of a text. Without a sequence, n
// is 0.
func colorsAt(s string) (params string, n int) {
	const longest = 64
	for n = len("\x1b["); n < min(len(s), longest); n++ {
		switch c := s[n]; {
		case c == 'm':
			return s[len("\x1b["):n], n + 1
		case (c < '0' || c > '9') && c != ';':
			return "", 0
		}
	}
	return "", 0
}

// set updates the state with the parameters of a sequence. It ignores colours beyond the 16.
func (g *sgr) set(params string) {
	list := strings.Split(params, ";")
	for i := 0; i < len(list); i++ {
		n, _ := strconv.Atoi(list[i]) // a missing parameter counts as 0
		switch {
		case n == 0:
			*g = noColors()
		case n == 1, n == 22:
			g.bold = n == 1
		case n == 39:
			g.ink = render.Text
		case n >= 30 && n <= 37:
			g.ink = colorInk(n - 30)
		case n >= 90 && n <= 97:
			g.ink = colorInk(n - 90 + 8)
		case (n == 38 || n == 48) && i+2 < len(list) && list[i+1] == "5":
			if color, err := strconv.Atoi(list[i+2]); n == 38 && err == nil {
				g.ink = colorInk(color)
			}
			i += 2
		case (n == 38 || n == 48) && i+1 < len(list) && list[i+1] == "2":
			if n == 38 {
				g.ink = render.Text
			}
			i += 4
		}
	}
}

// colorInk returns the ink for one of the 16 colours, or Text.
func colorInk(color int) render.Ink {
	switch color {
	case 1, 9:
		return render.Bad
	case 2, 10:
		return render.Good
	case 3, 11:
		return render.Warn
	case 4, 6, 12, 14:
		return render.Accent
	case 5, 13:
		return render.Keyword
	case 8:
		return render.Faint
	}
	return render.Text
}

func (g *sgr) inked() render.Ink {
	if !g.bold {
		return g.ink
	}
	switch g.ink {
	case render.Bad:
		return render.BadBold
	case render.Good:
		return render.GoodBold
	case render.Warn:
		return render.Urgent
	case render.Accent:
		return render.AccentBold
	case render.Text:
		return render.Strong
	default:
		return g.ink
	}
}
