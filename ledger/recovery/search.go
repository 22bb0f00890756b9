package recovery

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// The usual parameters of BM25. A word in a title counts as titleWeight words.
const (
	rankTermWeight   = 1.2
	rankLengthWeight = 0.75
	titleWeight      = 3
	// A query of more than sentenceWords words is a sentence. An entry must share two words with a sentence.
	sentenceWords = 4
	sentenceShare = 0.2 // of the best score
)

// entry is a line of a store: a decision, an item, a question, an identifier or a paragraph.
type entry struct {
	kind  string
	index int    // index of the section or text
	title string // the line
	text  string // text of a decision, purpose of an identifier, or status of a superseded item
	why   string // the reason of a decision
	said  string // the headline of a decision, without the ID of a bead
	body  string // text for the search that isn't shown
	lead  string // at level 1
	when  time.Time
	marks []handover.Mark
	from  []string // names of the stores, in the order of marks
	open  bool     // of a question
	ref   *ledger.Ref
	quote string
	over  handover.Mark // the higher store that contradicts the entry; 0 if none

	line, last int // line numbers in NOTES.md; 0 for other stores
	// Of a search:
	part  int     // index of the part in the output
	score float64 // 0 if the entry doesn't match
	file  string  // for a hit of another search program: the file
}

// matching returns the indexes of the matching entries, best first, then newest first. It sets their scores.
func matching(entries []entry, q *query) []int {
	n := len(q.stems)
	if n == 0 || len(entries) == 0 {
		return nil
	}
	type counts struct {
		tf  []int32
		len float64
	}
	all := make([]counts, len(entries))
	with, total := make([]int, n), 0.0
	for i := range entries {
		c := &all[i]
		count := func(text string, weight int32) {
			eachWord(text, func(stem []byte, _, _ int) {
				c.len += float64(weight)
				if k, ok := q.stems[string(stem)]; ok {
					if c.tf == nil {
						c.tf = make([]int32, n)
					}
					c.tf[k] += weight
				}
			})
		}
		count(entries[i].title, titleWeight)
		for _, text := range []string{entries[i].text, entries[i].why, entries[i].body} {
			count(text, 1)
		}
		total += c.len
		for k := range c.tf {
			if c.tf[k] > 0 {
				with[k]++
			}
		}
	}
	average := max(total/float64(len(entries)), 1)
	best := 0.0
	var found []int
	for i := range entries {
		e, c := &entries[i], &all[i]
		if e.score = 0; c.tf == nil || !hasPhrases(e, q) {
			continue
		}
		for k, tf := range c.tf {
			idf := math.Log(1 + (float64(len(entries)-with[k])+0.5)/(float64(with[k])+0.5))
			t := float64(tf)
			e.score += idf * t * (rankTermWeight + 1) / (t + rankTermWeight*(1-rankLengthWeight+rankLengthWeight*c.len/average))
		}
		best = max(best, e.score)
		found = append(found, i)
	}
	if n > sentenceWords {
		found = slices.DeleteFunc(found, func(i int) bool { return entries[i].score < sentenceShare*best })
	}
	slices.SortStableFunc(found, func(a, b int) int {
		return cmp.Or(cmp.Compare(entries[b].score, entries[a].score), entries[b].when.Compare(entries[a].when))
	})
	return found
}

// hasPhrases reports whether an entry contains all phrases of a query.
func hasPhrases(e *entry, q *query) bool {
	if len(q.phrases) == 0 {
		return true
	}
	for _, phrase := range q.phrases {
		if !slices.ContainsFunc([]string{e.title, e.text, e.why, e.body}, func(text string) bool { return hasPhrase(text, phrase) }) {
			return false
		}
	}
	return true
}

// hasPhrase reports whether a text contains the words of a phrase in a row.
func hasPhrase(text string, phrase []string) bool {
	var last []string // the last words of the text
	is := false
	eachWord(text, func(stem []byte, _, _ int) {
		if is {
			return
		}
		if len(last) == len(phrase) {
			last = append(last[:0], last[1:]...)
		}
		last = append(last, string(stem))
		is = slices.Equal(last, phrase)
	})
	return is
}

// matches returns the byte ranges of a text that match a query.
func matches(text string, q *query) [][2]int {
	var found [][2]int
	eachWord(text, func(stem []byte, from, end int) {
		if _, ok := q.stems[string(stem)]; ok {
			found = append(found, [2]int{from, end})
		}
	})
	return found
}
