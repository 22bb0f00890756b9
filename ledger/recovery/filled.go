package recovery

import (
	"github.com/continuo-tui/continuo/ledger/notes"
)

// filledFrom is the minimum length, in bytes, at which a section counts as filled in.
const filledFrom = 4 << 10

// IsFilled reports whether a NOTES.md contains more than the headings and placeholders of a template. It looks at
// the entries, and then at the text of the other sections. A section that is longer than 4 KB counts as filled in
// without being read.
func IsFilled(n *notes.Notes) bool {
	c := n.Continuity()
	if c.State != "" || c.First != "" || c.Bead != "" || c.BeadText != "" || len(n.DecisionTitles())+len(n.Questions())+len(n.Identifiers()) > 0 {
		return true
	}
	for _, k := range []notes.Kind{notes.KindDebt, notes.KindGoals, notes.KindBlockers, notes.KindScenarios} {
		if len(n.Items(k)) > 0 {
			return true
		}
	}
	for i := range n.Sections {
		s := &n.Sections[i]
		if isPreface(s) || s.Kind == notes.KindContinuity || s.Kind == notes.KindContext {
			continue
		}
		if s.Own-s.Body > filledFrom || firstParagraph(string(n.Text[s.Body:s.Own])) != "" {
			return true
		}
	}
	return len(n.Sections) == 0 && firstParagraph(string(n.Text[:min(len(n.Text), filledFrom)])) != ""
}

// isPreface reports whether a section is the title of a file that has other sections. The text of such a section
// only describes the file.
func isPreface(s *notes.Section) bool { return s.Level <= 1 && s.Own != s.End }
