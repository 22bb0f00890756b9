package recovery

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// hierarchy returns the stores in the order of the truth hierarchy of spec 002. If two stores disagree, the first one
// wins. Tasks and snapshots, which the spec omits, come before documents.
func hierarchy() []handover.Mark {
	return []handover.Mark{handover.MarkBead, handover.MarkNotes, handover.MarkTask, handover.MarkSnapshot, handover.MarkDocument}
}

// rank returns the index of a store in the hierarchy. Unknown stores come last.
func rank(m handover.Mark) int {
	if i := slices.Index(hierarchy(), m); i >= 0 {
		return i
	}
	return len(hierarchy())
}

// joiner joins the handovers of all stores.
type joiner struct {
	*material
	held   []handover.Held // newest first
	ranked []handover.Held // in the order of the hierarchy, then newest first
}

// join adds the entries of all stores to the material. Equal entries become one entry with several marks. An entry
// that a higher store contradicts is superseded.
func (m *material) join(f *Facts) {
	j := joiner{material: m}
	for i := range f.Held {
		if h := f.Held[i]; h.Mark != handover.MarkNotes || m.notes != nil {
			j.held = append(j.held, h)
		}
	}
	j.ranked = slices.Clone(j.held)
	slices.SortStableFunc(j.ranked, func(a, b handover.Held) int { return cmp.Compare(rank(a.Mark), rank(b.Mark)) })
	j.states()
	j.decisions(f)
	j.questions()
	j.items(f)
	j.references()
}

// entryOf returns a new entry of a store.
func (m *material) entryOf(h *handover.Held, kind, title string) entry {
	return entry{kind: kind, title: title, marks: []handover.Mark{h.Mark}, from: []string{m.sourceOf(h)}}
}

// sourceOf returns the name of a store for Result.From.
func (m *material) sourceOf(h *handover.Held) string {
	if h.Mark == handover.MarkNotes {
		return m.file
	}
	return h.Mark.Name() + " " + clean(h.Name)
}

// also adds the stores of an equal entry to e.
func (e *entry) also(other *entry) {
	for i, mark := range other.marks {
		if !slices.Contains(e.marks, mark) {
			e.marks, e.from = append(e.marks, mark), append(e.from, other.from[i])
		}
	}
	e.when = cmp.Or(e.when, other.when)
	e.text, e.why, e.body = cmp.Or(e.text, other.text), cmp.Or(e.why, other.why), cmp.Or(e.body, other.body)
}

// states adds the states, newest first.
func (j *joiner) states() {
	seen := map[string]bool{"": true}
	for i := range j.held {
		h := &j.held[i]
		var texts []string
		for _, p := range paragraphs(h.State, 1) { // a document may have a table or a list
			texts = append(texts, p.text)
		}
		state := strings.Join(texts, "; ")
		if key := handover.Key(state); !seen[key] {
			seen[key] = true
			e := j.entryOf(h, leftStates, state)
			e.when, e.lead = h.At, "State: "
			if h.Mark == handover.MarkNotes && j.continuity.State != "" {
				e.lead = "Reasoning state: "
			}
			j.entries = append(j.entries, e)
		}
	}
}

// questions adds the open questions. The highest store decides whether a question is open.
func (j *joiner) questions() {
	at := map[string]int{}
	first := len(j.entries)
	for i := range j.ranked {
		h := &j.ranked[i]
		for k := range h.Questions {
			q := &h.Questions[k]
			e := j.entryOf(h, leftQuestions, clean(q.Text))
			e.open = q.Answer == ""
			key := handover.Key(q.Text)
			if n, known := at[key]; known {
				j.entries[n].also(&e)
				continue
			}
			if h.Mark == handover.MarkNotes { // Notes.Handover has the same questions
				n := &j.notes.Questions()[k]
				e.when, e.line, e.last = n.Since, n.Line, n.Line
			}
			at[key] = len(j.entries)
			j.entries = append(j.entries, e)
		}
	}
	open := slices.DeleteFunc(j.entries[first:], func(e entry) bool { return !e.open || e.title == "" })
	j.entries = j.entries[:first+len(open)]
}

// references adds the identifiers of NOTES.md, and then those of other stores.
func (j *joiner) references() {
	at := map[string]int{}
	add := func(key string, e entry) {
		if n, known := at[key]; known {
			j.entries[n].also(&e)
			return
		}
		at[key] = len(j.entries)
		j.entries = append(j.entries, e)
	}
	for i := range j.held {
		if h := &j.held[i]; h.Mark == handover.MarkNotes {
			for k := range j.notes.Identifiers() {
				id := &j.notes.Identifiers()[k]
				e := j.entryOf(h, leftIdentifiers, clean(id.Ref.String()))
				e.ref, e.quote, e.text, e.line, e.last = &id.Ref, id.Quote, clean(id.Purpose), id.Line, id.Line
				add(id.Ref.String(), e)
			}
		}
	}
	for i := range j.held {
		h := &j.held[i]
		if h.Mark == handover.MarkNotes {
			continue
		}
		for k := range h.Refs {
			ref := &h.Refs[k].Ref
			if path.Base(ref.Path) == path.Base(j.file) { // a handoff refers to NOTES.md itself
				continue
			}
			e := j.entryOf(h, leftIdentifiers, clean(ref.String()))
			e.ref, e.text = ref, clean(h.Refs[k].Purpose)
			add(ref.String(), e)
		}
	}
}
