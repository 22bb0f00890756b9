package survey

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// The steps of a start, in their order (spec 002, session start).
const (
	StepReady       = "ready"
	StepBead        = "bead"
	StepRecovery    = "recovery"
	StepIdentifiers = "identifiers"
	StepState       = "state"
)

// StartStep is the result of one step.
type StartStep struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`     // the step found something
	Why    string `json:"why"`    // why it found nothing or used another source, or ""
	Source string `json:"source"` // such as br ready, .beads/issues.jsonl or NOTES.md; "" if none
}

// Start is the result of the steps at the start of a session.
type Start struct {
	Ledger     Ledger
	Continuity notes.Continuity
	Steps      []StartStep
	Ready      []beads.Bead // ready beads that aren't in progress
	Busy       []string     // IDs of the beads in progress
	Bead       *beads.Bead  // current bead; nil if unknown
	Result     recovery.Result
	Checked    []recovery.Checked
	Bad        int    // number of entries in Checked that don't point to existing code
	State      string // reasoning state in the notes; "" if unknown

	br   Br
	noBr string // why no program for beads is used; "" if br or bd is used
}

// Br runs a project's beads program, br or bd. Its errors are sentences without a full stop. After an error, it isn't
// run again.
type Br struct {
	Name    string
	Missing string                                                    // a sentence if the program isn't installed
	Ready   func(ctx context.Context) ([]beads.Bead, error)           // beads that can be started
	Show    func(ctx context.Context, id string) (*beads.Bead, error) // the bead with an ID; nil if there is none
}

// Some reports whether any step found something.
func (p *Start) Some() bool {
	return slices.ContainsFunc(p.Steps, func(s StartStep) bool { return s.OK })
}

// StartOf runs the steps of a start, even after a failed step. The error is that of FindLedger, or ctx.Err().
func StartOf(ctx context.Context, at Place, level recovery.Level, from *Recoverer, br func(p *ledger.Project) Br) (*Start, error) {
	l, err := LedgerOf(ctx, at, LedgerHow{Identifiers: true, Evidence: true, Truth: true})
	if err != nil {
		return nil, err
	}
	p := &Start{Ledger: l, Continuity: notes.Continuity{Section: -1}, br: br(&l.Project)}
	if l.Notes != nil {
		p.Continuity = l.Notes.Continuity()
	}
	if _, err := sessions.Disk().Stat(l.Project.Beads); err != nil { // br would fail
		p.noBr = "the project has no beads: missing " + filepath.Base(l.Project.Beads)
	} else {
		p.noBr = p.br.Missing
	}
	p.add(p.askReady(ctx))
	p.add(p.askBead(ctx))
	p.add(p.recover(ctx, from, level))
	p.add(p.identifiers())
	p.add(p.reasoning())
	return p, ctx.Err()
}

func (p *Start) add(s StartStep) {
	s.Why, s.Source = transcript.CleanLine(s.Why), transcript.CleanLine(s.Source)
	p.Steps = append(p.Steps, s)
}

// beadsFile returns the source of the ledger's beads.
func (p *Start) beadsFile() string {
	name := filepath.Base(p.Ledger.Project.Beads)
	if g := p.Ledger.Beads; g != nil && g.Database {
		return "the database of " + p.br.Name
	} else if g != nil && g.Shape == "yaml" {
		return name
	}
	return name + "/issues.jsonl"
}

// hasBeads reports whether beads can be read without br.
func (p *Start) hasBeads() bool {
	return p.Ledger.Beads != nil && p.Ledger.BeadsBad == "" && p.Ledger.Beads.Shape != ""
}

// askReady lists the beads that can be started.
func (p *Start) askReady(ctx context.Context) StartStep {
	s := StartStep{Name: StepReady}
	if p.noBr == "" {
		list, err := p.br.Ready(ctx)
		if err == nil {
			for i := range list { // without duplicates, like beads.Groups
				if list[i].Status == "in_progress" {
					p.Busy = append(p.Busy, list[i].ID)
				} else {
					p.Ready = append(p.Ready, list[i])
				}
			}
			s.OK, s.Source = len(p.Ready)+len(p.Busy) > 0, p.br.Name+" ready"
			if len(p.Ready) == 0 {
				s.Why = p.noReady()
			}
			return s
		}
		p.noBr = err.Error()
	}
	s.Why = p.noBr + "."
	switch {
	case p.hasBeads():
		parted := p.Ledger.Beads.Groups(p.Ledger.At)
		for _, b := range parted.Ready {
			p.Ready = append(p.Ready, *b)
		}
		for _, b := range parted.InProgress {
			p.Busy = append(p.Busy, b.ID)
		}
		s.OK, s.Source = len(p.Ready)+len(p.Busy) > 0, p.beadsFile()
		s.Why = p.noBr + "; read from " + p.beadsFile() + "."
		if len(p.Ready) == 0 {
			s.Why += " " + p.noReady()
		}
	case p.Ledger.BeadsBad != "":
		s.Why = s.Why + " " + p.Ledger.BeadsBad
	}
	return s
}

// noReady returns the sentence for an empty list of ready beads.
func (p *Start) noReady() string {
	if len(p.Busy) > 0 {
		return "No other bead is ready."
	}
	return "No bead is ready."
}

// candidates returns the IDs of possible current beads, most likely first: the bead in the notes, then those in
// progress.
func (p *Start) candidates() []string {
	var ids []string
	if id := p.Continuity.Bead; id != "" {
		ids = append(ids, id)
	}
	if p.hasBeads() {
		for _, b := range p.Ledger.Beads.AtWork() {
			ids = append(ids, b.ID)
		}
	}
	return append(ids, p.Busy...)
}

// askBead finds the current bead.
func (p *Start) askBead(ctx context.Context) StartStep {
	s := StartStep{Name: StepBead}
	var why []string
	ids := p.candidates()
	for _, id := range ids {
		b, source := p.showBead(ctx, id)
		if b == nil && (p.noBr == "" || p.hasBeads()) {
			why = append(why, id+", named in "+p.Ledger.Project.NotesName()+", is not a known bead.")
		}
		if b == nil {
			continue
		}
		p.Bead, s.OK, s.Source = b, true, source
		break
	}
	switch {
	case s.OK && p.noBr != "":
		why = append(why, p.noBr+"; read from "+s.Source+".")
	case !s.OK && p.Continuity.Bead != "":
		p.Bead = &beads.Bead{ID: p.Continuity.Bead, Title: p.Continuity.BeadText}
		s.OK, s.Source = true, p.Ledger.Project.NotesName()
		if len(why) == 0 {
			why = append(why, p.noBr+"; read from "+s.Source+".")
		}
	case !s.OK && len(p.Ready)+len(p.Busy) == 0 && !p.hasBeads():
		why = append(why, p.noBr+".")
	case !s.OK:
		why = append(why, "No bead is in progress.")
	}
	if s.OK && (p.Bead.Status == "closed" || p.Bead.Status == "tombstone") {
		why = append(why, p.Bead.ID+" is now closed.")
	}
	s.Why = strings.Join(why, " ")
	return s
}

// showBead gets a bead from br, otherwise from .beads. It returns nil for an unknown bead.
func (p *Start) showBead(ctx context.Context, id string) (b *beads.Bead, source string) {
	if p.noBr == "" {
		shown, err := p.br.Show(ctx, id)
		switch {
		case err == nil && shown == nil:
			return nil, ""
		case err == nil:
			return shown, p.br.Name + " show " + id
		}
		p.noBr = err.Error()
	}
	if p.hasBeads() {
		if b, ok := p.Ledger.Beads.Find(id); ok {
			return b, p.beadsFile()
		}
	}
	return nil, ""
}

// recover makes a recovery of the ledger at a level.
func (p *Start) recover(ctx context.Context, from *Recoverer, level recovery.Level) StartStep {
	s := StartStep{Name: StepRecovery}
	ask := recovery.Ask{Level: level}
	f := from.Facts(ctx, &p.Ledger)
	f.Bead = p.Bead
	from.Prompt(ctx, &p.Ledger, &f, &ask)
	l := p.Ledger
	l.BeadsBad = "" // another step reports this error
	r, err := from.Recover(ctx, &l, f, ask)
	if err != nil {
		s.Why = "The recovery was interrupted."
		return s
	}
	p.Result = r
	s.OK, s.Source = strings.TrimSpace(p.Result.Text) != "", strings.Join(p.Result.From, ", ")
	s.Why = strings.Join(p.Result.Notes, " ")
	if !s.OK && s.Why == "" {
		s.Why = p.Ledger.Project.NotesName() + " has no entries yet."
	}
	return s
}

// identifiers counts the identifiers that don't point to existing code.
func (p *Start) identifiers() StartStep {
	s := StartStep{Name: StepIdentifiers, Source: p.Ledger.Project.NotesName()}
	if p.Ledger.Notes == nil {
		s.Source, s.Why = "", p.withoutNotes()
		return s
	}
	p.Checked = p.Ledger.Checked
	for i := range p.Checked {
		if p.Checked[i].Bad() {
			p.Bad++
		}
	}
	switch s.OK = len(p.Checked) > 0; {
	case !s.OK:
		s.Why = s.Source + " lists no code references."
	case p.Bad > 0:
		s.Why = words.Count(p.Bad) + " of " + words.Counted(len(p.Checked), "code reference is broken.", "code references are broken.")
	}
	return s
}

// withoutNotes returns why there are no notes.
func (p *Start) withoutNotes() string {
	if p.Ledger.Trouble != "" {
		return p.Ledger.Trouble
	}
	return "There is no " + p.Ledger.Project.NotesName() + "."
}

// reasoning sets State to the reasoning state in the notes.
func (p *Start) reasoning() StartStep {
	s := StartStep{Name: StepState}
	name := p.Ledger.Project.NotesName()
	if p.Ledger.Notes == nil {
		s.Why = p.withoutNotes()
		return s
	}
	c := &p.Continuity
	p.State = transcript.CleanLine(c.State)
	switch {
	case p.State != "":
	case c.First != "":
		p.State = transcript.CleanLine(c.First)
		s.Why = name + " has no reasoning state. Shown instead: the start of Session Continuity."
	case c.Section < 0:
		s.Why = name + " has no Session Continuity section."
	default:
		s.Why = "The Session Continuity section of " + name + " is empty."
	}
	if s.OK = p.State != ""; s.OK {
		s.Source = name
	}
	return s
}
