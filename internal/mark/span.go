package mark

import (
	"iter"
	"strings"
)

// Span is a code span in a text: the bytes where it begins, where what is in it begins and ends, and where it ends.
type Span struct{ At, Lo, Hi, End int }

// Spans are the code spans of a text, from one run of backticks to the next that is as long.
func Spans(s string) iter.Seq[Span] { return spans(s, nil) }

// InSpan reports whether a byte of a text is inside a code span.
func InSpan(s string, at int) bool {
	for span := range Spans(s) {
		if at < span.Hi {
			return at >= span.Lo
		}
	}
	return false
}

// spans adds the bytes that it reads to work, where it is asked for.
//
// Where the last run of each length is is found first, and none is looked for that is not there: 1 MB of runs that each
// are longer than the one before took 6 s.
func spans(s string, work *int) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		run := func(from int) (at, end int) {
			i := strings.IndexByte(s[from:], '`')
			if i < 0 {
				at, end = len(s), len(s)
			} else {
				at = from + i
				end = len(s) - len(strings.TrimLeft(s[at:], "`"))
			}
			if work != nil {
				*work += end - from
			}
			return at, end
		}
		last := map[int]int{}
		for at, end := run(0); at < end; at, end = run(end) {
			last[end-at] = at
		}
		for at, lo := run(0); at < lo; at, lo = run(lo) {
			if last[lo-at] <= at {
				continue
			}
			hi, end := run(lo)
			for end-hi != lo-at {
				hi, end = run(end)
			}
			if !yield(Span{at, lo, hi, end}) {
				return
			}
			lo = end
		}
	}
}
