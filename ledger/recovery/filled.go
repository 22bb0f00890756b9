package recovery

import (
	"github.com/continuo-tui/continuo/ledger/notes"
)

// filledFrom is the size in bytes from which a section counts as filled in.
const filledFrom = 4 << 10

// IsFilled reports whether a NOTES.md has more than the headings and placeholders of a template.
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

// isPreface reports whether a section is the title of a file. Its text only describes the file.
func isPreface(s *notes.Section) bool { return s.Level <= 1 && s.Own != s.End }
