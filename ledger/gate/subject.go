package gate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// wording is the set of words of a text, without case, inflection and order.
type wording struct {
	words   map[string]bool // the significant words
	subject map[string]bool // the words, without general verbs such as "use"
	denied  map[string]bool // the words that follow a negation in the same clause
}

// wordsMost is the maximum number of words of a text that are compared.
const wordsMost = 400

func wordingOf(text string) wording {
	w := wording{words: map[string]bool{}, subject: map[string]bool{}, denied: map[string]bool{}}
	text = strings.NewReplacer("’", "'", "n't", " not", "cannot", "not", "instead of", "not", "rather than", "not").Replace(strings.ToLower(text))
	left := wordsMost
	for clause := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;:.!?()—", r) }) {
		denies := false
		for word := range strings.FieldsFuncSeq(clause, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
			switch {
			case isNegation(word):
				denies = true
				continue
			case word == "but":
				denies = false
				continue
			case isFiller(word):
				continue
			}
			if left--; left < 0 {
				return w
			}
			stem := stemOf(word)
			w.words[stem] = true
			if denies {
				w.denied[stem] = true
			}
			if !isVerb(word) {
				w.subject[stem] = true
			}
		}
	}
	return w
}

// opposes reports whether two wordings contradict each other. One of them negates at least half of their common
// words.
func (w *wording) opposes(v *wording) bool {
	shared, differ := 0, 0
	for word := range w.words {
		if v.words[word] {
			shared++
			if w.denied[word] != v.denied[word] {
				differ++
			}
		}
	}
	return differ > 0 && 2*differ >= shared
}

// says reports whether one wording contains the other without contradicting it.
func (w *wording) says(v *wording) bool {
	small, big := w, v
	if len(small.words) > len(big.words) {
		small, big = big, small
	}
	for word := range small.words {
		if !big.words[word] {
			return false
		}
	}
	return len(small.words) > 0 && !w.opposes(v)
}

// titleKey returns a title in the form for comparisons.
func titleKey(title string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
		if !isFiller(word) {
			b.WriteString(stemOf(word) + " ")
		}
	}
	return b.String()
}

// titlesNear is the maximum number of similar titles that are returned.
const titlesNear = 5

// Titled reports whether NOTES.md has a decision with a title. If not, near has similar titles. The most similar one
// is first, then the newest one.
func Titled(l Ledger, title string) (near []string, known bool) {
	if l.Notes == nil {
		return nil, false
	}
	type like struct {
		title  string
		shared int
	}
	var likes []like
	key, words, seen := titleKey(title), wordingOf(title), map[string]bool{}
	list := l.Notes.Decisions()
	for i := range list[:min(len(list), ledgerDecisions)] {
		k := titleKey(list[i].Title)
		if k == key && key != "" {
			return nil, true
		}
		if k == "" || seen[k] {
			continue
		}
		seen[k] = true
		w, n := wordingOf(list[i].Title), 0
		for word := range words.words {
			if w.words[word] {
				n++
			}
		}
		likes = append(likes, like{list[i].Title, n})
	}
	slices.SortStableFunc(likes, func(a, b like) int { return cmp.Compare(b.shared, a.shared) })
	for _, l := range likes[:min(len(likes), titlesNear)] {
		near = append(near, l.title)
	}
	return near, false
}

// stemOf returns a word without its inflection: "token" for "tokens".
func stemOf(word string) string {
	for _, end := range []string{"ing", "ed", "es", "s", "e"} {
		if stem, ok := strings.CutSuffix(word, end); ok && len(stem) > 3 && !strings.HasSuffix(word, "ss") {
			return strings.TrimSuffix(stem, "e")
		}
	}
	return word
}

func isNegation(word string) bool {
	switch word {
	case "no", "not", "never", "without", "neither", "nor", "avoid":
		return true
	}
	return false
}

// isFiller reports whether a word such as "the" doesn't help to compare decisions.
func isFiller(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "these", "those", "it", "its", "we", "i", "you", "our", "they", "and", "or", "of", "to", "in", "on", "at",
		"for", "with", "by", "from", "as", "is", "are", "be", "was", "were", "been", "will", "shall", "should", "must", "can", "do", "does", "have",
		"has", "decision", "decided", "decide", "so", "then", "than", "there", "here", "only", "just", "also", "now", "t", "s":
		return true
	}
	return false
}

// isVerb reports whether a word such as "use" is too general to be the subject of a decision.
func isVerb(word string) bool {
	switch word {
	case "use", "uses", "used", "using", "add", "adds", "added", "adding", "keep", "keeps", "make", "makes", "made", "go", "switch", "change",
		"set", "put", "take", "create", "implement", "introduce", "remove", "drop", "replace", "support", "allow", "move", "store", "let", "stay",
		"instead", "rather", "prefer", "choose", "chose", "all", "each", "every", "new", "one", "when", "until":
		return true
	}
	return false
}
