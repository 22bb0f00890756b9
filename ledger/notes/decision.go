package notes

import (
	"bytes"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
)

// maxEntries is the maximum number of entries of a kind. A file of 16 MB could have more.
const maxEntries = 100_000

// decisionReader collects the decisions of a NOTES.md.
type decisionReader struct {
	n     *Notes
	all   []Decision
	log   int    // index of the current log
	taken []bool // by index of a section: the section was read
}

// readDecisions returns the decisions of all logs, newest first. It also finds decisions outside of logs, because the
// spec appends decisions to a file without a log.
func (n *Notes) readDecisions() []Decision {
	const most = 4096 // initial capacity
	r := decisionReader{n: n, taken: make([]bool, len(n.Sections)), all: make([]Decision, 0, min(len(n.Sections), most))}
	for i, s := range n.Sections {
		if s.Kind != KindDecisions {
			continue
		}
		if _, in := n.inside(i, KindDecisions); in || r.taken[i] {
			continue
		}
		from := len(r.all)
		r.log = i
		r.readLog(i, when{})
		newestFirst(r.all[from:])
	}
	for i := range n.Sections {
		if !r.taken[i] && n.isEntry(i) {
			r.log = i
			r.one(i, when{})
		}
	}
	found := slices.DeleteFunc(r.all, func(d Decision) bool { return d.Blank })
	byTime := func(a, b Decision) int {
		switch {
		case a.When.Equal(b.When):
			return 0
		case a.When.IsZero():
			return 1
		case b.When.IsZero():
			return -1
		}
		return b.When.Compare(a.When)
	}
	if slices.IsSortedFunc(found, byTime) {
		return found
	}
	order := make([]int, len(found)) // sorting indexes is faster, because a Decision is large
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return byTime(found[a], found[b]) })
	sorted := make([]Decision, len(found))
	for i, k := range order {
		sorted[i] = found[k]
	}
	return sorted
}

// newestFirst reverses a log that is sorted oldest first. Times alone can't sort the entries of a day.
func newestFirst(log []Decision) {
	var first, last Decision
	for _, d := range log {
		if d.When.IsZero() || d.Blank {
			continue
		}
		if first.When.IsZero() {
			first = d
		}
		last = d
	}
	if first.When.Before(last.When) {
		slices.Reverse(log)
	}
}

// isEntry reports whether a section outside of any log is a decision. Its title is "Decision: …", or starts with a
// time while the text has the field Decision.
func (n *Notes) isEntry(i int) bool {
	s := n.Sections[i]
	if s.Kind != KindOther || s.Level < 2 {
		return false
	}
	title := bare(s.Title)
	if _, ok := cutDecision(title); ok {
		return true
	}
	if len(title) < 10 || title[0] < '0' || title[0] > '9' {
		return false
	}
	if _, w, ok := cutWhen(title); !ok || w.at != 0 {
		return false
	}
	own := n.Text[s.Body:s.Own]
	return bytes.Contains(own, []byte("**Decision**")) || bytes.Contains(own, []byte("**Decision:**"))
}

// cutDecision removes "Decision:" or "Decision 3 —" from the start of a title.
func cutDecision(s string) (string, bool) {
	const word = "decision"
	if len(s) < len(word)+1 || !strings.EqualFold(s[:len(word)], word) {
		return s, false
	}
	rest := strings.TrimLeft(s[len(word):], " #0123456789")
	for _, m := range []string{":", "：", "—", "–", "- "} {
		if after, ok := strings.CutPrefix(rest, m); ok && strings.TrimSpace(after) != "" {
			return strings.TrimSpace(after), true
		}
	}
	return s, false
}

// suffix splits the heading of a log, such as "Decision Log — 2026-05-12 (auth)", into the date and "auth".
func (n *Notes) suffix(i int) (string, when) {
	_, rest := kindOf(n.Sections[i].Title)
	rest = strings.TrimSpace(rest)
	rest, w, _ := cutWhen(bare(strings.TrimLeft(rest, " \t:-–—|·")))
	rest = strings.Trim(rest, " \t:-–—|·")
	if strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")") && closesAtEnd(rest) {
		rest = strings.TrimSpace(rest[1 : len(rest)-1])
	}
	return rest, w
}

// closesAtEnd reports whether the last character of a text closes a parenthesis at its start.
func closesAtEnd(s string) bool {
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(s)-1
			}
		}
	}
	return false
}

// readLog reads a section with decisions. With a date in the heading, the section or each subsection is one decision.
func (r *decisionReader) readLog(i int, day when) {
	r.taken[i] = true
	title, w := r.n.suffix(i)
	dated := !w.t.IsZero()
	if !dated {
		w = day
	}
	subs := r.n.below(i)
	found := r.tables(i, w)
	for _, sub := range subs {
		switch r.n.Sections[sub].Kind {
		case KindOther:
			r.section(sub, w)
		case KindDecisions:
			r.readLog(sub, w)
		default: // a section of another kind
		}
	}
	if found {
		return
	}
	if dated && len(subs) > 0 && r.n.saysMore(i) {
		r.own(i, title, w)
		return
	}
	switch {
	case !dated:
		if r.entries(i, w) == 0 && len(subs) == 0 && title != "" && r.n.hasText(i) {
			r.whole(i, title, w)
		}
	case len(subs) == 0 && r.n.hasText(i):
		r.whole(i, title, w)
	}
}

// saysMore reports whether a log has more text of its own than an introduction.
func (n *Notes) saysMore(i int) bool {
	const line = 200 // bytes
	s := n.Sections[i]
	if len(strings.TrimSpace(n.str[s.Body:s.Own])) < line {
		return false
	}
	size := 0
	for b := range n.body(i) {
		size += b.hi - b.lo
	}
	return size >= line
}

// own reads the text directly below the heading of a log as one decision.
func (r *decisionReader) own(i int, title string, w when) {
	s := r.n.Sections[i]
	d := Decision{When: w.t, Day: w.day, Title: title, Section: r.log, Line: s.Line}
	d.Last = s.Line + strings.Count(trimEnd(r.n.str[s.Start:s.Own]), "\n")
	d = r.n.fill(d, s.Body, s.Own, r.n.bodyLine(i))
	r.add(d)
}

// section reads a subsection of a log, which is a decision or a group of decisions.
func (r *decisionReader) section(i int, day when) {
	if r.n.Sections[i].Kind == KindDecisions {
		r.readLog(i, day)
		return
	}
	title, w, _ := cutWhen(bare(r.n.Sections[i].Title))
	subs := r.n.below(i)
	if r.n.isGroup(i, title, w, subs) {
		r.taken[i] = true
		if w.t.IsZero() {
			w = day
		}
		for _, sub := range subs {
			r.section(sub, w)
		}
		if !r.tables(i, w) && len(subs) == 0 && r.entries(i, w) == 0 {
			r.one(i, w)
		}
		return
	}
	r.one(i, day)
}

// isGroup reports whether a subsection is a group of decisions. Its heading is a day, or it has decisions in a table,
// in bold or in subsections.
func (n *Notes) isGroup(i int, title string, w when, subs []int) bool {
	if len(subs) > 0 {
		for _, sub := range subs {
			if k := fieldOf(bare(n.Sections[sub].Title)); k != fieldOther {
				return false
			}
		}
		return title == "" || w.t.IsZero() || w.at != 0
	}
	if title == "" {
		return true
	}
	bold := 0
	if own := n.str[n.Sections[i].Body:n.Sections[i].Own]; strings.IndexByte(own, '|') < 0 && !strings.Contains(own, "**Decision:") && !strings.Contains(own, "**Decision ") {
		return false // fast path for most sections; blocks are slow
	}
	for b := range n.body(i) {
		switch b.kind {
		case blockTable:
			if _, ok := n.decisionTable(b); ok {
				return true
			}
		case blockText:
			if inner, _, ok := cutBold(firstLine(n.str[b.lo:b.hi])); ok {
				if _, ok = cutDecision(inner); ok {
					bold++
				}
			}
		case blockItem, blockCode:
		}
	}
	return bold > 0
}

// one reads a section as one decision, without its subsections.
func (r *decisionReader) one(i int, day when) {
	s := r.n.Sections[i]
	title, w, _ := cutWhen(bare(s.Title))
	if w.t.IsZero() {
		w = day
	}
	r.whole(i, title, w)
}

// whole reads a section as one decision, including its subsections.
func (r *decisionReader) whole(i int, title string, w when) {
	s := r.n.Sections[i]
	for j := i; j < len(r.n.Sections) && r.n.Sections[j].Start < s.End; j++ {
		r.taken[j] = true
	}
	d := Decision{When: w.t, Day: w.day, Title: title, Section: r.log, Line: s.Line, Last: s.Last}
	d.Last = s.Line + strings.Count(trimEnd(r.n.str[s.Start:s.End]), "\n")
	d.body = body{s.Body, s.End, r.n.bodyLine(i)}
	if w.t.IsZero() || isBlank(cleanTitle(title)) { // look for a time or a title in the text
		d = r.n.read(d)
	}
	r.add(d)
}

// add completes a decision and stores it.
func (r *decisionReader) add(d Decision) {
	if len(r.all) >= maxEntries {
		return
	}
	d.Title, _ = cutDecision(cleanTitle(d.Title))
	if d.Title == "" {
		d.Title = firstSentence(d.Decision)
		if oneLine(d.Decision) == d.Title {
			d.Decision = ""
		}
	}
	if d.Title == "" {
		d.Title = firstSentence(d.Rationale)
	}
	d.Blank = isBlank(d.Title) && isBlank(d.Decision)
	if d.Title != "" {
		r.all = append(r.all, d)
	}
}

// cleanTitle returns a title without emphasis, list number and checkbox.
func cleanTitle(s string) string {
	s = unescapeStart(bare(unlink(s)))
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		if next, _ := mark.Item(s+" ", 0); next > 0 && next < len(s) {
			s = s[next:]
		}
	}
	s, _, _ = cutBox(s)
	s = bare(s)
	if cut, ok := cutColon(s); ok {
		s = bare(cut)
	}
	return s
}

// maxTitle is the maximum length in bytes of a title from a text.
const maxTitle = 160

// firstSentence returns the first sentence of a text as a title.
func firstSentence(s string) string {
	s = trimBlankLines(s)
	if para, _, ok := strings.Cut(s, "\n\n"); ok {
		s = para
	}
	first := firstLine(s)
	if next, _ := mark.Item(strings.TrimSpace(first)+" ", 0); next > 0 {
		s = first[min(next+len(first)-len(strings.TrimSpace(first)), len(first)):]
	}
	s = bare(s)
	if i := strings.Index(s, ". "); i > 20 {
		s = s[:i+1]
	}
	if len(s) > maxTitle {
		cut := strings.LastIndexByte(s[:maxTitle], ' ')
		if cut < maxTitle/2 {
			cut = maxTitle
			for cut > 0 && s[cut]&0xc0 == 0x80 {
				cut--
			}
		}
		s = s[:cut] + "…"
	}
	return s
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimRight(s, "\r")
}

// hasText reports whether a section has text that isn't a placeholder.
func (n *Notes) hasText(i int) bool {
	for b := range n.body(i) {
		if b.kind != blockText || !isBlank(n.str[b.lo:b.hi]) {
			return true
		}
	}
	return false
}
