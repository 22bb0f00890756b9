package beads

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// Item converts a bead to an item.
func (b *Bead) Item() handover.Item {
	return handover.Item{
		ID: b.ID, Title: b.Title, Status: handover.Normal(b.Status), Written: b.Status, Priority: strconv.Itoa(b.Priority),
		Marks: []handover.Mark{handover.MarkBead}, At: b.Updated,
	}
}

// Handover returns the handover in a bead and its comments (spec 002). A decision has the time of its comment.
func (b *Bead) Handover() *handover.Handover {
	h := &handover.Handover{Items: []handover.Item{b.Item()}}
	h.Items = append(h.Items, itemsOf(b.Blockers, handover.Blocked)...)
	h.Items = append(h.Items, itemsOf(b.Next, handover.Open)...)
	for _, d := range slices.Backward(b.Decisions) {
		v := handover.Decision{When: d.At, Text: d.Text, Why: d.Rationale}
		for _, e := range d.Evidence {
			if ref, ok := ledger.ParseRef(e.where()); ok {
				v.Evidence = append(v.Evidence, handover.Evidence{Ref: ref, Quote: e.Quote})
			}
		}
		h.Decisions = append(h.Decisions, v)
	}
	slices.SortStableFunc(h.Decisions, func(a, b handover.Decision) int { return b.When.Compare(a.When) })
	for _, q := range b.Questions {
		h.Questions = append(h.Questions, handover.Question{Text: q})
	}
	for _, s := range b.Scenarios {
		h.Tests = append(h.Tests, handover.Test{Name: s.Name, Type: s.Type, Expected: s.Expected})
	}
	if len(b.Handoffs) > 0 {
		last := slices.MaxFunc(b.Handoffs, func(a, b Handoff) int { return a.Ended.Compare(b.Ended) })
		h.When, h.Session = last.Ended, last.Session
		h.Gate = handover.Gate{Ratio: last.Ratio, Counted: last.HasRatio}
		if ref, ok := ledger.ParseRef(last.Notes); ok {
			h.Refs = append(h.Refs, handover.Reference{Ref: ref})
		}
	}
	return h
}

func itemsOf(texts []string, status handover.Status) []handover.Item {
	var items []handover.Item
	for _, text := range texts {
		title, id := handover.CutID(strings.Join(strings.Fields(text), " "))
		items = append(items, handover.Item{ID: id, Title: title, Status: status, Marks: []handover.Mark{handover.MarkBead}})
	}
	return items
}

// where returns the code reference of evidence.
func (e *Evidence) where() string {
	switch {
	case e.Line == 0:
		return e.Path
	case e.To > e.Line:
		return e.Path + ":" + strconv.Itoa(e.Line) + "-" + strconv.Itoa(e.To)
	}
	return e.Path + ":" + strconv.Itoa(e.Line)
}

// HandoverComments returns the comments that add a handover to a bead. The last one is the handoff. Fields that
// comments can't store are in handover.Lost.
func (b *Bead) HandoverComments(h *handover.Handover) []string {
	left := handover.Without(h, b.Handover())
	var all []string
	for _, d := range slices.Backward(left.Decisions) { // the newest is added last
		var evidence []string
		for _, e := range d.Evidence {
			evidence = append(evidence, EvidenceText(e.Ref.String(), strings.Join(strings.Fields(e.Quote), " ")))
		}
		if d.Headline() != "" {
			all = append(all, DecisionComment(firstOf(d.Text, d.Title), d.Why, evidence, nil))
		}
	}
	for _, t := range left.Tests {
		if t.Name != "" {
			all = append(all, ScenarioComment(t.Name, t.Type, t.Expected))
		}
	}
	for _, i := range left.Items {
		if text := handover.Named(i.Title, i.ID); text != "" && i.Status.IsOpen() && !slices.Contains(i.Marks, handover.MarkBead) {
			all = append(all, NextComment(text))
		}
	}
	for _, q := range left.Questions {
		if q.Answer == "" && q.Text != "" {
			all = append(all, QuestionComment(q.Text))
		}
	}
	if h.Session == "" {
		return all
	}
	notes, ratio := "", ""
	for _, r := range slices.Backward(h.Refs) {
		if path.Base(r.Ref.Path) == "NOTES.md" {
			notes = r.Ref.String()
		}
	}
	if h.Gate.Counted {
		ratio = ratioText(h.Gate.Ratio)
	}
	return append(all, HandoffComment(h.Session, h.When, notes, "", ratio))
}

func firstOf(text, other string) string {
	if text != "" {
		return text
	}
	return other
}
