package recovery

import (
	"fmt"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/transcript"
)

// The names under which entries are counted if they are left out.
const (
	leftDecisions   = "decisions"
	leftQuestions   = "questions"
	leftIdentifiers = "identifiers"
	leftBead        = "bead notes"
	leftMemories    = "memories" // of bd remember
	leftSections    = "sections"
	leftFurther     = "continuity notes"
	leftGoals       = "sub-goals"
	leftLines       = "lines"
)

// material is the content of a ledger, which was read once.
type material struct {
	notes       *notes.Notes
	file        string
	continuity  notes.Continuity
	decisions   []notes.Decision
	questions   []notes.Question
	identifiers []notes.Identifier
	check       func(i int) ledger.Check // checks an identifier; nil if identifiers aren't checked
	items       []counted
	sections    []int       // indexes of the sections that are counted as a whole and not by entry
	further     []paragraph // paragraphs of the newest continuity, without the first one
	bead        *beads.Bead
	beadEntries []entry
	memories    []beads.Memory
	instead     []Source
	now         time.Time
	ago         func(now, then time.Time) string
	totals      []Left // in the order of the output
	remarks     []string
}

// counted has the open entries in sections of one kind.
type counted struct {
	what  string
	kind  notes.Kind
	items []notes.Item
}

// gather reads the content of a ledger.
func gather(f *Facts, level Level) *material {
	m := &material{notes: f.Notes, file: f.File, instead: f.Instead, now: f.Now, ago: f.Ago, continuity: notes.Continuity{Section: -1}}
	if m.file == "" {
		m.file = "NOTES.md"
	}
	filled := f.Notes == nil || level == All || IsFilled(f.Notes)
	if !filled {
		m.notes = nil // other sources replace NOTES.md, and its placeholders don't count
	}
	if n := m.notes; n != nil {
		m.continuity, m.questions = n.Continuity(), n.Questions()
		if m.decisions = n.DecisionTitles(); level != Where {
			m.decisions = n.Decisions()
		}
		m.identifiers, m.check = n.Identifiers(), f.Check
		for _, k := range []struct {
			what string
			kind notes.Kind
		}{{"debts", notes.KindDebt}, {leftGoals, notes.KindGoals}, {"blockers", notes.KindBlockers}, {"scenarios", notes.KindScenarios}} {
			m.items = append(m.items, counted{k.what, k.kind, n.Items(k.kind)})
		}
		m.countSections()
		m.rest()
	}
	m.findBead(f)
	if m.listBeads(f.Beads); f.Beads != nil {
		m.memories = f.Beads.Memories
	}
	m.count()
	switch {
	case !filled:
		m.remarks = append(m.remarks, m.file+" isn't filled in yet.")
	case f.Notes == nil && f.Trouble != "":
		m.remarks = append(m.remarks, f.Trouble)
	case f.Notes == nil:
		m.remarks = append(m.remarks, "There is no "+m.file+".")
	case f.Trouble != "":
		m.remarks = append(m.remarks, f.Trouble)
	}
	return m
}

// countSections finds the sections that are counted as a whole. They have text, aren't counted by entry, and
// aren't the newest continuity.
func (m *material) countSections() {
	for i, s := range m.notes.Sections {
		if countable(s.Kind) {
			continue
		}
		if i == m.continuity.Section || s.Kind == notes.KindContext && m.within(i, m.continuity.Section) || m.counts(i) {
			continue
		}
		if body := m.notes.Text[s.Body:s.Own]; strings.TrimSpace(string(body)) != "" {
			m.sections = append(m.sections, i)
		}
	}
}

// within reports whether section i is the section outer or is inside it.
func (m *material) within(i, outer int) bool {
	for ; i >= 0; i = m.notes.Sections[i].Parent {
		if i == outer {
			return true
		}
	}
	return false
}

// counts reports whether a section is inside a decision log. The log is counted by entry.
func (m *material) counts(i int) bool {
	for i = m.notes.Sections[i].Parent; i >= 0; i = m.notes.Sections[i].Parent {
		if m.notes.Sections[i].Kind == notes.KindDecisions {
			return true
		}
	}
	return false
}

// rest finds the other content of the newest continuity: the older rows of its table, and further paragraphs.
func (m *material) rest() {
	c := &m.continuity
	if c.Section < 0 {
		return
	}
	first, state := clean(c.First), clean(c.State)
	s := &m.notes.Sections[c.Section]
	for _, p := range paragraphs(string(m.notes.Text[s.Body:s.Own]), s.Line+1) {
		cell := p.text[strings.LastIndex(p.text, "|")+1:] // this is the last cell of a row
		cell = strings.TrimSpace(cell)
		given := isIn(first, cell) || state != "" && strings.Contains(p.text, state) ||
			c.Bead != "" && strings.Contains(p.text, c.Bead) || c.CheckedAs != "" && cell == p.text && strings.Contains(p.text, c.CheckedAs)
		if !given {
			m.further = append(m.further, p)
		}
	}
}

// isIn reports whether a text contains a part. Two shortcuts keep the time linear. A short part is searched only
// near the start of the text. A long part is compared only with both ends of the text. Without them, 0.9 MB took
// 18 s.
func isIn(text, part string) bool {
	const most = 4 << 10
	if len(part) > most {
		return strings.HasPrefix(text, part) || strings.HasSuffix(text, part)
	}
	return strings.Contains(text[:min(len(text), 2*most)], part)
}

// findBead sets the current bead. This is the bead in the facts. If there is none, it is the bead that the notes
// name, or else the first bead of AtWork.
func (m *material) findBead(f *Facts) {
	m.bead = f.Bead
	if m.bead != nil || f.Beads == nil {
		return
	}
	if id := m.continuity.Bead; id != "" {
		if b, ok := f.Beads.Find(id); ok {
			m.bead = b
		}
		return
	}
	if at := f.Beads.AtWork(); len(at) > 0 {
		m.bead = at[0]
	}
}

// count sets the totals.
func (m *material) count() {
	add := func(what string, n int) {
		if n > 0 {
			m.totals = append(m.totals, Left{what, n})
		}
	}
	add(leftDecisions, len(m.decisions))
	add(leftQuestions, len(m.questions))
	add(leftIdentifiers, len(m.identifiers))
	for _, c := range m.items {
		add(c.what, len(c.items))
	}
	add(leftBead, len(m.beadEntries))
	add(leftMemories, len(m.memories))
	add(leftFurther, len(m.further))
	add(leftSections, len(m.sections))
}

// beadText returns the ID, the title and the status of the current bead as one line. If only the notes have the
// bead, beadText returns what the notes say about it.
func (m *material) beadText() string {
	b := m.bead
	if b == nil {
		return clean(m.continuity.Bead + " " + m.continuity.BeadText)
	}
	text := clean(b.ID + " " + b.Title)
	if b.Status != "" {
		text += " (" + strings.ReplaceAll(clean(b.Status), "_", " ") + ")"
	}
	return text
}

// checkpointText returns the last checkpoint and its age.
func (m *material) checkpointText() string {
	c := &m.continuity
	text := clean(c.CheckedAs)
	if c.Checkpoint.IsZero() {
		return text
	}
	if text == "" {
		text = c.Checkpoint.UTC().Format(time.RFC3339)
	}
	if m.ago != nil && !m.now.Before(c.Checkpoint) {
		text += ", " + m.ago(m.now, c.Checkpoint)
	}
	return text
}

// decisionPiece returns the title of a decision. A label and the day of the decision precede the title.
func decisionPiece(d *notes.Decision, label string) piece {
	p := piece{Line: Line{Text: titleOf(d), When: d.When}, kind: leftDecisions}
	switch {
	case d.When.IsZero() && label == "-":
		p.Lead = "- "
	case d.When.IsZero():
		p.Lead = label + ": "
	default:
		p.Lead = label + " " + d.When.Format(time.DateOnly) + ": "
	}
	return p
}

// titleOf returns the title of a decision. If it has none, titleOf returns its text.
func titleOf(d *notes.Decision) string {
	if title := clean(d.Title); title != "" {
		return title
	}
	return clean(d.Decision)
}

// identifierPiece returns an identifier and its purpose.
func identifierPiece(id *notes.Identifier) piece {
	p := piece{Line: Line{Text: clean(id.Ref.String()), Ref: &id.Ref}, kind: leftIdentifiers}
	if purpose := clean(id.Purpose); purpose != "" {
		p.Text += "  " + purpose
	}
	return p
}

// look checks an identifier if this is possible. It adds the problem with the identifier to the piece.
func (m *material) look(p *piece, i int) {
	if m.check == nil {
		return
	}
	c := m.check(i)
	p.Check = &c
	if c.Bad() {
		p.Text += " (" + problemOf(&c) + ")"
	}
}

// problemOf returns in a few words what is wrong with an identifier.
func problemOf(c *ledger.Check) string {
	switch c.Status {
	case ledger.Moved:
		return fmt.Sprintf("moved to line %d", c.At)
	case ledger.NoQuote:
		return "the quote is gone"
	case ledger.NoLine:
		return fmt.Sprintf("has only %d lines", c.Lines)
	case ledger.NoFile:
		if c.To != "" {
			return "file is gone; perhaps " + clean(c.To)
		}
		return "file is gone"
	case ledger.Outside:
		return "outside the project"
	case ledger.Unreadable:
		return "cannot be read"
	case ledger.Holds:
	}
	return string(c.Status)
}

// clean returns a text as one line without control characters.
func clean(s string) string { return transcript.CleanLine(s) }
