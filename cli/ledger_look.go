package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// ledgerHow is how closely a ledger is looked at: each check reads files of the project.
type ledgerHow struct {
	identifiers bool // whether they lead where they say
	evidence    bool // the same for that of the decisions
	staged      bool // what waits for the next start
	truth       bool // where the sources disagree; the decisions with evidence only
	handoff     handoffLook
}

// lookLedger looks at the ledger of a folder, now. What is wrong with a part of it is said in the answer; the error is
// that of the folder, or of ctx.
func (d *deps) lookLedger(ctx context.Context, dir string, how ledgerHow) (survey.Ledger, error) {
	l := survey.Ledger{Dir: dir, At: d.now()}
	if err := d.ledgerFolder(ctx, dir); err != nil {
		return l, err
	}
	p, err := ledger.Find(realPath(dir), d.ledgerEnv())
	if err != nil {
		return l, &failure{what: "The ledger of " + d.tilde(dir) + " cannot be looked for: " + reason(err) + ".", cause: err}
	}
	l.Project = p
	for _, problem := range p.Problems() {
		l.Problems = append(l.Problems, sentence(transcript.CleanLine(problem.Error())))
	}
	d.lookNotes(ctx, &l)
	if l.Beads, err = beads.Read(ctx, p.Beads); err != nil && ctx.Err() == nil {
		l.BeadsBad = "The beads of " + d.tilde(p.Beads) + " cannot be read: " + reason(err) + "."
	}
	if how.staged {
		l.Staged, l.StagedN, _, _ = d.staged(ctx, p.Root) // what is damaged is not printed, and counts as none
	}
	l.None = l.Notes == nil && l.Trouble == "" && (l.Beads == nil || len(l.Beads.Beads) == 0)
	if l.Notes != nil {
		d.checkLedger(ctx, &l, how)
		if how.truth {
			d.lookTruth(ctx, &l, how.handoff)
		}
	}
	return l, ctx.Err()
}

// ledgerEnv is what the environment says of ledgers.
func (d *deps) ledgerEnv() ledger.Env {
	return ledger.Env{ProjectRoot: d.getenv("PROJECT_ROOT"), Grimoire: d.getenv("LOA_GRIMOIRE_DIR"), Beads: d.getenv("LOA_BEADS_DIR"), Home: realPath(d.home)}
}

// ledgerFolder says why a folder cannot be looked into.
func (d *deps) ledgerFolder(ctx context.Context, dir string) error {
	switch probeFolder(ctx, dir).State {
	case sessions.FolderThere:
		return nil
	case sessions.FolderGone, sessions.FolderRelative:
		return &failure{code: ExitNone, what: "There is no folder " + d.tilde(dir) + "." + checkPath}
	case sessions.FolderFile:
		return &failure{what: d.tilde(dir) + " is no folder. Name that of a project."}
	case sessions.FolderDenied:
		return &failure{what: d.tilde(dir) + " cannot be read: permission denied. Check its mode."}
	default:
		return &failure{what: "The disk of " + d.tilde(dir) + " does not answer. Try again when it is there."}
	}
}

// lookNotes reads NOTES.md.
func (d *deps) lookNotes(ctx context.Context, l *survey.Ledger) {
	p := &l.Project
	text, _, err := ledger.ReadText(ctx, p.Root, p.Notes, ledger.MaxNotes)
	if err == nil {
		if info, err := os.Stat(p.Notes); err == nil {
			l.Written = info.ModTime()
		}
		l.Notes = notes.Parse(text)
		return
	}
	if !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
		what, do := d.notesTrouble(p, err)
		l.Trouble = what + ", so it is not read. " + do
	}
}

// notesTrouble is what is wrong with NOTES.md, and what to do about it. The first is the beginning of a sentence.
func (d *deps) notesTrouble(p *ledger.Project, err error) (what, do string) {
	name := d.tilde(p.Notes)
	switch {
	case errors.Is(err, ledger.ErrTooLong):
		return name + " is longer than " + render.Count(ledger.MaxNotes>>20) + " MB", "Move what is old into a file beside it."
	case errors.Is(err, ledger.ErrNotText):
		return name + " is no text", "Bring back one that is: git log -- " + transcript.CleanLine(ledgerName(p))
	case errors.Is(err, ledger.ErrOutside):
		return name + " leads out of the project", "Put the file itself there."
	case errors.Is(err, ledger.ErrReserved):
		return name + " leads into .git or .claude", "Put the file itself there."
	case errors.Is(err, ledger.ErrBusy):
		return name + " is being written by another program", "Try again."
	case errors.Is(err, transcript.ErrNotRegular):
		return name + " is no file", "Put one in its place."
	case errors.Is(err, errReadOnly):
		return name + " is read-only", "Make it writable."
	case errors.Is(err, fs.ErrPermission):
		return name + " denies permission", "Check its mode, and that of its folder."
	case errors.Is(err, notes.ErrNoPlace):
		return name + " has no place that leaves the rest as it is", "Write it there yourself."
	}
	return name + " gives an error (" + reason(err) + ")", "Try again."
}

// recoveryFacts is what a recovery is made of. Only where there is no NOTES.md, or nothing
// in it, it looks for what else there is.
func (d *deps) recoveryFacts(ctx context.Context, g *globals, l *survey.Ledger) recovery.Facts {
	f := recovery.Facts{Notes: l.Notes, File: ledgerName(&l.Project), Trouble: l.Trouble, Beads: l.Beads, Now: l.At, Ago: render.Ago}
	if l.Notes == nil || !recovery.IsFilled(l.Notes) {
		f.Instead, f.Prompted = d.insteadOfNotes(ctx, g, l)
	}
	return f
}

// ledgerName is NOTES.md below the root of its project.
func ledgerName(p *ledger.Project) string {
	if rel, err := filepath.Rel(p.Root, p.Notes); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(p.Notes)
}
