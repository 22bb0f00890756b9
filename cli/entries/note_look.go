package entries

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// noteMost bounds an entry, in bytes.
const noteMost = 256 << 10

// Noting is an entry that is to be written.
type Noting struct {
	project ledger.Project
	Entry   notes.Entry
	undo    string // what takes it back
	id      string // of the action, once it is written
	Known   bool   // NOTES.md is there
	Place   notes.Insertion
	own     bool     // a handoff that names the lines that Session Continuity has with it
	Bead    bool     // it goes to the bead that it names
	Comment string   // what that gets
	but     []string // what is to be known before, one sentence each without its point
}

// LookNote checks an entry against the code, and finds its place.
func LookNote(ctx context.Context, env *place.Env, ask *NoteAsk) (*Noting, error) {
	if err := place.LookFailure(env, ask.Dir, survey.CheckFolder(ctx, ask.Dir)); err != nil {
		return nil, err
	}
	project, err := place.LedgerOf(env, ask.Dir)
	if err != nil {
		return nil, err
	}
	n := &Noting{project: project, Entry: ask.Entry, undo: ask.Undo, Bead: ask.Bead && ask.Entry.Bead != ""}
	n.Entry.Evidence = slices.Clone(n.Entry.Evidence) // those of the person stay as they are typed
	n.Entry.At = env.Now().UTC().Truncate(time.Second)
	if _, ok := env.Host.BrProgram(); n.Bead && !ok {
		n.Bead = false
		n.but = append(n.but, "br is not installed, so it goes to NOTES.md, and names the bead there")
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
		return nil, &out.Failure{What: "The entry has more than 256 kB. Write a document, and note where it is."}
	}
	return n, nil
}

// readNotes reads NOTES.md; nil is none.
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

// plan finds the place of the entry in what is there now.
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
	if n.Place, _, err = n.insert(was); err != nil {
		return c, err
	}
	n.Known = was != nil
	op, err := ledger.InsertOp(n.project.Root, n.project.Notes, was, n.Place.At, n.Place.Text)
	op.Loose = n.own // it names lines of what is there
	c.Ops = []change.Op{op}
	return c, err
}

// warn adds what is to be known of the project.
func (n *Noting) warn() {
	if !n.Known && !isProject(&n.project) {
		n.but = append(n.but, "no .git, .beads or grimoire is above this folder, so it counts as the root of its project")
	}
	for _, problem := range n.project.Problems() {
		n.but = append(n.but, transcript.CleanLine(problem.Error()))
	}
}

// insert is the place of the entry in a text of NOTES.md, and that text with it.
func (n *Noting) insert(text []byte) (notes.Insertion, []byte, error) {
	parsed := notes.Parse(text)
	if n.own {
		n.Entry.NotesRef = n.continuity(parsed)
	}
	place, err := parsed.Insert(n.Entry)
	if err != nil {
		return place, nil, err
	}
	now := place.Apply(text)
	if n.own { // its own lines are among those now; how many they are does not depend on their numbers
		n.Entry.NotesRef = n.continuity(notes.Parse(now))
		if place, err = parsed.Insert(n.Entry); err != nil {
			return place, nil, err
		}
		now = place.Apply(text)
	}
	return place, now, nil
}

// continuity names the lines of Session Continuity; "" there is none, and a bead cannot name it. One that the entry makes
// is looked up once it is there.
func (n *Noting) continuity(parsed *notes.Notes) string {
	file := n.project.NotesName()
	at := parsed.Continuity().Section
	switch {
	case at >= 0:
		return fmt.Sprintf("%s:%d-%d", file, parsed.Sections[at].Line, parsed.Sections[at].Last)
	case n.Bead:
		return ""
	}
	return file + ":1"
}

// lacks says what the entry does not have of what the spec requires. Where something is wrong with its evidence already,
// that is enough of it.
func (n *Noting) lacks(noEvidence, known bool) []string {
	var wrong []string
	for _, m := range n.Entry.Check() {
		if (noEvidence || known) && strings.HasPrefix(m.Field, "evidence") {
			continue
		}
		wrong = append(wrong, m.Field+": "+m.Why)
	}
	if noEvidence && len(n.Entry.Evidence) > 0 {
		wrong = append(wrong, "evidence: there is some, so --no-evidence cannot be said.")
	}
	return wrong
}

// refusal says all that is wrong with an entry at once.
func (n *Noting) refusal(wrong []string) error {
	f := &out.Failure{Code: out.ExitNo, What: out.UpperFirst(n.noun()) + " is not complete, so nothing was written. Mend what is below.", Facts: wrong}
	if n.Entry.Kind == notes.EntryDecision && len(n.Entry.Evidence) == 0 {
		f.Hints = append(f.Hints, "--no-evidence   for a decision that no code backs")
	}
	f.Hints = append(f.Hints, "continuo note "+string(n.Entry.Kind)+" --help   has what it takes")
	return f
}

// noun is what is written, in words.
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
	}
	return "the entry"
}

// isProject reports whether anything says that the root of a project is one.
func isProject(p *ledger.Project) bool {
	there := func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	}
	return p.ConfigFile != "" || there(p.Grimoire) || there(p.Beads) || there(filepath.Join(p.Root, ".git"))
}

// NotesFailure says why NOTES.md is left alone.
func NotesFailure(env *place.Env, p *ledger.Project, err error) error {
	if _, ok := errors.AsType[*out.Failure](err); ok {
		return err
	}
	what, do := place.NotesTrouble(env, p, err)
	return &out.Failure{What: what + ", so it is left alone. " + do, Cause: err}
}
