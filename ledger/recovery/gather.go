package recovery

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/transcript"
)

// The kinds under which omitted entries are counted.
const (
	leftStates      = "states"
	leftDecisions   = "decisions"
	leftQuestions   = "questions"
	leftItems       = "items"
	leftIdentifiers = "identifiers"
	leftBroken      = "broken identifiers"
	leftMemories    = "memories" // of bd remember
	leftSections    = "sections"
	leftFurther     = "continuity notes"
	leftLines       = "lines"
)

// taskRunes is the maximum length of the task in runes.
const taskRunes = 160

// material is the content of all stores of a project.
type material struct {
	notes      *notes.Notes
	file       string
	continuity notes.Continuity
	check      func(ref ledger.Ref, quote string) ledger.Check // nil if identifiers aren't checked
	entries    []entry                                         // entries of all stores, without sections and texts
	sections   []int                                           // indexes of the sections that are one unit each
	further    []paragraph                                     // paragraphs of the newest continuity after the first one
	bead       *beads.Bead
	task       piece    // the open task, its gate, and how to resume it
	texts      []Source // documents, and the sources that replace a missing NOTES.md
	now        time.Time
	totals     []Left // in the order of the output
	remarks    []string
}

// gather reads the content of all stores.
func gather(f *Facts, level Level) *material {
	m := &material{notes: f.Notes, file: f.File, check: f.Check, now: f.Now, continuity: notes.Continuity{Section: -1}}
	if m.file == "" {
		m.file = "NOTES.md"
	}
	filled := f.Notes == nil || level == All || IsFilled(f.Notes)
	if !filled {
		m.notes = nil // it has only placeholders
	}
	if n := m.notes; n != nil {
		m.continuity = n.Resumption()
		m.countSections()
		m.rest()
	}
	m.findBead(f)
	m.findTask(f)
	m.join(f)
	m.listNotes()
	if f.Beads != nil {
		for i := range f.Beads.Memories {
			e := entry{kind: leftMemories, title: f.Beads.Memories[i].Key + ": " + f.Beads.Memories[i].Text, marks: []handover.Mark{handover.MarkBead}, from: []string{"beads"}}
			m.entries = append(m.entries, e)
		}
	}
	for i := range f.Held {
		if h := &f.Held[i]; h.Text != "" {
			m.texts = append(m.texts, Source{Kind: h.Mark.Name(), Name: h.Name, When: h.At, Text: h.Text, held: h})
		}
	}
	if m.notes == nil {
		m.texts = append(m.texts, f.Instead...)
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
	if level != All || m.notes == nil {
		m.remarks = append(m.remarks, f.Troubles...)
	}
	return m
}

// findTask finds the task with the newest checkpoint (spec 003).
func (m *material) findTask(f *Facts) {
	i := slices.IndexFunc(f.Held, func(h handover.Held) bool { return h.Mark == handover.MarkTask })
	if i < 0 {
		return
	}
	h := &f.Held[i]
	text := clean(h.Name)
	if h.Gate.Name != "" {
		text += " at " + clean(h.Gate.Name)
	}
	if h.Resume != "" {
		text += ". " + clean(h.Resume)
	}
	if short, ok := cutTo(text, taskRunes); ok && utf8.RuneCountInString(text) > taskRunes {
		text = short
	}
	m.task = piece{Line: Line{Text: "Task: " + text, Marks: []handover.Mark{handover.MarkTask}}, from: []string{m.sourceOf(h)}}
}

// listNotes adds the entries that only NOTES.md can have.
func (m *material) listNotes() {
	if m.notes == nil {
		return
	}
	add := func(kind, title string, line, last int) {
		m.entries = append(m.entries, entry{kind: kind, title: title, line: line, last: last, marks: []handover.Mark{handover.MarkNotes}, from: []string{m.file}})
	}
	for _, k := range []struct {
		what string
		kind notes.Kind
	}{{"debts", notes.KindDebt}, {"scenarios", notes.KindScenarios}} {
		for _, i := range m.notes.Items(k.kind) {
			add(k.what, i.Text, i.Line, i.Line)
		}
	}
	for _, p := range m.further {
		add(leftFurther, p.text, p.line, p.last)
	}
}

// countSections finds the sections that count as one unit each. They have text and no counted entries, and are
// outside of the newest Session Continuity.
func (m *material) countSections() {
	for i, s := range m.notes.Sections {
		if countable(s.Kind) {
			continue
		}
		if i == m.continuity.Section || s.Kind == notes.KindContext && m.within(i, m.continuity.Section) || m.inLog(i) {
			continue
		}
		if body := m.notes.Text[s.Body:s.Own]; strings.TrimSpace(string(body)) != "" {
			m.sections = append(m.sections, i)
		}
	}
}

// within reports whether section i is in the section outer, or is outer.
func (m *material) within(i, outer int) bool {
	for ; i >= 0; i = m.notes.Sections[i].Parent {
		if i == outer {
			return true
		}
	}
	return false
}

// inLog reports whether a section is in a decision log.
func (m *material) inLog(i int) bool {
	for i = m.notes.Sections[i].Parent; i >= 0; i = m.notes.Sections[i].Parent {
		if m.notes.Sections[i].Kind == notes.KindDecisions {
			return true
		}
	}
	return false
}

// rest finds older rows and further paragraphs of the newest Session Continuity.
func (m *material) rest() {
	c := &m.continuity
	if c.Section < 0 {
		return
	}
	first, state := clean(c.First), clean(c.State)
	s := &m.notes.Sections[c.Section]
	for _, p := range paragraphs(string(m.notes.Text[s.Body:s.Own]), s.Line+1) {
		cell := p.text[strings.LastIndex(p.text, "|")+1:] // the last cell of a row
		cell = strings.TrimSpace(cell)
		given := isIn(first, cell) || state != "" && strings.Contains(p.text, state) ||
			c.Bead != "" && strings.Contains(p.text, c.Bead) || c.CheckedAs != "" && cell == p.text && strings.Contains(p.text, c.CheckedAs)
		if !given {
			m.further = append(m.further, p)
		}
	}
}

// isIn reports whether a text contains a part. It searches only near the start and the end of the text. Otherwise the
// time would be quadratic: 18 s for 0.9 MB.
func isIn(text, part string) bool {
	const most = 4 << 10
	if len(part) > most {
		return strings.HasPrefix(text, part) || strings.HasSuffix(text, part)
	}
	return strings.Contains(text[:min(len(text), 2*most)], part)
}

// findBead finds the current bead: Facts.Bead, the open bead that NOTES.md names, or the first bead of AtWork.
func (m *material) findBead(f *Facts) {
	m.bead = f.Bead
	if m.bead != nil || f.Beads == nil {
		return
	}
	at := f.Beads.AtWork()
	if id := m.continuity.Bead; id != "" {
		if b, ok := f.Beads.Find(id); !ok || len(at) == 0 || handover.Normal(b.Status).IsOpen() {
			m.bead = b
			return
		}
	}
	if len(at) > 0 {
		m.bead = at[0]
	}
}

// count sets the totals.
func (m *material) count() {
	add := func(what string, inNotes bool) {
		i := slices.IndexFunc(m.totals, func(l Left) bool { return l.What == what })
		if i < 0 {
			i = len(m.totals)
			m.totals = append(m.totals, Left{What: what})
		}
		if m.totals[i].N++; inNotes {
			m.totals[i].InNotes++
		}
	}
	for i := range m.entries {
		if e := &m.entries[i]; e.kind != leftStates {
			add(e.kind, slices.Contains(e.marks, handover.MarkNotes))
		}
	}
	for range m.sections {
		add(leftSections, true)
	}
}

// beadText returns the ID, the title and the status of the current bead, or its text in NOTES.md.
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
	if !m.now.Before(c.Checkpoint) {
		text += ", " + words.Ago(m.now, c.Checkpoint)
	}
	return text
}

// look checks a code reference and adds a problem to the piece. It returns false if the code doesn't exist.
func (m *material) look(p *piece, e *entry) bool {
	if m.check == nil {
		return true
	}
	c := m.check(*e.ref, e.quote)
	p.Check = &c
	switch c.Status {
	case ledger.NoFile, ledger.NoLine, ledger.NoQuote, ledger.Outside:
		return false
	case ledger.Moved:
		p.Text += fmt.Sprintf(" (moved to line %d)", c.At)
	case ledger.Unreadable:
		p.Text += " (cannot be read)"
	case ledger.Holds:
	}
	return true
}

// clean returns a text as one line without control characters.
func clean(s string) string { return transcript.CleanLine(s) }
