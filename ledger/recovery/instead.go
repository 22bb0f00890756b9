package recovery

import (
	"time"
)

// recoverInstead makes the best of what there is without a NOTES.md: the bead, then the text of the other sources, the
// best first, by their lines.
func recoverInstead(r *Result, m *material) {
	b := newBudget(r.Budget)
	var parts []Part
	var pieces []piece
	if text := m.beadText(); text != "" {
		parts = append(parts, Part{Name: "Bead"})
		pieces = append(pieces, piece{Line: Line{Lead: "Bead: ", Text: text}})
		b.paragraph(&pieces[0])
	}
	for i := range m.instead {
		s := &m.instead[i]
		if s.Text == "" {
			continue
		}
		parts = append(parts, Part{Name: sourceName(s)})
		head := piece{Line: Line{Text: "## " + sourceName(s), When: s.When}, part: len(parts) - 1}
		from := len(pieces)
		pieces = append(pieces, head)
		for _, p := range paragraphs(s.Text, 1) {
			pieces = append(pieces, piece{Line: Line{Text: p.text}, part: len(parts) - 1})
		}
		b.line(&pieces[from])
		for k := from + 1; k < len(pieces); k++ {
			b.paragraph(&pieces[k])
		}
		if pieces[len(pieces)-1].lines != nil || len(pieces) > from+1 && pieces[from+1].lines != nil {
			r.From = append(r.From, s.Kind+" "+clean(s.Name))
		}
	}
	r.lay(parts, pieces)
	r.leave(m, pieces)
	r.from(m)
}

// sourceName is a source as it is headed: its kind, its name and its day.
func sourceName(s *Source) string {
	name := clean(s.Kind + " " + s.Name)
	if !s.When.IsZero() {
		name += ", " + s.When.UTC().Format(time.DateOnly)
	}
	return name
}
