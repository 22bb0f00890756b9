package survey

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// LedgerHow selects the checks of LedgerOf. Each check reads project files.
type LedgerHow struct {
	Identifiers bool // check whether identifiers point to existing code
	Evidence    bool // check whether the evidence of decisions points to existing code
	Staged      bool // look for the recovery that the next session prints
	Truth       bool // check whether the sources agree; if Evidence is set, also check the decisions
	Handoff     HandoffLook
}

// HandoffLook finds the newest handoff of a trajectory. Nil means trajectory.NewestHandoff.
type HandoffLook func(ctx context.Context, p *ledger.Project) (at time.Time, where string)

// LedgerOf returns the facts about a place's ledger, with its unreadable parts. The error is that of FindLedger, or
// ctx.Err().
func LedgerOf(ctx context.Context, at Place, how LedgerHow) (Ledger, error) {
	l := Ledger{Dir: at.Dir, At: at.Now}
	p, err := FindLedger(ctx, at)
	if err != nil {
		return l, err
	}
	l.Project = p
	for _, problem := range p.Problems() {
		l.Problems = append(l.Problems, words.Sentence(transcript.CleanLine(problem.Error())))
	}
	l.readNotes(ctx, &at)
	if l.Beads, err = at.readBeads(ctx, &p); err != nil && ctx.Err() == nil {
		l.BeadsBad = "The beads of " + at.tilde(p.Beads) + " cannot be read: " + ledger.Reason(err) + "."
	}
	if note := l.beadsNote(); note != "" {
		l.Problems = append(l.Problems, note)
	}
	if how.Staged {
		l.Staged, l.StagedN, _, _ = StagedOf(ctx, p.Root, at.Home, at.Now) // a damaged recovery isn't printed
	}
	l.None = l.Notes == nil && l.Trouble == "" && (l.Beads == nil || len(l.Beads.Beads) == 0)
	if l.Notes != nil {
		l.check(ctx, how)
		if how.Truth {
			l.compare(ctx, how.Handoff)
		}
	}
	return l, ctx.Err()
}

// readNotes reads NOTES.md.
func (l *Ledger) readNotes(ctx context.Context, at *Place) {
	text, written, err := l.Project.ReadNotes(ctx)
	if err == nil {
		l.Written, l.Notes = written, notes.Parse(text)
		return
	}
	if !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
		what, do := NotesTrouble(&l.Project, at.Home, err)
		l.Trouble = what + ", so it is not read. " + do
	}
}

// NotesTrouble returns a problem of NOTES.md. what is the beginning of a sentence, and do is the solution as a
// sentence.
func NotesTrouble(p *ledger.Project, home string, err error) (what, do string) {
	name := sessions.Tilde(p.Notes, home)
	switch {
	case errors.Is(err, ledger.ErrTooLong):
		return name + " is longer than " + words.Count(ledger.MaxNotes>>20) + " MB", "Move old entries to another file."
	case errors.Is(err, ledger.ErrNotText):
		return name + " is not a text file", "Find a version to restore: git log -- " + transcript.CleanLine(p.NotesName())
	case errors.Is(err, ledger.ErrOutside):
		return name + " is a link that points outside the project", "Replace the link with the file."
	case errors.Is(err, ledger.ErrReserved):
		return name + " is a link into .git or .claude", "Replace the link with the file."
	case errors.Is(err, ledger.ErrBusy):
		return name + " is being written by another program", "Try again."
	case errors.Is(err, transcript.ErrNotRegular):
		return name + " is not a regular file", "Replace it with a regular file."
	case errors.Is(err, fs.ErrPermission):
		return name + " cannot be read: permission denied", "Check the permissions of the file and its folder."
	case errors.Is(err, notes.ErrNoPlace):
		return name + " cannot take the entry without changing other text", "Add it by hand."
	}
	return name + " failed with an error (" + ledger.Reason(err) + ")", "Try again."
}

// checkLimit is the time limit for checking identifiers and evidence. A missing file means a search of the whole
// tree. Unchecked references count as unreadable.
const checkLimit = 2 * time.Second

// checker returns a function that checks a reference and its quote. checkLimit is for all calls together. The caller
// must call done.
func checker(ctx context.Context, p *ledger.Project) (check func(ledger.Ref, string) ledger.Check, done func()) {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	look := p.NewChecker()
	return func(ref ledger.Ref, quote string) ledger.Check {
		c := look.Check(ctx, ref, quote)
		if c.Status == ledger.Unreadable && ctx.Err() != nil {
			c.Problem = "not checked in time"
		}
		return c
	}, cancel
}

// check checks identifiers and evidence.
func (l *Ledger) check(ctx context.Context, how LedgerHow) {
	if !how.Identifiers && !how.Evidence {
		return
	}
	check, done := checker(ctx, &l.Project)
	defer done()
	if how.Identifiers {
		l.Checked = []recovery.Checked{} // nil means unchecked
		for _, id := range l.Notes.Identifiers() {
			l.Checked = append(l.Checked, recovery.Checked{Identifier: id, Check: check(id.Ref, id.Quote)})
		}
	}
	if !how.Evidence {
		return
	}
	l.Evidence = map[Backing]ledger.Check{}
	decisions := l.Notes.Decisions()
	for i := range decisions {
		for k := range decisions[i].Evidence {
			e := &decisions[i].Evidence[k]
			l.Evidence[BackingOf(e)] = check(e.Ref, e.Quote)
		}
	}
}

// compare finds disagreements between the sources of the ledger. It runs last, because it needs the fields of other
// steps.
func (l *Ledger) compare(ctx context.Context, handoff HandoffLook) {
	if handoff == nil {
		handoff = trajectory.NewestHandoff
	}
	f := truth.Facts{Notes: l.Notes}
	if l.BeadsBad == "" {
		f.Beads = l.Beads
	}
	f.Evidence = func(e *notes.Evidence) ledger.Check { return l.Evidence[BackingOf(e)] }
	if c := l.Notes.Continuity(); !c.Checkpoint.IsZero() {
		f.Handoff, f.Where = handoff(ctx, &l.Project)
	}
	l.Truth = truth.Find(&f)
}
