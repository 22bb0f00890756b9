package tui

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// candidate is what the filter looks at of one row. The texts are clean.
type candidate struct {
	path, id string
	texts    [fields]string
	when     time.Time
	facts    *facets  // of a document, that terms narrow to
	shown    []string // of a backup: the words of its row besides its title, in lower case
}

// field is a text of a row that the filter looks at.
type field uint8

const (
	inTitle field = iota
	inProject
	inBranch
	inPrompt
	fields
)

// name is what a field is called beside what was found in it.
func (f field) name() string { return [fields]string{"title", "project", "branch", "prompt"}[f] }

// hit is a row that matches.
type hit struct {
	path  string
	lit   []int // byte offsets in the title that matched, ascending
	in    field // where else something was found that the title does not have; inTitle: nowhere
	text  string
	inLit []int // byte offsets in text that matched
	score int
	when  time.Time
}

const (
	shortestID = 4    // characters: a pasted id or the start of one, as every list prints it
	idBonus    = 1000 // it can only be meant
)

// titleBonus ranks what is in the title before the same thing elsewhere.
const titleBonus = 20

// match returns the candidates in which every word of the pattern is found, best first, newer ones first among
// equals. 2,000 rows take about 10 ms; when ctx ends there are no hits.
func match(ctx context.Context, pattern string, among []candidate) []hit {
	words := strings.Fields(pattern)
	var hits []hit
	for i := range among {
		if i%64 == 0 && ctx.Err() != nil {
			return nil
		}
		if h, ok := among[i].match(words); ok {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.when.Compare(a.when), cmp.Compare(a.path, b.path))
	})
	return hits
}

func (c *candidate) match(words []string) (hit, bool) {
	h := hit{path: c.path, when: c.when}
	for _, word := range words {
		if t, ok := parseTerm(word); ok && c.facts != nil {
			if !c.facts.has(t) {
				return hit{}, false
			}
			continue
		}
		best, found := 0, len(word) >= shortestID && len(word) <= len(c.id) && strings.EqualFold(c.id[:len(word)], word)
		if found {
			best = idBonus
		}
		if score := c.says(word); score > 0 {
			best, found = max(best, score), true
		}
		isInTitle, elsewhere, where := found, []int(nil), inTitle
		for _, m := range fuzzy.FindNoSort(word, c.texts[:]) {
			at := field(m.Index) //nolint:gosec // an index of texts
			if !meant(c.texts[at], m.MatchedIndexes, word, at) {
				continue
			}
			score := m.Score
			switch at {
			case inTitle:
				score += titleBonus
				h.lit = append(h.lit, m.MatchedIndexes...)
				isInTitle = true
			case inProject, inBranch, inPrompt, fields:
				where, elsewhere = at, m.MatchedIndexes
			}
			if !found || score > best {
				best, found = score, true
			}
		}
		if !found {
			return hit{}, false
		}
		if !isInTitle && (h.in == inTitle || h.in == where) {
			h.in, h.text, h.inLit = where, c.texts[where], append(h.inLit, elsewhere...)
		}
		h.score += best
	}
	h.lit, h.inLit = ascending(h.lit), ascending(h.inLit)
	return h, true
}

func ascending(offsets []int) []int {
	slices.Sort(offsets)
	return slices.Compact(offsets)
}

// meant reports whether a match can be what was meant. A fuzzy match finds nearly every short word scattered over a
// long text, and that says nothing: the characters stand near each other, or in a title each begins a word. A word
// with a capital means its case.
func meant(text string, offsets []int, word string, in field) bool {
	if !isClose(offsets, word) && (in != inTitle || !beginWords(text, offsets)) {
		return false
	}
	if strings.ToLower(word) == word {
		return true
	}
	for i, r := range []rune(word) {
		if i >= len(offsets) || !strings.HasPrefix(text[offsets[i]:], string(r)) {
			return false
		}
	}
	return true
}

// beginWords reports whether each of the characters is the first of a word.
func beginWords(text string, offsets []int) bool {
	for _, i := range offsets {
		if i > 0 {
			if r, _ := utf8.DecodeLastRuneInString(text[:i]); unicode.IsLetter(r) || unicode.IsDigit(r) {
				return false
			}
		}
	}
	return true
}

// isClose reports whether the matched characters stand near each other.
func isClose(offsets []int, word string) bool {
	return len(offsets) > 0 && offsets[len(offsets)-1]-offsets[0] < 2*len(word)
}
