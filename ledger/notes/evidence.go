package notes

import (
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
	quote := ""
	for {
		i := strings.IndexByte(s, '`')
		if i < 0 {
			break
		}
		s = s[i:]
		n := len(s) - len(strings.TrimLeft(s, "`"))
		in, after, ok := cutSpan(s[n:], s[:n])
		if !ok {
			s = s[n:]
			continue
		}
		if n > 1 && len(in) > 2 && in[0] == ' ' && in[len(in)-1] == ' ' {
			in = in[1 : len(in)-1]
		}
		quote, s = in, after
	}
	switch strings.Trim(s, " \t[](){}<>`*:—–-→|,") {
	case "", "at", "in", "from", "see", "@":
		return quote
	}
	return ""
}

// cutSpan cuts at the next run of backticks that is exactly the mark.
func cutSpan(s, mark string) (in, after string, ok bool) {
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			break
		}
		at += i
		n := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if n == len(mark) {
			return s[:at], s[at+n:], true
		}
		at += n
	}
	return "", "", false
}
