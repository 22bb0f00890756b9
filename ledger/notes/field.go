package notes

import (
	"bytes"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
)

// fieldKind is the kind of a field of an entry.
type fieldKind uint8

const (
	fieldRest fieldKind = iota // text without a label
	fieldDecision
	fieldRationale
	fieldEvidence
	fieldScenarios
	fieldBy
	fieldWhen
	fieldOther // an unknown label; the line is ordinary text
)

// fieldOf returns the field for a label, in any case. It must not allocate memory, because it runs for nearly every
// line.
func fieldOf(label string) fieldKind {
	var low [24]byte // longer than all known labels
	n := copy(low[:], label)
	for i, c := range low[:n] {
		if 'A' <= c && c <= 'Z' {
			low[i] = c | 0x20
		}
	}
	if bytes.HasPrefix(low[:n], []byte("why ")) {
		return fieldRationale
	}
	if len(label) > n {
		return fieldOther
	}
	switch string(low[:n]) {
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
	return fieldOther
}

// knownField reports whether a label is a field of a decision. The label has no bold marks.
func knownField(label string) bool { return fieldOf(label) != fieldOther }

// fieldLine is a line of an entry, with its field.
type fieldLine struct {
	text   string // without the label and the mark of a list item
	lo, hi int    // byte range without the line break; hi < 0 for other text
	next   int
	kind   fieldKind
	label  string // the label of the line; "" if it has none
	line   int
	code   bool
}

// maxFieldLines is the maximum number of lines that are read for an entry.
const maxFieldLines = 20000

// fill sets the empty fields of the decision from the lines of its entry. The field of a label ends at the next
// label, paragraph or item. A list directly after the label still belongs to the field.
func (n *Notes) fill(d Decision, lo, hi, num int) Decision {
	r := fieldReader{n: n, d: &d, decided: d.Decision != ""}
	s := n.scan(lo, hi, num)
	for range maxFieldLines {
		l, ok := s.next()
		if !ok {
			break
		}
		switch l.Kind {
		case mark.Comment:
		case mark.Text:
			r.text(l)
		case mark.Blank, mark.Code:
			r.blank = r.blank || l.Kind == mark.Blank
			r.take(fieldLine{text: n.str[l.lo:l.hi], lo: l.lo, hi: l.hi, next: l.next, kind: r.cur, line: l.num, code: l.Kind == mark.Code})
		}
	}
	r.finish()
	return d
}

type fieldReader struct {
	n      *Notes
	d      *Decision
	cur    fieldKind // field of the current label
	at     int       // indentation of the current label
	item   bool      // the current label is in an item
	full   bool      // the current label has a value on its line
	listed bool      // a list follows the current label
	blank  bool      // the last line was blank

	parts   [fieldOther + 1]part
	seen    [fieldOther + 1]int // how many labels of each field were read
	decided bool                // the decision had a text before its label "Decision"
}

// part is the text of a field. Only if its lines aren't contiguous, the text is a copy.
type part struct {
	lo, hi int
	copied strings.Builder
}

func (p *part) add(n *Notes, l fieldLine) {
	plain := l.hi >= 0 && (l.next == l.hi || l.next == l.hi+1) && p.copied.Len() == 0
	switch {
	case plain && p.hi == 0:
		p.lo, p.hi = l.lo, l.next
		return
	case plain && p.hi == l.lo:
		p.hi = l.next
		return
	case p.hi > 0:
		p.copied.WriteString(n.str[p.lo:p.hi])
		p.hi = 0
	}
	p.copied.WriteString(l.text)
	p.copied.WriteByte('\n')
}

// text returns the text of the field without comments.
func (p *part) text(n *Notes) string {
	if p.hi > 0 {
		return uncomment(trimBlankLines(n.str[p.lo:p.hi]))
	}
	return trimBlankLines(uncomment(p.copied.String()))
}

func (r *fieldReader) text(l line) {
	text, level := r.read(l)
	raw := r.n.str[l.lo:l.hi]
	sub := r.cur != fieldRest && r.item && l.Indent > r.at // nested in the list item of the current label
	if label, rest, ok := cutLabel(text, knownField); ok && (level == 0 || knownField(label)) &&
		(!sub || knownField(label) && r.cur == fieldOther) {
		r.cur, r.at, r.item = fieldOf(label), l.Indent, l.mark != 0
		r.full, r.listed, r.blank = rest != "", false, false
		if r.cur == fieldOther {
			rest = raw
		}
		f := fieldLine{text: rest, hi: -1, next: l.next, kind: r.cur, label: label, line: l.num}
		if strings.HasSuffix(raw, rest) {
			f.lo, f.hi = l.hi-len(rest), l.hi
		}
		r.take(f)
		return
	}
	switch {
	case level > 0, !sub && r.item && l.mark != 0:
		r.cur = fieldRest
	case sub:
	case l.mark != 0:
		r.listed = true
	case r.blank && (r.full || r.listed) && !l.Nested:
		r.cur = fieldRest
	}
	r.full, r.blank = true, false
	r.take(fieldLine{text: raw, lo: l.lo, hi: l.hi, next: l.next, kind: r.cur, line: l.num})
}

// read returns the text of a line without its list mark. level is above 0 for a heading, which counts as a label.
func (r *fieldReader) read(l line) (text string, level int) {
	if l.mark != 0 {
		return r.n.str[l.mark:l.hi], 0
	}
	if l.Level > 0 {
		return l.Title + ":", l.Level
	}
	return r.n.str[l.at:l.hi], 0
}

// take adds a line to its field.
func (r *fieldReader) take(l fieldLine) {
	kind := l.kind
	if l.label != "" {
		r.seen[kind]++
	}
	if kind == fieldDecision && l.label != "" && r.parts[fieldRest].text(r.n) != "" {
		r.decided = true // the label follows ordinary text
	}
	switch {
	case kind == fieldScenarios:
		r.d.addScenario(l)
		return
	case kind == fieldEvidence:
		r.d.Evidence = append(r.d.Evidence, evidenceIn(l.text, l.line, true)...)
		return
	case kind == fieldOther, kind == fieldDecision && r.decided, r.seen[kind] > 1:
		kind = fieldRest // a repeated label is ordinary text
	}
	if !l.code {
		r.d.Evidence = append(r.d.Evidence, evidenceIn(l.text, l.line, false)...)
	}
	r.parts[kind].add(r.n, l)
}

// finish copies the collected fields into the decision.
func (r *fieldReader) finish() {
	d := r.d
	get := func(k fieldKind) string { return r.parts[k].text(r.n) }
	if text := get(fieldDecision); text != "" {
		d.Decision = text
	} else if d.Decision == "" {
		d.Decision = strings.TrimSpace(get(fieldRest))
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

// addScenario adds a test scenario from a list item, or from the line of the label.
func (d *Decision) addScenario(l fieldLine) {
	t := strings.TrimSpace(l.text)
	if t == "" || l.code {
		return
	}
	next, _ := mark.Item(t, 0)
	if t = oneLine(t[next:]); t == "" {
		return
	}
	if next == 0 && l.label == "" && len(d.Scenarios) > 0 {
		d.Scenarios[len(d.Scenarios)-1] += " " + t // a continuation line
		return
	}
	t, _, _ = cutBox(t)
	if !isBlank(t) {
		d.Scenarios = append(d.Scenarios, t)
	}
}
