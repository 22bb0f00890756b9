package talk

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/grep"
	"github.com/continuo-tui/continuo/tui/render"
)

// searchWords describes the options of a search, such as "in src · files *.go · ignores case". more has the other
// parameters.
func (b *body) searchWords(params transcript.Params) (text string, more transcript.Params) {
	var parts []string
	for _, q := range params {
		value := transcript.CleanLine(head(q.Text(), b.width()))
		switch {
		case q.Key == "path":
			parts = append(parts, "in "+b.p.relative(value))
		case q.Key == "glob", q.Key == "type":
			parts = append(parts, "files "+value)
		case q.Key == "-i" && value == "true":
			parts = append(parts, "ignores case")
		case q.Key == "multiline" && value == "true":
			parts = append(parts, "matches across lines")
		case q.Key == "head_limit":
			parts = append(parts, "at most "+value)
		case q.Key == "-A":
			parts = append(parts, value+" lines after")
		case q.Key == "-B":
			parts = append(parts, value+" lines before")
		case q.Key == "-C", q.Key == "context":
			parts = append(parts, value+" lines around")
		case q.Key == "output_mode", q.Key == "-n", value == "false": // the result shows it
		default:
			more = append(more, q)
		}
	}
	return strings.Join(parts, " · "), more
}

// search draws the options of a search, then the other parameters.
func (b *body) search(params transcript.Params, open int) {
	text, more := b.searchWords(params)
	b.text(render.Faint, text, open)
	b.params(more, open)
}

// matches draws the lines that a search found, with their files and line numbers. It returns false without lines.
func (b *body) matches(c *toolCall) bool {
	text := trimLines(c.Result.Text)
	first, _, _ := strings.Cut(text, "\n")
	if place, _ := grep.Match(first); c.Kind != transcript.ToolSearch || c.Result.Failed || place == "" {
		return false
	}
	limit, column := b.limit(openRows), 0
	lines := strings.SplitN(text, "\n", limit+1)
	for _, line := range lines[:min(limit, len(lines))] {
		if place, _ := grep.Match(line); place != "" {
			column = max(column, ansi.StringWidth(b.p.relative(place))+2)
		}
	}
	column = min(column, b.width()/2)
	pattern := searched(c)
	for n := 0; text != ""; {
		if n >= limit || b.bytes <= 0 {
			b.rest(hidden{lines: countLines(text)})
			return true
		}
		var line string
		line, text, _ = strings.Cut(text, "\n")
		place, code := grep.Match(line)
		if place == "" {
			rows, used, ok := b.wrapLine(line, b.width(), limit-n, b.bytes)
			b.bytes -= used + 1
			for _, r := range rows {
				b.put(render.Faint, r)
			}
			b.more = b.more || !ok
			n += len(rows)
			continue
		}
		rows, used, ok := b.wrapLine(strings.TrimLeft(code, " \t"), max(b.width()-column, 1), limit-n, b.bytes)
		b.bytes -= used + len(line) - len(code) + 1
		b.more = b.more || !ok
		n += len(rows)
		for i, r := range rows {
			var spans []render.Span
			if i == 0 {
				place = words.CutMiddle(b.p.relative(place), max(column-2, 1))
				at := strings.LastIndexByte(place, ':')
				spans = []render.Span{{Ink: render.Text, Text: place[:max(at, 0)]}, {Ink: render.Faint, Text: place[max(at, 0):]}}
			}
			spans = append(spans, render.Span{Ink: render.Text, Text: strings.Repeat(" ", max(column-render.SpansWidth(spans), 0))})
			b.row(append(spans, marked(pattern, r.text)...)...)
		}
	}
	return true
}

// searched returns the compiled pattern of a search, or nil if Go can't compile it.
func searched(c *toolCall) *regexp.Regexp {
	const longest = 1 << 10 // bytes
	p := c.Params.String("pattern")
	if p == "" || len(p) > longest {
		return nil
	}
	if c.Params.Named("-i") != nil && c.Params.Named("-i").Text() == "true" {
		p = "(?i)" + p
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return nil
	}
	return re
}

func marked(pattern *regexp.Regexp, text string) (spans []render.Span) {
	at := 0
	if pattern != nil {
		for _, m := range pattern.FindAllStringIndex(text, -1) {
			spans = append(spans, render.Span{Ink: render.Muted, Text: text[at:m[0]]}, render.Span{Ink: render.Match, Text: text[m[0]:m[1]]})
			at = m[1]
		}
	}
	return append(spans, render.Span{Ink: render.Muted, Text: text[at:]})
}
