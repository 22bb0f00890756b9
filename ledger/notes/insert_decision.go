package notes

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// shape is the form of the decisions in a log.
type shape uint8

const (
	shapeHeading shape = iota // #### time - title, the form of the spec
	shapeTable
	shapeBold
	shapeItem
	shapeDated // a dated section for each decision
)

// decision returns the insertion of a decision.
func (in inserter) decision() Insertion {
	log := in.newestLog()
	if log < 0 {
		return in.newSection("Decision Log", specDecision(in.entry, 4))
	}
	s := in.Sections[log]
	p := piece{section: s.Title}
	how, first, last := in.shapeOf(log)
	rising := !in.falling(log)
	like := last // the existing entry beside the new one
	if !rising {
		like = first
	}
	if how == shapeDated && in.entry.At.IsZero() {
		how = shapeHeading
	}
	if how == shapeBold && like.kind == blockItem {
		how = shapeItem
	}
	switch how {
	case shapeTable:
		c, _ := in.decisionTable(last)
		return in.putRow(last, s.Title, rising, decisionCells(in.entry, c.rationale >= 0))
	case shapeDated:
		p = in.datedLog()
	case shapeBold:
		p.lines = boldDecision(in.entry, strings.Contains(strings.ToLower(in.str[like.lo:min(like.hi, like.lo+20)]), "decision"))
		p.at = in.beside(log, rising, first, last)
	case shapeItem:
		p.lines = in.itemDecision(like)
		p.tight = true
		p.at = in.beside(log, rising, first, last)
	case shapeHeading:
		level, at := in.entryLevel(log, rising)
		p.lines, p.at = specDecision(in.entry, level), at
	}
	return in.put(p)
}

// newestLog returns the index of the log with the newest decision, or of the first log; -1 if there is no log.
func (in inserter) newestLog() int {
	for _, d := range in.decisions {
		if in.Sections[d.Section].Kind == KindDecisions {
			return d.Section
		}
	}
	for i, s := range in.Sections {
		if s.Kind == KindDecisions {
			return i
		}
	}
	return -1
}

// shapeOf returns the form of the decisions in a log, and the first and the last block of this form. A log with a day
// in its heading needs tables with a date column.
func (in inserter) shapeOf(log int) (how shape, first, last block) {
	_, day := in.suffix(log)
	for b := range in.body(log) {
		if b.kind != blockTable {
			continue
		}
		if c, ok := in.decisionTable(b); ok && (day.t.IsZero() || c.when >= 0) {
			how, last = shapeTable, b
		}
	}
	if how == shapeTable {
		return how, last, last
	}
	subs := in.below(log)
	if !day.t.IsZero() {
		each := len(subs) == 0 || len(in.ofKind(KindDecisions)) > 1
		for _, i := range subs { // a single log may have entries with other dates
			_, own, _ := cutWhen(in.Sections[i].Title)
			each = each || own.t.IsZero()
		}
		if each {
			return shapeDated, first, last
		}
	}
	if len(subs) > 0 {
		return shapeHeading, first, last
	}
	lines := map[int]bool{}
	for _, d := range in.decisions {
		if d.Section == log {
			lines[d.Line] = true
		}
	}
	for b := range in.body(log) {
		if !lines[b.line] || b.kind == blockTable || b.kind == blockCode {
			continue
		}
		if first.hi == 0 {
			first, how = b, shapeBold
		}
		last = b
	}
	return how, first, last
}

// falling reports whether a log is sorted newest first.
func (in inserter) falling(log int) bool {
	first, last := Decision{}, Decision{}
	for _, d := range in.decisions {
		if d.Section != log || d.When.IsZero() {
			continue
		}
		if first.Line == 0 || d.Line < first.Line {
			first = d
		}
		if d.Line > last.Line {
			last = d
		}
	}
	return first.When.After(last.When)
}

// beside returns the position before the first entry of a log, or after the last one if rising.
func (in inserter) beside(log int, rising bool, first, last block) int {
	if !rising {
		return first.lo
	}
	end := last.hi
	for _, d := range in.decisions {
		if d.Section == log && d.Line == last.line && d.Last > last.last {
			end = in.lineEnd(last.hi, d.Last-last.last)
		}
	}
	if in.open >= 0 && end > in.open {
		return in.open
	}
	return end
}

// lineEnd returns the offset after a number of lines from at.
func (in inserter) lineEnd(at, lines int) int {
	for ; lines > 0; lines-- {
		i := bytes.IndexByte(in.Text[at:], '\n')
		if i < 0 {
			return len(in.Text)
		}
		at += i + 1
	}
	return at
}

// entryLevel returns the level of the entry headings in a log, and the position for a new one.
func (in inserter) entryLevel(log int, rising bool) (level, at int) {
	subs := in.below(log)
	s := in.Sections[log]
	if len(subs) == 0 {
		return min(max(4, s.Level+1), 6), in.lastOf(log)
	}
	if level = in.Sections[subs[0]].Level; rising {
		return level, in.lastOf(log)
	}
	return level, in.Sections[subs[0]].Start
}

// datedLog returns a new dated log for a decision. It goes to the side of the newest log.
func (in inserter) datedLog() piece {
	first, last := -1, -1
	var from, to when
	for _, i := range in.ofKind(KindDecisions) {
		if _, w := in.suffix(i); !w.t.IsZero() {
			if first < 0 {
				first, from = i, w
			}
			last, to = i, w
		}
	}
	s := in.Sections[first]
	p := piece{at: s.Start}
	if from.t.Before(to.t) {
		s = in.Sections[last]
		p.at = in.lastOf(last)
	}
	p.section = datedTitle(s.Title, in.entry)
	p.lines = append([]string{strings.Repeat("#", s.Level) + " " + p.section, ""}, specFields(in.entry)...)
	p.made = true
	return p
}

// datedTitle returns the heading of a new dated log, in the form of an existing heading (like).
func datedTitle(like string, e Entry) string {
	w, _ := findWhen(like)
	before := like[:w.at]
	if _, rest := kindOf(before); strings.Trim(rest, " \t:-–—|·([") != "" {
		before = "Decision Log — " // the existing heading starts with other words
	}
	after := " (" + headingText(e.headline()) + ")"
	for _, m := range [][2]string{{"(", ")"}, {"[", "]"}} {
		if strings.HasSuffix(strings.TrimSpace(before), m[0]) {
			after = m[1] + ": " + headingText(e.headline())
		}
	}
	return before + e.At.UTC().Format(time.DateOnly) + after
}

// specDecision returns the lines of a decision in the form of the spec.
func specDecision(e Entry, level int) []string {
	head := headingText(e.headline())
	if !e.At.IsZero() {
		head = e.At.UTC().Format(time.RFC3339) + " - " + head
	}
	return append([]string{strings.Repeat("#", level) + " " + head}, specFields(e)...)
}

// specFields returns the fields below the heading of a decision.
func specFields(e Entry) []string {
	text := e.Text
	if plain(text) == "" {
		text = e.Title
	}
	all := labelled("**Decision**:", text, "  ")
	all = append(all, labelled("**Rationale**:", e.Rationale, "  ")...)
	all = append(all, labelled("**Bead**:", e.Bead, "  ")...)
	if len(e.Evidence) > 0 {
		all = append(all, "**Evidence**:")
		for _, v := range e.Evidence {
			all = append(all, "- "+cited(v))
		}
	}
	if len(e.Scenarios) > 0 {
		all = append(all, "**Test Scenarios**:")
		for i, s := range e.Scenarios {
			all = append(all, strconv.Itoa(i+1)+". "+escapeStart(plain(s)))
		}
	}
	return all
}

// boldDecision returns a decision as a bold paragraph and a list of its fields.
func boldDecision(e Entry, word bool) []string {
	title := boldText(e.headline())
	if word {
		title = "Decision: " + title
	}
	all := []string{"**" + title + "**"}
	if !e.At.IsZero() {
		all = append(all, "- **Date**: "+e.At.UTC().Format(time.RFC3339))
	}
	return append(all, itemFields(e, "")...)
}

// itemFields returns the fields of a decision as list items.
func itemFields(e Entry, indent string) []string {
	var all []string
	if text := plain(e.Text); text != "" && text != e.headline() {
		all = append(all, labelled(indent+"- **Decision**:", e.Text, indent+"  ")...)
	}
	all = append(all, labelled(indent+"- **Rationale**:", e.Rationale, indent+"  ")...)
	all = append(all, labelled(indent+"- **Bead**:", e.Bead, indent+"  ")...)
	for _, v := range e.Evidence {
		all = append(all, indent+"- **Evidence**: "+cited(v))
	}
	if len(e.Scenarios) > 0 {
		all = append(all, indent+"- **Test Scenarios**:")
		for i, s := range e.Scenarios {
			all = append(all, indent+"  "+strconv.Itoa(i+1)+". "+escapeStart(plain(s)))
		}
	}
	return all
}

// itemDecision returns a decision as a list item, with the mark of an existing item (like).
func (in inserter) itemDecision(like block) []string {
	mark, indent := in.markAfter(like)
	if !in.entry.At.IsZero() {
		mark += in.entry.At.UTC().Format(time.DateOnly) + ": "
	}
	all := []string{mark + "**" + boldText(in.entry.headline()) + "**"}
	return append(all, itemFields(in.entry, indent)...)
}

// decisionCells returns the filler for a table of decisions. If reasons is false, the rationale goes into the cell of
// the decision.
func decisionCells(e Entry, reasons bool) filler {
	why := []string{e.Rationale}
	for _, v := range e.Evidence {
		why = append(why, cited(v))
	}
	return func(head, like string) (text string, known bool) {
		c := columns{-1, -1, -1, -1, -1}
		switch at, _ := c.column(head); at {
		case &c.when:
			return stamp(e.At, head, like), true
		case &c.decision:
			lines := []string{e.headline()}
			if text := plain(e.Text); text != lines[0] {
				lines = append(lines, e.Text)
			}
			if !reasons {
				lines = append(lines, why...)
			}
			return strings.Join(lines, "\n"), true
		case &c.rationale:
			return strings.Join(why, "\n"), true
		case &c.by:
			return "user", true
		}
		if head == "bead" || head == "task" {
			return e.Bead, true
		}
		return "", false
	}
}
