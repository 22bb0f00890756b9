package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold prepares s for a comparison. It removes case, accents and invisible runes, and joins white space. Fold("Straße")
// equals Fold("STRASSE").
func Fold(s string) string {
	folded, _ := fold(s)
	return strings.TrimSuffix(folded, " ")
}

// fold is like Fold, but keeps one space at the end. origin has the offset in s for each byte of the result. origin is
// nil if all offsets are equal.
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

// isPlain reports whether folding changes only the case of ASCII letters in s.
func isPlain(s string) bool {
	space := true // at the start or after a space
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || c != ' ' && unicode.IsSpace(rune(c)) || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return true
}

// appendFolded appends a folded rune. The text must be decomposed.
func appendFolded(b []byte, r rune) []byte {
	const firstAccent, lastAccent = 0x300, 0x36f
	switch {
	case r >= firstAccent && r <= lastAccent, unicode.In(r, unicode.Cf, unicode.Variation_Selector):
		return b
	case r == 'ß' || r == 'ẞ':
		return append(b, "ss"...)
	case !unicode.IsSpace(r):
		// ToUpper first, so that ς becomes σ and ı becomes i.
		return utf8.AppendRune(b, unicode.ToLower(unicode.ToUpper(r)))
	case len(b) == 0 || b[len(b)-1] == ' ':
		return b
	}
	return append(b, ' ')
}
