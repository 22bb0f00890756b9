package recovery

import (
	"time"
	"unicode/utf8"
)

// recoverInstead makes a recovery without NOTES.md. It uses the bead, and then the lines of the other sources. The
// best source is first.
func recoverInstead(r *Result, m *material) {
	b := newBudget(r.Budget)
	var parts []Part
	var pieces []piece
	var from []string
	if text := m.beadText(); text != "" {
		parts = append(parts, Part{Name: "Bead"})
		pieces = append(pieces, piece{Line: Line{Text: "Bead: " + text}})
		b.fact(&pieces[0])
	}
	for i := range m.instead {
		s := &m.instead[i]
		if s.Text == "" {
			continue
		}
		part := Part{Name: sourceName(s), Head: true}
		head := utf8.RuneCountInString(part.heading()) + 1
		paid := b.take(head)
		given := false
		parts = append(parts, part)
		for _, p := range paragraphs(s.Text, 1) {
			pieces = append(pieces, piece{Line: Line{Text: p.text}, part: len(parts) - 1})
			if last := &pieces[len(pieces)-1]; paid {
				b.paragraph(last)
				given = given || last.lines != nil
			} else {
				last.over = len(sentences(p.text))
			}
		}
		switch {
		case given:
			from = append(from, s.Kind+" "+clean(s.Name))
		case paid && !b.whole:
			b.left += head
		}
	}
	r.lay(parts, pieces)
	r.leave(m, pieces)
	r.from(m)
	r.From = append(r.From, from...)
}

// sourceName returns the heading for a source, which has its kind, its name and its day.
func sourceName(s *Source) string {
	name := clean(s.Kind + " " + s.Name)
	if !s.When.IsZero() {
		name += ", " + s.When.UTC().Format(time.DateOnly)
	}
	return name
}
