package cli

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
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// noteMost bounds an entry, in bytes.
const noteMost = 256 << 10

// noting is an entry that is to be written.
type noting struct {
	project ledger.Project
	entry   notes.Entry
	undo    string // what takes it back
	id      string // of the action, once it is written
	known   bool   // NOTES.md is there
	place   notes.Insertion
	own     bool     // a handoff that names the lines that Session Continuity has with it
	bead    bool     // it goes to the bead that it names
	comment string   // what that gets
	but     []string // what is to be known before, one sentence each without its point
}

// lookNote checks an entry against the code, and finds its place.
func lookNote(ctx context.Context, env *Env, ask *noteAsk) (*noting, error) {
	if err := lookFailure(env, ask.dir, survey.CheckFolder(ctx, ask.dir)); err != nil {
		return nil, err
	}
	project, err := ledgerOf(env, ask.dir)
	if err != nil {
		return nil, err
	}
	n := &noting{project: project, entry: ask.entry, undo: ask.undo, bead: ask.bead && ask.entry.Bead != ""}
	n.entry.Evidence = slices.Clone(n.entry.Evidence) // those of the person stay as they are typed
	n.entry.At = env.now().UTC().Truncate(time.Second)
	if _, ok := env.host.BrProgram(); n.bead && !ok {
		n.bead = false
		n.but = append(n.but, "br is not installed, so it goes to NOTES.md, and names the bead there")
	}
	text, mode, err := readNotes(ctx, &project)
	if text != nil && err == nil && mode.Perm()&0o222 == 0 && !n.bead {
		err = errReadOnly
	}
	if err != nil && !n.bead {
		return nil, notesFailure(env, &project, err)
	}
	n.known = text != nil
	parsed := notes.Parse(text)
	if n.own = n.entry.Kind == notes.EntryHandoff && n.entry.NotesRef == ""; n.own {
		n.entry.NotesRef = n.continuity(parsed)
	}
	wrong, err := n.ground(ctx, env, ask.places)
	if err != nil {
		return nil, err
	}
	if wrong = append(wrong, n.lacks(ask.noEvidence, len(wrong) > 0)...); len(wrong) > 0 {
		return nil, n.refusal(wrong)
	}
	n.warn()
	if n.bead {
		n.comment = beadComment(&n.entry)
	}
	if _, err = n.plan(ctx); err != nil {
		return nil, notesFailure(env, &project, err)
	}
	if len(n.place.Text) > noteMost {
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
func (n *noting) plan(ctx context.Context) (change.Change, error) {
	c := change.Change{Kind: string(journal.Note), What: n.what(), Where: []string{n.project.Root}}
	if n.bead {
		c.Ops = []change.Op{commentOp(n.project.Root, n.entry.Bead, n.comment)}
		return c, nil
	}
	was, _, err := readNotes(ctx, &n.project)
	if err != nil {
		return c, err
	}
	if n.place, _, err = n.insert(was); err != nil {
		return c, err
	}
	n.known = was != nil
	op, err := ledger.InsertOp(n.project.Root, n.project.Notes, was, n.place.At, n.place.Text)
	op.Loose = n.own // it names lines of what is there
	c.Ops = []change.Op{op}
	return c, err
}

// warn adds what is to be known of the project.
func (n *noting) warn() {
	if !n.known && !isProject(&n.project) {
		n.but = append(n.but, "no .git, .beads or grimoire is above this folder, so it counts as the root of its project")
	}
	for _, problem := range n.project.Problems() {
		n.but = append(n.but, transcript.CleanLine(problem.Error()))
	}
}

// insert is the place of the entry in a text of NOTES.md, and that text with it.
func (n *noting) insert(text []byte) (notes.Insertion, []byte, error) {
	parsed := notes.Parse(text)
	if n.own {
		n.entry.NotesRef = n.continuity(parsed)
	}
	place, err := parsed.Insert(n.entry)
	if err != nil {
		return place, nil, err
	}
	now := place.Apply(text)
	if n.own { // its own lines are among those now; how many they are does not depend on their numbers
		n.entry.NotesRef = n.continuity(notes.Parse(now))
		if place, err = parsed.Insert(n.entry); err != nil {
			return place, nil, err
		}
		now = place.Apply(text)
	}
	return place, now, nil
}

// continuity names the lines of Session Continuity; "" there is none, and a bead cannot name it. One that the entry makes
// is looked up once it is there.
func (n *noting) continuity(parsed *notes.Notes) string {
	file := n.project.NotesName()
	at := parsed.Continuity().Section
	switch {
	case at >= 0:
		return fmt.Sprintf("%s:%d-%d", file, parsed.Sections[at].Line, parsed.Sections[at].Last)
	case n.bead:
		return ""
	}
	return file + ":1"
}

// lacks says what the entry does not have of what the spec requires. Where something is wrong with its evidence already,
// that is enough of it.
func (n *noting) lacks(noEvidence, known bool) []string {
	var wrong []string
	for _, m := range n.entry.Check() {
		if (noEvidence || known) && strings.HasPrefix(m.Field, "evidence") {
			continue
		}
		wrong = append(wrong, m.Field+": "+m.Why)
	}
	if noEvidence && len(n.entry.Evidence) > 0 {
		wrong = append(wrong, "evidence: there is some, so --no-evidence cannot be said.")
	}
	return wrong
}

// refusal says all that is wrong with an entry at once.
func (n *noting) refusal(wrong []string) error {
	f := &out.Failure{Code: out.ExitNo, What: upperFirst(n.noun()) + " is not complete, so nothing was written. Mend what is below.", Facts: wrong}
	if n.entry.Kind == notes.EntryDecision && len(n.entry.Evidence) == 0 {
		f.Hints = append(f.Hints, "--no-evidence   for a decision that no code backs")
	}
	f.Hints = append(f.Hints, "continuo note "+string(n.entry.Kind)+" --help   has what it takes")
	return f
}

// noun is what is written, in words.
func (n *noting) noun() string {
	switch n.entry.Kind {
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

// ledgerOf finds the ledger of a folder, whether there is one or only its place.
func ledgerOf(env *Env, dir string) (ledger.Project, error) {
	project, err := ledger.Find(realPath(dir), env.ledgerEnv())
	if err != nil {
		return project, &out.Failure{What: "The project of " + env.tilde(dir) + " cannot be told: " + out.Reason(err) + ". Name its root with $PROJECT_ROOT.", Cause: err}
	}
	return project, nil
}

// errReadOnly says that nobody is to write to a file.
var errReadOnly = errors.New("read-only")

// isProject reports whether anything says that the root of a project is one.
func isProject(p *ledger.Project) bool {
	there := func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	}
	return p.ConfigFile != "" || there(p.Grimoire) || there(p.Beads) || there(filepath.Join(p.Root, ".git"))
}

// notesFailure says why NOTES.md is left alone.
func notesFailure(env *Env, p *ledger.Project, err error) error {
	if _, ok := errors.AsType[*out.Failure](err); ok {
		return err
	}
	what, do := notesTrouble(env, p, err)
	return &out.Failure{What: what + ", so it is left alone. " + do, Cause: err}
}
