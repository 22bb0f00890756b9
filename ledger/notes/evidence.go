package notes

import (
	"iter"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
)

// evidenceIn are the places in the code that a line names. Outside of a field for them only a citation counts: an
// identifier that begins with ${PROJECT_ROOT}.
func evidenceIn(s string, line int, all bool) []Evidence {
	if !all && (strings.IndexByte(s, '$') < 0 || !strings.Contains(s, "PROJECT_ROOT")) {
		return nil
	}
	var found []Evidence
	from := 0
	for _, r := range ledger.FindRefs(s) {
		if !all && r.Form != ledger.FormRooted {
			continue
		}
		before := s[from:max(r.At, from)]
		if isBlank(r.Raw) {
			continue
		}
		found = append(found, Evidence{Ref: r.Ref, Quote: lastQuote(before), Line: line})
		from = min(r.End, len(s))
	}
	return found
}

// lastQuote is the code span that a text ends with, brackets and a word between not counted; "" without one. What is quoted
// may have backticks itself, in longer ones.
func lastQuote(s string) string {
	quote, end := "", 0
	for span := range codeSpans(s, nil) {
		in := s[span.lo:span.hi]
		if span.lo-span.at > 1 && len(in) > 2 && in[0] == ' ' && in[len(in)-1] == ' ' {
			in = in[1 : len(in)-1]
		}
		quote, end = in, span.end
	}
	switch strings.Trim(s[end:], " \t[](){}<>`*:—–-→|,") {
	case "", "at", "in", "from", "see", "@":
		return quote
	}
	return ""
}

// codeSpan is a code span in a text: where it begins, what is in it, and where it ends.
type codeSpan struct{ at, lo, hi, end int }

// codeSpans are the code spans of a text, from one run of backticks to the next that is as long. Bytes read are added to
// work, where it is asked for.
//
// Where the last run of each length is is found first, and none is looked for that is not there: 1 MB of runs that each
// are longer than the one before took 6 s.
func codeSpans(s string, work *int) iter.Seq[codeSpan] {
	return func(yield func(codeSpan) bool) {
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
			if !yield(codeSpan{at, lo, hi, end}) {
				return
			}
			lo = end
		}
	}
}
