package notes

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/mark"
)

// item returns the insertion for an entry that is a list item: a question, a next step or a scenario.
func (in inserter) item(kind Kind) Insertion {
	i := in.listOf(kind)
	if i < 0 {
		return in.newList(kind)
	}
	s := in.Sections[i]
	var item, table block
	for b := range in.body(i) {
		switch b.kind {
		case blockItem:
			item = b
		case blockTable:
			table = b
		case blockText, blockCode:
		}
	}
	switch {
	case item.hi > 0:
		mark, indent := in.markAfter(item)
		return in.put(piece{at: in.closed(item.hi), lines: itemLines(in.entry, mark, indent), tight: true, section: s.Title})
	case table.hi > 0:
		return in.putRow(table, s.Title, true, itemCells(in.entry))
	}
	lines := itemLines(in.entry, bulletOf(kind), "  ")
	if in.hasProse(i) { // a paragraph beside a list isn't an entry
		lines = slices.DeleteFunc(itemLines(in.entry, "", ""), func(l string) bool { return strings.TrimSpace(l) == "" })
	}
	return in.put(piece{at: in.tail(s.Body, s.Own), lines: lines, section: s.Title})
}

// hasProse reports whether the entries of a section are paragraphs. A paragraph that ends with a colon is an
// introduction.
func (in inserter) hasProse(i int) bool {
	for e := range in.entriesOf(i) {
		if !e.blank && !e.done && !strings.HasSuffix(e.text, ":") {
			return true
		}
	}
	return false
}

// closed returns at, or the start of an unclosed fence or comment around at.
func (in inserter) closed(at int) int {
	if in.open >= 0 && at > in.open {
		return in.open
	}
	return at
}

// listOf returns the index of the section for a new entry of a kind; -1 if there is none. A section in the newest
// Session Continuity comes first, then the first one outside of decision logs.
func (in inserter) listOf(kind Kind) int {
	found := -1
	for _, i := range in.ofKind(kind) {
		if _, within := in.inside(i, KindDecisions); within {
			continue
		}
		if p, within := in.inside(i, KindContinuity); within && p == in.continuity.Section {
			return i
		}
		if found < 0 {
			found = i
		}
	}
	return found
}

func bulletOf(kind Kind) string {
	if kind == KindScenarios {
		return "- "
	}
	return "- [ ] "
}

// newList returns the insertion of a new section with a list. Questions go into Session Continuity (spec 002,
// Required Structure).
func (in inserter) newList(kind Kind) Insertion {
	lines := itemLines(in.entry, bulletOf(kind), "  ")
	switch kind {
	case KindGoals:
		return in.newSection("Active Sub-Goals", lines)
	case KindScenarios:
		return in.newSection("Test Scenarios", lines)
	case KindBlockers:
		return in.newSection("Blockers", lines)
	default:
	}
	return in.newPart("Pending Questions", []string{""}, lines)
}

// newContext returns the insertion of a new Session Continuity with lines in its Active Context.
func (in inserter) newContext(lines ...string) Insertion {
	return in.newSection("Session Continuity", slices.Concat([]string{"### Active Context"}, lines))
}

// newPart returns the insertion of a new section in the Session Continuity. Without one, the section has level 2. top
// has the lines between the heading and the entry.
func (in inserter) newPart(title string, top, lines []string) Insertion {
	i := in.continuity.Section
	if i < 0 || in.Sections[i].Level > 5 {
		return in.newSection(title, slices.DeleteFunc(slices.Concat(top, lines), func(l string) bool { return l == "" }))
	}
	head := strings.Repeat("#", in.Sections[i].Level+1) + " " + title
	return in.put(piece{at: in.lastOf(i), lines: slices.Concat([]string{head}, top, lines), above: 1 + len(top), section: title, made: true})
}

// reference returns the insertion of a code reference into Lightweight Identifiers. A missing section is created with
// a table (spec 002, Required Structure).
func (in inserter) reference() Insertion {
	cells := rowCells([]string{"identifier", "purpose", "last verified"}, nil, referenceCells(in.entry), in.entry)
	top, row := []string{"| Identifier | Purpose | Last Verified |", "|---|---|---|"}, []string{"| " + strings.Join(cells, " | ") + " |"}
	i := in.listOf(KindIdentifiers)
	if i < 0 {
		return in.newPart("Lightweight Identifiers", top, row)
	}
	s := in.Sections[i]
	item := block{}
	for b := range in.body(i) {
		switch b.kind {
		case blockTable:
			return in.putRow(b, s.Title, true, referenceCells(in.entry))
		case blockItem:
			item = b
		case blockText, blockCode:
		}
	}
	if item.hi > 0 {
		lead, _ := in.markAfter(item)
		text := "`" + in.entry.place() + "`"
		if purpose := plain(in.entry.Text); purpose != "" {
			text += " — " + purpose
		}
		return in.put(piece{at: in.closed(item.hi), lines: []string{lead + text}, tight: true, section: s.Title})
	}
	return in.put(piece{at: in.tail(s.Body, s.Own), lines: append(top, row...), above: len(top), section: s.Title})
}

// referenceCells returns the filler for a table of identifiers.
func referenceCells(e Entry) filler {
	return func(head, like string) (text string, known bool) {
		begins := func(s string) bool { return strings.HasPrefix(head, s) }
		switch {
		case slices.ContainsFunc([]string{"identifier", "path", "file", "reference"}, begins):
			return e.place(), true
		case slices.ContainsFunc([]string{"purpose", "description", "what", "why", "note"}, begins):
			return e.Text, true
		case begins("last verified"), isStamped(head), head == "verified":
			return stamp(e.At, head, like), true
		}
		return "", false
	}
}

// place returns the code reference of an entry; "" if there is none.
func (e Entry) place() string {
	if len(e.Evidence) == 0 {
		return ""
	}
	return e.Evidence[0].Ref.String()
}

// itemLines returns an entry as a list item.
func itemLines(e Entry, mark, indent string) []string {
	if e.Kind == EntryScenario {
		return []string{mark + scenarioText(e)}
	}
	text := e.Text
	if plain(text) == "" {
		text = e.headline()
	}
	lines := plainLines(text)
	for i := range lines {
		lines[i] = indent + escapeStart(lines[i])
	}
	lines[0] = mark + strings.TrimPrefix(lines[0], indent)
	if bead := plain(e.Bead); bead != "" {
		lines[0] += " (" + bead + ")"
	}
	return lines
}

// scenarioText returns a scenario as one line: name, type, expected result and bead.
func scenarioText(e Entry) string {
	s := "**" + boldText(e.headline()) + "**"
	if t := plain(e.Type); t != "" {
		s += " (" + t + ")"
	}
	if x := plain(e.Expected); x != "" {
		s += ": " + x
	}
	if b := plain(e.Bead); b != "" {
		s += " (" + b + ")"
	}
	return s
}

// itemCells returns the filler for a table of questions, steps or scenarios.
func itemCells(e Entry) filler {
	return func(head, like string) (text string, known bool) {
		switch {
		case strings.HasPrefix(head, "expect") || head == "outcome" || head == "result":
			return e.Expected, true
		case head == "type" || head == "kind" || head == "category":
			return e.Type, true
		case isStamped(head):
			return stamp(e.At, head, like), true
		case head == "bead":
			return e.Bead, true
		}
		return "", false
	}
}

// isStamped reports whether a column with the given head has times.
func isStamped(head string) bool {
	for _, w := range []string{"timestamp", "date", "when", "time", "since", "raised", "added", "opened"} {
		if strings.HasPrefix(head, w) {
			return true
		}
	}
	return false
}

// stamp formats a time like an existing time of the column.
func stamp(t time.Time, head, like string) string {
	if t.IsZero() {
		return ""
	}
	t = t.UTC()
	w, ok := findWhen(like)
	switch {
	case ok && w.day, !ok && strings.Contains(like, "YYYY") && !strings.Contains(like, "HH"), !ok && !strings.Contains(like, "YYYY") && strings.HasPrefix(head, "date"):
		return t.Format(time.DateOnly)
	case ok && !strings.Contains(like, "T"):
		layout := "2006-01-02 15:04"
		if strings.Count(like, ":") > 1 {
			layout += ":05"
		}
		if strings.HasSuffix(strings.TrimSpace(like), "UTC") {
			layout += " UTC"
		} else if strings.HasSuffix(strings.TrimSpace(like), "Z") {
			layout += "Z"
		}
		return t.Format(layout)
	}
	return t.Format(time.RFC3339)
}

// markAfter returns the mark for a new item after item b, and the indentation of its further lines.
func (in inserter) markAfter(b block) (lead, indent string) {
	l := in.Text[b.lo:min(b.mark, b.hi)]
	blanks := string(l[:len(l)-len(bytes.TrimLeft(l, " \t"))])
	own := strings.TrimSpace(string(l))
	if size := mark.Bullet(own); size > 1 {
		if no, err := strconv.Atoi(own[:size-1]); err == nil && no < 99_999_999 {
			own = strconv.Itoa(no+1) + own[size-1:size]
		}
	} else if size == 1 {
		own = own[:1]
	}
	lead = blanks + own + " "
	indent = blanks + strings.Repeat(" ", len(own)+1)
	rest, _, _ := bytes.Cut(in.Text[min(b.mark, b.hi):b.hi], []byte("\n"))
	if _, box, _ := cutBox(strings.TrimSpace(string(rest))); box {
		lead += "[ ] "
	}
	return lead, indent
}

// handoff returns the insertion of a handoff. It becomes a row if the Session Continuity has a table with times, and
// a section otherwise. The section goes to the side of the newest dated heading.
func (in inserter) handoff() Insertion {
	i := in.continuity.Section
	if i < 0 {
		return in.newSection("Session Continuity", handoffLines(in.entry, 3))
	}
	s := in.Sections[i]
	for b := range in.body(i) {
		if b.kind != blockTable {
			continue
		}
		if stamps := in.stamps(b); stamps != nil {
			return in.putRow(b, s.Title, len(stamps) < 2 || !stamps[0].After(stamps[len(stamps)-1]), handoffCells(in.entry))
		}
	}
	at := in.lastOf(i)
	var first, last time.Time
	start := 0
	for _, j := range in.below(i) {
		if _, w, ok := cutWhen(in.Sections[j].Title); ok && in.Sections[j].Kind == KindOther {
			if last = w.t; start == 0 {
				first, start = w.t, in.Sections[j].Start
			}
		}
	}
	if first.After(last) {
		at = start
	}
	return in.put(piece{at: at, lines: handoffLines(in.entry, min(s.Level+1, 6)), section: s.Title})
}

// stamps returns the times in the rows of a table; nil if there is no column for times.
func (in inserter) stamps(b block) []time.Time {
	k := -1
	var all []time.Time
	head := true
	for r := range in.rows(b) {
		if head {
			for i, c := range r.cells {
				if k < 0 && isStamped(strings.ToLower(bare(c))) {
					k = i
				}
			}
			if head = false; k < 0 {
				return nil
			}
			all = []time.Time{}
			continue
		}
		if k < len(r.cells) {
			if w, ok := findWhen(r.cells[k]); ok {
				all = append(all, w.t)
			}
		}
	}
	return all
}

// handoffFields returns the non-empty fields of a handoff.
func handoffFields(e Entry) [][2]string {
	var all [][2]string
	for _, f := range [][2]string{{"Session", e.Session}, {"Notes", e.NotesRef}, {"Trajectory", e.Trajectory}, {"Grounding Ratio", e.Ratio}, {"Bead", e.Bead}} {
		if v := plain(f[1]); v != "" {
			all = append(all, [2]string{f[0], v})
		}
	}
	return all
}

// handoffLines returns a handoff as a heading, its text and its fields.
func handoffLines(e Entry, level int) []string {
	title := "Handoff"
	if s := plain(e.Session); s != "" {
		title += " " + s
	}
	all := []string{strings.Repeat("#", level) + " " + e.At.UTC().Format(time.RFC3339) + " - " + headingText(title)}
	if text := plainLines(e.Text); len(text) > 0 {
		all = append(all, "")
		for _, l := range text {
			all = append(all, escapeStart(l))
		}
	}
	all = append(all, "")
	for _, f := range handoffFields(e) {
		all = append(all, "- **"+f[0]+"**: "+f[1])
	}
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// handoffCells returns the filler for a table of sessions.
func handoffCells(e Entry) filler {
	return func(head, like string) (text string, known bool) {
		switch {
		case isStamped(head):
			return stamp(e.At, head, like), true
		case head == "agent" || head == "who" || strings.HasPrefix(head, "session"):
			return e.Session, true
		case head == "summary" || head == "event" || head == "what" || strings.HasPrefix(head, "note"):
			var all []string
			if e.Text != "" {
				all = append(all, e.Text)
			}
			for _, f := range handoffFields(e) {
				all = append(all, f[0]+": "+f[1])
			}
			return strings.Join(all, "\n"), true
		case head == "bead":
			return e.Bead, true
		}
		return "", false
	}
}
