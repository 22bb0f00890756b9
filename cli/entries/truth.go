package entries

import (
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/transcript"
)

// NewDisagreementsJSON returns the disagreements of a report for JSON, never nil.
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

// DisagreementRows prints tab-separated disagreements: disagreement, subject, winner, statement of each source.
func DisagreementRows(r *truth.Report, row func(words ...string)) {
	for i := range r.List {
		d := &r.List[i]
		words := []string{"disagreement", d.About, string(d.Wins())}
		for _, s := range d.Says {
			words = append(words, string(s.Source)+": "+s.Text)
		}
		row(words...)
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
