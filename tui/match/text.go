package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Rule is a set of flags for matching a text.
type Rule uint8

// The rules.
const (
	Main       Rule = 1 << iota // a match in this text ranks better
	Short                       // the first letters of adjacent words also match
	WordStarts                  // a match must start at the start of a word
	Prefix                      // a match is at the start and has at least four bytes
)

const shortestPrefix = 4

// Text is a text prepared for matching. The zero Text matches nothing.
type Text struct {
	shown  string
	folded string
	origin []int32 // offset in shown for each byte of folded; see fold
	rule   Rule
}

// NewText prepares a text.
func NewText(shown string, rule Rule) Text {
	t := Text{shown: shown, rule: rule}
	t.folded, t.origin = fold(shown)
	return t
}

// String returns the original text.
func (t *Text) String() string { return t.shown }

// substring returns the offset of a folded word in the folded text, or -1. It prefers starts of words. starts reports
// whether the result is such a start.
func (t *Text) substring(word string) (at int, starts bool) {
	if t.rule&Prefix != 0 {
		if len(word) >= shortestPrefix && strings.HasPrefix(t.folded, word) {
			return 0, true
		}
		return -1, false
	}
	first := -1
	for from := 0; from < len(t.folded); {
		i := strings.Index(t.folded[from:], word)
		if i < 0 {
			break
		}
		i += from
		if i == 0 || t.folded[i-1] == ' ' || startsWord(t.folded, i) {
			return i, true
		}
		if first < 0 {
			first = i
		}
		_, n := utf8.DecodeRuneInString(t.folded[i:])
		from = i + n
	}
	if t.rule&WordStarts != 0 {
		return -1, false
	}
	return first, false
}

// initials matches a word of first letters of adjacent words: "fixtok" matches "fix/token-race". It appends the offsets
// of the matched letters, or returns nil.
func (t *Text) initials(word string, offsets []int) []int {
	if t.rule&Short == 0 {
		return nil
	}
	first, _ := utf8.DecodeRuneInString(word)
	for at, r := range t.folded {
		if r == first && startsWord(t.folded, at) {
			if found := initialsAt(t.folded, word, at, offsets); found != nil {
				return found
			}
		}
	}
	return nil
}

// initialsAt is like initials, for a match at the offset at. It matches as many letters of each word as possible.
func initialsAt(text, word string, at int, offsets []int) []int {
	for at < len(text) {
		left := word
		for at < len(text) && left != "" {
			r, n := utf8.DecodeRuneInString(text[at:])
			if want, _ := utf8.DecodeRuneInString(left); r != want {
				break
			}
			offsets = append(offsets, at)
			at, left = at+n, left[n:]
		}
		switch left {
		case "":
			return offsets
		case word:
			return nil
		}
		word = left
		for at < len(text) && !startsWord(text, at) {
			_, n := utf8.DecodeRuneInString(text[at:])
			at += n
		}
	}
	return nil
}

// scattered matches a word whose letters occur in order in a short range. It appends the offsets of the letters in the
// shortest range. It returns nil for a long range, or for a word of fewer than three letters.
func (t *Text) scattered(word string, offsets []int) []int {
	const fewest = 3
	if t.rule&(WordStarts|Prefix) != 0 || utf8.RuneCountInString(word) < fewest {
		return nil
	}
	best, width := -1, 2*len(word)
	for from := range t.folded {
		if n := spread(t.folded[from:], word, width); n > 0 {
			best, width = from, n-1
		}
	}
	if best < 0 {
		return nil
	}
	for i, r := range t.folded[best:] {
		if want, n := utf8.DecodeRuneInString(word); word != "" && r == want {
			offsets, word = append(offsets, best+i), word[n:]
		}
	}
	return offsets
}

// spread returns the length in bytes of the shortest start of a text that contains all letters of a word in order. It
// returns 0 beyond limit, or if the first letters differ.
func spread(text, word string, limit int) int {
	for i, r := range text {
		want, n := utf8.DecodeRuneInString(word)
		if i+n > limit || i == 0 && r != want {
			return 0
		}
		if r == want {
			word = word[n:]
		}
		if word == "" {
			return i + n
		}
	}
	return 0
}

// startsWord reports whether a word of letters and digits starts at an offset of a text.
func startsWord(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return isWord(r) && (at == 0 || !isWord(before))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// marks converts offsets in the folded text to ascending offsets in the shown text. It modifies its argument.
func (t *Text) marks(folded []int) []int {
	if t.origin != nil {
		for i, at := range folded {
			folded[i] = int(t.origin[at])
		}
	}
	slices.Sort(folded)
	return slices.Compact(folded)
}

// appendPiece appends the offsets of all runes of a word if the folded text contains the word.
func (t *Text) appendPiece(offsets []int, word string) []int {
	from, _ := t.substring(word)
	if from < 0 {
		return offsets
	}
	for i := range word {
		offsets = append(offsets, from+i)
	}
	return offsets
}
