package recovery

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// longText is the maximum length of a match in runes, about three lines.
	longText = 360
	// cutLeast is the minimum length of a cut sentence in runes.
	cutLeast = 24
	// cutMark ends a sentence that was cut.
	cutMark = " …"
)

// sentences splits a line of text into sentences, but not inside brackets.
func sentences(text string) []string {
	var list []string
	from, depth := 0, 0
	var last rune
	cut := func(i int) {
		if s := strings.TrimSpace(text[from:i]); s != "" {
			list = append(list, s)
		}
		from = i
	}
	for i, r := range text {
		if isWideStop(last) || r == ' ' && isStop(last) && depth == 0 {
			cut(i)
		}
		switch {
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth = max(depth-1, 0)
		}
		last = r
	}
	cut(len(text))
	return list
}

// cutTo returns the start of a sentence and cutMark, in at most room runes. ok is false if the result would be too
// short.
func cutTo(text string, room int) (short string, ok bool) {
	room -= utf8.RuneCountInString(cutMark)
	if room < cutLeast {
		return "", false
	}
	n, blank := 0, 0
	for i, r := range text {
		if r == ' ' {
			blank = i
		}
		if n == room {
			if blank == 0 {
				blank = i
			}
			return strings.TrimRight(text[:blank], " ,;:-–—(") + cutMark, true
		}
		n++
	}
	return text, true
}

// isStop reports whether a rune ends a sentence if a blank follows it.
func isStop(r rune) bool { return strings.ContainsRune(".!?…", r) || isWideStop(r) }

// isWideStop reports whether a rune ends a sentence even if no blank follows it.
func isWideStop(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsPunct(r) && strings.ContainsRune("。！？；", r)
}
