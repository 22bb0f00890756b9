package gate

import (
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/transcript"
)

// bead returns the current bead; nil if there is none. It is the bead in the newest Session Continuity if that is in
// progress. Otherwise it is the bead in progress that was changed last.
func (f *Facts) bead() *beads.Bead {
	if f.Beads == nil {
		return nil
	}
	at := f.Beads.AtWork()
	if f.Notes != nil {
		id := f.Notes.Continuity().Bead
		for _, b := range at {
			if b.ID == id {
				return b
			}
		}
	}
	if len(at) == 0 {
		return nil
	}
	return at[0]
}

// bead runs step 4. A further line says that the beads may be outdated.
func bead(f *Facts) Step {
	s := currentBead(f)
	if f.Beads == nil || f.Beads.Note == "" {
		return s
	}
	if f.Beads.Shape == "" {
		s.Status, s.Figure = Unknown, "not checked"
	}
	s.More = append(s.More, transcript.CleanLine(f.Beads.Note))
	return s
}

// currentBead checks that the current bead has decisions and next steps.
func currentBead(f *Facts) Step {
	s := Step{Name: "Bead"}
	b := f.bead()
	switch {
	case f.BeadsTrouble != "":
		s.Status, s.Figure = Unknown, "not checked"
		s.More = append(s.More, f.BeadsTrouble)
		return s
	case f.Beads == nil || f.Beads.Shape == "":
		s.Status, s.Figure = Pass, "no beads here"
		return s
	case b == nil:
		s.Status, s.Figure = Warning, "none in progress"
		x := Finding{Title: "No bead is in progress", Fix: "claim the current bead: " + f.BeadProgram + " update ID --status in_progress"}
		if f.BeadProgram == "" {
			x.Fix = "install " + f.BeadInstall + ", then claim the current bead"
		}
		s.Findings = []Finding{x}
		return s
	}
	id := transcript.CleanLine(b.ID)
	s.Status, s.Figure, s.Note = Pass, id+" in progress", "has decisions and next steps"
	var lacks, elsewhere []string
	kind := ""
	switch {
	case len(b.Decisions) > 0:
	case f.BeadProgram == "" && f.Notes != nil && len(f.Notes.Decisions()) > 0: // without a program for beads, decisions in NOTES.md are enough
		elsewhere = append(elsewhere, "decisions")
	default:
		lacks, kind = append(lacks, "decisions"), `decision "WHAT WAS DECIDED" --rationale "WHY" --evidence PATH:LINE`
	}
	switch {
	case len(b.Next) > 0:
	case f.Notes != nil && slices.ContainsFunc(f.Notes.Items(notes.KindGoals), func(i notes.Item) bool { return !i.Done }):
		elsewhere = append(elsewhere, "next steps")
	default:
		if lacks = append(lacks, "next steps"); kind == "" {
			kind = `next "WHAT IS NEXT"`
		}
	}
	if len(elsewhere) > 0 {
		s.Note = strings.Join(elsewhere, " and ") + " are in NOTES.md"
	}
	if len(lacks) > 0 {
		s.Status, s.Note = Warning, "no "+strings.Join(lacks, " and no ")+" in it"
		s.Findings = []Finding{{Title: id + " " + transcript.CleanLine(b.Title), What: "has no " + strings.Join(lacks, " and no "), Fix: "continuo note " + kind + " --bead " + id}}
	}
	if n := len(f.Beads.AtWork()); n > 1 {
		s.More = append(s.More, number(n)+" are in progress. The one in NOTES.md is checked or, if there is none, the one that was changed last.")
	}
	return s
}

// handoff runs step 5: the record for the next session is complete. The caller of Run appends the record to the
// trajectory.
func handoff(f *Facts) Step {
	s := Step{Name: "Handoff", Status: Pass, Figure: "record ready", Note: "1 line for the trajectory of " + f.Day}
	if f.Session.ID == "" {
		s.Status, s.Figure = Warning, "no session"
		s.Note = "the record has no session ID"
		s.More = append(s.More, "No session of this project was found. Name one with --session.")
	}
	if f.Notes == nil || f.Notes.Continuity().Section < 0 {
		s.Status = Warning
		s.More = append(s.More, "NOTES.md has no section Session Continuity, so the record can't refer to it.")
	}
	return s
}

// hints is the maximum number of next steps in a record. hintText is their maximum length in bytes.
const (
	hints    = 5
	hintText = 200
)

// Handoff returns the handoff record for the report r (spec 002, synthesis checkpoint, step 5). file is the path of
// NOTES.md relative to the root.
func (f *Facts) Handoff(r *Report, file string) trajectory.Handoff {
	d := trajectory.Handoff{
		TS: stampOf(f.Now), Agent: r.Agent, Phase: trajectory.PhaseHandoff, SessionID: f.Session.ID, Bead: r.Bead, NotesRefs: []string{},
		Ratio: r.Ratio, Scenarios: r.Scenarios, Decisions: r.Decisions, EDD: r.Scenarios >= f.Config.Checkpoint.MinTestScenarios,
		Ready: r.Verdict == Passed && f.Session.ID != "", Status: "complete",
	}
	if r.Steps[0].Status == Unknown {
		d.Ratio = 0 // the ratio wasn't counted
	}
	if f.Notes == nil {
		return d
	}
	if at := f.Notes.Continuity().Section; at >= 0 {
		own := &f.Notes.Sections[at]
		d.NotesRefs = []string{"${PROJECT_ROOT}/" + file + ":" + number(own.Line) + "-" + number(own.Last)}
	}
	hint := func(text string) {
		if text = transcript.CleanLine(text); text == "" || len(d.Hints) >= hints {
			return
		}
		if len(text) > hintText {
			text = strings.ToValidUTF8(text[:hintText], "") + "…"
		}
		d.Hints = append(d.Hints, text)
	}
	for _, goal := range f.Notes.Items(notes.KindGoals) {
		hint(goal.Text)
	}
	if b := f.bead(); b != nil {
		for _, next := range b.Next {
			hint(next)
		}
	}
	for _, q := range f.Notes.Questions() {
		if !q.Done {
			hint(q.Text)
		}
	}
	return d
}

// Check returns the record of a run for the trajectory (spec 002, grounding enforcement). Its status covers claims.
// Its verdict covers all steps.
func (r *Report) Check() trajectory.GroundingCheck {
	c := trajectory.GroundingCheck{
		TS: stampOf(r.At), Agent: r.Agent, Phase: trajectory.PhaseGrounding, Claims: r.Tally.Claims, Grounded: r.Tally.Grounded(),
		Assumptions: r.Tally.Assumptions, Ratio: r.Ratio, Threshold: r.Threshold, Status: string(r.Steps[0].Status), Verdict: string(r.Verdict),
	}
	if r.Steps[0].Status == Warning {
		c.Status = string(Fail)
	}
	return c
}

func stampOf(t time.Time) string { return t.UTC().Format(time.RFC3339) }
