package recovery

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger/notes"
)

const (
	// lastDecisions is how many decisions level 1 has (spec 002: last 3 decisions only).
	lastDecisions = 3
	// lastGoals is how many sub-goals are used if the session continuity is missing.
	lastGoals = 3
	// shareLeast is the minimum size, in runes, of that half of the budget which is reserved for short facts. If the
	// half would be smaller, the budget isn't split.
	shareLeast = 120
)

// The parts of level 1.
const (
	partContinuity = iota
	partDecisions
	partIdentifiers
)

// recoverWhere returns level 1, which is the current work. Up to half of the budget is reserved for short facts:
// the bead, the checkpoint and the last decisions. Otherwise, a long state could leave no room for them. If the
// budget is small, nothing is reserved. The order of the output stays the same, and identifiers come last.
func recoverWhere(r *Result, m *material) {
	parts := []Part{{Name: "Session continuity"}, {Name: "Decisions"}, {Name: "Identifiers"}}
	pieces, facts := m.continuityPieces(r)
	for i := range m.decisions[:min(len(m.decisions), lastDecisions)] {
		p := decisionPiece(&m.decisions[i], "Decision")
		p.part = partDecisions
		facts = append(facts, len(pieces))
		pieces = append(pieces, p)
	}
	named := len(pieces)
	for i := range m.identifiers {
		p := identifierPiece(&m.identifiers[i])
		p.part = partIdentifiers
		pieces = append(pieces, p)
	}
	b := newBudget(r.Budget)
	half := b.left / 2
	for _, i := range facts {
		if p := &pieces[i]; half >= shareLeast && b.left-p.size() >= half {
			b.line(p)
		}
	}
	for i := range pieces[:named] {
		switch p := &pieces[i]; {
		case slices.Contains(facts, i) && p.kind == "":
			b.fact(p)
		case p.kind == "":
			b.paragraph(p)
		default: // a part of a title would be misleading
			b.line(p)
		}
	}
	for i := named; i < len(pieces); i++ {
		if p := &pieces[i]; b.fits(p) { // otherwise, the piece doesn't fit together with its problem either
			m.look(p, i-named)
			b.line(p)
		}
	}
	r.lay(parts, pieces)
	r.leave(m, pieces)
	r.from(m)
}

// continuityPieces returns the pieces of the session continuity in the order of level 1. facts has the indexes of
// those that are short facts. If the session continuity is missing, the sub-goals replace it, or else the first
// section that has text.
func (m *material) continuityPieces(r *Result) (pieces []piece, facts []int) {
	add := func(label, text string, fact bool) {
		if text == "" {
			return
		}
		if fact {
			facts = append(facts, len(pieces))
		}
		pieces = append(pieces, piece{Line: Line{Text: label + text}})
	}
	state, first := clean(m.continuity.State), clean(m.continuity.First)
	add("Reasoning state: ", state, false)
	add("Bead: ", m.beadText(), true)
	add("Last checkpoint: ", m.checkpointText(), true)
	if !strings.Contains(state, first) {
		add("", first, false)
	}
	if state != "" || first != "" || m.notes == nil {
		return pieces, facts
	}
	if m.continuity.Section < 0 {
		r.Notes = append(r.Notes, m.file+" has no Session Continuity.")
	} else {
		r.Notes = append(r.Notes, "The Session Continuity of "+m.file+" is not filled in.")
	}
	goals := m.itemsOf(notes.KindGoals)
	for i := range goals[:min(len(goals), lastGoals)] {
		pieces = append(pieces, piece{Line: Line{Text: "Sub-goal: " + clean(goals[i].Text)}, kind: leftGoals})
	}
	if i := m.firstSection(); len(goals) == 0 && i >= 0 {
		s := &m.notes.Sections[i]
		add(clean(s.Title)+": ", firstParagraph(string(m.notes.Text[s.Body:s.Own])), false)
	}
	return pieces, facts
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

// itemsOf returns the open entries of a kind.
func (m *material) itemsOf(kind notes.Kind) []notes.Item {
	for _, c := range m.items {
		if c.kind == kind {
			return c.items
		}
	}
	return nil
}

// from adds NOTES.md and the bead to the sources of a result if the result has text from them.
func (r *Result) from(m *material) {
	if m.notes != nil && r.Text != "" {
		r.From = append(r.From, m.file)
	}
	if m.bead != nil && strings.Contains(r.Text, clean(m.bead.ID)) {
		r.From = append(r.From, "bead "+clean(m.bead.ID))
	}
}
