package recovery

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// promptWords is the number of words of a prompt that become the default query.
const promptWords = 12

// queryWords is the maximum number of words of a query, because each word is searched in each entry.
const queryWords = 64

// query has the stems and the phrases to search for.
type query struct {
	stems   map[string]int // index of each stem
	phrases [][]string
}

// parseQuery parses a query of words and quoted phrases. An entry must have all phrases and one word. Only queryWords
// words are used.
func parseQuery(s string) *query {
	q := &query{stems: map[string]int{}}
	left := queryWords
	add := func(text string, stops bool) (stems []string) {
		eachWord(text, func(stem []byte, from, end int) {
			if left == 0 || stops && isStopWord(strings.ToLower(text[from:end])) {
				return
			}
			left--
			stems = append(stems, string(stem))
		})
		for _, stem := range stems {
			if _, ok := q.stems[stem]; !ok {
				q.stems[stem] = len(q.stems)
			}
		}
		return stems
	}
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("“”„«»", r) {
			return '"'
		}
		return r
	}, s)
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 0 {
			add(part, true)
		} else if phrase := add(part, false); len(phrase) > 1 {
			q.phrases = append(q.phrases, phrase)
		}
	}
	if len(q.stems) == 0 { // only words such as "the"
		add(strings.ReplaceAll(s, `"`, " "), false)
	}
	return q
}

// wordsOf returns the significant words of a prompt as a query.
func wordsOf(prompt string) string {
	var list []string
	eachWord(prompt, func(_ []byte, from, end int) {
		word := strings.ToLower(prompt[from:end])
		if len(list) < promptWords && !isStopWord(word) && !slices.Contains(list, word) {
			list = append(list, word)
		}
	})
	return strings.Join(list, " ")
}

// eachWord yields the stem and the byte range of each word in a text. A part of a camelCase name is a word, and so is
// a character of a script without blanks.
func eachWord(text string, found func(stem []byte, from, end int)) {
	var buf [64]byte
	stem := buf[:0]
	from := -1
	lower := false // the previous letter is lower case
	end := func(at int) {
		if from >= 0 {
			found(stemOf(stem), from, at)
			stem, from = stem[:0], -1
		}
	}
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			end(i)
			lower = false
			continue
		}
		alone := r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		if alone || lower && unicode.IsUpper(r) {
			end(i)
		}
		if from < 0 {
			from = i
		}
		stem = utf8.AppendRune(stem, unicode.ToLower(r))
		if lower = unicode.IsLower(r); alone {
			end(i + utf8.RuneLen(r))
		}
	}
	end(len(text))
}

// stemOf removes the ending of a lower-case English word, without a dictionary. "expired" and "expires" have the same
// stem.
func stemOf(w []byte) []byte {
	ends := func(s string) bool { return len(w) > len(s)+2 && string(w[len(w)-len(s):]) == s }
	switch {
	case ends("ies"):
		w = append(w[:len(w)-3], 'y')
	case ends("s") && !ends("ss") && !ends("us") && !ends("is"):
		w = w[:len(w)-1]
	}
	before := len(w)
	switch {
	case ends("ing"):
		w = w[:len(w)-3]
	case ends("ed"):
		w = w[:len(w)-2]
	}
	if n := len(w); n < before && n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		w = w[:n-1] // as in "stopped"
	}
	if ends("e") {
		w = w[:len(w)-1]
	}
	return w
}

// isStopWord reports whether a word is too common to be searched for.
func isStopWord(w string) bool {
	switch w {
	case "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could",
		"did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "here", "his", "how", "i", "if", "in", "into",
		"is", "it", "its", "just", "let", "make", "me", "my", "no", "not", "now", "of", "on", "or", "our", "please", "she",
		"should", "so", "some", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
		"to", "too", "up", "us", "use", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with",
		"would", "you", "your", "s", "t", "re", "ve", "ll", "d", "m":
		return true
	}
	return false
}
