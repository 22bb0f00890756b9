package notes

import (
	"bytes"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
)

// columns has the column indexes of a table of decisions; -1 for a missing column.
type columns struct{ when, decision, rationale, by, evidence int }

// decisionTable reads the head of a table. ok is false if it isn't a table of decisions.
func (n *Notes) decisionTable(b block) (c columns, ok bool) {
	c = columns{-1, -1, -1, -1, -1}
	for head := range n.rows(b) {
		for i, cell := range head.cells {
			at, sure := c.column(strings.ToLower(bare(cell)))
			if at != nil && *at < 0 {
				*at = i
				ok = ok || sure
			}
		}
		break
	}
	return c, ok || c.decision >= 0 && c.when >= 0
}

// column returns the field of c for the head of a column; nil if it is unknown. sure is true if only tables of
// decisions have such a column.
func (c *columns) column(head string) (at *int, sure bool) {
	switch head {
	case "choice", "resolution", "what we decided":
		return &c.decision, true
	case "what", "title", "topic":
		return &c.decision, false
	case "decision id", "decision #", "decision no", "decision no.", "decision number", "decision status", "decision type":
		return nil, false
	case "decision date":
		return &c.when, false
	case "decision by", "decision maker", "decision-maker":
		return &c.by, false
	}
	switch f := fieldOf(head); {
	case strings.HasPrefix(head, "decision"):
		return &c.decision, true
	case f == fieldWhen, strings.HasPrefix(head, "date"), strings.HasPrefix(head, "timestamp"):
		return &c.when, false
	case f == fieldRationale:
		return &c.rationale, false
	case f == fieldBy:
		return &c.by, false
	case f == fieldEvidence:
		return &c.evidence, false
	}
	return nil, false
}

// tables reads the decision tables directly below a heading; false if there are none.
func (r *decisionReader) tables(i int, day when) bool {
	found := false
	if s := r.n.Sections[i]; bytes.IndexByte(r.n.Text[s.Body:s.Own], '|') < 0 {
		return false
	}
	for b := range r.n.body(i) {
		if b.kind != blockTable {
			continue
		}
		c, ok := r.n.decisionTable(b)
		if !ok {
			continue
		}
		found = true
		head := true
		for row := range r.n.rows(b) {
			if len(r.all) >= maxEntries {
				return true
			}
			if !head {
				r.row(row, c, day)
			}
			head = false
		}
	}
	return found
}

// row reads a decision from a row of a table.
func (r *decisionReader) row(row row, c columns, day when) {
	cell := func(i int) string {
		if i < 0 || i >= len(row.cells) {
			return ""
		}
		return lineBreaks(uncomment(row.cells[i]), "\n")
	}
	d := Decision{When: day.t, Day: day.day, Section: r.log, Line: row.line, Last: row.line, Rationale: cell(c.rationale), By: oneLine(cell(c.by))}
	if w, ok := findWhen(cell(c.when)); ok {
		d.When, d.Day = w.t, w.day
	}
	first, more, broken := strings.Cut(cell(c.decision), "\n")
	d.Title = oneLine(first)
	if broken {
		d.Decision = strings.TrimSpace(more)
	}
	if len(d.Title) > maxTitle {
		d.Decision, d.Title = cell(c.decision), firstSentence(cell(c.decision))
	}
	d.Evidence = evidenceIn(cell(c.evidence), row.line, true)
	for _, other := range []int{c.decision, c.rationale} {
		d.Evidence = append(d.Evidence, evidenceIn(cell(other), row.line, false)...)
	}
	if isBlank(d.Rationale) {
		d.Rationale = ""
	}
	r.add(d)
}

// entries reads the decisions directly below a heading and returns their number. They are bold paragraphs, paragraphs
// with a date, or list items.
func (r *decisionReader) entries(i int, day when) int {
	e := entryReader{r: r, day: day}
	before := len(r.all)
	for b := range r.n.body(i) {
		if len(r.all) >= maxEntries {
			return len(r.all) - before
		}
		e.take(b)
	}
	e.flush()
	return len(r.all) - before
}

type entryReader struct {
	r      *decisionReader
	day    when
	d      Decision
	lo, hi int
	num    int // line number of the offset lo
	has    bool
	item   bool // the entry is a list item
	strict bool // the first entry starts with "Decision", so all entries must
	any    bool
}

func (e *entryReader) flush() {
	if e.has {
		e.r.add(e.r.n.fill(e.d, e.lo, e.hi, e.num))
	}
	e.has = false
}

// begin starts an entry with a title. Its fields are from the offset lo, on line num, to the end of the block.
func (e *entryReader) begin(title string, w when, b block, lo, num int) {
	e.flush()
	if w.t.IsZero() {
		w = e.day
	}
	e.d = Decision{When: w.t, Day: w.day, Title: title, Section: e.r.log, Line: b.line, Last: b.last}
	e.lo, e.hi, e.num, e.has, e.any = lo, b.hi, num, true, true
}

func (e *entryReader) take(b block) {
	switch {
	case b.kind == blockText:
		e.text(b)
	case b.kind == blockItem && (!e.has || e.item):
		e.listItem(b)
	default:
		e.attach(b)
	}
}

// attach adds a block to the current entry.
func (e *entryReader) attach(b block) {
	if e.has {
		e.hi, e.d.Last = b.hi, b.last
	}
}

// maxHead is the maximum number of bytes of a line that are searched for the start of an entry.
const maxHead = 4096

// text reads a paragraph line by line. A date or "Decision" at the start of a line starts an entry.
func (e *entryReader) text(b block) {
	n := e.r.n
	s := &scanner{text: n.str, pos: b.lo, end: b.hi, num: b.line}
	for s.pos < s.end {
		l := s.cut(s.pos, mark.Measure)
		s.pos = l.next
		s.num++
		part := block{lo: l.lo, hi: l.next, line: l.num, last: l.num}
		t := strings.TrimSpace(n.str[l.lo:min(l.hi, l.lo+maxHead)])
		for more := 0; strings.HasPrefix(t, "**") && strings.Count(t, "**") == 1 && more < 3 && s.pos < b.hi; more++ {
			l = s.cut(s.pos, mark.Measure) // the bold title may continue on the next line
			s.pos = l.next
			s.num++
			t += " " + strings.TrimSpace(n.str[l.lo:min(l.hi, l.lo+maxHead)])
			part.hi, part.last = l.next, l.num
		}
		switch {
		case e.start(t, part, part.lo == b.lo):
		case e.item:
			e.flush() // text without indentation doesn't belong to an item
		default:
			e.attach(part)
		}
	}
}

// start starts an entry at a line of a paragraph, if possible. first is true for the first line of the paragraph.
func (e *entryReader) start(t string, b block, first bool) bool {
	if label, rest, ok := cutLabel(t, knownField); ok {
		if fieldOf(label) == fieldDecision && !isBlank(rest) {
			e.strict = e.strict || !e.any
			e.begin("", when{}, b, b.lo, b.line)
			e.item = false
			return true
		}
		if knownField(label) || e.strict && e.has {
			return false
		}
	}
	if inner, after, bold := cutBold(t); bold && first {
		return e.bold(inner, after, b)
	}
	w, ok := findWhen(t[:min(len(t), 40)])
	if !ok || strings.Trim(t[:w.at], "[(*`") != "" {
		return false
	}
	title, w, _ := cutWhen(t)
	if inner, after, ok := cutBold(title); ok {
		e.begin(inner, w, b, b.hi, b.last+1)
		e.inline(strings.TrimLeft(after, " -–—:→"))
	} else {
		e.begin(firstSentence(title), w, b, b.hi, b.last+1)
		if e.d.Title != oneLine(title) {
			e.d.Decision = title
		}
	}
	e.item = false
	return true
}

// bold starts an entry at a line with bold text. inner is the bold text, after the text that follows. If strict is
// set and inner doesn't start with "Decision", bold returns false.
func (e *entryReader) bold(inner, after string, b block) bool {
	title, isDecision := cutDecision(strings.TrimSpace(inner))
	if e.strict && e.has && !isDecision {
		return false
	}
	title, w, dated := cutWhen(title)
	if at, ok := findWhen(after); !dated && ok && at.at < 4 {
		after, w, _ = cutWhen(after)
	}
	e.strict = e.strict || isDecision && !e.any
	rest, _ := cutColonFront(after)
	rest = strings.TrimLeft(rest, " -–—:")
	if title == "" {
		title, rest = firstSentence(rest), ""
	}
	e.begin(title, w, b, b.hi, b.last+1)
	e.item = false
	e.inline(rest)
	return true
}

// inline reads the decision and its rationale from the text after the title.
func (e *entryReader) inline(rest string) {
	e.d.Decision, e.d.Rationale = splitReason(rest)
}

// splitReason splits a text into the decision and its rationale. The rationale starts at the first label of a
// rationale. If the text starts with such a label or with "because", it is a rationale only.
func splitReason(s string) (decision, rationale string) {
	if label, rest, ok := cutLabel(s, knownField); ok && fieldOf(label) == fieldRationale {
		return "", rest
	}
	if len(s) > 8 && strings.EqualFold(s[:8], "because ") {
		return "", s
	}
	for _, m := range []string{" **Rationale**:", " **Rationale:**", " Rationale:", " Reason:"} {
		if before, after, ok := strings.Cut(s, m); ok {
			return strings.TrimSpace(before), strings.TrimSpace(after)
		}
	}
	return s, ""
}

// listItem reads a decision from a list item. If the item is a field of the previous entry, listItem adds it to this
// entry.
func (e *entryReader) listItem(b block) {
	n := e.r.n
	end, num := n.itemParagraph(b)
	head, _, _ := cutBox(oneLine(n.str[min(b.mark, end):end]))
	if label, rest, ok := cutLabel(head, knownField); ok && knownField(label) {
		if fieldOf(label) != fieldDecision {
			e.attach(b)
			return
		}
		head = rest
	}
	title, w, _ := cutWhen(head)
	if !stamped(head, w) {
		title, w = head, when{} // the date belongs to the sentence
	}
	rest := ""
	if inner, after, ok := cutBold(title); ok {
		title, rest = strings.TrimSuffix(inner, "."), strings.TrimLeft(after, " -–—:→")
		if cut, in, ok := cutWhen(title); ok && (w.t.IsZero() || w.at > 0) {
			title, w = cut, in
		}
	} else if full := title; firstSentence(full) != full {
		title, rest = firstSentence(full), full
	}
	e.begin(title, w, b, end, num)
	e.item = true
	e.inline(rest)
}

// stamped reports whether a date in a text is the date of the entry, and not a word of a sentence. The date must be
// at the start or the end of the text, or a mark such as a colon must follow it.
func stamped(s string, w when) bool {
	const most = 120 // maximum length of an item's title in bytes
	if w.t.IsZero() || w.end > len(s) || w.end > most {
		return false
	}
	if strings.Trim(s[:w.at], "*`[( ") == "" {
		return true
	}
	after := strings.TrimLeft(s[w.end:], "*` ")
	for _, m := range []string{":", "—", "–", ")", "]", "·"} {
		if strings.HasPrefix(after, m) {
			return true
		}
	}
	before := strings.TrimRight(s[:w.at], "*` ")
	return strings.Trim(after, ".") == "" && before != strings.TrimRight(before, "(-–—,:|·[")
}

// itemParagraph returns the end of the first paragraph of a list item, and the line number of the end.
func (n *Notes) itemParagraph(b block) (end, num int) {
	s := n.scan(b.lo, b.hi, b.line)
	s.next()
	for end, num = s.pos, s.num; ; end, num = s.pos, s.num {
		l, ok := s.next()
		if !ok || l.Kind != mark.Text || l.mark != 0 {
			return end, num
		}
		if label, _, ok := cutLabel(n.str[l.at:l.hi], knownField); ok && knownField(label) {
			return end, num
		}
	}
}
