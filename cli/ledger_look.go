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
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// ledgerHow is how closely a ledger is looked at: each check reads files of the project.
type ledgerHow struct {
	identifiers bool // whether they lead where they say
	evidence    bool // the same for that of the decisions
}

// lookLedger looks at the ledger of a folder, now. What is wrong with a part of it is said in the answer; the error is
// that of the folder, or of ctx.
func (d *deps) lookLedger(ctx context.Context, dir string, how ledgerHow) (render.Ledger, error) {
	l := render.Ledger{Dir: dir, At: d.now()}
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
	l.Staged, l.StagedN, _, _ = d.staged(ctx, p.Root) // what is damaged is not printed, and counts as none
	l.None = l.Notes == nil && l.Trouble == "" && (l.Beads == nil || len(l.Beads.Beads) == 0)
	if l.Notes != nil {
		d.checkLedger(ctx, &l, how)
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
		return &failure{code: ExitNone, what: "There is no folder " + d.tilde(dir) + ". Check the path."}
	case sessions.FolderFile:
		return &failure{what: d.tilde(dir) + " is no folder. Name that of a project."}
	case sessions.FolderDenied:
		return &failure{what: d.tilde(dir) + " cannot be read: permission denied. Check its mode."}
	default:
		return &failure{what: "The disk of " + d.tilde(dir) + " does not answer. Try again when it is there."}
	}
}

// lookNotes reads NOTES.md.
func (d *deps) lookNotes(ctx context.Context, l *render.Ledger) {
	p := &l.Project
	text, _, err := ledger.ReadText(ctx, p.Root, p.Notes, ledger.MaxNotes)
	if err == nil {
		if info, err := os.Stat(p.Notes); err == nil {
			l.Written = info.ModTime()
		}
		l.Notes = notes.Parse(text)
		return
	}
	name := d.tilde(p.Notes)
	switch {
	case errors.Is(err, fs.ErrNotExist), ctx.Err() != nil:
	case errors.Is(err, ledger.ErrTooLong):
		l.Trouble = name + " is longer than " + render.Size(ledger.MaxNotes) + ". Move what is old into an archive beside it."
	case errors.Is(err, ledger.ErrNotText):
		l.Trouble = name + " is no text. Bring back one that is: git log -- " + filepath.Base(p.Notes)
	case errors.Is(err, ledger.ErrOutside):
		l.Trouble = name + " leads out of the project, and is not read. Put the file itself there."
	default:
		l.Trouble = name + " cannot be read: " + reason(err) + ". Check its mode."
	}
}

// recoveryFacts is what a recovery is made of. Only where there is no NOTES.md it looks for what else there is.
func (d *deps) recoveryFacts(ctx context.Context, g *globals, l *render.Ledger) recovery.Facts {
	f := recovery.Facts{Notes: l.Notes, File: ledgerName(&l.Project), Trouble: l.Trouble, Beads: l.Beads, Checked: l.Checked, Now: l.At}
	if l.Notes == nil {
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
