package cli

import (
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/transcript"
)

// disagreementJSON is one thing about which the sources of a ledger disagree.
type disagreementJSON struct {
	About string       `json:"about"`
	Wins  truth.Source `json:"wins"`
	Says  []sayingJSON `json:"says"`
	Do    string       `json:"do"`
}

type sayingJSON struct {
	Source truth.Source `json:"source"`
	Text   string       `json:"text"`
	Line   int          `json:"line"` // of NOTES.md; 0 none
}

func newDisagreementsJSON(r *truth.Report) []disagreementJSON {
	list := []disagreementJSON{}
	for i := range r.List {
		d := &r.List[i]
		j := disagreementJSON{About: d.About, Wins: d.Wins(), Do: d.Do, Says: []sayingJSON{}}
		for _, s := range d.Says {
			j.Says = append(j.Says, sayingJSON{s.Source, s.Text, s.Line})
		}
		list = append(list, j)
	}
	return list
}

// disagreementRows are disagreements as rows of a pipe: disagreement, about, who wins, what each says.
func disagreementRows(r *truth.Report, row func(words ...string)) {
	for i := range r.List {
		d := &r.List[i]
		words := []string{"disagreement", d.About, string(d.Wins())}
		for _, s := range d.Says {
			words = append(words, string(s.Source)+": "+s.Text)
		}
		row(words...)
	}
}

// truthPlan are disagreements as lines of a plan.
func truthPlan(r *truth.Report) []change.Line {
	var lines []change.Line
	for i := range r.List {
		d := &r.List[i]
		text := string(d.Wins()) + ": " + d.Says[0].Text + " (this wins)"
		for _, s := range d.Says[1:] {
			text += "; " + string(s.Source) + ": " + s.Text
		}
		lines = append(lines, warning(transcript.CleanLine(d.About+". "+text)))
	}
	if r.Left > 0 {
		lines = append(lines, change.Line{Tone: change.Faint, Text: "… " + words.Counted(r.Left, "more disagreement", "more disagreements")})
	}
	return lines
}
