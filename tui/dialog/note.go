package dialog

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/screen"
)

// NoteOptions are the options of NewNote.
type NoteOptions struct {
	Context context.Context // ends with the program
	// Bead returns a project's bead in progress, or nil. Bead may be nil.
	Bead func(ctx context.Context, dir string) *beads.Bead
	Dir  string // project
	Kind notes.EntryKind
}

// Note is a form for a new entry in the ledger.
type Note struct {
	base
	opts   NoteOptions
	ctx    context.Context // ends with the form
	cancel context.CancelFunc

	fields  []noteField
	at      int         // index of the selected field; len(fields) is the bead
	bead    *beads.Bead // the bead in progress, or nil
	toBead  bool
	leaving bool // the next esc discards the text
}

// noteField is a field of the form.
type noteField struct {
	name    string
	spec    string // name of the field in spec 002
	hint    string // text that is shown while the field is empty
	many    bool   // each line is an entry
	choices []string
	chosen  string // selected choice
	line    field.Field
	lines   field.Lines // text of a field of several lines
	wrong   string      // the error in the value
}

type beadMsg struct{ bead *beads.Bead }

const (
	maxNote   = 2000 // maximum bytes of a line
	mostLines = 51   // maximum lines of a field
)

// Intents of the form.
const (
	byField = "note-field"
	turn    = "note-turn"
)

// NewNote returns an empty form.
func NewNote(o NoteOptions) *Note {
	d := &Note{opts: o, fields: noteFields(o.Kind)}
	if o.Kind == notes.EntryState || o.Kind == notes.EntryReference {
		d.opts.Bead = nil // entries of this kind can't be comments of a bead
	}
	for i := range d.fields {
		n := &d.fields[i]
		n.line, n.lines = field.New(maxNote), field.NewLines(mostLines, maxNote)
	}
	d.ctx, d.cancel = context.WithCancel(o.Context)
	return d
}

// Again returns a new form with the text of d, which was closed.
func (d *Note) Again() *Note {
	again := *d
	again.ctx, again.cancel = context.WithCancel(d.opts.Context)
	return &again
}

// Open implements screen.Screen.
func (d *Note) Open() []screen.Effect {
	if d.opts.Bead == nil {
		return nil
	}
	ctx, ask, dir := d.ctx, d.opts.Bead, d.opts.Dir
	return []screen.Effect{screen.Cmd(func() tea.Msg { return beadMsg{ask(ctx, dir)} })}
}

// Close implements screen.Screen.
func (d *Note) Close() []screen.Effect {
	d.cancel()
	return nil
}

// Took implements screen.Screen.
func (d *Note) Took(msg tea.Msg) []screen.Effect {
	switch msg, ok := msg.(beadMsg); {
	case !ok || msg.bead == nil:
	case d.opts.Kind == notes.EntryBead: // suggested
		if !d.isFilled() {
			d.fields[0].line.Set(transcript.CleanLine(msg.bead.ID))
			d.fields[1].line.Set(transcript.CleanLine(msg.bead.Title))
		}
	default:
		d.bead = msg.bead
	}
	return nil
}

// Keys implements screen.Screen.
func (d *Note) Keys() []screen.Binding {
	left, right, flip := on(turn, -1, "left"), on(turn, 1, "right"), on(turn, 1, "space")
	left.Gone = !d.onChoice()
	right.Gone, flip.Gone = left.Gone, left.Gone
	return append([]screen.Binding{
		on(enter, 0, "enter"),
		on(byField, -1, "up", "shift+tab", "ctrl+p"), on(byField, 1, "down", "tab", "ctrl+n"),
		left, right, flip, on(closeIt, 0, "esc"),
	}, screen.Common(screen.Quit)...)
}

// Do implements screen.Screen.
func (d *Note) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case enter:
		return d.goOn()
	case byField:
		d.at, d.leaving = min(max(d.at+do.N, 0), d.last()), false
	case turn:
		d.turn(do.N)
	case closeIt:
		return d.leave()
	}
	return nil
}

// Typed implements screen.Typed. A paste into a field of one line loses its line breaks.
func (d *Note) Typed(msg tea.Msg) []screen.Effect {
	n := d.field()
	if n == nil || n.choices != nil {
		return nil
	}
	d.leaving = false
	if n.typed(msg) {
		n.wrong = ""
	}
	return nil
}

func (n *noteField) typed(msg tea.Msg) bool {
	if n.many {
		return n.lines.Type(msg)
	}
	if paste, ok := msg.(tea.PasteMsg); ok {
		paste.Content = strings.TrimRight(paste.Content, "\r\n")
		msg = paste
	}
	return n.line.Type(msg)
}

func (n *noteField) text() string {
	switch {
	case n.choices != nil:
		return n.chosen
	case n.many:
		return n.lines.Text()
	}
	return n.line.Text()
}

// field returns the selected field, or nil on the line of the bead.
func (d *Note) field() *noteField {
	if d.at < len(d.fields) {
		return &d.fields[d.at]
	}
	return nil
}

// last returns the highest value that at can have.
func (d *Note) last() int {
	if d.bead != nil {
		return len(d.fields)
	}
	return len(d.fields) - 1
}

func (d *Note) isFilled() bool {
	return slices.ContainsFunc(d.fields, func(n noteField) bool { return n.choices == nil && n.text() != "" })
}

// turn selects the next or previous choice of the selected field.
func (d *Note) turn(delta int) {
	n := d.field()
	if n == nil {
		d.toBead = !d.toBead
		return
	}
	if all := len(n.choices); all > 0 {
		n.chosen = n.choices[(slices.Index(n.choices, n.chosen)+delta+all)%all]
		n.wrong = ""
	}
}

// onChoice reports whether the selected field has choices, or is the line of the bead.
func (d *Note) onChoice() bool {
	n := d.field()
	return n == nil || n.choices != nil
}

// leave removes an error or closes the form. A form with text is closed by the second call in a row.
func (d *Note) leave() []screen.Effect {
	switch {
	case d.f.Wrong:
		return tell("")
	case d.isFilled() && !d.leaving:
		d.leaving = true
		return tell("Your text is not saved. Press esc again to discard it.")
	}
	return append(tell(""), screen.Pop{})
}

// goOn selects the next field. On the last field, it requests the plan of a valid entry.
func (d *Note) goOn() []screen.Effect {
	d.leaving = false
	if d.at < d.last() {
		d.at++
		return nil
	}
	entry, fine := d.entry(d.f.Now)
	if !fine {
		d.at = slices.IndexFunc(d.fields, func(n noteField) bool { return n.wrong != "" })
		return nil
	}
	return []screen.Effect{screen.Ask{Change: screen.Change{Kind: screen.ChangeNote, Dir: d.opts.Dir, Note: &entry, Bead: entry.Bead != ""}}}
}

// entry returns the entry from the form. If the entry isn't valid, fine is false and the fields have the errors.
func (d *Note) entry(now time.Time) (e notes.Entry, fine bool) {
	e = notes.Entry{Kind: d.opts.Kind, At: now.UTC()}
	if d.toBead && d.bead != nil {
		e.Bead = d.bead.ID
	}
	for i := range d.fields {
		n := &d.fields[i]
		n.wrong = ""
		text := strings.TrimSpace(n.text())
		switch n.spec {
		case "decision", "question", "next_step", "name", "reasoning_state", "current_bead", "purpose":
			e.Text = text
		case "title":
			e.Text = strings.TrimSpace(e.Text + " " + text)
		case "identifier":
			e.Evidence, n.wrong = referenceOf(text)
		case "rationale":
			e.Rationale = text
		case "evidence":
			e.Evidence, n.wrong = evidenceOf(text)
		case "test_scenarios":
			e.Scenarios = linesOf(text)
		case "session_id":
			e.Session = text
		case "notes_ref":
			e.NotesRef = text
		case "trajectory_ref":
			e.Trajectory = text
		case "grounding_ratio":
			e.Ratio = text
		case "type":
			e.Type = text
		case "expected":
			e.Expected = text
		}
	}
	for _, missing := range e.Check() {
		if strings.HasPrefix(missing.Field, "evidence") || missing.Field == "notes_ref" {
			continue // the plan reports missing fields
		}
		if at := d.named(missing.Field); at.wrong == "" {
			at.wrong = missing.Why
		}
	}
	return e, !slices.ContainsFunc(d.fields, func(n noteField) bool { return n.wrong != "" })
}

// named returns the field for a path in spec 002, such as evidence[1].quote. Without a match, it returns the first
// field.
func (d *Note) named(field string) *noteField {
	name := field[:len(field)-len(strings.TrimLeft(field, "abcdefghijklmnopqrstuvwxyz_"))]
	for i := range d.fields {
		if d.fields[i].spec == name {
			return &d.fields[i]
		}
	}
	return &d.fields[0]
}

// Planned implements screen.Planner. It shows the plan's errors at their fields.
func (d *Note) Planned(plan screen.Plan) ([]screen.Effect, bool) {
	if len(plan.Wrong) == 0 {
		return nil, false
	}
	for i := range d.fields {
		d.fields[i].wrong = ""
	}
	for _, w := range plan.Wrong {
		at := d.named(w.Field)
		at.wrong = strings.TrimSpace(at.wrong + " " + w.Why)
	}
	d.at = max(slices.IndexFunc(d.fields, func(n noteField) bool { return n.wrong != "" }), 0)
	return nil, true
}
