package notes

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/mark"
)

// Resumption returns the newest Session Continuity. Without one, it reads the sections about the next session. Their
// headings start with resume, next, handoff or continue, and don't contain "done".
func (n *Notes) Resumption() Continuity {
	if n.continuity.Section >= 0 {
		return n.continuity
	}
	var sections []int
	for i := range n.Sections {
		if n.Sections[i].Kind == KindOther && isResumption(n.Sections[i].Title) {
			sections = append(sections, i)
		}
	}
	return n.newestOf(sections)
}

// isResumption reports whether a heading is for a section about the next session.
func isResumption(title string) bool {
	low := strings.ToLower(title)
	words := strings.FieldsFunc(low, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' })
	return len(words) > 0 && slices.Contains([]string{"resume", "next", "handoff", "continue"}, strings.Trim(words[0], ".")) &&
		!slices.Contains(words, "done") && !strings.ContainsAny(low, "✅✓✔☑")
}

// readContinuity reads the newest Session Continuity.
func (n *Notes) readContinuity() Continuity { return n.newestOf(n.ofKind(KindContinuity)) }

// newestOf reads the given sections and returns the newest one.
func (n *Notes) newestOf(sections []int) Continuity {
	if len(sections) == 0 {
		return Continuity{Section: -1}
	}
	var best Continuity
	var at time.Time
	timed, chosen := true, false
	all := make([]Continuity, 0, len(sections))
	for _, i := range sections {
		c := n.continuityAt(i)
		all = append(all, c)
		if c.Checkpoint.IsZero() && !c.hollow() {
			timed = false
		}
	}
	for _, c := range all {
		switch {
		case c.hollow(): // text must not be replaced by an empty section
		case !chosen, timed && c.Checkpoint.After(at):
			best, at, chosen = c, c.Checkpoint, true
		}
	}
	if !chosen {
		best = all[0]
	}
	best.Older = len(sections) - 1
	return best
}

func (c Continuity) hollow() bool {
	return c.State == "" && c.First == "" && c.Bead == "" && c.BeadText == ""
}

// continuityReader collects the contents of one section.
type continuityReader struct {
	n     *Notes
	c     Continuity
	first string // the first paragraph without a key
	rows  rows
}

// continuityAt reads one Session Continuity: its keys, its table, and its free text.
func (n *Notes) continuityAt(i int) Continuity {
	r := continuityReader{n: n, c: Continuity{Section: i}}
	r.own(i)
	r.c.First = r.first
	if !r.rows.top.IsZero() {
		r.c.First = r.rows.newest()
		if !r.c.Checkpoint.After(r.rows.top) {
			r.c.Checkpoint, r.c.CheckedAs = r.rows.top, r.rows.raw
		}
	}
	prose, free := r.below(i)
	if prose != "" && (r.c.First == "" || free.After(r.rows.top)) {
		r.c.First = prose
	}
	_, w := n.suffix(i)
	if n.Sections[i].Kind == KindOther { // a section of Resumption
		_, w, _ = cutWhen(n.Sections[i].Title)
	}
	if !w.t.IsZero() && (r.c.CheckedAs == "" || r.rows.top.IsZero() && w.t.After(r.c.Checkpoint)) {
		r.c.Checkpoint, r.c.CheckedAs = w.t, w.t.Format(time.DateOnly)
	}
	if r.c.CheckedAs == "" && !free.IsZero() {
		r.c.Checkpoint, r.c.CheckedAs = free, free.Format(time.DateOnly)
	}
	return r.c
}

// below reads the subsections. It returns the first paragraph and the day of one of them. That is the one with the
// latest day in its heading, or the first one with prose.
func (r *continuityReader) below(i int) (prose string, day time.Time) {
	for _, j := range r.n.below(i) {
		kind := r.n.Sections[j].Kind
		if kind == KindContext || kind == KindFocus {
			r.own(j)
			for _, k := range r.n.below(j) {
				if r.n.Sections[k].Kind == KindOther {
					r.own(k)
				}
			}
			continue
		}
		if kind != KindOther {
			continue
		}
		f := continuityReader{n: r.n}
		f.own(j)
		f.nested(j)
		if f.first == "" {
			f.first = f.rows.newest()
		}
		if _, w, _ := cutWhen(r.n.Sections[j].Title); f.first != "" && (prose == "" || w.t.After(day)) {
			prose, day = f.first, w.t
		}
		if r.c.Checkpoint.IsZero() && !f.c.Checkpoint.IsZero() {
			r.c.Checkpoint, r.c.CheckedAs = f.c.Checkpoint, f.c.CheckedAs
		}
	}
	return prose, day
}

// nested reads the subsections in order until one of them has a paragraph.
func (r *continuityReader) nested(i int) {
	for _, j := range r.n.below(i) {
		if r.first != "" {
			return
		}
		r.own(j)
		r.nested(j)
	}
}

// own reads the blocks directly below a heading.
func (r *continuityReader) own(i int) {
	for b := range r.n.body(i) {
		switch b.kind {
		case blockTable:
			r.table(b)
		case blockItem:
			end, _ := r.n.itemParagraph(b)
			r.item(b, end)
		case blockCode:
		case blockText:
			r.paragraph(r.n.str[b.lo:b.hi])
		}
	}
}

// table reads a table. A table with two columns has keys and values; any other table is a log.
func (r *continuityReader) table(b block) {
	for e := range func(yield func(entry) bool) { r.n.rowEntries(b, yield) } {
		if len(e.cells) == 2 {
			if r.key(strings.ToLower(bare(e.cells[0])), e.cells[1]) {
				continue
			}
		}
		if e.blank {
			continue
		}
		raw := column(e, "timestamp", "date", "when", "time", "session")
		w, ok := findWhen(raw)
		text := e.text
		if sum := column(e, "summary", "event", "what", "state", "note", "status"); sum != "" {
			text = sum
			if who := column(e, "agent", "who", "session"); who != "" && who != raw {
				text = who + ": " + sum
			}
		}
		if ok {
			r.rows.add(text, raw, w.t)
		} else if r.first == "" {
			r.first = text
		}
	}
}

// rows collects the entries of a log, with their times.
type rows struct {
	first, last, top time.Time // times of the first row and of the last row, and the newest time of a row
	head, tail       string    // texts of the first row and of the last row with the newest time
	raw              string    // the newest time, as written in the text
}

func (l *rows) add(text, raw string, t time.Time) {
	if l.first.IsZero() {
		l.first = t
	}
	l.last = t
	if t.After(l.top) {
		l.top, l.head, l.raw = t, text, raw
	}
	if t.Equal(l.top) {
		l.tail = text
	}
}

// newest returns the text of the row with the newest time. If there are several, the order of the log decides.
func (l *rows) newest() string {
	if l.first.After(l.last) {
		return l.head
	}
	return l.tail
}

// item reads a list item: a key with a value, or the first paragraph. end is the end of the item's first paragraph.
func (r *continuityReader) item(b block, end int) {
	t := r.n.str[min(b.mark, end):end]
	if label, rest, ok := cutLabel(t, anyLabel); ok {
		label = strings.ToLower(label)
		more := r.n.str[end:b.hi] // nested items belong to the state
		if isState(label) {
			rest += " " + plainItems(more)
		}
		if r.key(label, rest) {
			return
		}
		if rest != "" && isBlank(rest) {
			return
		}
	}
	t, _, _ = cutBox(oneLine(t))
	if r.first == "" && !isBlank(t) {
		r.first = t
	}
}

// logged reads a paragraph with a date at its start, or with rows of a table without a head; false for any other
// paragraph.
func (r *continuityReader) logged(s string) bool {
	if s[0] == '|' {
		for l := range strings.SplitSeq(s, "\n") {
			c := cells([]byte(l))
			if len(c) < 2 {
				continue
			}
			if w, ok := findWhen(c[0]); ok {
				r.rows.add(oneLine(strings.Join(c[1:], ": ")), c[0], w.t)
			}
		}
		return true
	}
	if !mayBeDated(s) {
		return false
	}
	t := oneLine(s)
	w, ok := findWhen(t[:min(len(t), 40)])
	if !ok || strings.Trim(t[:w.at], "*[(`") != "" {
		return false
	}
	r.rows.add(t, t[w.at:w.end], w.t)
	return true
}

// mayBeDated is a fast test that returns false for most texts that don't start with a date. Marks such as ** may
// precede the date.
func mayBeDated(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n\v\f*[(`")
	return s == "" || s[0] >= '0' && s[0] <= '9' || s[0] == '<' || s[0] >= utf8.RuneSelf || month(s[:min(len(s), 3)]) != 0
}

// paragraph reads the keys in a paragraph. Other lines may become the first paragraph.
func (r *continuityReader) paragraph(s string) {
	if r.logged(s) {
		return
	}
	var left []string
	for l := range strings.SplitSeq(uncomment(s), "\n") {
		label, rest, ok := cutLabel(l, anyLabel)
		switch label = strings.ToLower(label); {
		case ok && r.key(label, rest):
		case r.first != "", ok && isBlank(rest): // a label without a value may only introduce a list
		default:
			left = append(left, l)
		}
	}
	if t := oneLine(strings.Join(left, "\n")); !isBlank(t) {
		r.first = t
	}
}

func anyLabel(string) bool { return true }

// isState reports whether a key is a name for the state of the work.
func isState(label string) bool {
	switch label {
	case "reasoning state", "current state", "where we left off", "current focus", "focus", "current task", "active task", "recovery anchor", "stopped at":
		return true
	}
	return false
}

// key sets the field for a key with a value; false for an unknown key.
func (r *continuityReader) key(label, rest string) bool {
	rest = oneLine(rest)
	switch {
	case isBeadKey(label):
		if r.c.BeadText == "" && !isBlank(rest) {
			r.c.Bead, r.c.BeadText = beadOf(rest)
		}
	case label == "last checkpoint" || label == "checkpoint" || label == "last updated" || label == "updated" || label == "timestamp" || label == "last session":
		if r.c.CheckedAs == "" && !isBlank(rest) {
			r.c.CheckedAs = bare(rest)
			if w, ok := findWhen(rest); ok {
				r.c.Checkpoint = w.t
			}
		}
	case isState(label):
		if r.c.State == "" && !isBlank(rest) {
			r.c.State = rest
		}
	default:
		return false
	}
	return true
}

// beadOf splits a line into the bead ID at its start and the remaining text.
func beadOf(s string) (id, text string) {
	text = bare(s)
	id = strings.Trim(firstWord(text), "`*_[](),;:")
	if !strings.Contains(id, "-") || strings.ContainsAny(id, "/ ") || isBlank(id) {
		return "", text
	}
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimLeft(text, "`*_["), id))
	text = strings.Trim(text, " `*_]:–—-")
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") && closesAtEnd(text) {
		text = text[1 : len(text)-1]
	}
	return id, text
}

func firstWord(s string) string {
	if i := strings.IndexAny(s, " \t("); i > 0 {
		return s[:i]
	}
	return s
}

// plainItems joins the items of a list into one text.
func plainItems(s string) string {
	var b strings.Builder
	for l := range strings.SplitSeq(s, "\n") {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "<!--") {
			continue
		}
		if next, _ := mark.Item(l, 0); next > 0 {
			l = l[min(next, len(l)):]
		}
		b.WriteString(l)
		b.WriteByte(' ')
	}
	return b.String()
}
