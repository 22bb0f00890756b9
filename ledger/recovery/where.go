package recovery

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/notes"
)

const (
	// lastDecisions is the number of decisions in level 1 (spec 002: last 3 decisions only).
	lastDecisions = 3
	// mostItems is the maximum number of further entries in level 1. firstItems of them come before the texts of the
	// decisions.
	mostItems, firstItems         = 5, 2
	mostQuestions, firstQuestions = 3, 1
	mostOld                       = 3
	firstIdentifiers              = 2
	// Half of the budget is for short facts, if it is at least shareLeast runes.
	shareLeast = 120
)

// The parts of level 1.
const (
	partContinuity = iota
	partDecisions
	partItems
	partQuestions
	partOld
	partIdentifiers
)

// The priorities of the pieces of level 1, the highest first.
const (
	whereShort       = iota // the bead, titles of decisions, first items and questions
	whereState              // the newest state
	whereOld                // entries that a higher store contradicts
	whereTexts              // texts of the decisions
	whereIdentifiers        // the first identifiers
	whereFurther            // further items, questions, states, and the checkpoint
)

// where is the state of a recovery of level 1.
type where struct {
	*Result
	m      *material
	b      *budget
	parts  []Part
	pieces []piece
	prio   []int // by piece
	next   int   // index of the entry for the next call of identifiers
}

// recoverWhere returns level 1, the current work. Half of the budget is reserved for short facts, because a long
// state could use it all. Priorities decide which pieces are output, but not their order.
func recoverWhere(r *Result, m *material) {
	w := &where{Result: r, m: m, b: r.budget(m)}
	w.parts = []Part{{Name: "Session continuity"}, {Name: "Decisions"}, {Name: "Next"}, {Name: "Open questions"}, {Name: "Superseded"}, {Name: "Identifiers"}}
	w.continuity()
	w.list(leftDecisions, partDecisions, lastDecisions, lastDecisions)
	w.list(leftItems, partItems, mostItems, firstItems)
	w.list(leftQuestions, partQuestions, mostQuestions, firstQuestions)
	w.old()
	half := w.b.left / 2
	for i := range w.pieces {
		if p := &w.pieces[i]; w.prio[i] == whereShort && half >= shareLeast && w.b.left-p.size() >= half {
			w.b.line(p)
		}
	}
	broken := Left{What: leftBroken}
	for _, prio := range []int{whereState, whereShort, whereOld, whereTexts, whereIdentifiers, whereFurther} {
		if prio == whereIdentifiers {
			w.identifiers(firstIdentifiers, &broken)
			continue
		}
		for i := range w.pieces {
			switch p := &w.pieces[i]; {
			case w.prio[i] != prio:
			case p.kind == "" && prio == whereShort:
				w.b.fact(p)
			case p.kind == "" || prio == whereTexts:
				w.b.paragraph(p)
			default: // the start of a title could mislead
				w.b.line(p)
			}
		}
	}
	w.identifiers(len(m.entries), &broken)
	if m.notes == nil {
		w.texts()
	}
	r.output(w.parts, w.pieces)
	r.countLeft(m, w.pieces, broken)
}

func (w *where) add(prio, part int, p piece) {
	p.part = part
	w.pieces, w.prio = append(w.pieces, p), append(w.prio, prio)
}

// list adds at most most entries of a kind. The first ones have the priority of short facts.
func (w *where) list(kind string, part, most, first int) {
	n := 0
	for i := range w.m.entries {
		e := &w.m.entries[i]
		if e.kind != kind || e.over != 0 || n == most {
			continue
		}
		prio := whereShort
		if n >= first {
			prio = whereFurther
		}
		n++
		p, more := w.m.pieceOf(e, true)
		w.add(prio, part, p)
		if more.Text = e.text; kind == leftDecisions && e.text != "" {
			w.add(whereTexts, part, more)
		}
	}
}

// old adds entries that a higher store contradicts, newest first.
func (w *where) old() {
	var list []*entry
	for i := range w.m.entries {
		if e := &w.m.entries[i]; e.over != 0 {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b *entry) int { return b.when.Compare(a.when) })
	for _, e := range list[:min(len(list), mostOld)] {
		p, _ := w.m.pieceOf(e, true)
		w.add(whereOld, partOld, p)
	}
}

// identifiers outputs up to most of the next identifiers whose code exists. It adds the broken ones to broken.
func (w *where) identifiers(most int, broken *Left) {
	for ; w.next < len(w.m.entries) && most > 0; w.next++ {
		e := &w.m.entries[w.next]
		if e.kind != leftIdentifiers {
			continue
		}
		p, _ := w.m.pieceOf(e, true)
		p.part = partIdentifiers
		if !w.b.fits(&p) { // a line that doesn't fit needs no check
			continue
		}
		if !w.m.look(&p, e) {
			broken.N++
			if slices.Contains(e.marks, handover.MarkNotes) {
				broken.InNotes++
			}
			continue
		}
		w.b.line(&p)
		w.add(whereIdentifiers, partIdentifiers, p)
		most--
	}
}

// states adds the newest state. further has the newest state of each other kind of store. text is the text of all of
// them.
func (w *where) states() (text string, further []piece) {
	seen := map[handover.Mark]bool{}
	for i := range w.m.entries {
		e := &w.m.entries[i]
		if e.kind != leftStates || seen[e.marks[0]] {
			continue
		}
		seen[e.marks[0]] = true
		text += "\n" + e.title
		if p := (piece{Line: Line{Text: e.lead + e.title, Marks: e.marks}, from: e.from}); len(seen) == 1 {
			w.add(whereState, partContinuity, p)
		} else {
			further = append(further, p)
		}
	}
	return text, further
}

// continuity adds the states, the bead and further paragraphs. Without a state, it uses the first section with text.
func (w *where) continuity() {
	m, c := w.m, &w.m.continuity
	inNotes := func(text string) piece {
		return piece{Line: Line{Text: text, Marks: []handover.Mark{handover.MarkNotes}}, from: []string{m.file}}
	}
	state, further := w.states()
	if text := m.beadText(); text != "" {
		p := inNotes("Bead: " + text)
		if m.bead != nil {
			p = piece{Line: Line{Text: "Bead: " + text, Marks: []handover.Mark{handover.MarkBead}}, from: []string{"bead " + clean(m.bead.ID)}}
			if c.Bead == m.bead.ID {
				p.Marks, p.from = append(p.Marks, handover.MarkNotes), append(p.from, m.file)
			}
		}
		w.add(whereShort, partContinuity, p)
	}
	if m.task.Text != "" {
		w.add(whereShort, partContinuity, m.task)
	}
	for _, p := range further {
		w.add(whereFurther, partContinuity, p)
	}
	if text := m.checkpointText(); text != "" {
		w.add(whereFurther, partContinuity, inNotes("Last checkpoint: "+text))
	}
	if first := clean(c.First); first != "" && !strings.Contains(state, first) {
		w.add(whereFurther, partContinuity, inNotes(first))
	}
	if m.notes == nil || c.State != "" || c.First != "" {
		return
	}
	if c.Section < 0 {
		w.Notes = append(w.Notes, m.file+" has no Session Continuity.")
	} else {
		w.Notes = append(w.Notes, "The Session Continuity of "+m.file+" is not filled in.")
	}
	hasItems := slices.ContainsFunc(m.entries, func(e entry) bool { return e.kind == leftItems && e.over == 0 })
	if i := m.firstSection(); state == "" && !hasItems && i >= 0 {
		s := &m.notes.Sections[i]
		w.add(whereState, partContinuity, inNotes(clean(s.Title)+": "+firstParagraph(string(m.notes.Text[s.Body:s.Own]))))
	}
}

// firstSection returns the index of the first section that has text; -1 if there is none.
func (m *material) firstSection() int {
	for _, i := range m.sections {
		if s := &m.notes.Sections[i]; !isPreface(s) && firstParagraph(string(m.notes.Text[s.Body:s.Own])) != "" {
			return i
		}
	}
	return -1
}

// firstParagraph returns the first paragraph of a text as one line.
func firstParagraph(text string) string {
	for _, p := range paragraphs(text, 0) {
		if !notes.SaysNothing(p.text) {
			return p.text
		}
	}
	return ""
}
