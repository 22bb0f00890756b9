// Package match matches a typed text against the texts of a row. It returns the matching letters.
package match

import (
	"math"
	"slices"
	"strings"
)

// Query is a typed text. The zero Query matches every row.
type Query struct {
	phrase string
	words  []string
	loose  bool
}

// NewQuery returns the query for a typed text. A row matches if one of its texts contains the typed text, or if each
// typed word matches a text. A word also matches the first letters of adjacent words.
func NewQuery(typed string) Query {
	phrase := Fold(typed)
	return Query{phrase: phrase, words: strings.Fields(phrase)}
}

// Loose returns a query that also allows other letters between the letters of a word.
func (q Query) Loose() Query {
	q.loose = true
	return q
}

// Rank is the quality of a match. A smaller rank is better.
type Rank uint8

// A rank is a constant below plus the rank from inOnePiece.
const (
	asPhrase   Rank = 0
	asWords    Rank = 4
	asInitials Rank = 8
	asLetters  Rank = 9
	noRank     Rank = math.MaxUint8
)

// Hit is the result of a match.
type Hit struct {
	Rank  Rank
	Texts uint16 // bit i: a word has its best match in text i
}

// Match matches the query against the texts of a row, at most 16.
func (q Query) Match(texts []Text) (Hit, bool) {
	var hit Hit
	if rank, at := inOnePiece(q.phrase, texts); rank != noRank {
		return Hit{asPhrase + rank, 1 << at}, true
	}
	for _, word := range q.words {
		rank, at := q.find(word, texts)
		if rank == noRank {
			return Hit{}, false
		}
		hit.Rank, hit.Texts = max(hit.Rank, rank), hit.Texts|1<<at
	}
	return hit, true
}

// Marks returns the byte offsets of the matched runes in text i as it is shown, in ascending order.
func (q Query) Marks(texts []Text, i int) []int {
	t := &texts[i]
	if rank, at := inOnePiece(q.phrase, texts); rank != noRank {
		if at != i {
			return nil
		}
		return t.marks(t.appendPiece(nil, q.phrase))
	}
	var offsets []int
	for _, word := range q.words {
		switch rank, at := q.find(word, texts); {
		case rank == noRank:
			return nil
		case at != i:
		case rank < asInitials:
			offsets = t.appendPiece(offsets, word)
		case rank < asLetters:
			offsets = append(offsets, t.initials(word, nil)...)
		default:
			offsets = append(offsets, t.scattered(word, nil)...)
		}
	}
	return t.marks(offsets)
}

// In returns a query with only the words that match best in text i.
func (q Query) In(texts []Text, i int) Query {
	if rank, at := inOnePiece(q.phrase, texts); rank != noRank {
		if at != i {
			return Query{}
		}
		return q
	}
	q.words = slices.DeleteFunc(slices.Clone(q.words), func(word string) bool {
		_, at := q.find(word, texts)
		return at != i
	})
	q.phrase = strings.Join(q.words, " ")
	return q
}

// Parts returns the offsets of the matched runes in another text. Unlike Match, it needs each word in one piece.
func (q Query) Parts(shown string) []int {
	if len(q.words) == 0 {
		return nil
	}
	t := NewText(shown, 0)
	if offsets := t.appendPiece(nil, q.phrase); offsets != nil {
		return t.marks(offsets)
	}
	var offsets []int
	for _, word := range q.words {
		offsets = t.appendPiece(offsets, word)
	}
	return t.marks(offsets)
}

// find returns the best rank of a word, and the index of the text with this rank.
func (q *Query) find(word string, texts []Text) (rank Rank, at int) {
	if len(q.words) > 1 { // a single word equals the phrase, which didn't match
		if rank, at := inOnePiece(word, texts); rank != noRank {
			return asWords + rank, at
		}
	}
	var room [64]int // on the stack, because most rows don't match
	for i := range texts {
		if texts[i].initials(word, room[:0]) != nil {
			return asInitials, i
		}
	}
	for i := range texts {
		if q.loose && texts[i].scattered(word, room[:0]) != nil {
			return asLetters, i
		}
	}
	return noRank, 0
}

// inOnePiece returns the index of the text with the best occurrence of piece, which must be folded. The best ranks are
// for Main texts and for starts of words.
func inOnePiece(piece string, texts []Text) (rank Rank, at int) {
	rank = noRank
	if piece == "" {
		return rank, 0
	}
	for i := range texts {
		from, starts := texts[i].substring(piece)
		if from < 0 {
			continue
		}
		found := Rank(0)
		if texts[i].rule&Main == 0 {
			found += 2
		}
		if !starts {
			found++
		}
		if found < rank {
			rank, at = found, i
		}
	}
	return rank, at
}

// HasWords reports whether a text contains every word of a pattern, in any case.
func HasWords(text, pattern string) bool {
	text = strings.ToLower(text)
	for word := range strings.FieldsSeq(strings.ToLower(pattern)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
