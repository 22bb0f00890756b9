package change

import (
	"bytes"
	"slices"
)

// TakeOut removes an inserted text. The inserted text must start a line, or begin with the line ending of the line
// above. If it occurs several times, the occurrence at the byte offset at is removed. If it isn't found, ok is false
// and now is the unchanged text.
//
// gone is the removed text, and from is its offset. TakeOut keeps a line ending if the lines above and below would be
// joined without it.
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

// lineEnd returns the length in bytes of the line ending at the start of a text.
func lineEnd(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case text[0] == '\n' || text[0] == '\r':
		return 1
	}
	return 0
}

// bom returns the length in bytes of the byte order mark at the start of a text.
func bom(text []byte) int {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return 0
}
