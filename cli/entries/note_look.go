package entries

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/stores"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// noteMost is the maximum length of an entry in bytes.
const noteMost = 256 << 10

// Noting is a planned entry.
type Noting struct {
	project ledger.Project
	Entry   notes.Entry
	undo    string // the undo command
	id      string // ID of the journal entry; set after writing
	Known   bool   // NOTES.md exists
	Place   notes.Insertion
	own     bool // a handoff about the Session Continuity
	Bead    bool // write a comment of the bead
	Comment string
	program *place.Beads    // writes the comment
	Keyed   bool            // replaces a value of an existing Session Continuity
	was     string          // old lines of the value
	but     []string        // warnings, without a full stop
	left    []notes.Finding // identifiers that notes lint can't correct
}

// LookNote checks an entry, and computes its position.
func LookNote(ctx context.Context, env *place.Env, ask *NoteAsk) (*Noting, error) {
	if err := place.LookFailure(env, ask.Dir, survey.CheckFolder(ctx, ask.Dir)); err != nil {
		return nil, err
	}
	project, err := place.LedgerOf(env, ask.Dir)
	if err != nil {
		return nil, err
	}
	n := &Noting{project: project, Entry: ask.Entry, undo: ask.Undo, Bead: ask.Bead && ask.Entry.Bead != ""}
	n.Entry.Evidence = slices.Clone(n.Entry.Evidence) // the caller's evidence must not change
	n.Entry.At = env.Now().UTC().Truncate(time.Second)
	if n.program = place.BeadsOf(env.Host, &project); n.Bead && n.program.Name == "" {
		n.Bead = false
		n.but = append(n.but, n.program.Missing()+", so the entry goes to NOTES.md and names the bead")
	}
	text, mode, err := readNotes(ctx, &project)
	if text != nil && err == nil && mode.Perm()&0o222 == 0 && !n.Bead {
		err = place.ErrReadOnly
	}
	if err != nil && !n.Bead {
		return nil, NotesFailure(env, &project, err)
	}
	n.Known = text != nil
	parsed := notes.Parse(text)
	if n.own = n.Entry.Kind == notes.EntryHandoff && n.Entry.NotesRef == ""; n.own {
		n.Entry.NotesRef = n.continuity(parsed)
	}
	wrong, err := n.ground(ctx, env, ask.places)
	if err != nil {
		return nil, err
	}
	if wrong = append(wrong, n.lacks(ask.NoEvidence, len(wrong) > 0)...); len(wrong) > 0 {
		return nil, n.refusal(wrong)
	}
	n.warn()
	if n.Bead {
		n.Comment = beadComment(&n.Entry)
	}
	if _, err = n.plan(ctx); err != nil {
		return nil, NotesFailure(env, &project, err)
	}
	if len(n.Place.Text) > noteMost {
		return nil, &out.Failure{What: "The entry has more than 256 kB. Write a document and note its path."}
	}
	return n, nil
}

// readNotes reads NOTES.md. It returns nil if the file doesn't exist.
func readNotes(ctx context.Context, p *ledger.Project) ([]byte, fs.FileMode, error) {
	text, mode, err := ledger.ReadText(ctx, p.Root, p.Notes, ledger.MaxNotes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, mode, err
}

// plan computes the position of the entry in the current file.
func (n *Noting) plan(ctx context.Context) (change.Change, error) {
	c := change.Change{Kind: string(journal.Note), What: n.what(), Where: []string{n.project.Root}}
	if n.Bead {
		c.Ops = []change.Op{writing.CommentOp(n.project.Root, n.Entry.Bead, n.Comment)}
		return c, nil
	}
	was, _, err := readNotes(ctx, &n.project)
	if err != nil {
		return c, err
	}
	n.Known = was != nil
	if n.Entry.Kind == notes.EntryHandoff {
		return n.handOff(ctx, c.What)
	}
	if op, err := n.replace(ctx, was); n.Keyed {
		c.Ops = []change.Op{op}
		return c, err
	}
	if n.Place, _, err = n.insert(ctx, was); err != nil {
		return c, err
	}
	op, err := ledger.InsertOp(n.project.Root, n.project.Notes, was, n.Place.At, n.Place.Text)
	c.Ops = []change.Op{op}
	return c, err
}

// handOff plans the new checkpoint, and an entry about the end of the session.
func (n *Noting) handOff(ctx context.Context, what string) (change.Change, error) {
	e := n.Entry
	if n.own {
		e.NotesRef = ""
	}
	at := &stores.Place{Project: n.project, At: e.At, Handoff: &e}
	c, err := stores.Plan(ctx, at, &handover.Handover{When: e.At, Session: e.Session}, []stores.Name{stores.Notes})
	if failed, ok := errors.AsType[*stores.Error](err); ok {
		err = failed.Err
	}
	if r, ok := c.Report.(stores.Report); ok {
		n.Place, c.What = r.Writes[0].Handoff, what
		n.Place.Made = notes.Parse(r.Writes[0].Before).Continuity().Section < 0
	}
	return c, err
}

// replace returns the op that writes the entry over a value of the Session Continuity. It sets Keyed.
func (n *Noting) replace(ctx context.Context, was []byte) (op change.Op, err error) {
	e := n.Entry
	if exists, done, err := n.project.IsFile(ctx); err == nil { // if this fails, the write fails
		defer done()
		var text notes.Insertion
		text, n.left = notes.Parse(nil).Rooted(notes.Insertion{Text: []byte(e.Text)}, n.project.Root, exists)
		e.Text = string(text.Text)
	}
	r, ok := notes.Parse(was).Keyed(e)
	if n.Keyed = ok; !ok {
		return op, nil
	}
	n.Place, n.was = notes.Insertion{Text: []byte(r.Now), Line: r.Line, Section: r.Section}, r.Was
	if len(was) > journal.MaxBefore {
		return op, &out.Failure{What: "NOTES.md is larger than 1 MB (limit of undo). Edit it yourself."}
	}
	op, err = ledger.ReplaceOp(n.project.Root, n.project.Notes, was, r.Text)
	op.Loose = true // other lines may have changed
	return op, err
}

// warn adds warnings about the project.
func (n *Noting) warn() {
	if !n.Known && !isProject(&n.project) {
		n.but = append(n.but, "no .git, .beads or grimoire is above this folder, so this folder counts as the root of its project")
	}
	for _, problem := range n.project.Problems() {
		n.but = append(n.but, transcript.CleanLine(problem.Error()))
	}
}

// insert inserts the entry into a text of NOTES.md, and returns the new text. Identifiers get the form of spec
// 002.
func (n *Noting) insert(ctx context.Context, text []byte) (notes.Insertion, []byte, error) {
	parsed := notes.Parse(text)
	place, err := parsed.Insert(n.Entry)
	if err != nil {
		return place, nil, err
	}
	if exists, done, err := n.project.IsFile(ctx); err == nil { // if this fails, the write fails
		defer done()
		place, n.left = parsed.Rooted(place, n.project.Root, exists)
	}
	return place, place.Apply(text), nil
}

// continuity returns a reference to the section Session Continuity. In a comment of a bead, the path is
// relative, and "" means no section.
func (n *Noting) continuity(parsed *notes.Notes) string {
	ref := stores.ContinuityRef(&n.project, parsed)
	if n.Bead {
		if parsed.Continuity().Section < 0 {
			return ""
		}
		ref.Form = ledger.FormHard // written unchanged
	}
	return ref.String()
}

// lacks returns the unmet requirements of the spec. If noEvidence or known is set, missing evidence isn't
// reported. If known is set, problems of the evidence are already reported.
func (n *Noting) lacks(noEvidence, known bool) []string {
	var wrong []string
	for _, m := range n.Entry.Check() {
		if (noEvidence || known) && (strings.HasPrefix(m.Field, "evidence") || m.Field == "identifier") {
			continue
		}
		wrong = append(wrong, m.Field+": "+m.Why)
	}
	if noEvidence && len(n.Entry.Evidence) > 0 {
		wrong = append(wrong, "evidence: the decision has evidence, so --no-evidence can't be used.")
	}
	return wrong
}

// refusal returns all problems as one error.
func (n *Noting) refusal(wrong []string) error {
	f := &out.Failure{Code: out.ExitNo, What: out.UpperFirst(n.noun()) + " is incomplete, so nothing was written. Fix the points below.", Facts: wrong}
	if n.Entry.Kind == notes.EntryDecision && len(n.Entry.Evidence) == 0 {
		f.Hints = append(f.Hints, "--no-evidence   for a decision that no code backs")
	}
	f.Hints = append(f.Hints, "continuo note "+string(n.Entry.Kind)+" --help   lists the flags")
	return f
}

// noun returns the word for the kind of the entry.
func (n *Noting) noun() string {
	switch n.Entry.Kind {
	case notes.EntryDecision:
		return "the decision"
	case notes.EntryQuestion:
		return "the question"
	case notes.EntryNext:
		return "the next step"
	case notes.EntryHandoff:
		return "the handoff"
	case notes.EntryScenario:
		return "the scenario"
	case notes.EntryState:
		return "the state"
	case notes.EntryBead:
		return "the bead"
	case notes.EntryReference:
		return "the reference"
	}
	return "the entry"
}

// isProject reports whether the root has .git, .beads or a grimoire.
func isProject(p *ledger.Project) bool {
	there := func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	}
	return p.ConfigFile != "" || there(p.Grimoire) || there(p.Beads) || there(filepath.Join(p.Root, ".git"))
}

// NotesFailure returns the message for an unchangeable NOTES.md.
func NotesFailure(env *place.Env, p *ledger.Project, err error) error {
	if _, ok := errors.AsType[*out.Failure](err); ok {
		return err
	}
	what, do := place.NotesTrouble(env, p, err)
	return &out.Failure{What: what + ", so it is left alone. " + do, Cause: err}
}
