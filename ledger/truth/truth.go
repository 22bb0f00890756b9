// Package truth finds disagreements between the sources of a ledger. The higher source in the truth hierarchy of spec
// 002 wins: code, beads, NOTES.md, trajectory, PRD and SDD, legacy docs, context.
//
// The package does no I/O. It reports a disagreement only if both sources can be read and can't both be right.
package truth

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// Source is a source of the ledger.
type Source string

// The sources that continuo compares, highest first.
const (
	Code       Source = "code"
	Beads      Source = "beads"
	Notes      Source = "NOTES.md"
	Trajectory Source = "trajectory"
)

// most is the maximum number of listed disagreements.
const most = 20

// Saying is the statement of one source: a sentence without a full stop. It may contain control characters.
type Saying struct {
	Source Source
	Text   string
	Line   int // number of the line in NOTES.md, from 1; 0 if there is none
}

// Disagreement is a subject with contradicting statements.
type Disagreement struct {
	About string   // such as "bead br-7" or "decision “Leeway is 30 s”"
	Says  []Saying // in the order of the hierarchy
	Do    string   // an instruction to the user, as one sentence
}

// Wins returns the source that wins.
func (d *Disagreement) Wins() Source { return d.Says[0].Source }

// Report is the result of Find.
type Report struct {
	List []Disagreement
	Left int // number of unlisted disagreements
}

// Facts is the input of Find. Each field may be nil or zero.
type Facts struct {
	Notes *notes.Notes
	Beads *beads.Graph
	// Evidence checks evidence against the code. It may be nil. An empty status means that there was no check.
	Evidence func(*notes.Evidence) ledger.Check
	Handoff  time.Time // time of the newest handoff in the trajectory
	Where    string    // the file that contains this handoff
}

// Find compares NOTES.md with the beads, the code, and the newest handoff in the trajectory.
func Find(f *Facts) Report {
	var r Report
	if f.Notes == nil {
		return r
	}
	c := f.Notes.Continuity()
	if c.Section >= 0 {
		r.add(f.bead(&c))
		r.add(f.checkpoint(&c))
	}
	if f.Evidence != nil {
		decisions := f.Notes.Decisions()
		for i := range decisions {
			r.add(f.evidence(&decisions[i]))
		}
	}
	return r
}

// add adds a disagreement to the report; the zero value isn't added.
func (r *Report) add(d Disagreement) {
	switch {
	case len(d.Says) == 0:
	case len(r.List) == most:
		r.Left++
	default:
		r.List = append(r.List, d)
	}
}

// bead compares the current bead in NOTES.md with the beads.
func (f *Facts) bead(c *notes.Continuity) Disagreement {
	if c.Bead == "" || f.Beads == nil || f.Beads.Shape == "" {
		return Disagreement{}
	}
	says := Saying{Notes, c.Bead + " is the current bead", f.Notes.Sections[c.Section].Line}
	d := func(text, do string) Disagreement {
		return Disagreement{About: "bead " + c.Bead, Says: []Saying{{Beads, text, 0}, says}, Do: do}
	}
	b, ok := f.Beads.Find(c.Bead)
	if !ok {
		if len(f.Beads.Problems) > 0 { // the bead may be in an unreadable line
			return Disagreement{}
		}
		return d("there is no bead "+c.Bead, "Name an existing bead in Session Continuity.")
	}
	at := f.Beads.AtWork()
	others, mine := "", false
	for _, other := range at {
		mine = mine || other.ID == b.ID
		if others == "" && other.ID != b.ID {
			others = other.ID
		}
	}
	do := "Name the current bead in Session Continuity."
	if others != "" {
		do = "Name the current bead in Session Continuity: " + others + "."
	}
	if state(b.Status) == "closed" {
		return d(c.Bead+" is closed"+day(b.Closed), do)
	}
	if stated := stateIn(c.BeadText); stated != "" && stated != state(b.Status) {
		says.Text = c.Bead + " is " + words(stated)
		return Disagreement{About: "bead " + c.Bead, Says: []Saying{{Beads, c.Bead + " is " + words(b.Status), 0}, says}, Do: "Correct the status in Session Continuity."}
	}
	if others != "" && !mine && b.Status != "in_progress" {
		return d(c.Bead+" is "+words(b.Status)+", and "+others+" is in progress", do)
	}
	return Disagreement{}
}

// checkpoint reports a handoff that is newer than the last checkpoint in NOTES.md. A checkpoint without a time of day
// counts as the end of its day.
func (f *Facts) checkpoint(c *notes.Continuity) Disagreement {
	const same = time.Minute // the same run writes times with a smaller difference
	if c.Checkpoint.IsZero() || f.Handoff.IsZero() {
		return Disagreement{}
	}
	until := c.Checkpoint.Add(same)
	if len(strings.TrimSpace(c.CheckedAs)) <= len(time.DateOnly) {
		until = c.Checkpoint.Add(24 * time.Hour)
	}
	if !f.Handoff.After(until) {
		return Disagreement{}
	}
	form := "2006-01-02 15:04"
	return Disagreement{
		About: "the last checkpoint",
		Says: []Saying{
			{Notes, "the last checkpoint was at " + c.Checkpoint.UTC().Format(form), f.Notes.Sections[c.Section].Line},
			{Trajectory, "a session handed over at " + f.Handoff.UTC().Format(form) + " (" + f.Where + ")", 0},
		},
		Do: "NOTES.md may be outdated: read the handoff, then run continuo gate --record.",
	}
}

// evidence compares the quotes and code references of a decision with the code.
func (f *Facts) evidence(d *notes.Decision) Disagreement {
	var says []Saying
	gone := 0
	for i := range d.Evidence {
		e := &d.Evidence[i]
		c := f.Evidence(e)
		text := ""
		switch place := e.Ref.Path + ":" + strconv.Itoa(e.Ref.From); c.Status {
		case ledger.NoQuote:
			text = place + " doesn't contain “" + cut(e.Quote) + "”"
		case ledger.NoLine:
			text = place + " doesn't exist: the file has " + strconv.Itoa(c.Lines) + " lines"
		case ledger.NoFile:
			if text = e.Ref.Path + " doesn't exist"; c.To != "" {
				text += ", perhaps moved to " + c.To
			}
		case ledger.Holds, ledger.Moved, ledger.Outside, ledger.Unreadable:
			continue
		default: // no check
			continue
		}
		if gone++; gone == 1 {
			says = []Saying{{Code, text, 0}, {Notes, "the decision cites this code as evidence", cmp.Or(e.Line, d.Line)}}
		}
	}
	if gone == 0 {
		return Disagreement{}
	}
	if gone > 1 {
		says[0].Text += ", and " + strconv.Itoa(gone-1) + " more"
	}
	return Disagreement{About: "decision “" + cut(d.Title) + "”", Says: says, Do: "Fix the evidence, or make a new decision."}
}

// cut returns the start of a text as one line.
func cut(text string) string {
	const most = 80
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// day returns " since " and a day; "" for the zero time.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " since " + t.Format(time.DateOnly)
}

// state converts a status of NOTES.md to a status of beads, such as in_progress for "active".
func state(status string) string {
	s := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(status)))
	switch s {
	case "tombstone", "done", "complete", "completed", "finished", "shut":
		return "closed"
	case "active", "wip", "started", "doing":
		return "in_progress"
	}
	return s
}

func words(status string) string { return strings.ReplaceAll(state(status), "_", " ") }

// stateIn returns the status in the text after the ID of a bead: the text in brackets at the end, or the whole text.
func stateIn(text string) string {
	text = strings.TrimSpace(text)
	for _, pair := range []string{"()", "[]"} {
		if inner, ok := strings.CutSuffix(text, pair[1:]); ok {
			if i := strings.LastIndex(inner, pair[:1]); i >= 0 {
				text = inner[i+1:]
			}
			break
		}
	}
	s := state(strings.Trim(text, " -–—:,.*_`"))
	switch s {
	case "open", "in_progress", "blocked", "deferred", "closed":
		return s
	}
	return ""
}
