package notes

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// WriteHandover writes a handover into the text of a NOTES.md, so that Handover can read it from there, and returns the
// new text. It doesn't repeat entries that the text already has. The checkpoint, the current bead and the state replace
// the previous ones; all other bytes stay. A text without a Session Continuity gets one (spec 002, Required Structure).
// handover.Lost returns what NOTES.md can't hold.
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

// handedOver is an entry of a handover. blocked means that it goes into the section of blockers. EntryKind has no kind for
// blockers, because no command writes them.
type handedOver struct {
	Entry
	blocked bool
}

// handedEntries returns the entries of a handover in the order of writing. Each new section is inserted above the previous
// one, so this is the opposite of their order in a new file.
func handedEntries(h *handover.Handover) []handedOver {
	var all, blockers, goals []handedOver
	for _, t := range h.Tests {
		all = append(all, handedOver{Entry: Entry{Kind: EntryScenario, At: h.When, Text: t.Name, Type: t.Type, Expected: t.Expected}})
	}
	for _, d := range slices.Backward(h.Decisions) { // the newest is written last
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
