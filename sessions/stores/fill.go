package stores

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/transcript/digest"
)

// Facts are what a handover is made of. No model is used: Fill only quotes.
type Facts struct {
	At      time.Time
	Session string // session ID
	Git     handover.Git
	Digest  *digest.Digest // of the transcript; nil if there is none
	// Held are the handovers that the stores hold. Of the first that has an item, the title counts.
	Held []*handover.Handover
}

const (
	// writtenLast is how long before the end of a session its state may have been written into a store and still be the
	// newest one: a session writes its notes, and then says so.
	writtenLast = 10 * time.Minute
	stateCells  = 600 // maximum width of a state that is quoted from an answer
)

// Fill returns the handover of a session: what it has done and decided, and what is left to do in all stores.
func Fill(f *Facts) *handover.Handover {
	v := &handover.Handover{When: f.At, Session: f.Session, Git: f.Git, Outcome: "in-progress"}
	d := f.Digest
	if d == nil {
		d = &digest.Digest{}
	}
	v.State = stateOf(f, d)
	var own []handover.Item
	for i := range d.Todos {
		t := &d.Todos[i]
		own = append(own, handover.Item{
			Title: t.Text, Status: handover.Normal(t.Status), Written: t.Status, Priority: t.Priority, Marks: []handover.Mark{handover.MarkClient}, At: d.End,
		})
	}
	lists := [][]handover.Item{own}
	for _, h := range f.Held {
		lists = append(lists, h.Items)
		for _, q := range h.Questions {
			if q.Answer == "" && !slices.ContainsFunc(v.Questions, func(o handover.Question) bool { return o.Text == q.Text }) {
				v.Questions = append(v.Questions, q)
			}
		}
		for _, k := range h.Decisions { // those of this session
			if !d.Start.IsZero() && !k.When.Before(d.Start) {
				v.Decisions = append(v.Decisions, handover.Without(&handover.Handover{Decisions: []handover.Decision{k}}, v).Decisions...)
			}
		}
		v.Refs = append(v.Refs, handover.Without(&handover.Handover{Refs: h.Refs}, v).Refs...)
	}
	for _, i := range handover.Join(lists...) {
		switch {
		case i.Status.IsOpen():
			v.Items = append(v.Items, i)
		case i.Status == handover.Done && slices.Contains(i.Marks, handover.MarkClient):
			v.Done = append(v.Done, i.Title)
		}
	}
	for _, c := range slices.Concat(d.Commits.First, d.Commits.Last) {
		v.Done = append(v.Done, words.Cut(c.Subject, 200)+" ("+c.Hash+")")
	}
	asked(v, d)
	slices.SortStableFunc(v.Decisions, func(a, b handover.Decision) int { return b.When.Compare(a.When) })
	return v
}

// stateOf returns the state that a store has, if it was written at the end of the session, else the first paragraph of
// the last answer.
func stateOf(f *Facts, d *digest.Digest) string {
	newest := &handover.Handover{}
	for _, h := range f.Held {
		if h.State != "" && (newest.State == "" || h.When.After(newest.When)) {
			newest = h
		}
	}
	if d.Answer == "" || newest.State != "" && newest.When.After(d.End.Add(-writtenLast)) {
		return newest.State
	}
	return words.Cut(d.Answer, stateCells)
}

// asked adds the questions that the client has asked.
func asked(v *handover.Handover, d *digest.Digest) {
	for _, k := range slices.Concat(d.Decisions.First, d.Decisions.Last) {
		q := handover.Question{Text: k.About}
		switch k.Kind {
		case digest.Answered:
			q.Answer = k.Said
		case digest.Unanswered:
		case digest.Approved, digest.Refused:
			continue
		}
		v.Questions = append(v.Questions, handover.Without(&handover.Handover{Questions: []handover.Question{q}}, v).Questions...)
	}
}
