package notes

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// WriteHandover adds a handover to the text of a NOTES.md. It skips existing entries. It replaces the checkpoint, the
// current bead and the state, or adds a Session Continuity for them (spec 002, Required Structure). All other bytes
// stay the same. Fields that NOTES.md can't store are in handover.Lost.
func WriteHandover(text []byte, h *handover.Handover) ([]byte, error) {
	n := Parse(text).withKeys(h)
	left := handover.Without(h, n.Handover())
	for _, r := range left.Refs {
		e := Entry{Kind: EntryReference, Text: oneText(r.Purpose), Evidence: []Evidence{{Ref: r.Ref}}} // a handover has no time of verification
		n = Parse(inserter{n, e}.reference().Apply(n.Text))
	}
	for _, e := range handedEntries(left) {
		if e.headline() == "" {
			continue
		}
		at, err := n.Insert(e.Entry)
		if e.blocked {
			at, err = inserter{n, e.Entry}.item(KindBlockers), nil
		}
		if err != nil {
			return nil, err
		}
		n = Parse(at.Apply(n.Text))
	}
	return n.Text, nil
}

// handedOver is an entry of a handover. blocked is true for a blocker, which has no EntryKind.
type handedOver struct {
	Entry
	blocked bool
}

// handedEntries returns the entries of a handover in reverse, because a new section is inserted above the previous
// one.
func handedEntries(h *handover.Handover) []handedOver {
	var all, blockers, goals []handedOver
	for _, t := range h.Tests {
		all = append(all, handedOver{Entry: Entry{Kind: EntryScenario, At: h.When, Text: t.Name, Type: t.Type, Expected: t.Expected}})
	}
	for _, d := range slices.Backward(h.Decisions) { // the newest decision is written last
		e := Entry{Kind: EntryDecision, At: d.When, Title: d.Title, Text: d.Text, Rationale: d.Why, Evidence: evidenceOf(d.Evidence)}
		if e.Title == "" {
			e.Title = firstSentence(d.Text)
		}
		all = append(all, handedOver{Entry: e})
	}
	for _, q := range h.Questions {
		if q.Answer == "" {
			all = append(all, handedOver{Entry: Entry{Kind: EntryQuestion, At: h.When, Text: oneText(q.Text)}})
		}
	}
	for _, i := range h.Items {
		e := handedOver{Entry: Entry{Kind: EntryNext, At: h.When, Text: oneText(handover.Named(i.Title, i.ID))}}
		switch {
		case !i.Status.IsOpen():
		case i.Status == handover.Blocked:
			e.blocked = true
			blockers = append(blockers, e)
		default:
			goals = append(goals, e)
		}
	}
	return slices.Concat(all, blockers, goals)
}

// oneText returns a text as one line.
func oneText(s string) string { return plain(strings.Join(handover.Lines(s), " ")) }
