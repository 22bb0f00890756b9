package notes

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/ledger"
)

// evidenceIn returns the code references in a line. If all is false, they must start with ${PROJECT_ROOT}.
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

// lastQuote returns the text of the code span at the end of s; "" if there is none. Brackets or a word such as "at"
// may follow.
func lastQuote(s string) string {
	quote, end := "", 0
	for span := range mark.Spans(s) {
		in := s[span.Lo:span.Hi]
		if span.Lo-span.At > 1 && len(in) > 2 && in[0] == ' ' && in[len(in)-1] == ' ' {
			in = in[1 : len(in)-1]
		}
		quote, end = in, span.End
	}
	switch strings.Trim(s[end:], " \t[](){}<>`*:—–-→|,") {
	case "", "at", "in", "from", "see", "@":
		return quote
	}
	return ""
}
