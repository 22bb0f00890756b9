package mark

import (
	"iter"
	"strings"
)

// Span has the byte offsets of a code span in a text. Lo and Hi are the start and the end of its content.
type Span struct{ At, Lo, Hi, End int }

// Spans returns the code spans of a text. A span extends from a run of backticks to the next run of the same length.
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

// spans works like Spans. If work isn't nil, the number of bytes read is added to *work.
//
// spans never searches beyond the last run of a length. Without this limit, 1 MB of runs of increasing length took 6
// s.
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
