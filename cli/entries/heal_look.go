package entries

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// HealLook has the state of a ledger's parts, and the planned repairs.
type HealLook struct {
	ledger survey.Ledger
	Steps  []heal.Step
	noGit  string // why git wasn't used, or ""
}

// LookHeal checks the parts of a folder's ledger, in the order of the spec. If a part can't be read, its step
// has the error. LookHeal returns an error only if the folder can't be read or ctx ends.
func LookHeal(ctx context.Context, env *place.Env, dir string) (*HealLook, error) {
	l, err := place.LookLedger(ctx, env, dir, survey.LedgerHow{Evidence: true, Truth: true})
	if err != nil {
		return nil, err
	}
	return healOf(ctx, env, l)
}

// Missing returns a message for each missing part that continuo heal can restore or has a git command for.
func Missing(ctx context.Context, env *place.Env, l *survey.Ledger) []string {
	h, err := healOf(ctx, env, *l)
	if err != nil {
		return nil
	}
	var missing []string
	for i := range h.Steps {
		if s := &h.Steps[i]; s.Issue() && (s.Do != heal.Leave || s.Held != "") {
			missing = append(missing, healWords(s)+".")
		}
	}
	return missing
}

// healOf is LookHeal for a ledger.
func healOf(ctx context.Context, env *place.Env, l survey.Ledger) (*HealLook, error) {
	h := &HealLook{ledger: l}
	p := &h.ledger.Project
	facts := []heal.Fact{
		healDir(p, heal.Grimoire, p.Grimoire), healNotes(ctx, env, p), healDir(p, heal.Beads, p.Beads),
		healDir(p, heal.Trajectory, p.Trajectory), healDir(p, heal.Index, filepath.Join(p.Root, ".ck")),
	}
	named := l.Named(ctx)
	keeper := &gitKeeper{env: env, project: p, files: keptFiles, bytes: keptBytes}
	asked, mute := false, false
	for i := range facts {
		f := &facts[i]
		if f.Part == heal.Index || f.State != heal.Missing && f.State != heal.Empty {
			continue
		}
		if f.State == heal.Missing {
			f.Named = named[f.Part]
		}
		if !asked {
			h.noGit, asked = keeper.missing(ctx), true
			mute = h.noGit != "" && keeper.mute()
		}
		switch {
		case h.noGit == "":
			keeper.ask(ctx, f)
		case mute:
			keeper.hold(f, heal.Head, f.Path)
		}
	}
	h.Steps = heal.Plan(facts, notes.Template())
	return h, ctx.Err()
}

// healDir checks a part that should be a folder.
func healDir(p *ledger.Project, part heal.Part, path string) heal.Fact {
	f := heal.Fact{Part: part, Path: path, State: heal.There}
	empty, err := ledger.LookDir(p.Root, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.State = heal.Missing
	case errors.Is(err, ledger.ErrOutside):
		f.State, f.Why = heal.Wrong, "It leads out of the project. Replace it with a folder in the project."
	case errors.Is(err, syscall.ENOTDIR):
		f.State, f.Why = heal.Wrong, "It isn't a folder. Move it away."
	case err != nil:
		f.State, f.Why = heal.Wrong, "It cannot be read: "+out.Reason(cmp.Or(errors.Unwrap(err), err))+". Check its mode."
	case empty && part == heal.Beads:
		f.State = heal.Empty
	}
	return f
}

// healNotes checks NOTES.md.
func healNotes(ctx context.Context, env *place.Env, p *ledger.Project) heal.Fact {
	f := heal.Fact{Part: heal.Notes, Path: p.Notes, State: heal.There}
	text, _, err := ledger.ReadText(ctx, p.Root, p.Notes, ledger.MaxNotes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.State = heal.Missing
	case err != nil:
		_, do := place.NotesTrouble(env, p, err)
		f.State, f.Why = heal.Wrong, healTrouble(err)+" "+do
	case isBlank(text):
		f.State = heal.Empty
	}
	return f
}

// healTrouble describes the problem of a NOTES.md, without its name.
func healTrouble(err error) string {
	switch {
	case errors.Is(err, ledger.ErrTooLong):
		return "It is longer than " + words.Count(ledger.MaxNotes>>20) + " MB."
	case errors.Is(err, ledger.ErrNotText):
		return "It isn't text."
	case errors.Is(err, ledger.ErrOutside):
		return "It leads out of the project."
	case errors.Is(err, transcript.ErrNotRegular):
		return "It isn't a regular file."
	}
	return out.Sentence(out.Reason(cmp.Or(errors.Unwrap(err), err)))
}

// isBlank reports whether a text is only white space.
func isBlank(text []byte) bool {
	for _, b := range text {
		switch b {
		case ' ', '\t', '\r', '\n', '\v', '\f':
		default:
			return false
		}
	}
	return true
}
