package notes

import (
	"strings"
	"unicode"

	"github.com/continuo-tui/continuo/internal/mark"
)

// unpipe unescapes \| in a cell.
func unpipe(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, `\|`, "|"), "&#124;", "|")
}

// uncomment removes HTML comments from a text.
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
		if strings.Count(before, "`")%2 == 1 { // the comment mark is in a code span
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

// oneLine returns a text as one line, without comments, and with one blank between words.
func oneLine(s string) string {
	if s = strings.TrimSpace(s); isOneLine(s) {
		return s
	}
	s = uncomment(s)
	return strings.Join(strings.Fields(lineBreaks(s, " ")), " ")
}

// isOneLine reports whether oneLine doesn't change a text. It runs for nearly every text, so it must be fast.
func isOneLine(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '\n', '\t', '\r', '<':
			return false
		case ' ':
			if i > 0 && s[i-1] == ' ' {
				return false
			}
		}
	}
	return true
}

// lineBreaks replaces each <br> in a text.
func lineBreaks(s, with string) string {
	if !strings.Contains(s, "<br") {
		return s
	}
	return strings.NewReplacer("<br>", with, "<br/>", with, "<br />", with).Replace(s)
}

// unlink replaces each Markdown link by the text of the link.
func unlink(s string) string {
	if !strings.Contains(s, "](") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "](")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		open := strings.LastIndexByte(s[:i], '[')
		end := strings.IndexByte(s[i:], ')')
		if open < 0 || end < 0 {
			b.WriteString(s[:i+2])
			s = s[i+2:]
			continue
		}
		b.WriteString(s[:open] + s[open+1:i])
		s = s[i+end+1:]
	}
}

// bare returns a text as one line, without emphasis marks around it.
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

// nothings reports whether a text in lower case is a word for "nothing", such as "n/a".
func nothings(s string) bool {
	switch s {
	case "", "not set", "n/a", "na", "tbd", "todo", "empty", "no blockers", "no open questions", "unknown", "not started", "no decisions yet",
		// Placeholders of the spec.
		"decision title", "what we decided", "why we decided it", "open question 1", "open question 2",
		"where we left off, what's next", "happy path scenario", "edge case scenario", "error handling scenario":
		return true
	}
	for _, w := range []string{"none", "nothing"} {
		if after, ok := strings.CutPrefix(s, w); ok && saysNone(after) {
			return true
		}
	}
	return false
}

// saysNone reports whether an entry that starts with "none" has no content, such as "none yet". after is the text
// after "none".
func saysNone(after string) bool {
	for {
		after = strings.TrimLeft(after, " ")
		if after == "" || strings.ContainsAny(after[:1], "-.,;:()]*_") || strings.HasPrefix(after, "–") || strings.HasPrefix(after, "—") {
			return true
		}
		word, rest, _ := strings.Cut(after, " ")
		switch strings.TrimRight(word, ".,;:") {
		case "yet", "currently", "known", "identified", "so", "far", "at", "this", "time", "present", "open", "pending", "active", "right", "now", "recorded", "to", "report":
			if word != strings.TrimRight(word, ".,;:") {
				return true
			}
			after = rest
		default:
			return false
		}
	}
}

// isBlank reports whether a text is a placeholder of a template, or a word for "nothing".
func isBlank(s string) bool {
	const most = 300
	if len(s) > most {
		return false
	}
	s = oneLine(s)
	const marks = " \t.*_`()[]{}<>~-–—:|\"'"
	const short = 40 // in bytes; a longer text is blank only if it starts with a word such as "none"
	low := strings.TrimLeft(s, marks)
	if len(low) < short || low != "" && low[0]|0x20 == 'n' {
		if nothings(strings.ToLower(strings.TrimRight(low, marks))) {
			return true
		}
	}
	if strings.IndexByte(s, '[') < 0 && !strings.Contains(s, "YYYY") && !strings.Contains(s, "HH:MM") {
		return false // most texts return here
	}
	left, hole := cutBrackets(s)
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

// cutBrackets removes all texts in brackets from a line, except links and checkboxes. found is false if there was
// none.
func cutBrackets(s string) (left string, found bool) {
	var b strings.Builder
	for s != "" {
		before, after, ok := strings.Cut(s, "[")
		b.WriteString(before)
		if !ok {
			break
		}
		in, behind, ok := strings.Cut(after, "]")
		switch {
		case !ok:
			b.WriteString(after)
			return b.String(), found
		case strings.HasPrefix(behind, "("), strings.HasPrefix(behind, "["): // a link
			b.WriteString(in)
			if _, rest, ok := strings.Cut(behind, ")"); ok && behind[0] == '(' {
				behind = rest
			}
		case in != " " && in != "x" && in != "X":
			found = true
		}
		s = behind
	}
	return b.String(), found
}

// cutLabel splits "**Label**: text" or "**Label:** text" into label and text. It also splits "Label: text", but only
// if known returns true for the label.
func cutLabel(s string, known func(string) bool) (label, rest string, ok bool) {
	s = strings.TrimSpace(s)
	if inner, after, is := cutBold(s); is {
		if l, cut := cutColon(inner); cut {
			return l, strings.TrimSpace(after), true
		}
		if r, cut := cutColonFront(after); cut {
			return strings.TrimSpace(inner), r, true
		}
		return "", "", false
	}
	i := strings.IndexAny(s, ":：")
	if i <= 0 || i > 40 {
		return "", "", false
	}
	rest, _ = cutColonFront(s[i:])
	label = strings.TrimSpace(s[:i])
	return label, rest, known(label)
}

// cutBold splits a text into the bold text at its start and the text after it.
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

// cutColon removes a colon from the end of a text.
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

// cutBox removes the checkbox of a task, "[ ]" or "[x]", from the start of a text.
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

// trimEnd removes blank lines and rules from the end of a text.
func trimEnd(s string) string {
	for {
		s = strings.TrimRight(s, " \t\r\n")
		i := strings.LastIndexByte(s, '\n') + 1
		if l := strings.TrimLeft(s[i:], " \t"); l == "" || l[0] != '-' && l[0] != '*' && l[0] != '_' || !mark.IsRule(l) {
			return s
		}
		s = s[:i]
	}
}

// trimBlankLines removes blank lines from both ends of a text, and rules from its end.
func trimBlankLines(s string) string {
	s = trimEnd(s)
	for {
		l, rest, ok := strings.Cut(s, "\n")
		if !ok || strings.TrimSpace(l) != "" {
			return s
		}
		s = rest
	}
}
