package stores

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript/digest"
)

// Facts are the input of Fill. The handover quotes them; no model is used.
type Facts struct {
	At      time.Time
	Session string // session ID
	Git     handover.Git
	Digest  *digest.Digest  // of the transcript; nil if there is none
	Held    []handover.Held // what the stores hold, newest first
}

const (
	// newestDocuments are active-context.md and the newest session document. Older ones have outdated todos.
	newestDocuments = 2
	// writtenLast is how old a state in a store may be at the last message to count as final. A session writes its
	// notes shortly before its last message.
	writtenLast = 10 * time.Minute
	stateCells  = 600 // maximum width of a state that is quoted from an answer
)

// Fill returns the handover of a session: work, decisions, and open items of all stores.
func Fill(f *Facts) *handover.Handover {
	v := &handover.Handover{When: f.At, Session: f.Session, Git: f.Git, Outcome: "in-progress"}
	d := f.Digest
	if d == nil {
		d = &digest.Digest{}
	}
	var own []handover.Item
	for i := range d.Todos {
		t := &d.Todos[i]
		own = append(own, handover.Item{
			Title: t.Text, Status: handover.Normal(t.Status), Written: t.Status, Priority: t.Priority, Marks: []handover.Mark{handover.MarkClient}, At: d.End,
		})
	}
	lists := [][]handover.Item{own}
	held := current(f.Held)
	v.State = stateOf(held, d)
	for _, h := range held {
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

// stateOf returns the newest state of the stores if it is from the end of the session. Otherwise, it returns the
// first paragraph of the last answer.
func stateOf(held []handover.Held, d *digest.Digest) string {
	i := slices.IndexFunc(held, func(h handover.Held) bool { return h.State != "" })
	switch {
	case i >= 0 && (d.Answer == "" || held[i].At.After(d.End.Add(-writtenLast))):
		return held[i].State
	case d.Answer != "":
		return words.Cut(opening(d.Answer), stateCells)
	}
	return ""
}

// opening returns the first sentences of an answer, without one that introduces a list with a colon. If this is the
// first sentence, it stays, with the first item of the list.
func opening(answer string) string {
	lines := handover.Lines(answer)
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasSuffix(l, ":") })
	if i < 0 {
		return answer
	}
	head := strings.Join(lines[:i+1], "\n")
	end := 0
	for k, r := range head {
		if next := k + utf8.RuneLen(r); r == '。' || strings.ContainsRune(".!?", r) && next < len(head) && strings.IndexByte(" \n", head[next]) >= 0 {
			end = next
		}
	}
	if end > 0 {
		return head[:end]
	}
	if i+1 == len(lines) {
		return strings.TrimRight(head, ":")
	}
	item := lines[i+1]
	if _, text, ok := sessions.CutBullet(item); ok {
		item = text
	}
	return head + " " + item
}

// current returns the handovers about current work: beads in progress, and the newest documents.
func current(held []handover.Held) []handover.Held {
	documents := 0
	return slices.DeleteFunc(slices.Clone(held), func(h handover.Held) bool {
		switch h.Mark {
		case handover.MarkBead:
			return len(h.Items) == 0 || h.Items[0].Status != handover.InProgress
		case handover.MarkDocument:
			documents++
			return documents > newestDocuments
		case handover.MarkNotes, handover.MarkClient, handover.MarkSnapshot, handover.MarkTask:
		}
		return false
	})
}

// asked adds the questions that Claude Code has asked in the session.
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
