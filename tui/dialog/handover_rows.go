package dialog

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
	"github.com/continuo-tui/continuo/tui/screen"
)

// handPart is a section of a handover, such as the state or the open items.
type handPart int

const (
	partState handPart = iota
	partDecision
	partDone
	partItem
	partQuestion
	partRefs // can't be selected
	partStore
)

// noun returns the title of the dialog that edits an entry of this section.
func (p handPart) noun() string {
	switch p {
	case partState:
		return "State"
	case partDecision:
		return "Decision"
	case partDone, partItem:
		return "Item"
	case partQuestion:
		return "Question"
	case partRefs, partStore:
	}
	return ""
}

// handRow is a row of the dialog.
type handRow struct {
	part  handPart
	i     int    // index in the section; a new entry has the number of entries
	label string // name of the section, in its first row
	count int    // number of entries of the section; 0 isn't shown
	glyph render.Span
	text  string
	ink   render.Ink
	edits string        // text to edit
	right []render.Span // at the right edge
	brief []render.Span // right, for a narrow dialog
}

// handRows returns the rows of a handover, without the gates.
func handRows(h *screen.Handover) []handRow {
	v := h.Value
	var rows []handRow
	section := func(label string, count int, part handPart, some []handRow) {
		if len(some) == 0 {
			some = []handRow{{part: part, text: "none", ink: render.Faint}}
		}
		some[0].label, some[0].count = label, count
		rows = append(rows, some...)
	}
	var state, decisions, items, questions []handRow
	for i, l := range handover.Lines(v.State) {
		state = append(state, handRow{part: partState, i: i, text: l, ink: render.Text, edits: l})
	}
	for i := range v.Decisions {
		d := &v.Decisions[i]
		r := handRow{part: partDecision, i: i, text: d.Headline(), ink: render.Text, edits: d.Headline()}
		if len(d.Evidence) > 0 {
			r.right = refSpans(h.Checks, d.Evidence[0].Ref)
		}
		decisions = append(decisions, r)
	}
	for i, s := range v.Done {
		items = append(items, handRow{part: partDone, i: i, glyph: render.Span{Ink: render.Good, Text: "✓"}, text: s, ink: render.Muted, edits: s})
	}
	for i := range v.Items {
		items = append(items, itemRow(i, &v.Items[i]))
	}
	for i, q := range v.Questions {
		r := handRow{part: partQuestion, i: i, glyph: render.Span{Ink: render.Accent, Text: "?"}, text: q.Text, ink: render.Text, edits: q.Text}
		if q.Answer != "" {
			r.glyph, r.ink, r.right = render.Span{Ink: render.Good, Text: "✓"}, render.Muted, []render.Span{{Ink: render.Muted, Text: "answered"}}
		}
		questions = append(questions, r)
	}
	section("State", 0, partState, state)
	section("Decisions", len(decisions), partDecision, decisions)
	section("Items", len(items), partItem, items)
	section("Questions", len(questions), partQuestion, questions)
	if len(v.Refs) > 0 {
		section("References", 0, partRefs, []handRow{{part: partRefs, text: refsText(h), ink: render.Text}})
	}
	var all []handRow
	for i := range h.Stores {
		all = append(all, storeRow(i, &h.Stores[i]))
	}
	section("Write to", 0, partStore, all)
	for i := range rows {
		rows[i].text = transcript.CleanLine(rows[i].text)
	}
	return rows
}

func itemRow(i int, item *handover.Item) handRow {
	r := handRow{part: partItem, i: i, text: item.Title, ink: render.Text, edits: item.Title, glyph: render.Span{Ink: render.Faint, Text: "○"}}
	switch item.Status {
	case handover.InProgress:
		r.glyph = render.Span{Ink: render.Muted, Text: "◐"}
	case handover.Blocked:
		r.glyph, r.text = render.Span{Ink: render.Warn, Text: "△"}, r.text+" (blocked)"
	case handover.Open, handover.Done, handover.Dropped, "":
	}
	if r.text == "" {
		r.text = item.ID
	}
	var names, letters []string
	for _, m := range item.Marks {
		name := m.Name()
		if m == handover.MarkBead && item.ID != "" {
			name += " " + transcript.CleanLine(item.ID)
		}
		names, letters = append(names, name), append(letters, string(m))
	}
	r.right = []render.Span{{Ink: render.Muted, Text: strings.Join(names, ", ")}}
	r.brief = []render.Span{{Ink: render.Muted, Text: strings.Join(letters, " ")}}
	return r
}

func storeRow(i int, s *screen.HandoverStore) handRow {
	r := handRow{part: partStore, i: i, glyph: render.Span{Ink: render.Faint, Text: "·"}, text: s.Does, ink: render.Muted}
	switch {
	case s.Off != "":
		r.text, r.ink = "off: "+s.Off, render.Faint
	case s.Same:
		r.text = "has everything already"
	}
	if s.Off == "" {
		r.right = []render.Span{{Ink: render.Muted, Text: s.Size}}
	}
	if s.On {
		r.glyph = render.Span{Ink: render.AccentBold, Text: "✓"}
	}
	return r
}

// refSpans draws a code reference and the result of its check.
func refSpans(checks map[string]ledger.Check, ref ledger.Ref) []render.Span {
	text := render.Span{Ink: render.Muted, Text: ledgerlines.RefText(ref)}
	c, ok := checks[ref.String()]
	if !ok {
		return []render.Span{text}
	}
	glyph, _ := ledgerlines.CheckSpans(c)
	glyph.Text += " "
	return []render.Span{glyph, text}
}

// refsText returns the number of code references, and how many weren't found.
func refsText(h *screen.Handover) string {
	lost := 0
	for _, r := range h.Value.Refs {
		if c, ok := h.Checks[r.Ref.String()]; ok && c.Status != ledger.Holds {
			lost++
		}
	}
	text := words.Counted(len(h.Value.Refs), "code reference", "code references")
	switch {
	case lost > 0:
		return text + ", " + words.Count(lost) + " not found"
	case len(h.Value.Refs) == 1:
		return text + ", found"
	}
	return text + ", all found"
}

func (d *Handover) writes() string {
	changes, adds := 0, 0
	if d.h != nil {
		for _, s := range d.h.Stores {
			switch {
			case !s.On || s.Same:
			case s.New:
				adds++
			default:
				changes++
			}
		}
	}
	undo := "; " + d.f.Key("undo", "u") + " undoes all of it."
	const not = "Nothing has been written yet."
	switch {
	case changes > 0 && adds > 0:
		return not + " The plan changes " + words.Counted(changes, "file", "files") + " and adds " + words.Count(adds) + undo
	case changes > 0:
		return not + " The plan changes " + words.Counted(changes, "file", "files") + undo
	case adds > 0:
		return not + " The plan adds " + words.Counted(adds, "file", "files") + undo
	}
	return not
}

func joinLines(lines []string) string { return strings.Join(lines, "\n") }

// codeSpans splits a text into spans, with the code between backticks as separate spans.
func codeSpans(ink render.Ink, text string) []render.Span {
	var spans []render.Span
	for i, part := range strings.Split(text, "`") {
		switch {
		case i%2 == 0:
			spans = append(spans, render.Span{Ink: ink, Text: part})
		case strings.Count(text, "`") == i: // a backtick without a partner
			spans = append(spans, render.Span{Ink: ink, Text: "`" + part})
		default:
			spans = append(spans, render.Span{Ink: render.Code, Text: "`" + part + "`"})
		}
	}
	return slices.DeleteFunc(spans, func(s render.Span) bool { return s.Text == "" })
}
