package task

import (
	"cmp"
	"fmt"
	"strings"
)

// DefaultPrefix begins the lines of evidence of section 6.1.
const DefaultPrefix = "[brAInwav]"

// evidence adds a line to the evidence of the change. Report.Evidence has the lines, and so has logs/session.log.
func (e *editor) evidence(format string, args ...any) {
	e.said = append(e.said, cmp.Or(e.t.Prefix, DefaultPrefix)+" "+fmt.Sprintf(format, args...))
}

// logEvidence adds the op that writes the evidence.
func (e *editor) logEvidence() {
	if len(e.said) > 0 {
		e.text(evidenceFile, strings.Join(e.said, "\n")+"\n")
	}
}

// passed is the word of section 6.1 for the result of a health check.
func passed(ok bool) string {
	if ok {
		return "pass"
	}
	return "fail"
}
