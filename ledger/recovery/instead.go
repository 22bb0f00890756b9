package recovery

import (
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// recoverInstead returns level 3 without a NOTES.md: the bead and the texts of the other sources.
func recoverInstead(r *Result, m *material) {
	w := &where{Result: r, m: m, b: newBudget(r.Budget)}
	if text := m.beadText(); text != "" {
		w.parts = append(w.parts, Part{Name: "Bead"})
		p := piece{Line: Line{Text: "Bead: " + text, Marks: []handover.Mark{handover.MarkBead}}}
		if m.bead != nil {
			p.from = []string{"bead " + clean(m.bead.ID)}
		}
		w.b.fact(&p)
		w.add(whereShort, 0, p)
	}
	if m.task.Text != "" {
		w.parts = append(w.parts, Part{Name: "Task"})
		p := m.task
		w.b.fact(&p)
		w.add(whereShort, len(w.parts)-1, p)
	}
	for i := range m.texts {
		m.texts[i].held = nil // level 3 has no handovers
	}
	w.texts()
	r.output(w.parts, w.pieces)
	r.countLeft(m, w.pieces, Left{})
}

// texts outputs the other sources with their names, best first.
func (w *where) texts() {
	for i := range w.m.texts {
		list := w.m.paragraphsOf(i)
		if len(list) == 0 {
			continue
		}
		part := Part{Name: sourceName(&w.m.texts[i]), Head: true}
		w.parts = append(w.parts, part)
		head := part.headSize()
		paid, given := w.b.left >= head+2*cutLeast && w.b.take(head) || w.b.whole, false
		for k := range list {
			p := piece{Line: Line{Text: list[k].title, Marks: list[k].marks}, from: list[k].from}
			if paid {
				w.b.paragraph(&p)
				given = given || p.lines != nil
			} else {
				p.over = len(sentences(p.Text))
			}
			w.add(whereFurther, len(w.parts)-1, p)
		}
		if paid && !given && !w.b.whole {
			w.b.left += head
		}
	}
}

// sourceName returns the heading of a source: kind, name and day.
func sourceName(s *Source) string {
	name := clean(s.Kind + " " + s.Name)
	if !s.When.IsZero() {
		name += ", " + s.When.UTC().Format(time.DateOnly)
	}
	return name
}
