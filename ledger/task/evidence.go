package task

import (
	"cmp"
	"fmt"
	"strings"
)

// DefaultPrefix is the default prefix of a line of evidence (spec 003, section 6.1).
const DefaultPrefix = "[brAInwav]"

// evidence adds a line of evidence to Report.Evidence and to logs/session.log.
func (e *editor) evidence(format string, args ...any) {
	e.said = append(e.said, cmp.Or(e.t.Prefix, DefaultPrefix)+" "+fmt.Sprintf(format, args...))
}

// logEvidence adds the op that writes the lines of evidence to logs/session.log.
func (e *editor) logEvidence() {
	if len(e.said) > 0 {
		e.text(evidenceFile, strings.Join(e.said, "\n")+"\n")
	}
}

// passed returns the word for the result of a health check (section 6.1).
func passed(ok bool) string {
	if ok {
		return "pass"
	}
	return "fail"
}
