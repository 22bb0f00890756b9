package change

import (
	"bytes"
	"slices"
)

// TakeOut takes an inserted text out again. It has to be there at the beginning of a line or, if it begins with a line end,
// behind the end of one. Where it is there several times, that at the byte at goes, which is where it was put. ok is false
// if it is not there, or if none of several is at at; now is text then.
//
// gone is what went, and from is where it was: the inserted text, or all but its first line end where that ended a line which
// had none and somebody has written below since. Their line would be glued to that one otherwise.
func TakeOut(text, inserted []byte, at int) (now, gone []byte, from int, ok bool) {
	if len(inserted) == 0 {
		return text, nil, 0, false
	}
	ends := lineEnd(inserted)
	found, several := -1, false
	for next := 0; ; {
		i := bytes.Index(text[next:], inserted)
		if i < 0 {
			break
		}
		i += next
		next = i + 1
		switch {
		case ends == 0 && i > bom(text) && text[i-1] != '\n':
		case found < 0:
			found = i
		default:
			several = true
			if i == at {
				found = i
			}
		}
	}
	if found < 0 || several && found != at {
		return text, nil, 0, false
	}
	behind := found + len(inserted)
	if below := text[behind:]; ends > 0 && found > bom(text) && text[found-1] != '\n' && len(below) > 0 &&
		(inserted[len(inserted)-1] == '\n' || lineEnd(below) == 0) {
		found += ends
	}
	return slices.Concat(text[:found], text[behind:]), bytes.Clone(text[found:behind]), found, true
}

// lineEnd is how many bytes of a line end a text begins with.
func lineEnd(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case text[0] == '\n' || text[0] == '\r':
		return 1
	}
	return 0
}

// bom is the length of a byte order mark.
func bom(text []byte) int {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return 0
}
