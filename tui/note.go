package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/tui/render"
)

// noteForm is what is being added to the ledger of a project.
type noteForm struct {
	dir    string
	kind   notes.EntryKind
	cancel context.CancelFunc // of the question for the bead
	gen    int                // of it

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
	text    string
	wrong   string // what is wrong with it
}

// maxNote is what one line of a note may have, in bytes.
const maxNote = 2000

// noteKinds are the kinds that can be added, in the order of the menu.
func noteKinds() []notes.EntryKind {
	return []notes.EntryKind{notes.EntryDecision, notes.EntryQuestion, notes.EntryNext, notes.EntryHandoff, notes.EntryScenario}
}

// noteWords say what a kind is.
func noteWords(k notes.EntryKind) (key, name, what string) {
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
		{name: "Type", spec: "type", choices: []string{"happy_path", "edge_case", "error_handling"}, text: "happy_path"},
		{name: "Expected", spec: "expected", hint: "what is to happen"},
	}
}

// noteDialog lets one add something to the ledger of a project.
func (m *model) noteDialog(dir string) tea.Cmd {
	if m.Changes == nil {
		return nil
	}
	mn := &menu{title: "Note", about: render.Base(dir), verb: "write", note: "Nothing is written before you have seen the plan."}
	for _, k := range noteKinds() {
		key, name, what := noteWords(k)
		mn.items = append(mn.items, offer{key: key, name: name, note: what, do: func(m *model) tea.Cmd { return m.openNote(dir, k) }})
	}
	return m.openMenu(mn)
}

// openNote shows the form of a kind.
func (m *model) openNote(dir string, kind notes.EntryKind) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	m.noteGen++
	m.panel = panel{kind: notePanel, note: &noteForm{dir: dir, kind: kind, cancel: cancel, gen: m.noteGen, fields: noteFields(kind)}}
	m.status = status{}
	if m.Ledgers == nil {
		return nil
	}
	return askBead(ctx, m.Ledgers, dir, m.noteGen)
}

// noteAnswered takes the message of a note in.
func (m *model) noteAnswered(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(notedMsg); ok {
		if f := m.panel.base().note; f != nil && f.gen == msg.gen {
			f.bead = msg.bead
		}
	}
	return nil
}

// field is that under the bar, nil: it stands on the bead.
func (f *noteForm) field() *noteField {
	if f.at < len(f.fields) {
		return &f.fields[f.at]
	}
	return nil
}

// last is the last place of the bar.
func (f *noteForm) last() int {
	if f.bead != nil {
		return len(f.fields)
	}
	return len(f.fields) - 1
}

// isFilled reports whether something was typed.
func (f *noteForm) isFilled() bool {
	return slices.ContainsFunc(f.fields, func(n noteField) bool { return n.choices == nil && n.text != "" })
}

// byField moves the bar.
func byField(delta int) intent {
	return func(m *model) tea.Cmd {
		f := m.panel.note
		f.at, f.leaving = min(max(f.at+delta, 0), f.last()), false
		return nil
	}
}

// turnField goes to another choice of the field under the bar.
func turnField(delta int) intent {
	return func(m *model) tea.Cmd {
		f := m.panel.note
		n := f.field()
		if n == nil {
			f.toBead = !f.toBead
			return nil
		}
		if all := len(n.choices); all > 0 {
			n.text = n.choices[(slices.Index(n.choices, n.text)+delta+all)%all]
			n.wrong = ""
		}
		return nil
	}
}

func (m *model) flipField() tea.Cmd { return turnField(1)(m) }

// onChoice reports whether the bar stands on what is chosen, not typed.
func (m *model) onChoice() bool {
	n := m.panel.note.field()
	return n == nil || n.choices != nil
}

// typeNote changes the last line of the field under the bar.
func (m *model) typeNote(change func(string) string) {
	f := m.panel.note
	f.leaving = false
	n := f.field()
	if n == nil || n.choices != nil {
		return
	}
	above, line := "", n.text
	if i := strings.LastIndexByte(n.text, '\n'); i >= 0 {
		above, line = n.text[:i+1], n.text[i+1:]
	}
	next := change(line)
	if next == line && next == "" { // what is erased is the line itself
		above = strings.TrimSuffix(above, "\n")
	}
	n.text, n.wrong = above+next, ""
}

// noteTyped puts a text into the field under the bar: what is pasted may have several lines, for a field that takes some.
func (m *model) noteTyped(text string) {
	n := m.panel.note.field()
	for i, line := range strings.Split(strings.TrimRight(text, "\r\n"), "\n") {
		if i > 0 && n != nil && n.many {
			m.anotherLine()
		} else if i > 0 {
			line = " " + line
		}
		if line = strings.TrimSuffix(line, "\r"); line != "" {
			m.typeNote(func(old string) string { return typedInto(old, line, maxNote) })
		}
	}
}

// mostLines are those of a field at most.
const mostLines = 50

// anotherLine begins another line in a field that has one for each of several.
func (m *model) anotherLine() tea.Cmd {
	if n := m.panel.note.field(); n != nil && n.many && n.text != "" && !strings.HasSuffix(n.text, "\n") && strings.Count(n.text, "\n") < mostLines {
		n.text += "\n"
	}
	return nil
}

// leaveNote closes the form. What was typed goes only when it is asked for twice.
func (m *model) leaveNote() tea.Cmd {
	f := m.panel.note
	if m.dropError() {
		return nil
	}
	if f.isFilled() && !f.leaving {
		f.leaving = true
		m.status.say("What you typed is not written yet. esc drops it.")
		return nil
	}
	return m.closePanel()
}

// noteOn goes to the next field; on the last one the plan is asked for, when nothing is missing.
func (m *model) noteOn() tea.Cmd {
	f := m.panel.note
	if f.at < f.last() {
		return byField(1)(m)
	}
	f.leaving = false
	entry, fine := f.entry(m.now)
	if !fine {
		f.at = slices.IndexFunc(f.fields, func(n noteField) bool { return n.wrong != "" })
		return nil
	}
	return m.change(Change{Kind: ChangeNote, Dir: f.dir, Note: &entry, Bead: entry.Bead != ""})
}

// entry is what is to be added. What is wrong with it stands at its fields, and then fine is false.
func (f *noteForm) entry(now time.Time) (e notes.Entry, fine bool) {
	e = notes.Entry{Kind: f.kind, At: now.UTC()}
	if f.toBead && f.bead != nil {
		e.Bead = f.bead.ID
	}
	for i := range f.fields {
		n := &f.fields[i]
		n.wrong = ""
		text := strings.TrimSpace(n.text)
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
		if at := f.named(missing.Field); at.wrong == "" {
			at.wrong = missing.Why
		}
	}
	return e, !slices.ContainsFunc(f.fields, func(n noteField) bool { return n.wrong != "" })
}

// named is the field of a name of the spec, such as evidence[1].quote; else the first one.
func (f *noteForm) named(field string) *noteField {
	name := field[:len(field)-len(strings.TrimLeft(field, "abcdefghijklmnopqrstuvwxyz_"))]
	for i := range f.fields {
		if f.fields[i].spec == name {
			return &f.fields[i]
		}
	}
	return &f.fields[0]
}

// refused puts what the code or the config has against the entry at its fields, and the bar on the first of them.
func (f *noteForm) refused(wrong []Wrong) {
	for i := range f.fields {
		f.fields[i].wrong = ""
	}
	for _, w := range wrong {
		at := f.named(w.Field)
		at.wrong = strings.TrimSpace(at.wrong + " " + w.Why)
	}
	f.at = max(slices.IndexFunc(f.fields, func(n noteField) bool { return n.wrong != "" }), 0)
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
