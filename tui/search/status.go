package search

import (
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/tui/render"
)

// inked returns the typed text as spans. Words are strong, and other terms have the color of a filter.
func inked(text string) []render.Span {
	var list []render.Span
	for text != "" {
		end := strings.IndexByte(text, ' ') + 1
		term := strings.TrimPrefix(text, "-")
		if strings.HasPrefix(term, `"`) { // up to the closing quote
			end = strings.IndexByte(term[1:], '"') + 2 + len(text) - len(term)
			if end < len(`""`)+len(text)-len(term) {
				end = 0
			}
		}
		if end <= 0 {
			end = len(text)
		}
		ink := render.Strong
		if isFilter(strings.TrimSpace(text[:end])) {
			ink = render.Accent
		}
		list = append(list, render.Span{Ink: ink, Text: text[:end]})
		text = text[end:]
	}
	return list
}

// isFilter reports whether a term of a query is more than a word, such as "a b", -a, /re/ or project:x.
func isFilter(term string) bool {
	name, _, field := strings.Cut(term, ":")
	return len(term) > 1 && strings.ContainsAny(term[:1], `"-/`) || field && slices.Contains(query.FieldNames(), strings.ToLower(name))
}

// status draws the status line: an error in the query, the state of the index, or a hint.
func (p *Page) status() string {
	width := p.frame.Width
	l := render.NewLine(p.frame.Styles, width).To(1)
	right := p.right()
	switch {
	case !p.gauge.full() && p.gauge.AllFiles > 0:
		return p.gaugeLine(l)
	case p.wrong != nil:
		return l.Put(render.Bad, "✗ ").PutUntil(render.Text, p.wrong.Problem, width-1).String()
	case !p.answer.Done && p.query != nil && !p.query.Empty():
		l.Put(render.Faint, "Searching…")
	default:
		const fields = "project: branch: model: role: tool: file: after: before: is: tag:"
		if len("  add  "+fields)+render.SpansWidth(right)+3 < width {
			l.Put(render.Faint, "add  ").Put(render.Muted, fields)
		}
	}
	return l.Right(width-1, right...).String()
}

// right returns the right part of the status line: the matches in the other scope, or the size of the index.
func (p *Page) right() []render.Span {
	switch {
	case p.elsewhere != nil:
		text, key := p.elsewhere.words(p.scope)
		return []render.Span{{Ink: render.Faint, Text: text}, {Ink: render.Strong, Text: key}}
	case p.gauge.AllFiles > 0 && (p.query == nil || p.query.Empty()):
		return []render.Span{{Ink: render.Faint, Text: "index complete, " + words.Counted(p.gauge.AllFiles, "file", "files")}}
	}
	return nil
}

// gaugeLine draws how far the first index is built.
func (p *Page) gaugeLine(l *render.Line) string {
	g, width := &p.gauge, p.frame.Width
	l.Put(render.Muted, "Reading sessions  ").Gauge(int(g.Bytes>>10), int(max(g.AllBytes>>10, 1)), min(26, width/4))
	text := "  " + words.Count(g.Files) + " of " + words.Count(g.AllFiles) + " · " + words.SizeOf(g.Bytes, g.AllBytes)
	if d := p.frame.Now.Sub(p.began); !p.began.IsZero() && d > time.Second && g.Bytes > p.from {
		rest := time.Duration(float64(d) * float64(g.AllBytes-g.Bytes) / float64(g.Bytes-p.from))
		text += " · " + words.Count(int(rest.Seconds())+1) + " s left"
	}
	return l.PutUntil(render.Faint, text, width-1).String()
}
