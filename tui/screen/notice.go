package screen

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Notice is the text that replaces an empty list. It has the searched folders, errors, and what the user can do
// next.
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

// Put adds a text and wraps it. The glyph is before the first line.
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

// Place adds a folder that was searched, and a note about it.
func (n *Notice) Place(folder, note string, missing bool) {
	glyph := render.Span{Ink: render.Faint, Text: "·"}
	if missing {
		glyph = render.Span{Ink: render.Bad, Text: "✗"}
	}
	n.Pair(glyph, render.Text, folder, note)
}

// Next adds what the user can do next: a key or command, and its purpose.
func (n *Notice) Next(what, why string) {
	n.Pair(render.Span{}, render.Strong, what, why)
}

// Pair adds two texts side by side. On a narrow screen, one is below the other.
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

// Failed adds an error. The first sentence is added as the error, and the other sentences as details.
func (n *Notice) Failed(err error, home string) {
	what, then, _ := strings.Cut(Sentence(err, home), ". ")
	n.Error(strings.TrimSuffix(what, ".") + ".")
	if then != "" {
		n.Detail(then)
	}
}

// Sentence returns the text of an error as a sentence. It replaces the home directory by ~.
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
