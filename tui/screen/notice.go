package screen

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Notice is the text in place of an empty list: searched folders, errors, and possible actions.
type Notice struct {
	styles *render.Styles
	width  int
	Left   int
	Lines  []string
}

// NewNotice returns an empty notice.
func NewNotice(styles *render.Styles, width int) *Notice {
	left := max((width-60)/2, 4)
	if width < 24 {
		left = 0
	}
	return &Notice{styles: styles, width: width, Left: left, Lines: []string{""}}
}

// Put adds a wrapped text, with the glyph in front of its first line.
func (n *Notice) Put(ink render.Ink, glyph render.Span, text string) {
	for i, line := range render.Wrap(transcript.CleanLine(text), max(min(n.width-n.Left-1, 80), 1)) {
		l := render.NewLine(n.styles, n.width)
		left := n.Left
		if glyph.Text != "" {
			if i == 0 {
				l.To(left).Spans(glyph)
			}
			left += 2
		}
		n.Lines = append(n.Lines, l.To(left).Put(ink, line).String())
	}
}

// Heading adds a heading.
func (n *Notice) Heading(text string) {
	n.Put(render.Bold, render.Span{}, text)
	n.Lines = append(n.Lines, "")
}

// Error adds an error.
func (n *Notice) Error(text string) {
	n.Put(render.Bold, render.Span{Ink: render.BadBold, Text: "✗"}, text)
}

// Detail adds a muted text.
func (n *Notice) Detail(text string) { n.Put(render.Muted, render.Span{}, text) }

// Place adds a searched folder and a note about it.
func (n *Notice) Place(folder, note string, missing bool) {
	glyph := render.Span{Ink: render.Faint, Text: "·"}
	if missing {
		glyph = render.Span{Ink: render.Bad, Text: "✗"}
	}
	n.Pair(glyph, render.Text, folder, note)
}

// Next adds a key or command, and its purpose.
func (n *Notice) Next(what, why string) {
	n.Pair(render.Span{}, render.Strong, what, why)
}

// Pair adds two texts side by side or, on a narrow screen, one below the other.
func (n *Notice) Pair(glyph render.Span, ink render.Ink, left, right string) {
	const column = 32
	if n.width-n.Left < column+24 {
		n.Put(ink, glyph, left)
		n.Put(render.Muted, render.Span{}, right)
		return
	}
	l := render.NewLine(n.styles, n.width).To(n.Left).Spans(glyph).To(n.Left + 2)
	l.PutUntil(ink, words.CutMiddle(transcript.CleanLine(left), column-2), n.Left+column+1)
	n.Lines = append(n.Lines, l.To(n.Left+2+column).Put(render.Muted, transcript.CleanLine(right)).String())
}

// Failed adds an error: its first sentence, and then details.
func (n *Notice) Failed(err error, home string) {
	what, then, _ := strings.Cut(Sentence(err, home), ". ")
	n.Error(strings.TrimSuffix(what, ".") + ".")
	if then != "" {
		n.Detail(then)
	}
}

// Sentence returns an error as a sentence, with ~ for the home directory.
func Sentence(err error, home string) string {
	text := strings.TrimSpace(err.Error())
	if home := strings.TrimSuffix(home, "/"); home != "" {
		text = strings.ReplaceAll(text, home+"/", "~/")
	}
	if text == "" {
		return ""
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
