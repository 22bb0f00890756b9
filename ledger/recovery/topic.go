package recovery

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	// topicFirst is the number of matches before the first rationale.
	topicFirst = 8
	// topicLines is the maximum number of lines of a match. The first of them has a word of the query.
	topicLines = 3
	// stateShare limits the session continuity to 1/stateShare of the budget.
	stateShare = 5
)

// topic is the state of a recovery of level 2.
type topic struct {
	*Result
	m       *material
	q       *query
	broken  Left // number of broken identifiers that match
	b       *budget
	entries []entry
	parts   []Part
	opened  []bool // by part: the heading is already in the budget
	pieces  []piece
	why     []int // by piece: index of the rationale; -1 if there is none
}

// recoverTopic returns level 2: the entries that match a query, best first. Without a match, it returns the newest
// entries.
func recoverTopic(r *Result, f *Facts, m *material, ask string) {
	r.Query = strings.TrimSpace(transcript.CleanLine(ask))
	if r.Query == "" {
		r.Query = wordsOf(clean(f.Prompted))
	}
	t := &topic{Result: r, m: m, q: parseQuery(r.Query), b: r.budget(m), broken: Left{What: leftBroken}}
	t.collect()
	var found []int
	switch {
	case f.Found != nil:
		found = t.hits(f)
	case r.Query != "":
		found = matching(t.entries, t.q)
	}
	switch {
	case len(found) > 0:
		t.match(found)
	case r.Query == "":
		t.Notes = append(t.Notes, "Without a query or a last prompt, these are the newest entries.")
	default:
		t.Notes = append(t.Notes, fmt.Sprintf("Nothing here matches “%s”. These are the newest entries.", r.Query))
	}
	if len(found) == 0 {
		found = t.newest()
	}
	t.continuity()
	t.give(found)
	r.output(t.parts, t.pieces)
	r.countLeft(m, t.pieces, t.broken)
	for _, p := range r.Parts {
		if name, ok := strings.CutPrefix(p.Name, foundBy); ok {
			r.addSources([]string{name})
		}
	}
}

// foundBy starts the name of a part with hits outside of NOTES.md.
const foundBy = "Found by "

// match sets the number of matching entries in the note of each part.
func (t *topic) match(found []int) {
	all, hits := map[int]int{}, map[int]int{}
	sections := map[int]bool{}
	for i := range t.entries {
		all[t.entries[i].part]++
	}
	for _, i := range found {
		e := &t.entries[i]
		if e.kind == leftSections {
			if sections[e.index] {
				continue
			}
			sections[e.index] = true
		}
		hits[e.part]++
	}
	for i := range t.parts {
		p := &t.parts[i]
		n := all[i]
		if p.Name == partSections {
			n = len(t.m.sections)
		}
		if hits[i] == 0 || p.Name == partState || strings.HasPrefix(p.Name, foundBy) {
			continue
		}
		verb := "match"
		if hits[i] == 1 {
			verb = "matches"
		}
		p.Note = fmt.Sprintf("%d of %d %s", hits[i], n, verb)
	}
}

// newest returns the entries to output without a match: decisions, open questions, all others.
func (t *topic) newest() []int {
	var found []int
	for _, kind := range []string{leftDecisions, leftQuestions, leftItems, leftMemories, leftSections, leftTexts} {
		for i := range t.entries {
			e := &t.entries[i]
			if e.kind == leftSections && (len(found) > 0 && t.entries[found[0]].kind != leftSections || t.m.sections[e.index] < t.m.firstSection()) {
				continue
			}
			if e.kind == kind && e.over == 0 && len(found) < topicFirst {
				found = append(found, i)
			}
		}
	}
	return found
}

// continuity outputs the newest state, or the current bead. It uses at most 1/stateShare of the budget.
func (t *topic) continuity() {
	p := piece{Line: Line{Text: t.m.beadText(), Marks: []handover.Mark{handover.MarkBead}}}
	if i := slices.IndexFunc(t.m.entries, func(e entry) bool { return e.kind == leftStates }); i >= 0 {
		e := &t.m.entries[i]
		p = piece{Line: Line{Text: e.title, Marks: e.marks}, from: e.from}
	} else if t.m.bead == nil && t.m.task.Text == "" {
		return
	}
	p.part = t.part(partState)
	task := t.m.task
	task.part = p.part
	limit := *t.b
	if !limit.whole {
		limit.left /= stateShare
	}
	was := limit.left
	if limit.take(t.parts[p.part].headSize()) {
		if task.Text != "" {
			limit.line(&task)
		}
		if p.Text != "" {
			limit.paragraph(&p)
		}
	}
	if len(task.lines)+len(p.lines) > 0 {
		t.opened[p.part] = true
		t.b.left -= was - limit.left
	}
	for _, p := range []piece{task, p} {
		p.Match, p.over = nil, 0
		t.add(p, -1)
	}
}

func (t *topic) add(p piece, why int) int {
	t.pieces, t.why = append(t.pieces, p), append(t.why, why)
	return len(t.pieces) - 1
}

// give outputs the best found entries, then their rationales, then the remaining entries.
func (t *topic) give(found []int) {
	given := map[int]bool{} // sections that were already output
	var titles []int
	for _, i := range found {
		e := &t.entries[i]
		p, why := t.m.pieceOf(e, false)
		if e.kind == leftIdentifiers && !t.m.look(&p, e) {
			t.broken.N++
			if slices.Contains(e.marks, handover.MarkNotes) {
				t.broken.InNotes++
			}
			continue
		}
		if e.kind == leftSections {
			if given[e.index] {
				p.kind = leftAgain
			}
			given[e.index] = true
		}
		at := t.add(p, -1)
		titles = append(titles, at)
		if why.Text != "" {
			t.why[at] = t.add(why, -1)
		}
	}
	first := titles[:min(len(titles), topicFirst)]
	for _, i := range first {
		t.put(i)
	}
	for _, i := range first {
		if why := t.why[i]; why >= 0 && t.pieces[i].lines != nil {
			t.put(why)
		}
	}
	for _, i := range titles[len(first):] {
		t.put(i)
	}
}

// put outputs a piece in one or a few lines. The first piece of a part also takes the budget for the heading.
func (t *topic) put(i int) {
	p := &t.pieces[i]
	head := 0
	if !t.opened[p.part] {
		head = t.parts[p.part].headSize()
	}
	if !t.b.take(head) {
		return
	}
	t.excerpt(p)
	switch {
	case p.lines != nil:
		t.opened[p.part] = true
	case !t.b.whole:
		t.b.left += head
	}
}

// excerpt outputs a piece as one line, or as sentences from the first match.
func (t *topic) excerpt(p *piece) {
	if utf8.RuneCountInString(p.Text) <= longText {
		if t.b.line(p) {
			p.lines[0].Match = matches(p.Text, t.q)
			return
		}
	}
	lines := sentences(p.Text)
	from := max(slices.IndexFunc(lines, func(s string) bool { return len(matches(s, t.q)) > 0 }), 0)
	for i, text := range lines[from:min(from+topicLines, len(lines))] {
		text, ok := cutTo(text, longText)
		line := p.Line
		if line.Text = text; i > 0 {
			line.Lead = ""
		}
		line.Match = matches(text, t.q)
		if !ok || !t.b.take(line.size()) {
			break
		}
		p.lines = append(p.lines, line)
	}
	p.over = len(lines) - len(p.lines)
}

// hits returns the indexes of the entries that another search program has found. A hit outside of NOTES.md becomes a
// new entry.
func (t *topic) hits(f *Facts) []int {
	var found []int
	taken := map[int]bool{}
	own := len(t.entries)
	for _, h := range f.Found {
		inside := false
		if h.File == t.m.file || path.Base(h.File) == path.Base(t.m.file) && t.m.notes != nil {
			for i := range t.entries[:own] {
				e := &t.entries[i]
				if e.line == 0 || e.line > h.To || e.last < h.From {
					continue
				}
				inside = true
				if !taken[i] {
					taken[i] = true
					found = append(found, i)
				}
			}
		}
		if text := clean(h.Text); !inside && text != "" {
			e := entry{kind: leftHits, part: t.part(foundBy + f.FoundBy), body: text, file: fmt.Sprintf("%s:%d-%d", clean(h.File), h.From, h.To)}
			found = append(found, len(t.entries))
			t.entries = append(t.entries, e)
		}
	}
	return found
}
