package notes

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// Handover returns the handover in a NOTES.md (spec 002). Texts are unescaped, but keep their Markdown.
func (n *Notes) Handover() *handover.Handover {
	c := n.Resumption()
	h := &handover.Handover{When: c.Checkpoint, State: unescape(c.State)}
	if h.State == "" {
		h.State = unescape(c.First)
	}
	var current, goals, blockers []handover.Item
	if c.BeadText != "" || c.Bead != "" {
		current = []handover.Item{{ID: c.Bead, Title: unescape(c.BeadText), Status: handover.InProgress}}
	}
	for _, i := range n.Items(KindGoals) {
		goals = append(goals, itemOf(i.Text, handover.Open))
	}
	for _, i := range n.Items(KindBlockers) {
		blockers = append(blockers, itemOf(i.Text, handover.Blocked))
	}
	h.Items = handover.Join(current, blockers, goals)
	for i := range h.Items {
		h.Items[i].Marks = []handover.Mark{handover.MarkNotes}
	}
	for _, d := range n.Decisions() {
		h.Decisions = append(h.Decisions, decisionOf(&d))
		for _, s := range d.Scenarios {
			h.Tests = append(h.Tests, handover.Test{Name: unescape(s)})
		}
	}
	for _, q := range n.Questions() {
		h.Questions = append(h.Questions, handover.Question{Text: unescape(q.Text)})
	}
	for _, id := range n.Identifiers() {
		if !slices.ContainsFunc(h.Refs, func(r handover.Reference) bool { return r.Ref.String() == id.Ref.String() }) {
			h.Refs = append(h.Refs, handover.Reference{Ref: id.Ref, Purpose: unescape(id.Purpose)})
		}
	}
	for _, s := range n.Items(KindScenarios) {
		h.Tests = append(h.Tests, testOf(s.Text))
	}
	return h
}

func itemOf(text string, status handover.Status) handover.Item {
	title, id := handover.CutID(unescape(text))
	return handover.Item{ID: id, Title: title, Status: status}
}

// decisionOf converts a decision. It drops a title that Insert made from the text.
func decisionOf(d *Decision) handover.Decision {
	v := handover.Decision{When: d.When, Title: unescape(d.Title), Text: unlabelled(d.Decision), Why: unlabelled(d.Rationale)}
	if v.Text == "" {
		v.Title, v.Text = "", v.Title
	}
	if d.Title == cleanTitle(plain(firstSentence(v.Text))) || d.Title == cleanTitle(plain(v.Text)) {
		v.Title = ""
	}
	for _, e := range d.Evidence {
		if e := (handover.Evidence{Ref: e.Ref, Quote: e.Quote}); !slices.ContainsFunc(v.Evidence, func(o handover.Evidence) bool {
			return o.Ref.String() == e.Ref.String() && o.Quote == e.Quote
		}) {
			v.Evidence = append(v.Evidence, e)
		}
	}
	return v
}

// unlabelled returns the lines of a field without the escapes that labelled adds.
func unlabelled(text string) string {
	lines := handover.Lines(text)
	for i, l := range lines {
		if i > 0 {
			if rest, ok := strings.CutPrefix(l, `\`); ok {
				if _, _, ok = cutLabel(rest, knownField); ok {
					l = rest
				}
			}
			l = unescapeStart(l)
		}
		lines[i] = unescape(l)
	}
	return strings.Join(lines, "\n")
}

// testOf parses "**name** (type): expected", which scenarioText writes. Any other text is a name.
func testOf(text string) handover.Test {
	name, rest, ok := cutBold(unescape(text))
	if !ok {
		return handover.Test{Name: unescape(text)}
	}
	t := handover.Test{Name: name}
	rest = strings.TrimSpace(rest)
	if kind, after, ok := strings.Cut(rest, ")"); ok && strings.HasPrefix(kind, "(") {
		t.Type, rest = kind[1:], after
	}
	var cut bool
	if t.Expected, cut = cutColonFront(rest); !cut && t.Expected != "" {
		return handover.Test{Name: unescape(text)}
	}
	return t
}

// evidenceOf converts the evidence of a decision for an Entry.
func evidenceOf(all []handover.Evidence) []Evidence {
	var some []Evidence
	for _, e := range all {
		if e.Ref != (ledger.Ref{}) {
			some = append(some, Evidence{Ref: e.Ref, Quote: e.Quote})
		}
	}
	return some
}
