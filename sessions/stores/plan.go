package stores

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/transcript/export"
)

// Report describes a handover. It is the Report of the change that Plan returns.
type Report struct{ Writes []Write }

// Write describes what is written to a store.
type Write struct {
	Store   Name
	File    string // as shown
	Path    string
	New     bool     // the file is created
	Same    bool     // the file already has everything
	Before  []byte   // text of the file; nil for a trajectory
	After   []byte   // new text of the file; for a trajectory, the new line
	Lost    []string // what the store can't keep; see handover.Lost
	Problem error    // why active-context.md isn't changed
	Handoff notes.Insertion
}

// ErrTooLarge is returned for a NOTES.md of more than journal.MaxBefore bytes, because the journal keeps the whole
// text.
var ErrTooLarge = errors.New("larger than 1 MB, the limit of undo")

// Error is the error of a store.
type Error struct {
	Store Name
	Err   error
}

// Error implements error.
func (e *Error) Error() string { return string(e.Store) + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Plan plans to write a handover into stores of a project. The error is an *Error with that of Memory.PlanDocument,
// ledger.ReadText or notes.WriteHandover, or with ErrTooLarge.
func Plan(ctx context.Context, p *Place, v *handover.Handover, which []Name) (change.Change, error) {
	w := &writer{place: p, v: v, which: which, c: change.Change{Kind: string(journal.Handover), Where: []string{p.Project.Root}}}
	if p.Memory != "" {
		w.c.Where = append(w.c.Where, p.Memory)
	}
	var r Report
	var files []string
	for _, k := range kinds() {
		if !slices.Contains(which, k.name) {
			continue
		}
		is, err := k.plan(w, ctx)
		if err != nil {
			return change.Change{}, &Error{k.name, err}
		}
		is.Store, is.File = k.name, k.file
		r.Writes = append(r.Writes, is)
		if !is.Same && is.Problem == nil {
			files = append(files, k.file)
		}
	}
	w.c.What, w.c.Report = "Handed over to "+words.AndList(files), r
	return w.c, nil
}

// writer collects the ops of a handover.
type writer struct {
	place *Place
	v     *handover.Handover
	which []Name
	c     change.Change

	memory []change.Op // nil until memoryOps is called
	saved  backup.SavedDocument
}

// memoryOps plans active-context.md with the document that it names.
func (w *writer) memoryOps() error {
	if w.memory != nil {
		return nil
	}
	m, err := backup.OpenMemory(w.place.Memory)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }() // nothing was written
	r := backup.DocumentRequest{At: w.place.At, Previous: m.NewestDocument(w.place.At), To: w.place.To}
	if slices.Contains(w.which, Context) {
		r.Note = document.HandoverNote(w.v)
	}
	if slices.Contains(w.which, Document) {
		known := w.place.Known
		known.Previous = r.Previous
		r.Text = document.ComposeHandover(w.v, &known)
	}
	c, saved, err := m.PlanDocument(r)
	w.memory, w.saved = c.Ops, saved
	return err
}

// context adds the ops of active-context.md that come before the document.
func (w *writer) context(context.Context) (Write, error) {
	if err := w.memoryOps(); err != nil {
		return Write{}, err
	}
	is := Write{Path: filepath.Join(w.place.Memory, ".claude", "memory", "active-context.md"), New: w.saved.Fresh, Same: true, Problem: w.saved.Problem}
	for i := range w.memory {
		if o := &w.memory[i]; o.Path() == w.saved.Context {
			if is.Same {
				is.Before = o.Before
			}
			is.After, is.Same = o.Text, false
		}
	}
	for len(w.memory) > 0 && w.memory[0].Path() != w.saved.Path {
		w.c.Ops, w.memory = append(w.c.Ops, w.memory[0]), w.memory[1:]
	}
	return is, w.lost(&is, document.KindActiveContext)
}

// document adds the document, and the op that adds its name to active-context.md.
func (w *writer) document(context.Context) (Write, error) {
	if err := w.memoryOps(); err != nil {
		return Write{}, err
	}
	is := Write{Path: w.saved.Path, New: true, After: w.memory[0].Text}
	w.c.Ops = append(w.c.Ops, w.memory...)
	return is, w.lost(&is, document.KindSession)
}

// lost reads a document back.
func (w *writer) lost(is *Write, kind document.Kind) error {
	if is.After == nil {
		return nil
	}
	back, err := document.ReadWhole(bytes.NewReader(is.After), kind)
	if err != nil {
		return fmt.Errorf("document %s: %w", is.Path, err)
	}
	is.Lost = handover.Lost(w.v, back.Handover(w.place.At.Location()))
	return nil
}

// notes adds the op that writes NOTES.md, with the bead in progress.
func (w *writer) notes(ctx context.Context) (Write, error) {
	p := &w.place.Project
	was, _, err := ledger.ReadText(ctx, p.Root, p.Notes, ledger.MaxNotes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Write{}, err
	}
	if len(was) > journal.MaxBefore {
		return Write{}, fmt.Errorf("write %s: %w", p.Notes, ErrTooLarge)
	}
	v := *w.v
	v.Items = slices.DeleteFunc(slices.Clone(v.Items), func(i handover.Item) bool {
		return slices.Contains(i.Marks, handover.MarkBead) && i.Status != handover.InProgress
	})
	left := handover.Without(&v, notes.Parse(was).Handover())
	left.Items = inProgressFirst(&v, left.Items)
	exists, done, err := p.IsFile(ctx)
	if err != nil {
		return Write{}, err
	}
	defer done()
	root(p.Root, exists, left)
	now, err := notes.WriteHandover(was, withBead(left))
	if err != nil {
		return Write{}, err
	}
	var handoff notes.Insertion
	if w.place.Handoff != nil {
		if handoff, err = handOff(p, now, *w.place.Handoff, exists); err != nil {
			return Write{}, err
		}
		now = handoff.Apply(now)
	}
	is := Write{Path: p.Notes, Handoff: handoff, New: was == nil, Same: bytes.Equal(was, now), Before: was, After: now, Lost: handover.Lost(left, notes.Parse(now).Handover())}
	if is.Same {
		return is, nil
	}
	o, err := ledger.ReplaceOp(p.Root, p.Notes, was, now)
	o.Loose = true // other lines may have changed
	w.c.Ops = append(w.c.Ops, o)
	return is, err
}

// handOff returns the insertion of an entry about the end of the session. An entry without a reference to NOTES.md
// gets one to the Session Continuity.
func handOff(p *ledger.Project, text []byte, e notes.Entry, exists func(path string) bool) (notes.Insertion, error) {
	n := notes.Parse(text)
	own := e.NotesRef == ""
	if own {
		e.NotesRef = ContinuityRef(p, n).String()
	}
	at, err := n.Insert(e)
	if err == nil && own {
		// The entry moves the lines of the Session Continuity. Only its number of lines matters, not its text.
		e.NotesRef = ContinuityRef(p, notes.Parse(at.Apply(text))).String()
		at, err = n.Insert(e)
	}
	at, _ = n.Rooted(at, p.Root, exists)
	return at, err
}

// ContinuityRef returns a reference to the Session Continuity in NOTES.md, or to line 1 without one.
func ContinuityRef(p *ledger.Project, n *notes.Notes) ledger.Ref {
	ref := ledger.Ref{Path: p.NotesName(), From: 1, To: 1, Form: ledger.FormRooted}
	if filepath.IsAbs(ref.Path) {
		ref.Form = ledger.FormHard // written as it is
	}
	if at := n.Continuity().Section; at >= 0 {
		ref.From, ref.To = n.Sections[at].Line, n.Sections[at].Last
	}
	return ref
}

// inProgressFirst inserts the current bead at the start of items if it is missing. The current bead is the first item
// of v that is in progress and has an ID. NOTES.md may list it as a sub-goal.
func inProgressFirst(v *handover.Handover, items []handover.Item) []handover.Item {
	i := slices.IndexFunc(v.Items, func(i handover.Item) bool { return i.Status == handover.InProgress && i.ID != "" })
	if i < 0 || slices.ContainsFunc(items, func(o handover.Item) bool { return o.ID == v.Items[i].ID && o.Title == v.Items[i].Title }) {
		return items
	}
	return slices.Insert(slices.Clone(items), 0, v.Items[i])
}

// withBead returns the handover for NOTES.md, where the first item in progress is the current bead. An item without
// an ID isn't a bead, so it becomes open.
func withBead(v *handover.Handover) *handover.Handover {
	is := *v
	is.Items = slices.Clone(v.Items)
	for i := range is.Items {
		if item := &is.Items[i]; item.ID == "" && item.Status == handover.InProgress {
			item.Status = handover.Open
		}
	}
	return &is
}

// root rewrites the identifiers in a handover's texts as in spec 002, such as ${PROJECT_ROOT}/src/a.go:12.
func root(dir string, exists func(path string) bool, v *handover.Handover) {
	none := notes.Parse(nil)
	fix := func(text *string) {
		rooted, _ := none.Rooted(notes.Insertion{Text: []byte(*text)}, dir, exists)
		*text = string(rooted.Text)
	}
	v.Items, v.Decisions, v.Questions = slices.Clone(v.Items), slices.Clone(v.Decisions), slices.Clone(v.Questions)
	fix(&v.State)
	for i := range v.Items {
		fix(&v.Items[i].Title)
	}
	for i := range v.Decisions {
		fix(&v.Decisions[i].Title)
		fix(&v.Decisions[i].Text)
		fix(&v.Decisions[i].Why)
	}
	for i := range v.Questions {
		fix(&v.Questions[i].Text)
	}
}

// snapshot adds the op that merges the tasks into session-protocol.json.
func (w *writer) snapshot(ctx context.Context) (Write, error) {
	c, err := snapshot.Save(ctx, &snapshot.Request{Dir: w.place.Project.Root, At: w.place.At, Handover: w.v, Mask: export.NewRedactor(w.place.Home)})
	saved, ok := c.Report.(*snapshot.Saved)
	if err != nil || !ok {
		return Write{}, err
	}
	w.c.Ops = append(w.c.Ops, c.Ops...)
	last := &c.Ops[len(c.Ops)-1]
	back := saved.Snapshot.Handover()
	return Write{Path: saved.Path, New: saved.New, Before: last.Before, After: last.Text, Lost: handover.Lost(w.v, back)}, nil
}

// trajectory adds the op that appends a record to the log of an agent.
func (w *writer) trajectory(ctx context.Context) (Write, error) {
	p := &w.place.Project
	agent, path := agentLog(w.place)
	if path == "" {
		return Write{}, fmt.Errorf("append to %s: %w", p.Trajectory, errNoLog)
	}
	v := *w.v
	if v.Agent == "" {
		v.Agent = agent
	}
	var text []byte
	if g := w.place.Gate; g != nil && g.Record != nil {
		line, err := trajectory.Line(g.Record)
		if err != nil {
			return Write{}, fmt.Errorf("append to %s: %w", path, err)
		}
		text = append(slices.Clone(line), '\n')
	}
	line, err := trajectory.Line(trajectory.HandoffOf(&v))
	if err != nil {
		return Write{}, fmt.Errorf("append to %s: %w", path, err)
	}
	was, _, err := ledger.ReadText(ctx, p.Root, path, ledger.MaxNotes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Write{}, err
	}
	text = append(append(text, line...), '\n')
	if len(was) > 0 && was[len(was)-1] != '\n' {
		text = append([]byte{'\n'}, text...)
	}
	o, err := ledger.InsertOp(p.Root, path, was, len(was), text)
	w.c.Ops = append(w.c.Ops, o)
	back, _ := trajectory.ReadLine(line).Handover()
	return Write{Path: path, New: was == nil, After: text, Lost: handover.Lost(&v, back)}, err
}

var errNoLog = errors.New("the agent log has no entry today")
