package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// The steps of a start, in their order (spec 002, session start).
const (
	stepReady       = "ready"
	stepBead        = "bead"
	stepRecovery    = "recovery"
	stepIdentifiers = "identifiers"
	stepState       = "state"
)

// startStep is what became of a step.
type startStep struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`     // it has something to say
	Why    string `json:"why"`    // why it has nothing, or not from where it should be; "" all is well
	Source string `json:"source"` // br ready, .beads/issues.jsonl, NOTES.md, …; "" none
}

// startPage is what a session begins with.
type startPage struct {
	ledger     survey.Ledger
	continuity notes.Continuity
	steps      []startStep
	ready      []beads.Bead // nobody is at them
	busy       []string     // ids of the others, that somebody is at
	bead       *beads.Bead  // nil: nobody knows of one
	result     recovery.Result
	checked    []recovery.Checked
	bad        int // of checked, that lead nowhere
	state      string

	noBr string // why br is not asked; "" it is
}

// some reports whether there is anything to start from.
func (p *startPage) some() bool {
	return slices.ContainsFunc(p.steps, func(s startStep) bool { return s.OK })
}

// lookStart goes through the steps. Each does without the others. The error is that of the folder, or of ctx.
func lookStart(ctx context.Context, env *Env, ask startAsk) (*startPage, error) {
	l, err := lookLedger(ctx, env, ask.dir, survey.LedgerHow{Identifiers: true, Evidence: true, Truth: true})
	if err != nil {
		return nil, err
	}
	p := &startPage{ledger: l, continuity: notes.Continuity{Section: -1}}
	if l.Notes != nil {
		p.continuity = l.Notes.Continuity()
	}
	p.noBr = noBr(env, &l)
	p.add(startReady(ctx, env, p))
	p.add(startBead(ctx, env, p))
	p.add(startRecovery(ctx, env, p, ask.level))
	p.add(p.identifiers())
	p.add(p.reasoning())
	return p, ctx.Err()
}

func (p *startPage) add(s startStep) {
	s.Why, s.Source = transcript.CleanLine(s.Why), transcript.CleanLine(s.Source)
	p.steps = append(p.steps, s)
}

// noBr says why br is not asked, "" when it is: where there are no beads it would only fail.
func noBr(env *Env, l *survey.Ledger) string {
	if _, err := os.Stat(l.Project.Beads); err != nil {
		return "there are no beads, for the project has no " + filepath.Base(l.Project.Beads)
	}
	if _, ok := env.host.BrProgram(); !ok {
		return "br is not on the PATH"
	}
	return ""
}

// beadsFile is where beads are read from without br.
func (p *startPage) beadsFile() string {
	name := filepath.Base(p.ledger.Project.Beads)
	if g := p.ledger.Beads; g != nil && g.Shape == "yaml" {
		return name
	}
	return name + "/issues.jsonl"
}

// hasBeads reports whether beads can be read without br.
func (p *startPage) hasBeads() bool {
	return p.ledger.Beads != nil && p.ledger.BeadsBad == "" && p.ledger.Beads.Shape != ""
}

// brFailed says why br has no answer, and has it not asked again: what fails once takes its time again.
func (p *startPage) brFailed(err error) {
	p.noBr = strings.TrimRight(asFailure(err).what, ".")
	if errors.Is(err, host.ErrNoBr) {
		p.noBr = "br is not on the PATH"
	}
}

// startReady asks what can be begun.
func startReady(ctx context.Context, env *Env, p *startPage) startStep {
	s := startStep{Name: stepReady}
	if p.noBr == "" {
		list, err := brReady(ctx, env.host, p.ledger.Project.Root)
		if err == nil {
			for i := range list { // counted once, as everywhere: beads.Groups
				if list[i].Status == "in_progress" {
					p.busy = append(p.busy, list[i].ID)
				} else {
					p.ready = append(p.ready, list[i])
				}
			}
			s.OK, s.Source = len(p.ready)+len(p.busy) > 0, env.host.BrName()+" ready"
			if len(p.ready) == 0 {
				s.Why = p.noReady()
			}
			return s
		}
		p.brFailed(err)
	}
	s.Why = p.noBr + "."
	switch {
	case p.hasBeads():
		parted := p.ledger.Beads.Groups(p.ledger.At)
		for _, b := range parted.Ready {
			p.ready = append(p.ready, *b)
		}
		for _, b := range parted.InProgress {
			p.busy = append(p.busy, b.ID)
		}
		s.OK, s.Source = len(p.ready)+len(p.busy) > 0, p.beadsFile()
		s.Why = p.noBr + ": read from " + p.beadsFile() + "."
		if len(p.ready) == 0 {
			s.Why += " " + p.noReady()
		}
	case p.ledger.BeadsBad != "":
		s.Why = joinSentences(s.Why, p.ledger.BeadsBad)
	}
	return s
}

// noReady says that none can be begun.
func (p *startPage) noReady() string {
	if len(p.busy) > 0 {
		return "No other bead is ready."
	}
	return "No bead is ready."
}

// candidates are the ids of beads that may be the one that is worked on: that of the notes, else those in progress,
// the likeliest first.
func (p *startPage) candidates() []string {
	var ids []string
	if id := p.continuity.Bead; id != "" {
		ids = append(ids, id)
	}
	if p.hasBeads() {
		for _, b := range p.ledger.Beads.AtWork() {
			ids = append(ids, b.ID)
		}
	}
	return append(ids, p.busy...)
}

// startBead asks for the bead that is worked on.
func startBead(ctx context.Context, env *Env, p *startPage) startStep {
	s := startStep{Name: stepBead}
	var why []string
	ids := p.candidates()
	for _, id := range ids {
		b, source := showBead(ctx, env, p, id)
		if b == nil && (p.noBr == "" || p.hasBeads()) {
			why = append(why, id+" of "+p.ledger.Project.NotesName()+" is no bead that is known.")
		}
		if b == nil {
			continue
		}
		p.bead, s.OK, s.Source = b, true, source
		break
	}
	switch {
	case s.OK && p.noBr != "":
		why = append(why, p.noBr+": read from "+s.Source+".")
	case !s.OK && p.continuity.Bead != "":
		p.bead = &beads.Bead{ID: p.continuity.Bead, Title: p.continuity.BeadText}
		s.OK, s.Source = true, p.ledger.Project.NotesName()
		if len(why) == 0 {
			why = append(why, p.noBr+": read from "+s.Source+".")
		}
	case !s.OK && len(p.ready)+len(p.busy) == 0 && !p.hasBeads():
		why = append(why, p.noBr+".")
	case !s.OK:
		why = append(why, "No bead is in progress.")
	}
	if s.OK && (p.bead.Status == "closed" || p.bead.Status == "tombstone") {
		why = append(why, p.bead.ID+" is closed by now.")
	}
	s.Why = strings.Join(why, " ")
	return s
}

// showBead asks br for a bead, else .beads; nil: nobody knows it.
func showBead(ctx context.Context, env *Env, p *startPage, id string) (b *beads.Bead, source string) {
	if p.noBr == "" {
		shown, err := brShow(ctx, env.host, p.ledger.Project.Root, id)
		switch {
		case err == nil:
			return &shown, env.host.BrName() + " show " + id
		case asFailure(err).exitCode() == ExitNone:
			return nil, ""
		}
		p.brFailed(err)
	}
	if p.hasBeads() {
		if b, ok := p.ledger.Beads.Find(id); ok {
			return b, p.beadsFile()
		}
	}
	return nil, ""
}

// startRecovery reads a level of the ledger.
func startRecovery(ctx context.Context, env *Env, p *startPage, level recovery.Level) startStep {
	s := startStep{Name: stepRecovery}
	ask := recovery.Ask{Level: level}
	from := recoverer(env, false)
	f := from.Facts(ctx, &p.ledger)
	f.Bead = p.bead
	from.Prompt(ctx, &p.ledger, &f, &ask)
	l := p.ledger
	l.BeadsBad = "" // the step of the beads says it
	r, err := from.Recover(ctx, &l, f, ask)
	if err != nil {
		s.Why = "It was interrupted."
		return s
	}
	p.result = r
	s.OK, s.Source = strings.TrimSpace(p.result.Text) != "", strings.Join(p.result.From, ", ")
	s.Why = strings.Join(p.result.Notes, " ")
	if !s.OK && s.Why == "" {
		s.Why = p.ledger.Project.NotesName() + " says nothing yet."
	}
	return s
}

// identifiers sums up where the identifiers lead.
func (p *startPage) identifiers() startStep {
	s := startStep{Name: stepIdentifiers, Source: p.ledger.Project.NotesName()}
	if p.ledger.Notes == nil {
		s.Source, s.Why = "", p.withoutNotes()
		return s
	}
	p.checked = p.ledger.Checked
	for i := range p.checked {
		if p.checked[i].Bad() {
			p.bad++
		}
	}
	switch s.OK = len(p.checked) > 0; {
	case !s.OK:
		s.Why = s.Source + " names no identifiers."
	case p.bad > 0:
		s.Why = render.Count(p.bad) + " of " + render.Counted(len(p.checked), "identifier does not lead where it says.", "identifiers do not lead where they say.")
	}
	return s
}

// withoutNotes says that there is no NOTES.md, or why it is not read.
func (p *startPage) withoutNotes() string {
	if p.ledger.Trouble != "" {
		return p.ledger.Trouble
	}
	return "There is no " + p.ledger.Project.NotesName() + "."
}

// reasoning is the state that the notes were left in.
func (p *startPage) reasoning() startStep {
	s := startStep{Name: stepState}
	name := p.ledger.Project.NotesName()
	if p.ledger.Notes == nil {
		s.Why = p.withoutNotes()
		return s
	}
	c := &p.continuity
	p.state = transcript.CleanLine(c.State)
	switch {
	case p.state != "":
	case c.First != "":
		p.state = transcript.CleanLine(c.First)
		s.Why = name + " has no reasoning state: this is how its session continuity begins."
	case c.Section < 0:
		s.Why = name + " has no session continuity."
	default:
		s.Why = "The session continuity of " + name + " is not filled in."
	}
	if s.OK = p.state != ""; s.OK {
		s.Source = name
	}
	return s
}
