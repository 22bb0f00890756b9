package dialog

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/screen"
)

// NoteOptions say what is added to which ledger.
type NoteOptions struct {
	Context context.Context // of the program
	// Bead asks which bead of the project is worked on, nil none; it may be nil itself.
	Bead func(ctx context.Context, dir string) *beads.Bead
	Dir  string // of the project
	Kind notes.EntryKind
}

// Note is the form of what is being added to the ledger of a project.
type Note struct {
	base
	opts   NoteOptions
	ctx    context.Context // ends with the form
	cancel context.CancelFunc

	fields  []noteField
	at      int         // under the bar; behind the fields is the bead
	bead    *beads.Bead // that is worked on; nil: none is
	toBead  bool
	leaving bool // the next esc drops what was typed
}

// noteField is one field of it.
type noteField struct {
	name    string
	spec    string // as spec 002 names it
	hint    string // while nothing is typed
	many    bool   // one a line
	choices []string
	chosen  string // of the choices
	line    field.Field
	lines   field.Lines // of one that has many
	wrong   string      // what is wrong with it
}

// beadMsg has the bead that is worked on.
type beadMsg struct{ bead *beads.Bead }

const (
	maxNote   = 2000 // bytes that one line of a note may have
	mostLines = 51   // of a field at most
)

// Intents of the form.
const (
	byField = "note-field"
	turn    = "note-turn"
)

// NewNote is an empty form.
func NewNote(o NoteOptions) *Note {
	d := &Note{opts: o, fields: noteFields(o.Kind)}
	for i := range d.fields {
		n := &d.fields[i]
		n.line, n.lines = field.New(maxNote), field.NewLines(mostLines, maxNote)
	}
	d.ctx, d.cancel = context.WithCancel(o.Context)
	return d
}

// Again is a form that was left, as it was.
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
	if msg, ok := msg.(beadMsg); ok && msg.bead != nil {
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

// Typed implements screen.Typed. What is pasted may have several lines, for a field that takes some.
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

// text is what stands in the field.
func (n *noteField) text() string {
	switch {
	case n.choices != nil:
		return n.chosen
	case n.many:
		return n.lines.Text()
	}
	return n.line.Text()
}

// NoteKinds are the kinds that can be added, in the order of the menu.
func NoteKinds() []notes.EntryKind {
	return []notes.EntryKind{notes.EntryDecision, notes.EntryQuestion, notes.EntryNext, notes.EntryHandoff, notes.EntryScenario}
}

// NoteWords say what a kind is.
func NoteWords(k notes.EntryKind) (key, name, what string) {
	switch k {
	case notes.EntryDecision:
		return "d", "Decision", "what was decided, why, and where the code shows it"
	case notes.EntryQuestion:
		return "o", "Open question", "that nobody has answered yet"
	case notes.EntryNext:
		return "n", "Next step", "what is to be done next"
	case notes.EntryHandoff:
		return "h", "Handoff", "where a session ended"
	case notes.EntryScenario:
	}
	return "t", "Test scenario", "what has to hold before it is done"
}

// noteFields are the fields that a kind needs (spec 002, New Field Specifications).
func noteFields(k notes.EntryKind) []noteField {
	switch k {
	case notes.EntryDecision:
		return []noteField{
			{name: "Decision", spec: "decision", hint: "what was decided"},
			{name: "Rationale", spec: "rationale", hint: "why"},
			{name: "Evidence", spec: "evidence", hint: "src/a.go:12 | the code that is there, word for word", many: true},
			{name: "Scenarios", spec: "test_scenarios", hint: "what has to hold, if anything", many: true},
		}
	case notes.EntryQuestion:
		return []noteField{{name: "Question", spec: "question"}}
	case notes.EntryNext:
		return []noteField{{name: "Next step", spec: "next_step"}}
	case notes.EntryHandoff:
		return []noteField{
			{name: "Session", spec: "session_id", hint: "its id"},
			{name: "Notes", spec: "notes_ref", hint: "NOTES.md:45-67, else its Session Continuity"},
			{name: "Trajectory", spec: "trajectory_ref", hint: "the file and line of its log"},
			{name: "Grounding", spec: "grounding_ratio", hint: "such as 0.97"},
		}
	case notes.EntryScenario:
	}
	return []noteField{
		{name: "Scenario", spec: "name", hint: "its name"},
		{name: "Type", spec: "type", choices: []string{"happy_path", "edge_case", "error_handling"}, chosen: "happy_path"},
		{name: "Expected", spec: "expected", hint: "what is to happen"},
	}
}

// field is that under the bar, nil: it stands on the bead.
func (d *Note) field() *noteField {
	if d.at < len(d.fields) {
		return &d.fields[d.at]
	}
	return nil
}

// last is the last place of the bar.
func (d *Note) last() int {
	if d.bead != nil {
		return len(d.fields)
	}
	return len(d.fields) - 1
}

// isFilled reports whether something was typed.
func (d *Note) isFilled() bool {
	return slices.ContainsFunc(d.fields, func(n noteField) bool { return n.choices == nil && n.text() != "" })
}

// turn goes to another choice of the field under the bar.
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

// onChoice reports whether the bar stands on what is chosen, not typed.
func (d *Note) onChoice() bool {
	n := d.field()
	return n == nil || n.choices != nil
}

// leave closes the form, an error first. What was typed goes only when it is asked for twice.
func (d *Note) leave() []screen.Effect {
	switch {
	case d.f.Wrong:
		return tell("")
	case d.isFilled() && !d.leaving:
		d.leaving = true
		return tell("What you typed is not written yet. esc drops it.")
	}
	return append(tell(""), screen.Pop{})
}

// goOn goes to the next field; on the last one the plan is asked for, when nothing is missing.
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

// entry is what is to be added. What is wrong with it stands at its fields, and then fine is false.
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
		case "decision", "question", "next_step", "name":
			e.Text = text
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
			continue // the plan looks them up, and says what it has not found
		}
		if at := d.named(missing.Field); at.wrong == "" {
			at.wrong = missing.Why
		}
	}
	return e, !slices.ContainsFunc(d.fields, func(n noteField) bool { return n.wrong != "" })
}

// named is the field of a name of the spec, such as evidence[1].quote; else the first one.
func (d *Note) named(field string) *noteField {
	name := field[:len(field)-len(strings.TrimLeft(field, "abcdefghijklmnopqrstuvwxyz_"))]
	for i := range d.fields {
		if d.fields[i].spec == name {
			return &d.fields[i]
		}
	}
	return &d.fields[0]
}

// Planned implements screen.Planner: what the code or the config has against the entry stands at its fields, with the bar on
// the first of them.
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

// linesOf are the lines of a field that say something.
func linesOf(text string) []string {
	var list []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// evidenceOf reads evidence, a line each: path:line, path:line | quote, or with a blank in the place of the bar.
func evidenceOf(text string) (list []notes.Evidence, wrong string) {
	for _, line := range linesOf(text) {
		place, quote, bar := strings.Cut(line, "|")
		if !bar {
			place, quote, _ = strings.Cut(line, " ")
		}
		place = strings.TrimSpace(place)
		ref, ok := ledger.ParseRef(place)
		if (!ok || ref.From == 0 && quote == "") && wrong == "" {
			wrong = "“" + place + "” names no line of a file. Write path:line | quote."
		}
		list = append(list, notes.Evidence{Ref: ref, Quote: strings.Trim(strings.TrimSpace(quote), "`")})
	}
	return list, wrong
}
