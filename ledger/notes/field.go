package notes

import (
	"strings"
)

// fieldKind is what a labelled line of an entry says.
type fieldKind uint8

const (
	fieldRest fieldKind = iota // what no label claims
	fieldDecision
	fieldRationale
	fieldEvidence
	fieldScenarios
	fieldBy
	fieldWhen
	fieldOther // a label that is not known: part of the rest
)

// fieldOf tells what a label in lower case is about.
func fieldOf(label string) fieldKind {
	switch label {
	case "decision", "decided":
		return fieldDecision
	case "rationale", "why", "reason", "reasons", "reasoning", "justification", "because":
		return fieldRationale
	case "evidence", "source", "sources", "reference", "references", "citation", "citations", "grounding":
		return fieldEvidence
	case "test scenarios", "test scenario", "scenarios", "tests":
		return fieldScenarios
	case "decided by", "by", "made by", "author", "owner", "who", "agent":
		return fieldBy
	case "date", "timestamp", "when", "time", "decided on":
		return fieldWhen
	}
	if strings.HasPrefix(label, "why ") {
		return fieldRationale
	}
	return fieldOther
}

// knownField reports whether a label without bold marks is a field of a decision.
func knownField(label string) bool { return fieldOf(label) != fieldOther }

// fieldLine is a line of an entry and the field that it belongs to.
type fieldLine struct {
	text  string // without the mark of the item that has the label, and without the label
	kind  fieldKind
	label string // lower case, of the line that has it; "" none
	line  int
	code  bool
}

// maxFieldLines is how many lines of one entry are read: what is further below is text, not fields.
const maxFieldLines = 20000

// fields reads the lines of an entry. A label holds until the next one; without a list below it also until a paragraph
// or an item of its own level begins.
func (n *Notes) fields(lo, hi, num int) []fieldLine {
	r := fieldReader{n: n}
	s := scan(n.Text, lo, hi, num)
	for len(r.all) < maxFieldLines {
		l, ok := s.next()
		if !ok {
			break
		}
		switch l.kind {
		case lineComment:
		case lineText:
			r.text(l)
		case lineBlank, lineCode:
			r.blank = r.blank || l.kind == lineBlank
			r.all = append(r.all, fieldLine{text: string(n.Text[l.lo:l.hi]), kind: r.cur, line: l.num, code: l.kind == lineCode})
		}
	}
	return r.all
}

type fieldReader struct {
	n      *Notes
	all    []fieldLine
	cur    fieldKind // of the label that holds
	at     int       // its indent
	item   bool      // it is that of an item
	full   bool      // something stands behind it
	listed bool      // a list is below it
	blank  bool      // the last line was blank
}

func (r *fieldReader) text(l line) {
	text, level := r.said(l)
	raw := string(r.n.Text[l.lo:l.hi])
	sub := r.cur != fieldRest && r.item && l.indent > r.at // inside the item that has the label
	if label, rest, ok := cutLabel(text, knownField); ok && (level == 0 || knownField(label)) &&
		(!sub || knownField(label) && r.cur == fieldOther) {
		r.cur, r.at, r.item = fieldOf(label), l.indent, l.mark != 0
		r.full, r.listed, r.blank = rest != "", false, false
		if r.cur == fieldOther {
			rest = raw
		}
		r.all = append(r.all, fieldLine{text: rest, kind: r.cur, label: label, line: l.num})
		return
	}
	switch {
	case level > 0, !sub && r.item && l.mark != 0:
		r.cur = fieldRest
	case sub:
	case l.mark != 0:
		r.listed = true
	case r.blank && (r.full || r.listed) && !l.nested:
		r.cur = fieldRest
	}
	r.full, r.blank = true, false
	r.all = append(r.all, fieldLine{text: raw, kind: r.cur, line: l.num})
}

// said is what a line says without its mark. A heading is a label, and has a level.
func (r *fieldReader) said(l line) (text string, level int) {
	if l.mark != 0 {
		return string(r.n.Text[l.mark:l.hi]), 0
	}
	b := r.n.Text[l.at:l.hi]
	if l.indent < 4 && !l.nested {
		if level, title := heading(b); level > 0 {
			return string(title) + ":", level
		}
	}
	return string(b), 0
}

// fill puts the fields of an entry into a decision; what is there already is kept.
func (n *Notes) fill(d *Decision, lines []fieldLine) {
	var parts [fieldOther + 1]strings.Builder
	var seen [fieldOther + 1]int // how often a label began
	said := d.Decision != ""     // the decision stands before its label
	for _, l := range lines {
		kind := l.kind
		if l.label != "" {
			seen[kind]++
		}
		if kind == fieldDecision && l.label != "" && written(&parts[fieldRest]) {
			said = true // a label within prose
		}
		switch {
		case kind == fieldScenarios:
			d.addScenario(l)
			continue
		case kind == fieldEvidence:
			d.Evidence = append(d.Evidence, evidenceIn(l.text, l.line, true)...)
			continue
		case kind == fieldOther, kind == fieldDecision && said, seen[kind] > 1:
			kind = fieldRest // of a label that is repeated the first one counts
		}
		if !l.code {
			d.Evidence = append(d.Evidence, evidenceIn(l.text, l.line, false)...)
		}
		parts[kind].WriteString(l.text)
		parts[kind].WriteByte('\n')
	}
	get := func(k fieldKind) string { return string(trimBlankLines([]byte(uncomment(parts[k].String())))) }
	if text := get(fieldDecision); text != "" {
		d.Decision = text
	} else {
		d.Decision = strings.TrimSpace(d.Decision + "\n" + get(fieldRest))
	}
	if d.Rationale == "" {
		d.Rationale = get(fieldRationale)
	}
	if d.By == "" {
		d.By = oneLine(get(fieldBy))
	}
	if d.When.IsZero() {
		if w, ok := findWhen(oneLine(get(fieldWhen))); ok {
			d.When, d.Day = w.t, w.day
		}
	}
}

// written reports whether there is more than blanks in a builder.
func written(b *strings.Builder) bool { return b != nil && strings.TrimSpace(b.String()) != "" }

// addScenario takes an item of the list of test scenarios, or what stands behind their label.
func (d *Decision) addScenario(l fieldLine) {
	t := strings.TrimSpace(l.text)
	if t == "" || l.code {
		return
	}
	next, _ := marker([]byte(t), 0)
	if t = oneLine(t[next:]); t == "" {
		return
	}
	if next == 0 && l.label == "" && len(d.Scenarios) > 0 {
		d.Scenarios[len(d.Scenarios)-1] += " " + t // a line that goes on
		return
	}
	t, _, _ = cutBox(t)
	if !isBlank(t) {
		d.Scenarios = append(d.Scenarios, t)
	}
}
