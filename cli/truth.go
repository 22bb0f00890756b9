package cli

import (
	"context"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// truthBytes bounds what is read of a trajectory for its newest handoff: a day of agents has some megabytes. Of larger files
// it is the end; packed ones are passed over.
const truthBytes = 8 << 20

// handoffLook finds the newest handoff in a trajectory, as newestHandoff does.
type handoffLook func(ctx context.Context, p *ledger.Project) (at time.Time, where string)

// lookTruth finds where the sources of a ledger disagree, once everything else of it was looked at.
func (d *deps) lookTruth(ctx context.Context, l *survey.Ledger, handoff handoffLook) {
	if handoff == nil {
		handoff = newestHandoff
	}
	f := truth.Facts{Notes: l.Notes}
	if l.BeadsBad == "" {
		f.Beads = l.Beads
	}
	f.Evidence = func(e *notes.Evidence) ledger.Check { return l.Evidence[survey.BackingOf(e)] }
	if c := l.Notes.Continuity(); !c.Checkpoint.IsZero() {
		f.Handoff, f.Where = handoff(ctx, &l.Project)
	}
	l.Truth = truth.Find(&f)
}

// newestHandoff is when a session handed over last, by the newest day of the trajectory that has one, and the file that
// says so; zero where there is none, or it cannot be read.
func newestHandoff(ctx context.Context, p *ledger.Project) (at time.Time, where string) {
	if inProject(p, p.Trajectory) != nil {
		return at, ""
	}
	files, _ := trajectory.Files(p.Trajectory) // those that could be listed
	l, day := logReading{left: truthBytes}, ""
	for i := range files {
		f := &files[i]
		if !at.IsZero() && f.Day != day || l.left <= 0 {
			break
		}
		if f.Zip || f.Agent == trajectory.SystemAgent {
			continue
		}
		l.file(ctx, p, f, func(r *trajectory.Record) {
			if (r.Phase == trajectory.PhaseHandoff || r.Phase == trajectory.PhaseHandedOver) && r.At.After(at) {
				at, where, day = r.At, filepath.Base(f.Path), f.Day
			}
		})
	}
	return at, where
}

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
func truthPlan(r *truth.Report) []render.PlanLine {
	var lines []render.PlanLine
	for i := range r.List {
		d := &r.List[i]
		text := string(d.Wins()) + ": " + d.Says[0].Text + " (this wins)"
		for _, s := range d.Says[1:] {
			text += "; " + string(s.Source) + ": " + s.Text
		}
		lines = append(lines, warning(transcript.CleanLine(d.About+". "+text)))
	}
	if r.Left > 0 {
		lines = append(lines, render.PlanLine{Ink: render.Faint, Text: "… " + render.Counted(r.Left, "more disagreement", "more disagreements")})
	}
	return lines
}
