package recovery

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// longText is what is taken of one find at most, in runes: three lines of a page.
	longText = 360
	// cutLeast is the shortest beginning that is worth giving of a sentence that does not fit, in runes.
	cutLeast = 24
	// cutMark says that a sentence goes on.
	cutMark = " …"
)

// sentences takes a text of one line apart at the ends of its sentences; inside brackets none ends. Joined with blanks (none
// where the script has none), they are the text.
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

// cutTo is the beginning of a sentence with the mark that it goes on, in so many runes at most, between words where it has
// some. ok is false where that is not worth it.
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

// isStop reports whether a rune ends a sentence before a blank.
func isStop(r rune) bool { return strings.ContainsRune(".!?…", r) || isWideStop(r) }

// isWideStop reports whether a rune ends a sentence in scripts that have no blank behind it.
func isWideStop(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsPunct(r) && strings.ContainsRune("。！？；", r)
}
