package query

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"
)

// AppendFold appends the folded text. Folding replaces all cases of a letter by one (Unicode simple folding): K, k
// and U+212A become k. Folded texts are equal exactly if strings.EqualFold is true for the originals. Invalid bytes
// stay.
func AppendFold(dst, text []byte) []byte {
	dst = slices.Grow(dst, len(text))
	for i := 0; i < len(text); {
		if i+8 <= len(text) {
			if w := binary.LittleEndian.Uint64(text[i:]); w&highs == 0 { // eight ASCII bytes, the usual case
				upper := (w + (0x80-'A')*ones) &^ (w + (0x7f-'Z')*ones) & highs
				dst = binary.LittleEndian.AppendUint64(dst, w|upper>>2)
				i += 8
				continue
			}
		}
		c := text[i]
		if c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, c)
		} else {
			dst = utf8.AppendRune(dst, foldRune(r))
		}
		i += size
	}
	return dst
}

// foldRune returns the case of a letter with the smallest code point. For ASCII letters, it returns the lower case.
func foldRune(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if least >= 'A' && least <= 'Z' {
		return least + 'a' - 'A'
	}
	return least
}

// contains reports whether a folded string occurs in a text, ignoring case.
func contains(text, folded string) bool {
	return bytes.Contains(AppendFold(nil, []byte(text)), []byte(folded))
}

// hasCases reports whether a character has several cases.
func hasCases(r rune) bool { return unicode.SimpleFold(r) != r }
