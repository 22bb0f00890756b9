package recovery

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// decisions adds the decisions, newest first.
func (j *joiner) decisions(f *Facts) {
	d := decisions{at: map[string]int{}, days: map[string][]int{}}
	for i := range j.ranked {
		h := &j.ranked[i]
		var list []entry
		for k := range h.Decisions {
			list = append(list, j.decision(f, h, k))
		}
		over := j.contradicted(f, h, list)
		for k := range list {
			switch e := &list[k]; {
			case e.title == "":
			case over[k] != 0:
				e.over = over[k]
				d.all = append(d.all, *e)
			default:
				d.add(e, &h.Decisions[k])
			}
		}
	}
	slices.SortStableFunc(d.all, func(a, b entry) int { return b.when.Compare(a.when) })
	j.entries = append(j.entries, d.all...)
}

// mostOfDay limits the decisions of a day that are compared word by word, to keep the time linear.
const mostOfDay = 30

// decisions joins the decisions of all stores.
type decisions struct {
	all  []entry
	at   map[string]int   // index in list, by headline and by text
	days map[string][]int // by the day
}

// add adds a decision. If an equal decision exists, only the stores are added to it. Decisions are equal if they have
// the same headline or text. Decisions of one day in different stores are also equal if one contains all words of the
// other.
func (d *decisions) add(e *entry, v *handover.Decision) {
	keys := []string{handover.Key(v.Headline()), handover.Key(v.Text)}
	for _, key := range keys {
		if i, known := d.at[key]; known && (d.all[i].text == e.text || d.all[i].marks[0] != e.marks[0]) {
			d.all[i].also(e)
			return
		}
	}
	day := e.when.Format(time.DateOnly)
	for _, i := range d.days[day][:min(len(d.days[day]), mostOfDay)] {
		if o := &d.all[i]; !e.when.IsZero() && o.marks[0] != e.marks[0] && (covers(e.title, o.said) || covers(o.said, v.Headline())) {
			o.also(e)
			return
		}
	}
	e.said = v.Headline()
	for _, key := range keys {
		if _, known := d.at[key]; !known && key != "" {
			d.at[key] = len(d.all)
		}
	}
	d.days[day] = append(d.days[day], len(d.all))
	d.all = append(d.all, *e)
}

// covers reports whether a text contains all words of a part without negating them.
func covers(text, part string) bool {
	in := map[string]bool{}
	eachWord(text, func(stem []byte, _, _ int) { in[string(stem)] = true })
	all, some := true, false
	eachWord(part, func(stem []byte, _, _ int) {
		all, some = all && in[string(stem)], true
		delete(in, string(stem))
	})
	for _, no := range []string{"not", "no", "never", "without", "t"} { // "don't" is split into "don" and "t"
		all = all && !in[no]
	}
	return all && some
}

// decision returns a decision as an entry.
func (j *joiner) decision(f *Facts, h *handover.Held, k int) entry {
	d := &h.Decisions[k]
	e := j.entryOf(h, leftDecisions, clean(d.Headline()))
	if e.when = d.When; e.when.IsZero() && h.Mark != handover.MarkNotes {
		e.when = h.At
	}
	if e.why = bare(clean(d.Why)); d.Title != "" {
		e.text = bare(clean(d.Text))
	}
	if h.Mark == handover.MarkBead && e.title != "" {
		e.title = clean(h.Name) + ": " + e.title
	}
	for _, v := range d.Evidence {
		e.body += " " + v.Ref.Path + " " + v.Quote
	}
	for _, a := range d.Alternatives {
		e.body += " " + a
	}
	if h.Mark == handover.MarkNotes { // Notes.Handover has the same decisions
		n := &f.Notes.Decisions()[k]
		e.line, e.last = n.Line, n.Last
		e.body += " " + n.By
		for _, s := range n.Scenarios {
			e.body += " " + s
		}
	}
	return e
}

// contradicted returns the decisions of a store that a higher store contradicts, by index. A decision of a bead
// doesn't contradict an older decision, which may be its base.
func (j *joiner) contradicted(f *Facts, h *handover.Held, list []entry) map[int]handover.Mark {
	ledger := gate.Ledger{Beads: f.Beads}
	switch h.Mark {
	case handover.MarkBead:
		return nil
	case handover.MarkNotes:
	default:
		ledger.Notes = j.notes
	}
	if j.bead != nil {
		ledger.Bead = j.bead.ID
	}
	statements := make([]gate.Statement, len(h.Decisions))
	for i := range h.Decisions {
		d := &h.Decisions[i]
		statements[i] = gate.Statement{At: d.When, Title: d.Title, Text: cmp.Or(d.Text, d.Title), Rationale: d.Why}
	}
	over := map[int]handover.Mark{}
	for _, fork := range gate.Forks(context.Background(), statements, ledger) {
		switch {
		case fork.Resolution == gate.NotesWins:
			over[fork.Of] = handover.MarkNotes
		case !list[fork.Of].when.Before(fork.When):
			over[fork.Of] = handover.MarkBead
		}
	}
	return over
}
