package query

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Term is a word, a phrase or a regular expression.
type Term struct {
	words    []*finder // the words of a word or phrase, without the white space
	re       *regexp.Regexp
	literals [][]byte // see Query.Literals
}

// newText returns the term for a word or phrase. The text must not be blank.
func newText(text string) Term {
	var t Term
	for _, w := range bytes.Fields(AppendFold(nil, []byte(text))) {
		t.words = append(t.words, newFinder(w))
		t.literals = append(t.literals, w)
	}
	return t
}

// newRegexp returns the term for a regular expression, without case. ^ and $ match at each line.
func newRegexp(text string) (Term, error) {
	re, err := regexp.Compile("(?im:" + text + ")")
	if err != nil {
		return Term{}, err
	}
	t := Term{re: re}
	tree, err := syntax.Parse(text, syntax.Perl|syntax.FoldCase)
	if err != nil {
		return Term{}, err
	}
	if l := required(tree.Simplify()); l != "" {
		t.literals = [][]byte{AppendFold(nil, []byte(l))}
	}
	return t, nil
}

// required returns the longest literal that every match of an expression must contain.
func required(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		best := ""
		for _, sub := range re.Sub {
			if l := required(sub); len(l) > len(best) {
				best = l
			}
		}
		return best
	default:
	}
	return ""
}

// find returns the first occurrence of a word or phrase in text[from:], with offsets in text. Without one, Start is
// -1.
func (t *Term) find(text []byte, from int) Span {
	if len(t.words) == 1 {
		start, end := t.words[0].find(text[from:])
		if start < 0 {
			return Span{-1, -1}
		}
		return Span{from + start, from + end}
	}
	return t.findPhrase(text, from)
}

// findPhrase searches for the rarest word of a phrase, and compares the text around it with the other words.
func (t *Term) findPhrase(text []byte, from int) Span {
	anchor := 0
	for i, w := range t.words {
		if w.rare > t.words[anchor].rare {
			anchor = i
		}
	}
	fixed := t.words[anchor].isFixed(text[from:])
	for at := from; ; {
		start, end := t.words[anchor].findFrom(text, at, fixed)
		if start < 0 {
			return Span{-1, -1}
		}
		_, size := utf8.DecodeRune(text[start:])
		at = start + size
		if start = before(text[from:start], t.words[:anchor]); start < 0 {
			continue
		}
		if end = after(text, end, t.words[anchor+1:]); end >= 0 {
			return Span{from + start, end}
		}
	}
}

// before returns the offset of words at the end of text, each with white space after it, or -1.
func before(text []byte, words []*finder) int {
	end := len(text)
	for _, w := range slices.Backward(words) {
		trimmed := bytes.TrimRightFunc(text[:end], unicode.IsSpace)
		n := suffix(trimmed, w.literal)
		if len(trimmed) == end || n < 0 {
			return -1
		}
		end = len(trimmed) - n
	}
	return end
}

// after returns the end of words at the offset end, each with white space before it, or -1.
func after(text []byte, end int, words []*finder) int {
	for _, w := range words {
		trimmed := bytes.TrimLeftFunc(text[end:], unicode.IsSpace)
		n := prefix(trimmed, w.literal)
		if len(trimmed) == len(text)-end || n < 0 {
			return -1
		}
		end = len(text) - len(trimmed) + n
	}
	return end
}

// all appends at most maxSpans occurrences of the term. They don't overlap.
func (t *Term) all(text []byte, spans []Span) []Span {
	if t.re != nil {
		for _, at := range t.re.FindAllIndex(text, maxSpans) {
			if at[1] > at[0] {
				spans = append(spans, Span{at[0], at[1]})
			}
		}
		return spans
	}
	for from, n := 0, 0; from < len(text) && n < maxSpans; n++ {
		s := t.find(text, from)
		if s.Start < 0 {
			break
		}
		spans = append(spans, s)
		from = s.End
	}
	return spans
}

// maxSpans is the maximum number of occurrences of a term that are returned for one text.
const maxSpans = 1000

// in reports whether the term occurs in a text.
func (t *Term) in(text []byte) bool {
	if t.re != nil {
		return t.re.Match(text)
	}
	return t.find(text, 0).Start >= 0
}

// Match reports whether a text matches the terms of the query, and returns all occurrences, sorted and without
// overlaps. It ignores fields and dates.
func (q *Query) Match(text []byte) (spans []Span, ok bool) {
	if len(q.Terms) == 1 && len(q.Not) == 0 && q.Terms[0].re == nil { // a fast path for the most frequent query
		spans = q.Spans(text)
		return spans, len(spans) > 0
	}
	for i := range q.Terms {
		if !q.Terms[i].in(text) {
			return nil, false
		}
	}
	for i := range q.Not {
		if q.Not[i].in(text) {
			return nil, false
		}
	}
	return q.Spans(text), true
}

// Spans returns the occurrences of all terms in a text. They are sorted and don't overlap.
func (q *Query) Spans(text []byte) []Span {
	var spans []Span
	for i := range q.Terms {
		spans = q.Terms[i].all(text, spans)
	}
	if len(q.Terms) > 1 {
		slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	}
	merged := spans[:0]
	for _, s := range spans {
		if n := len(merged); n > 0 && s.Start <= merged[n-1].End {
			merged[n-1].End = max(merged[n-1].End, s.End)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// Spread returns the length in bytes of the shortest range with every term, or 0 for one term.
func (q *Query) Spread(text []byte) int {
	if len(q.Terms) < 2 {
		return 0
	}
	type place struct{ term, start, end int }
	var places []place
	for i := range q.Terms {
		for _, s := range q.Terms[i].all(text, nil) {
			places = append(places, place{i, s.Start, s.End})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return a.start - b.start })
	count, missing := make([]int, len(q.Terms)), len(q.Terms)
	best, first := len(text), 0
	for _, p := range places {
		if count[p.term]++; count[p.term] == 1 {
			missing--
		}
		for missing == 0 {
			best = min(best, p.end-places[first].start)
			if count[places[first].term]--; count[places[first].term] == 0 {
				missing++
			}
			first++
		}
	}
	return best
}
