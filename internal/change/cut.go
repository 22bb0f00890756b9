package change

import (
	"bytes"
	"slices"
)

// TakeOut removes an inserted text. The text must start at the beginning of a line or, if it starts with a line end, at
// the end of one. If it occurs several times, TakeOut removes the one at byte offset at. ok is false and now is the
// unchanged text if it doesn't occur, or occurs several times but not at that offset.
//
// gone is the removed text and from its offset. If the inserted text starts with a line end, because the line above it
// had none, and text was added below since, this line end stays. Otherwise the two lines would be joined.
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

// lineEnd returns the length in bytes of the line end at the start of a text.
func lineEnd(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case text[0] == '\n' || text[0] == '\r':
		return 1
	}
	return 0
}

// bom returns the length in bytes of the byte order mark of a text.
func bom(text []byte) int {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return 0
}
