package document

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
)

// composer builds a document. Texts of the session never begin a line, so they can't begin a block.
type composer struct{ b strings.Builder }

func (p *composer) lines(lines ...string) {
	for _, l := range lines {
		p.b.WriteString(l + "\n")
	}
}

func (p *composer) section(name string) { p.lines("", "## "+name, "") }

// quote writes a text of several lines as a block quotation.
func (p *composer) quote(indent, text string) {
	for l := range strings.Lines(transcript.Clean(text)) {
		if l = strings.TrimSpace(l); l == "" {
			p.lines(indent + ">")
		} else {
			p.lines(indent + "> " + escapedLead(escaped(l)))
		}
	}
}

// left writes the number of omitted entries of a list.
func (p *composer) left(indent string, n int) {
	if n > 0 {
		p.lines(indent + "- _… " + strconv.Itoa(n) + " more_")
	}
}

// some writes a list with the number of omitted entries in the middle.
func some[T any](p *composer, indent string, list *digest.Some[T], text func(T) string) {
	for _, v := range list.First {
		p.lines(indent + "- " + text(v))
	}
	p.left(indent, list.Left)
	for _, v := range list.Last {
		p.lines(indent + "- " + text(v))
	}
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// quoted returns a text in quotation marks on one line.
func quoted(s string) string { return "“" + escaped(s) + "”" }

// escaped returns a text as one line that Markdown shows as plain text. Complete code spans stay. At the beginning of
// a line, the result could still begin a block.
func escaped(s string) string {
	s = transcript.CleanLine(s)
	spans := strings.Split(s, "`")
	if len(spans)%2 == 0 || strings.Contains(s, "``") || strings.Contains(s, "<!--") || strings.Contains(s, "-->") {
		return escapedText(s)
	}
	for i := 0; i < len(spans); i += 2 {
		spans[i] = escapedText(spans[i])
	}
	return strings.Join(spans, "`")
}

// escapedText is escaped, but also escapes code spans. The text must be one line.
func escapedText(s string) string {
	if !strings.ContainsAny(s, "\\`*_[]<&@~|") {
		return s
	}
	var b strings.Builder
	var before byte
	for i := range len(s) {
		c := s[i]
		switch c {
		case '\\', '`', '*', '[', ']', '~', '|', '@':
			b.WriteString(`\` + string(c))
		case '_': // not emphasis inside of a word
			if i+1 == len(s) || !isWord(before) || !isWord(s[i+1]) {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		case '<':
			b.WriteString("&lt;")
		case '&':
			b.WriteString("&amp;")
		default:
			b.WriteByte(c)
		}
		before = c
	}
	return b.String()
}

func isWord(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80 }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// escapedLead escapes the beginning of a quoted line, which could be a heading or its underline. List bullets stay.
func escapedLead(s string) string {
	marks := 0
	for rest := s; marks < len(s) && strings.Trim(rest, "- ") != ""; {
		mark, text, ok := sessions.CutBullet(rest)
		if !ok || mark == "+" {
			break
		}
		marks += strings.Index(rest[len(mark):], text) + len(mark)
		rest = text
	}
	return s[:marks] + escapedFirst(s[marks:])
}

// escapedFirst escapes the first character of a text if it could begin a block.
func escapedFirst(s string) string {
	if s != "" && (strings.IndexByte("#=>+", s[0]) >= 0 || strings.Trim(s, "- ") == "") {
		return `\` + s
	}
	return s
}

// opening escapes a text at the beginning of a list item, where it could begin a nested list.
func opening(s string) string {
	s = escapedFirst(escaped(s))
	if mark, rest, ok := sessions.CutBullet(s); ok {
		return mark[:len(mark)-1] + `\` + mark[len(mark)-1:] + " " + rest
	}
	return s
}

// code returns a text as a code span, or as a quotation if it could end the span.
func code(s string) string {
	s = transcript.CleanLine(s)
	if s == "" || strings.Contains(s, "`") || strings.Contains(s, "<!--") || strings.Contains(s, "-->") {
		return quoted(s)
	}
	return "`" + s + "`"
}

// maxYAML is the limit of a text in the front matter, which has at most 4 KB.
const maxYAML = 200 // runes

// yamlText returns a text as a YAML scalar, with quotation marks if a parser could read another type.
func yamlText(s string) string {
	s = transcript.CleanLine(s)
	if runes := []rune(s); len(runes) > maxYAML {
		s = string(runes[:maxYAML])
	}
	if isPlain(s) {
		return s
	}
	quoted, _ := json.Marshal(s) // never fails for a string; JSON is valid YAML
	return string(quoted)
}

// yamlName returns a file name as a YAML scalar, or "null" if that changes the name.
func yamlName(s string) string {
	switch {
	case !utf8.ValidString(s) || transcript.CleanLine(s) != s:
		return "null"
	case isPlain(s):
		return s
	}
	quoted, _ := json.Marshal(s)
	return string(quoted)
}

// isPlain reports whether every YAML parser reads an unquoted text as a string.
func isPlain(s string) bool {
	switch strings.ToLower(s) {
	case "", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf":
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !isDigit(c) && !strings.ContainsRune("-_./", rune(c))) {
			return false
		}
	}
	return true
}
