package render

import (
	"strings"

	"charm.land/glamour/v2"
	style "charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// MaxMarkdown is the maximum length, in bytes, of a text that is rendered as markdown. 32 kB take 80 ms.
const MaxMarkdown = 32 << 10

// Markdown cleans a text and renders it as markdown. Lines of prose have at most width cells. Lines of top-level code
// have at most codeWidth cells, or width cells if width is larger. Markdown returns nil if the caller must show the
// plain text. The reasons are: the text is longer than MaxMarkdown, width is below 8, the renderer panics, or rendering
// would take seconds.
//
// Markdown draws top-level code itself. Glamour renders all other text. The source is escaped first, because glamour
// drops HTML tags and resolves entities (see splitSource).
func Markdown(text string, width, codeWidth int, s *Styles) []string {
	return markdown(text, width, codeWidth, s, false)
}

// markdown implements Markdown and MarkdownDocument.
func markdown(text string, width, codeWidth int, s *Styles, document bool) (lines []string) {
	if len(text) > MaxMarkdown || width < 8 || strings.TrimSpace(text) == "" {
		return nil
	}
	defer func() {
		if recover() != nil { // glamour panics on some tables
			lines = nil
		}
	}()
	style := markdownStyle(colorsOf(s.Theme))
	src := Untab(transcript.Clean(text))
	if document {
		style.Emph = emphasis(colorsOf(s.Theme))
		if !isCostly(src) {
			src = joined(src)
		}
	}
	for _, part := range splitSource(src) {
		var more []string
		if part.code {
			more = codeLines(part, max(codeWidth, width), s)
		} else {
			out, err := glamourLines(part, width, style)
			if err != nil {
				return nil
			}
			more = tidy(out, width)
		}
		if len(more) > 0 && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, more...)
	}
	if s.Theme == None {
		for i := range lines {
			lines[i] = ansi.Strip(lines[i])
		}
	}
	return lines
}

// glamourLines renders a part. Glamour wraps only tables, and tidy wraps all other text, because glamour doesn't indent
// continued list items. A table gets a limit only if it is too wide without a limit.
func glamourLines(part sourcePart, width int, s style.StyleConfig) (out string, err error) {
	if !part.table {
		return glamourText(part.text, 0, s)
	}
	text := part.text
	if part.alone && !strings.Contains(text, joinedHyphen) {
		rows := strings.SplitAfter(text, "\n")
		for i, row := range rows {
			if strings.Trim(row, "|-: \n") != "" { // except for the line below the head
				rows[i] = strings.ReplaceAll(row, "-", joinedHyphen)
			}
		}
		text = strings.Join(rows, "")
		defer func() { out = strings.ReplaceAll(out, joinedHyphen, "-") }()
	}
	if part.alone {
		if out, err = glamourText(text, 0, s); err != nil || lipgloss.Width(out) <= width {
			return out, err
		}
	}
	return glamourText(text, width, s)
}

// glamourText renders markdown. width limits tables; 0 means no limit.
func glamourText(text string, width int, s style.StyleConfig) (string, error) {
	r, err := glamour.NewTermRenderer(glamour.WithStyles(s), glamour.WithWordWrap(width), glamour.WithPreservedNewLines())
	if err != nil {
		return "", err
	}
	return r.Render(text)
}

// codeLines returns a code block as lines. Long lines are wrapped.
func codeLines(part sourcePart, width int, s *Styles) []string {
	const rail = 2
	lang := transcript.CleanLine(part.lang)
	source := strings.Split(strings.TrimRight(part.text, "\n "), "\n")
	inked := s.Highlight(lang, source)
	var lines []string
	for i, text := range source {
		var spans []Span
		if inked != nil {
			spans = inked[0][i]
		}
		for _, row := range Rows(WrapIndented(text, width-rail), spans, Text) {
			l := NewLine(s, width).Put(Rule, "│")
			if len(row) > 0 {
				l.Put(Text, " ").Spans(row...)
			}
			if len(lines) == 0 && lang != "" && ansi.StringWidth(lang) <= 16 {
				l.Right(width, Span{Text, "   "}, Span{Faint, lang})
			}
			lines = append(lines, l.String())
		}
	}
	return lines
}

// tidy splits the output of glamour into lines of at most width cells. It removes trailing blanks, and escape sequences
// that aren't styles.
func tidy(out string, width int) []string {
	var lines []string
	item := "" // prefix of the previous line's list item
	for line := range strings.SplitSeq(out, "\n") {
		line = tidyLine(line)
		if line == "" {
			item = ""
			if len(lines) == 0 || lines[len(lines)-1] != "" {
				lines = append(lines, "")
			}
			continue
		}
		for i, paragraph := range strings.Split(line, partMark) {
			if i > 0 && item != "" {
				paragraph = hanging(item) + strings.TrimPrefix(paragraph, " ")
			}
			plain := ansi.Strip(paragraph)
			switch prefix := itemPrefix(plain); {
			case isItem(prefix):
				item = prefix
			case i == 0 && item != "" && !strings.HasPrefix(plain, hanging(item)) && strings.HasPrefix(plain, indent(item)):
				paragraph = hanging(item) + ansi.TruncateLeft(paragraph, ansi.StringWidth(indent(item)), "")
			}
			lines = append(lines, hang(paragraph, width)...)
		}
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// itemPrefix returns the start of a line: blanks, bars of quotations, and the mark of a list item.
func itemPrefix(plain string) string {
	rest := plain
	for {
		t, ok := strings.CutPrefix(rest, "│ ")
		if !ok {
			t, ok = strings.CutPrefix(rest, " ")
		}
		if !ok {
			break
		}
		rest = t
	}
	for _, mark := range []string{"• ", "✓ ", "○ "} {
		if t, ok := strings.CutPrefix(rest, mark); ok {
			return plain[:len(plain)-len(t)]
		}
	}
	if digits := len(rest) - len(strings.TrimLeft(rest, "0123456789")); digits > 0 && strings.HasPrefix(rest[digits:], ". ") {
		rest = rest[digits+2:]
	}
	return plain[:len(plain)-len(rest)]
}

// isItem reports whether a prefix has the mark of a list item.
func isItem(prefix string) bool { return indent(prefix) != prefix }

// indent returns a prefix without the mark of a list item.
func indent(prefix string) string {
	return prefix[:len(prefix)-len(strings.TrimLeft(prefix, " │"))]
}

// hanging returns the prefix of the continuation lines of a list item.
func hanging(prefix string) string {
	in := indent(prefix)
	return in + strings.Repeat(" ", ansi.StringWidth(prefix)-ansi.StringWidth(in))
}

// hang wraps a line, and indents the further rows to the text of the line.
func hang(line string, width int) []string {
	if ansi.StringWidth(line) <= width {
		return []string{line}
	}
	prefix := itemPrefix(ansi.Strip(line))
	n := ansi.StringWidth(prefix)
	if n > width/2 { // there is no room for the indentation
		prefix, n = "", 0
	}
	var lines []string
	first := ansi.Truncate(line, n, "")
	wrap := func(s string) string { return lipgloss.Wrap(s, width-n, "") }
	for part := range strings.SplitSeq(unbroken(ansi.TruncateLeft(line, n, ""), wrap), "\n") {
		lines = append(lines, words.Cut(first+tidyLine(part), width))
		first = hanging(prefix)
	}
	return lines
}

// tidyLine cuts a line after its last visible character. It removes escape sequences that aren't styles.
func tidyLine(line string) string {
	var b strings.Builder
	var state byte
	end, styled := 0, false
	for len(line) > 0 {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		state = next
		switch {
		case width > 0:
			b.WriteString(seq)
			if strings.TrimSpace(seq) != "" {
				end = b.Len()
			}
		case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
			b.WriteString(seq)
			styled = true
		case seq == partMark:
			b.WriteString(seq)
		case seq != "" && seq[0] >= 0x80 && transcript.Clean(seq) == seq: // seq is a combining mark
			b.WriteString(seq)
		}
		line = line[n:]
	}
	switch {
	case end == 0:
		return ""
	case styled:
		return b.String()[:end] + reset
	}
	return b.String()[:end]
}

func emphasis(p themeColors) style.StylePrimitive {
	e := style.StylePrimitive{Italic: new(true)}
	if p.faint.color != "" {
		e.Color = new(p.faint.color)
	}
	return e
}

// markdownStyle returns glamour's style sheet for a theme. It has no syntax colours, because glamour registers one
// chroma style for the whole process. codeLines colours the syntax.
func markdownStyle(p themeColors) style.StyleConfig {
	prim := func(t tone) style.StylePrimitive {
		if t.color == "" {
			return style.StylePrimitive{}
		}
		return style.StylePrimitive{Color: new(t.color)}
	}
	bold := func(t tone) style.StylePrimitive {
		s := prim(t)
		s.Bold = new(true)
		return s
	}
	affix := func(s style.StylePrimitive, prefix, suffix string) style.StylePrimitive {
		s.Prefix, s.Suffix = prefix, suffix
		return s
	}
	none := new(uint(0))
	var c style.StyleConfig
	c.Document = style.StyleBlock{StylePrimitive: prim(p.text), Margin: none}
	c.BlockQuote = style.StyleBlock{Indent: new(uint(1)), IndentToken: new("│ ")}
	c.List = style.StyleList{LevelIndent: 2}
	c.Heading = style.StyleBlock{StylePrimitive: bold(p.strong)}
	c.Heading.BlockSuffix = "\n"
	c.Strong = bold(p.text)
	c.Emph = style.StylePrimitive{Italic: new(true)}
	c.Strikethrough = affix(prim(p.faint), "~~", "~~")
	c.HorizontalRule = prim(p.line)
	c.HorizontalRule.Format = "\n────────\n"
	c.Item = style.StylePrimitive{BlockPrefix: "• "}
	c.Enumeration = style.StylePrimitive{BlockPrefix: ". "}
	c.Task = style.StyleTask{Ticked: "✓ ", Unticked: "○ "}
	c.Link = prim(p.faint)
	c.Image = prim(p.faint)
	c.ImageText = style.StylePrimitive{Format: "Image: {{.text}} →"}
	c.Code = style.StyleBlock{StylePrimitive: affix(prim(p.code), "`", "`")}
	c.CodeBlock = style.StyleCodeBlock{StyleBlock: style.StyleBlock{StylePrimitive: prim(p.code), Margin: new(uint(2))}}
	c.DefinitionDescription = style.StylePrimitive{BlockPrefix: "\n  "}
	return c
}
