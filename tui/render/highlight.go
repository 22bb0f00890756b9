package render

import (
	"path"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// The limits of Highlight. Code beyond a limit isn't highlighted.
const (
	maxCode     = 32 << 10        // total bytes of all texts; 32 kB of Go take 85 ms
	maxCodeLine = 2 << 10         // bytes of a line; a longer line isn't highlighted
	maxLexing   = 2 * time.Second // only code that was written to be slow takes longer
)

// Highlighter splits the lines of texts into spans. name is a language or a file name. The lines must be clean. The
// spans of a line add up to the line's text. A Highlighter returns nil to leave the texts plain.
type Highlighter func(name string, texts ...[]string) [][][]Span

// Highlight is the Highlighter for all languages of chroma. Each text must begin outside of strings and comments.
//
// Don't call Highlight in a test with a fake clock. Chroma's time limit uses one clock for the whole process.
func Highlight(name string, texts ...[]string) (out [][][]Span) {
	size := 0
	for _, lines := range texts {
		for _, line := range lines {
			size += len(line) + 1
		}
	}
	if size > maxCode || size == 0 {
		return nil
	}
	defer func() {
		if recover() != nil { // a lexer may panic
			out = nil
		}
	}()
	lexer := lexerOf(name)
	if lexer == nil {
		return nil
	}
	end := time.Now().Add(maxLexing)
	out = make([][][]Span, len(texts))
	for i, lines := range texts {
		if out[i] = lex(lexer, lines, end); out[i] == nil {
			return nil
		}
	}
	return out
}

func lexerOf(name string) chroma.Lexer {
	var lexer chroma.Lexer
	switch base := path.Base(strings.ReplaceAll(name, `\`, "/")); {
	case strings.HasSuffix(base, ".ipynb"): // a tool call has the source of the cells, not JSON
		lexer = lexers.Get("python")
	case strings.ContainsAny(name, "./\\"):
		lexer = lexers.Match(base)
	case name != "":
		lexer = lexers.Get(name)
	}
	if lexer == nil || lexer.Config().Name == "plaintext" {
		return nil
	}
	return lexer
}

// lex returns the spans of the lines; nil if the lexer changes the text or takes too long.
func lex(lexer chroma.Lexer, lines []string, end time.Time) [][]Span {
	var source strings.Builder
	for _, line := range lines {
		if len(line) <= maxCodeLine {
			source.WriteString(line)
		}
		source.WriteByte('\n')
	}
	tokens, err := lexer.Tokenise(nil, source.String())
	if err != nil {
		return nil
	}
	out := make([][]Span, len(lines))
	at, column := 0, 0
	for t := tokens(); t != chroma.EOF; t = tokens() {
		if time.Now().After(end) {
			return nil
		}
		for more, rest := true, t.Value; more; {
			var text string
			text, rest, more = strings.Cut(rest, "\n")
			if text != "" {
				if at >= len(lines) || !strings.HasPrefix(lines[at][column:], text) {
					return nil
				}
				out[at] = addSpan(out[at], Span{inkOf(t.Type), text})
				column += len(text)
			}
			if more {
				at, column = at+1, 0
			}
		}
	}
	for i, line := range lines {
		n := 0
		for _, s := range out[i] {
			n += len(s.Text)
		}
		if n < len(line) { // a long line, or the lexer has stopped early
			out[i] = addSpan(out[i], Span{Text, line[n:]})
		}
	}
	return out
}

// addSpan appends a span, or extends the last span if it has the same ink.
func addSpan(spans []Span, s Span) []Span {
	if n := len(spans); n > 0 && spans[n-1].Ink == s.Ink {
		spans[n-1].Text += s.Text
		return spans
	}
	return append(spans, s)
}

// inkOf returns the ink of a token.
func inkOf(t chroma.TokenType) Ink {
	switch {
	case t == chroma.GenericDeleted:
		return Bad
	case t == chroma.GenericInserted:
		return Good
	case t.InCategory(chroma.Keyword), t.InSubCategory(chroma.CommentPreproc), t == chroma.OperatorWord,
		t == chroma.NameTag, t == chroma.GenericHeading, t == chroma.GenericSubheading:
		return Keyword
	case t.InSubCategory(chroma.LiteralString):
		return String
	case t.InSubCategory(chroma.LiteralNumber), t == chroma.LiteralDate:
		return Number
	case t.InCategory(chroma.Comment):
		return Comment
	}
	return Text
}

// Rows splits the spans of a line into the rows of the wrapped line. Blanks at a break may differ. A row that doesn't
// occur in the line gets ink.
func Rows(rows []string, line []Span, ink Ink) [][]Span {
	var b strings.Builder
	for _, s := range line {
		b.WriteString(s.Text)
	}
	text, at := b.String(), 0
	out := make([][]Span, len(rows))
	for i, row := range rows {
		for at < len(text) && text[at] == ' ' && !strings.HasPrefix(text[at:], row) {
			at++
		}
		inner := strings.TrimLeft(row, " ")
		switch {
		case row == "":
		case strings.HasPrefix(text[at:], row):
			out[i] = CutSpans(line, at, at+len(row))
			at += len(row)
		case i > 0 && strings.HasPrefix(text[at:], inner):
			out[i] = append([]Span{{ink, row[:len(row)-len(inner)]}}, CutSpans(line, at, at+len(inner))...)
			at += len(inner)
		default:
			out[i], at = []Span{{ink, row}}, len(text)
		}
	}
	return out
}

// CutSpans returns the bytes [from, to) of the spans' text, as spans.
func CutSpans(spans []Span, from, to int) []Span {
	var out []Span
	for _, s := range spans {
		if a, z := max(from, 0), min(to, len(s.Text)); a < z {
			out = append(out, Span{s.Ink, s.Text[a:z]})
		}
		from, to = from-len(s.Text), to-len(s.Text)
	}
	return out
}

// HasText reports whether the spans add up to a text.
func HasText(spans []Span, text string) bool {
	for _, s := range spans {
		rest, ok := strings.CutPrefix(text, s.Text)
		if !ok {
			return false
		}
		text = rest
	}
	return text == ""
}
