package entries

import (
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/transcript"
)

// NewDisagreementsJSON returns the disagreements of a report, never nil.
func NewDisagreementsJSON(r *truth.Report) []writing.Disagreement {
	list := []writing.Disagreement{}
	for i := range r.List {
		d := &r.List[i]
		j := writing.Disagreement{About: d.About, Wins: d.Wins(), Do: d.Do, Says: []writing.Saying{}}
		for _, s := range d.Says {
			j.Says = append(j.Says, writing.Saying{Source: s.Source, Text: s.Text, Line: s.Line})
		}
		list = append(list, j)
	}
	return list
}

// PutDisagreements adds the disagreements of a report to a record. In a pipe, a line has the subject, the
// winner, and each source's text.
func PutDisagreements(r *out.Record, report *truth.Report) {
	r.Set("disagreements", NewDisagreementsJSON(report))
	for i := range report.List {
		d := &report.List[i]
		values := []string{d.About, string(d.Wins())}
		for _, s := range d.Says {
			values = append(values, string(s.Source)+": "+s.Text)
		}
		r.Fact("disagreement", values...)
	}
}

// truthPlan returns the disagreements as lines of a plan.
func truthPlan(r *truth.Report) []change.Line {
	var lines []change.Line
	for i := range r.List {
		d := &r.List[i]
		text := string(d.Wins()) + ": " + d.Says[0].Text + " (this wins)"
		for _, s := range d.Says[1:] {
			text += "; " + string(s.Source) + ": " + s.Text
		}
		lines = append(lines, writing.Warning(transcript.CleanLine(d.About+". "+text)))
	}
	if r.Left > 0 {
		lines = append(lines, change.Line{Tone: change.Faint, Text: "… " + words.Counted(r.Left, "more disagreement", "more disagreements")})
	}
	return lines
}
