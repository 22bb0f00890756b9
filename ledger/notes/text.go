package notes

import (
	"bytes"
	"strings"
	"unicode"
)

// unpipe undoes what keeps a pipe inside a cell.
func unpipe(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, `\|`, "|"), "&#124;", "|")
}

// uncomment takes the HTML comments out of a text.
func uncomment(s string) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "<!--")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		if strings.Count(before, "`")%2 == 1 { // it is quoted
			b.WriteString("<!--")
			s = after
			continue
		}
		_, s, ok = strings.Cut(after, "-->")
		if !ok {
			return b.String()
		}
	}
}

// oneLine is a text in one line: comments out, blanks and line breaks joined.
func oneLine(s string) string {
	s = uncomment(s)
	if strings.Contains(s, "<br") {
		s = strings.NewReplacer("<br>", " ", "<br/>", " ", "<br />", " ").Replace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// bare is one line without the marks that stand around the whole of it.
func bare(s string) string {
	s = oneLine(s)
	for range 4 {
		was := s
		for _, m := range []string{"**", "__", "~~", "`", "*", "_"} {
			if len(s) > 2*len(m) && strings.HasPrefix(s, m) && strings.HasSuffix(s, m) && !strings.Contains(s[len(m):len(s)-len(m)], m) {
				s = strings.TrimSpace(s[len(m) : len(s)-len(m)])
			}
		}
		if s == was {
			break
		}
	}
	return s
}

// nothings are texts that say that there is nothing, lower case.
func nothings(s string) bool {
	switch s {
	case "", "none", "none yet", "none currently", "none known", "none so far", "not set", "nothing", "nothing yet", "n/a", "na",
		"tbd", "todo", "empty", "no blockers", "no open questions", "unknown", "not started", "no decisions yet",
		// What the structure of the spec is filled with.
		"decision title", "what we decided", "why we decided it", "open question 1", "open question 2",
		"where we left off, what's next", "happy path scenario", "edge case scenario", "error handling scenario":
		return true
	}
	return false
}

// isBlank reports whether a text is an unfilled placeholder of a template, or says that there is nothing.
func isBlank(s string) bool {
	if len(s) > 300 {
		return false
	}
	s = oneLine(s)
	low := strings.ToLower(strings.Trim(s, " \t.*_`()[]{}<>~-–—:|\"'"))
	if nothings(low) {
		return true
	}
	hole := false
	var b strings.Builder
	for rest := s; rest != ""; {
		before, after, ok := strings.Cut(rest, "[")
		b.WriteString(before)
		if !ok {
			break
		}
		in, behind, ok := strings.Cut(after, "]")
		if !ok {
			b.WriteString(after)
			break
		}
		switch {
		case strings.HasPrefix(behind, "(") || strings.HasPrefix(behind, "["): // a link
			b.WriteString(in)
			if _, b, ok := strings.Cut(behind, ")"); ok && behind[0] == '(' {
				behind = b
			}
		case in == " " || in == "x" || in == "X":
		default:
			hole = true
		}
		rest = behind
	}
	left := b.String()
	for _, w := range []string{"YYYY-MM-DDTHH:MM:SSZ", "YYYY-MM-DD", "HH:MM:SSZ", "HH:MM"} {
		if strings.Contains(left, w) {
			hole = true
			left = strings.ReplaceAll(left, w, "")
		}
	}
	if !hole {
		return false
	}
	left = strings.ReplaceAll(strings.ReplaceAll(left, "${PROJECT_ROOT}", ""), "ETA", "")
	return strings.IndexFunc(left, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0
}

// cutLabel reads "**Label**: text", "**Label:** text", and "Label: text" where the label is one that known says. The
// label comes in lower case.
func cutLabel(s string, known func(string) bool) (label, rest string, ok bool) {
	s = strings.TrimSpace(s)
	if inner, after, is := cutBold(s); is {
		if l, cut := cutColon(inner); cut {
			return strings.ToLower(l), strings.TrimSpace(after), true
		}
		if r, cut := cutColonFront(after); cut {
			return strings.ToLower(strings.TrimSpace(inner)), r, true
		}
		return "", "", false
	}
	i := strings.IndexAny(s, ":：")
	if i <= 0 || i > 40 {
		return "", "", false
	}
	rest, _ = cutColonFront(s[i:])
	label = strings.ToLower(strings.TrimSpace(s[:i]))
	return label, rest, known(label)
}

// cutBold reads a bold run at the beginning of a text.
func cutBold(s string) (inner, after string, ok bool) {
	for _, m := range []string{"**", "__"} {
		if rest, is := strings.CutPrefix(s, m); is {
			if inner, after, ok = strings.Cut(rest, m); ok && strings.TrimSpace(inner) != "" {
				return inner, after, true
			}
		}
	}
	return "", "", false
}

// cutColon cuts a colon off the end, cutColonFront off the beginning.
func cutColon(s string) (string, bool) {
	s = strings.TrimSpace(s)
	for _, c := range []string{":", "："} {
		if cut, ok := strings.CutSuffix(s, c); ok {
			return strings.TrimSpace(cut), true
		}
	}
	return s, false
}

func cutColonFront(s string) (string, bool) {
	s = strings.TrimSpace(s)
	for _, c := range []string{":", "："} {
		if cut, ok := strings.CutPrefix(s, c); ok {
			return strings.TrimSpace(cut), true
		}
	}
	return s, false
}

// cutBox reads the box of a task.
func cutBox(s string) (rest string, box, done bool) {
	if len(s) >= 3 && s[0] == '[' && s[2] == ']' && (len(s) == 3 || s[3] == ' ' || s[3] == '\t') {
		switch s[1] {
		case ' ':
			return strings.TrimSpace(s[3:]), true, false
		case 'x', 'X':
			return strings.TrimSpace(s[3:]), true, true
		}
	}
	return s, false, false
}

// trimBlankLines takes blank lines and rules off the end of a text, and blank lines off its beginning.
func trimBlankLines(b []byte) []byte {
	for {
		b = bytes.TrimRight(b, " \t\r\n")
		i := bytes.LastIndexByte(b, '\n') + 1
		if i == len(b) || !isRule(bytes.TrimLeft(b[i:], " \t")) {
			break
		}
		b = b[:i]
	}
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 || len(bytes.TrimSpace(b[:i])) > 0 {
			break
		}
		b = b[i+1:]
	}
	return b
}
