package recovery

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// Names of the parts of level 2.
const (
	partState    = "Session continuity"
	partSections = "Sections"
)

const (
	leftAgain = "again" // a rationale, or another paragraph of a section, which isn't counted
	leftHits  = "hits"  // hits of another search that are outside of NOTES.md
	leftTexts = "paragraphs"
)

// partOf returns the name of the part for a kind of entry.
func partOf(kind string) string {
	switch kind {
	case leftDecisions:
		return "Decisions"
	case leftQuestions:
		return "Open questions"
	case leftIdentifiers:
		return "Identifiers"
	case leftSections:
		return partSections
	case leftBead:
		return "Beads"
	}
	return strings.ToUpper(kind[:1]) + kind[1:]
}

// part returns the index of the part with a name. If there is no such part, it creates the part.
func (t *topic) part(name string) int {
	if i := slices.IndexFunc(t.parts, func(p Part) bool { return p.Name == name }); i >= 0 {
		return i
	}
	t.parts, t.opened = append(t.parts, Part{Name: name, Head: true}), append(t.opened, false)
	return len(t.parts) - 1
}

// collect adds all entries that can be searched, in the order of the parts.
func (t *topic) collect() {
	m := t.m
	t.part(partState)
	add := func(e entry) {
		e.part = t.part(partOf(e.kind))
		t.entries = append(t.entries, e)
	}
	for i := range m.decisions {
		d := &m.decisions[i]
		body := []string{d.Decision, d.Rationale, d.By}
		for k := range d.Evidence {
			body = append(body, d.Evidence[k].Ref.Path, d.Evidence[k].Quote)
		}
		body = append(body, d.Scenarios...)
		add(entry{kind: leftDecisions, index: i, title: d.Title, body: strings.Join(body, " "), when: d.When, line: d.Line, last: d.Last})
	}
	for i := range m.questions {
		q := &m.questions[i]
		add(entry{kind: leftQuestions, index: i, title: q.Text, when: q.Since, line: q.Line, last: q.Line})
	}
	for _, b := range m.beadEntries {
		add(entry{kind: leftBead, title: b.title, body: b.body, when: b.when})
	}
	for i := range m.memories {
		add(entry{kind: leftMemories, index: i, title: m.memories[i].Key + ": " + m.memories[i].Text})
	}
	for _, c := range m.items {
		for i := range c.items {
			add(entry{kind: c.what, index: i, title: c.items[i].Text, line: c.items[i].Line, last: c.items[i].Line})
		}
	}
	for i, p := range m.further {
		add(entry{kind: leftFurther, index: i, title: p.text, line: p.line, last: p.last})
	}
	for i, at := range m.sections {
		s := &m.notes.Sections[at]
		for _, p := range paragraphs(string(m.notes.Text[s.Body:s.Own]), s.Line+1) {
			add(entry{kind: leftSections, index: i, title: p.text, body: s.Title, line: p.line, last: p.last})
		}
	}
	for i := range m.identifiers {
		id := &m.identifiers[i]
		add(entry{kind: leftIdentifiers, index: i, title: id.Ref.Path, body: id.Purpose + " " + id.Quote, line: id.Line, last: id.Line})
	}
}

// collectInstead adds the paragraphs of the sources that are used if NOTES.md is missing.
func (t *topic) collectInstead() {
	n := 0
	for i := range t.m.instead {
		s := &t.m.instead[i]
		for _, p := range paragraphs(s.Text, 1) {
			t.entries = append(t.entries, entry{kind: leftTexts, part: t.part(sourceName(s)), index: i, title: p.text, when: s.When})
			n++
		}
	}
	if n > 0 {
		t.m.totals = append(t.m.totals, Left{leftTexts, n})
	}
}

// pieceOf returns an entry as a piece. For a decision or a bead, why is a second piece with the rationale.
func (t *topic) pieceOf(e *entry) (p, why piece) {
	m := t.m
	switch e.kind {
	case leftDecisions:
		d := &m.decisions[e.index]
		p = decisionPiece(d, "-")
		reason := bare(clean(d.Rationale))
		if text := bare(clean(d.Decision)); text != "" && text != titleOf(d) {
			reason = strings.TrimSpace(text + " " + reason)
		}
		why = piece{Line: Line{Lead: "  ", Text: reason}, kind: leftAgain, part: e.part}
	case leftQuestions:
		q := &m.questions[e.index]
		p = piece{Line: Line{Lead: "- ", Text: clean(q.Text), When: q.Since, Open: true}, kind: e.kind}
	case leftIdentifiers:
		p = identifierPiece(&m.identifiers[e.index])
		m.look(&p, e.index)
		p.Lead = "- "
	case leftSections:
		title := clean(m.notes.Sections[m.sections[e.index]].Title)
		p = piece{Line: Line{Lead: "- ", Text: title + ": " + e.title}, kind: e.kind}
	case leftHits:
		p = piece{Line: Line{Lead: "- ", Text: e.file + "  " + e.body}, kind: e.kind}
	case leftBead:
		p = piece{Line: Line{Lead: "- ", Text: clean(e.title), When: e.when}, kind: e.kind}
		why = piece{Line: Line{Lead: "  ", Text: clean(e.body)}, kind: leftAgain, part: e.part}
	default:
		p = piece{Line: Line{Lead: "- ", Text: clean(e.title)}, kind: e.kind}
	}
	p.part = e.part
	return p, why
}

// listBeads adds the entries of the current bead, and the decisions of all other beads.
func (m *material) listBeads(g *beads.Graph) {
	add := func(b *beads.Bead, text string, d *beads.Decision) {
		e := entry{kind: leftBead, title: b.ID + ": " + text}
		if d != nil {
			e.body, e.when = d.Rationale, d.At
		}
		m.beadEntries = append(m.beadEntries, e)
	}
	if b := m.bead; b != nil {
		for _, list := range [][]string{b.Next, b.Questions, b.Blockers} {
			for _, text := range list {
				add(b, text, nil)
			}
		}
		for i := range b.Decisions {
			add(b, b.Decisions[i].Text, &b.Decisions[i])
		}
	}
	if g == nil {
		return
	}
	for i := range g.Beads {
		b := &g.Beads[i]
		if m.bead != nil && b.ID == m.bead.ID {
			continue
		}
		for k := range b.Decisions {
			add(b, b.Decisions[k].Text, &b.Decisions[k])
		}
	}
}

// countable reports whether the entries in sections of a kind are counted one by one.
func countable(k notes.Kind) bool {
	switch k {
	case notes.KindDecisions, notes.KindQuestions, notes.KindIdentifiers, notes.KindDebt, notes.KindGoals, notes.KindBlockers, notes.KindScenarios:
		return true
	default:
		return false
	}
}
