package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s in the form for comparisons: without case, accents and invisible runes, and with one space for each
// run of white space. "Straße" and "STRASSE" have the same form, and so do "İ" and "i".
func Fold(s string) string {
	folded, _ := fold(s)
	return strings.TrimSuffix(folded, " ")
}

// fold returns s folded, and for each byte of the result the offset of its rune in s; nil if all offsets are the same.
// White space at the end becomes one space.
func fold(s string) (folded string, origin []int32) {
	if isPlain(s) {
		return strings.ToLower(s), nil
	}
	b := make([]byte, 0, len(s))
	origin = make([]int32, 0, len(s))
	for i, r := range s {
		if r < utf8.RuneSelf {
			b = appendFolded(b, r)
		} else {
			for _, part := range norm.NFKD.String(string(r)) {
				b = appendFolded(b, part)
			}
		}
		for len(origin) < len(b) {
			origin = append(origin, int32(i)) //nolint:gosec // a text of a row has a few hundred bytes
		}
	}
	return string(b), origin
}

// isPlain reports whether folding s changes nothing but the case of ASCII letters.
func isPlain(s string) bool {
	space := true // a space may not come first, nor after another one
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || c != ' ' && unicode.IsSpace(rune(c)) || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return true
}

// appendFolded appends a rune of a decomposed text.
func appendFolded(b []byte, r rune) []byte {
	const firstAccent, lastAccent = 0x300, 0x36f
	switch {
	case r >= firstAccent && r <= lastAccent, unicode.In(r, unicode.Cf, unicode.Variation_Selector):
		return b
	case r == 'ß' || r == 'ẞ':
		return append(b, "ss"...)
	case !unicode.IsSpace(r):
		return utf8.AppendRune(b, unicode.ToLower(unicode.ToUpper(r))) // via upper case, so that ς becomes σ and ı becomes i
	case len(b) == 0 || b[len(b)-1] == ' ':
		return b
	}
	return append(b, ' ')
}
