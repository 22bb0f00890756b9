package recovery

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// Names of the parts of level 2.
const (
	partState      = "Session continuity"
	partSections   = "Sections"
	partSuperseded = "Superseded"
)

const (
	leftAgain = "again" // a reason, or a further paragraph of a section; not counted
	leftHits  = "hits"  // hits of another search outside of NOTES.md
	leftTexts = "paragraphs"
)

// partOf returns the name of the part to which an entry belongs.
func partOf(e *entry) string {
	switch {
	case e.over != 0:
		return partSuperseded
	case e.kind == leftQuestions:
		return "Open questions"
	}
	return strings.ToUpper(e.kind[:1]) + e.kind[1:]
}

// part returns the index of the part with a name. It adds a missing part.
func (t *topic) part(name string) int {
	if i := slices.IndexFunc(t.parts, func(p Part) bool { return p.Name == name }); i >= 0 {
		return i
	}
	t.parts, t.opened = append(t.parts, Part{Name: name, Head: true}), append(t.opened, false)
	return len(t.parts) - 1
}

// collect adds all entries that a query can match, in the order of the parts.
func (t *topic) collect() {
	m := t.m
	t.part(partState)
	add := func(e entry) {
		e.part = t.part(partOf(&e))
		t.entries = append(t.entries, e)
	}
	for _, last := range []bool{false, true} { // older states come last
		for i := range m.entries {
			if e := m.entries[i]; (e.kind == leftIdentifiers || e.kind == leftStates || e.over != 0) == last && (e.kind != leftStates || i > 0) {
				add(e)
			}
		}
		if last {
			break
		}
		for i, at := range m.sections {
			s := &m.notes.Sections[at]
			for _, p := range paragraphs(string(m.notes.Text[s.Body:s.Own]), s.Line+1) {
				add(entry{kind: leftSections, index: i, title: p.text, body: s.Title, line: p.line, last: p.last, marks: []handover.Mark{handover.MarkNotes}, from: []string{m.file}})
			}
		}
	}
	n := 0
	for i := range m.texts {
		for _, e := range m.paragraphsOf(i) {
			e.part = t.part(sourceName(&m.texts[i]))
			t.entries = append(t.entries, e)
			n++
		}
	}
	if n > 0 {
		m.totals = append(m.totals, Left{What: leftTexts, N: n})
	}
}

// paragraphsOf returns the paragraphs of a text. For a document, it skips the paragraphs that its handover has.
func (m *material) paragraphsOf(i int) []entry {
	s := &m.texts[i]
	known := wordsIn(s.held)
	var list []entry
	for _, p := range paragraphs(s.Text, 1) {
		e := entry{kind: leftTexts, index: i, title: p.text, when: s.When, from: []string{s.Kind + " " + clean(s.Name)}}
		if s.held != nil {
			e.marks = []handover.Mark{s.held.Mark}
		}
		isNew := len(known) == 0
		eachWord(p.text, func(stem []byte, _, _ int) { isNew = isNew || !known[string(stem)] })
		if isNew {
			list = append(list, e)
		}
	}
	return list
}

// wordsIn returns the stems of the words in the handover of a document, and of the labels in the document.
func wordsIn(h *handover.Held) map[string]bool {
	if h == nil {
		return nil
	}
	known := map[string]bool{}
	add := func(texts ...string) {
		for _, text := range texts {
			eachWord(text, func(stem []byte, _, _ int) { known[string(stem)] = true })
		}
	}
	add("Current State Task Next Steps Remaining Todos High Medium Low Blocked In Progress Accomplishments Completed Key Decisions Patterns Clarifications Blockers Files Why When Evidence None Session 1 2 3 4 5 6 7 8 9 10")
	add(h.State, h.Resume, h.Git.Branch, h.Git.Commit)
	add(h.Done...)
	for i := range h.Items {
		add(h.Items[i].Title, h.Items[i].ID)
	}
	for i := range h.Decisions {
		d := &h.Decisions[i]
		add(d.Title, d.Text, d.Why, d.When.UTC().Format(time.RFC3339))
		for _, v := range d.Evidence {
			add(v.Ref.String(), v.Quote)
		}
		add(d.Alternatives...)
	}
	for _, q := range h.Questions {
		add(q.Text)
	}
	for i := range h.Refs {
		add(h.Refs[i].Ref.String(), h.Refs[i].Purpose)
	}
	return known
}

// pieceOf returns the piece of an entry. more is a second piece with the text and the reason of a decision. labelled
// means that the piece needs a label.
func (m *material) pieceOf(e *entry, labelled bool) (p, more piece) {
	p = piece{Line: Line{Lead: "- ", Text: clean(e.title), When: e.when, Marks: e.marks}, kind: e.kind, from: e.from}
	if labelled {
		p.Lead = e.lead
	}
	more = piece{Line: Line{Lead: "  ", Text: sentence(e.text, e.why), Marks: e.marks}, kind: leftAgain, from: e.from}
	switch e.kind {
	case leftDecisions:
		if day := e.when.Format(time.DateOnly) + ": "; labelled && e.when.IsZero() {
			p.Lead = "Decision: "
		} else if labelled {
			p.Lead = "Decision " + day
		} else if !e.when.IsZero() {
			p.Lead += day
		}
	case leftQuestions:
		if p.Open = true; labelled {
			p.Lead = "Question: "
		}
	case leftIdentifiers:
		p.Ref, p.When, more.Text = e.ref, time.Time{}, ""
		if e.text != "" {
			p.Text += "  " + e.text
		}
	case leftSections:
		p.Text = clean(m.notes.Sections[m.sections[e.index]].Title) + ": " + p.Text
	case leftHits:
		p.Text = e.file + "  " + e.body
	default:
		p.When = time.Time{}
	}
	if e.over != 0 {
		p, more = m.oldPiece(p, e), piece{}
		if labelled {
			p.Lead = "Superseded: "
		}
	}
	p.part, more.part = e.part, e.part
	return p, more
}

// sentence joins the text and the reason of a decision.
func sentence(text, why string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case text == "" || why == "":
		return text + why
	case isStop(last):
		return text + " " + why
	}
	return text + ". " + why
}

// oldPiece returns the piece of a superseded entry.
func (m *material) oldPiece(p piece, e *entry) piece {
	who := "the " + e.over.Name()
	if e.over == handover.MarkNotes {
		who = m.file
	}
	p.Lead, p.Old, p.When = "- ", true, time.Time{}
	switch {
	case e.kind == leftItems:
		p.Text += " (" + who + " says " + e.text + ")"
	case e.text != "":
		p.Text += ": " + e.text + " (" + who + " decides otherwise)"
	default:
		p.Text += " (" + who + " decides otherwise)"
	}
	return p
}

// countable reports whether each entry in a section of a kind is counted.
func countable(k notes.Kind) bool {
	switch k {
	case notes.KindDecisions, notes.KindQuestions, notes.KindIdentifiers, notes.KindDebt, notes.KindGoals, notes.KindBlockers, notes.KindScenarios:
		return true
	default:
		return false
	}
}
