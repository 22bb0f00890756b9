package mark

import "strings"

// Measure returns a Line with Indent, At and End. A line ends with LF or CRLF.
func Measure(raw string) Line {
	l := Line{End: len(strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r"))}
	for ; l.At < l.End; l.At++ {
		switch raw[l.At] {
		case ' ':
			l.Indent++
		case '\t':
			l.Indent += 4 - l.Indent%4
		default:
			return l
		}
	}
	return l
}

// Heading parses an ATX heading at the start of a line. The level is 0 if there is none.
func Heading(s string) (level int, title string) {
	for level < len(s) && s[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(s) && s[level] != ' ' && s[level] != '\t' {
		return 0, ""
	}
	title = strings.Trim(s[level:], " \t")
	cut := strings.TrimRight(title, "#")
	if len(cut) < len(title) && (cut == "" || cut[len(cut)-1] == ' ' || cut[len(cut)-1] == '\t') {
		title = strings.TrimRight(cut, " \t")
	}
	return level, title
}

// Item parses the list marker at the start of s, which is at a column. It returns the byte offset and the column of
// the item's content. The offset is 0 if there is no marker.
func Item(s string, column int) (next, content int) {
	n := Bullet(s)
	if n == 0 {
		return 0, 0
	}
	if n == len(s) {
		return n, column + n + 1
	}
	at, blanks := n, 0
	for ; at < len(s) && (s[at] == ' ' || s[at] == '\t'); at++ {
		if s[at] == '\t' {
			blanks += 4 - (column+n+blanks)%4
		} else {
			blanks++
		}
	}
	switch {
	case at == n:
		return 0, 0
	case at == len(s) || blanks > 4:
		return n + 1, column + n + 1
	}
	return at, column + n + blanks
}

// Bullet returns the length of the list marker at the start of a text: "-", "*", "+", or a number with "." or ")". It
// returns 0 if there is none. It doesn't check the next character.
func Bullet(s string) int {
	if s == "" {
		return 0
	}
	if s[0] == '-' || s[0] == '*' || s[0] == '+' {
		return 1
	}
	const most = 9 // digits
	n := 0
	for n < len(s) && n <= most && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 0 || n > most || n == len(s) || s[n] != '.' && s[n] != ')' {
		return 0
	}
	return n + 1
}

// IsRule reports whether a line is a horizontal rule.
func IsRule(s string) bool {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' || c == '\t':
		case c == s[0] && (c == '-' || c == '*' || c == '_'):
			n++
		default:
			return false
		}
	}
	return n >= 3
}

// fence returns the character and the length of the fence at the start of a line. The length is 0 if there is no fence.
func fence(s string) (c byte, n int) {
	if len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return 0, 0
	}
	info := strings.TrimLeft(s, s[:1])
	if n = len(s) - len(info); n < 3 || s[0] == '`' && strings.IndexByte(info, '`') >= 0 {
		return 0, 0
	}
	return s[0], n
}
