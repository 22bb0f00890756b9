package notes

import (
	"iter"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/ledger"
)

// entry is a list item, a table row, or a paragraph of a section without both.
type entry struct {
	text  string // one line
	cells []string
	head  []string // head row of the table, in lower case
	done  bool
	blank bool
	line  int
	lo    int // byte range, including nested items
	hi    int
	boxed bool // the item has a checkbox
	kind  blockKind
}

// entriesOf returns the entries directly below the heading of a section.
func (n *Notes) entriesOf(i int) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		listed := false
		for b := range n.body(i) {
			if b.kind == blockItem || b.kind == blockTable {
				listed = true
				break
			}
		}
		for b := range n.body(i) {
			switch b.kind {
			case blockItem:
				if !yield(n.itemEntry(b)) {
					return
				}
			case blockTable:
				if !n.rowEntries(b, yield) {
					return
				}
			case blockCode:
			case blockText:
				if t := oneLine(n.str[b.lo:b.hi]); !listed && t != "" && !yield(entry{text: t, line: b.line, lo: b.lo, hi: b.hi, blank: isBlank(t), done: isDone(t)}) {
					return
				}
			}
		}
	}
}

func (n *Notes) itemEntry(b block) entry {
	end, _ := n.itemParagraph(b)
	t, box, done := cutBox(oneLine(n.str[min(b.mark, end):end]))
	e := entry{text: unescapeStart(t), boxed: box, done: done || isDone(t), line: b.line, lo: b.lo, hi: b.hi, kind: blockItem}
	e.blank = isBlank(t)
	if label, rest, ok := cutLabel(t, func(string) bool { return true }); ok && label != "" && !e.blank {
		e.blank = isBlank(rest) && rest != ""
	}
	return e
}

func (n *Notes) rowEntries(b block, yield func(entry) bool) bool {
	var head []string
	for r := range n.rows(b) {
		if head == nil {
			head = make([]string, 0, len(r.cells))
			for _, c := range r.cells {
				head = append(head, strings.ToLower(bare(c)))
			}
			continue
		}
		e := entry{cells: r.cells, head: head, line: r.line, lo: r.lo, hi: r.hi, kind: blockTable}
		var texts []string
		hollow := false
		main := mainColumn(head)
		for k, c := range r.cells {
			c = oneLine(c)
			if isBlank(c) {
				hollow = hollow || strings.Contains(c, "YYYY") || k == main && strings.Contains(c, "[")
				continue
			}
			texts = append(texts, c)
			if k < len(head) && (head[k] == "status" || head[k] == "state") {
				e.done = e.done || isDone(c)
			}
		}
		e.text = strings.Join(texts, " · ")
		e.blank = len(texts) == 0 || hollow || len(r.cells) == 2 && isBlank(r.cells[1])
		e.done = e.done || len(texts) > 0 && isDone(texts[0])
		if !yield(e) {
			return false
		}
	}
	return true
}

// mainColumn returns the index of the column with the main text of a row.
func mainColumn(head []string) int {
	for k, h := range head {
		for _, w := range []string{"description", "item", "issue", "debt", "blocker", "event", "question", "summary", "identifier", "scenario", "goal", "task", "name", "title"} {
			if strings.HasPrefix(h, w) {
				return k
			}
		}
	}
	return min(1, len(head)-1)
}

// isDone reports whether the text of an entry says that it is done.
func isDone(s string) bool {
	if strings.HasPrefix(s, "~~") || strings.HasPrefix(s, "✅") || strings.HasPrefix(s, "✓") || strings.HasPrefix(s, "✔") {
		return true
	}
	s = strings.ToLower(strings.TrimLeft(s, "[(*_` "))
	for _, w := range []string{"resolved", "answered", "closed", "done", "fixed", "complete", "completed"} {
		if after, ok := strings.CutPrefix(s, w); ok && (after == "" || after[0] == ']' || after[0] == ')' || after[0] == '*') {
			return true
		}
	}
	return false
}

// tree returns the indexes of a section and its subsections at all levels, without sections of other kinds.
func (n *Notes) tree(i int) []int {
	all := []int{i}
	for j := i + 1; j < len(n.Sections) && n.Sections[j].Start < n.Sections[i].End; j++ {
		k := n.Sections[j].Kind
		if k == KindOther || k == n.Sections[i].Kind {
			all = append(all, j)
		}
	}
	return all
}

// entriesIn returns the entries of a section and its subsections. A subsection that is empty or starts with prose is
// one entry, and its heading is the text of the entry.
func (n *Notes) entriesIn(i int) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for _, j := range n.tree(i) {
			s := n.Sections[j]
			if j != i && s.Kind == KindOther && n.isProse(j) {
				t := cleanTitle(s.Title)
				if !yield(entry{text: t, line: s.Line, lo: s.Start, hi: s.End, blank: isBlank(t), done: isDone(bare(s.Title))}) {
					return
				}
				continue
			}
			for e := range n.entriesOf(j) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// isProse reports whether a section has no subsections, and is empty or starts with a paragraph or code.
func (n *Notes) isProse(i int) bool {
	if n.Sections[i].Own < n.Sections[i].End {
		return false
	}
	for b := range n.body(i) {
		return b.kind == blockText || b.kind == blockCode
	}
	return true
}

// ofKind returns the outermost sections of a kind.
func (n *Notes) ofKind(kind Kind) []int {
	var all []int
	for i, s := range n.Sections {
		if s.Kind != kind {
			continue
		}
		if _, in := n.inside(i, kind); !in {
			all = append(all, i)
		}
	}
	return all
}

// readQuestions returns the open questions of a section and its subsections.
func (n *Notes) readQuestions(i int) []Question {
	var all []Question
	for e := range n.entriesIn(i) {
		if e.done || e.blank || len(all) >= maxEntries {
			continue
		}
		q := Question{Text: e.text, Line: e.line}
		if t := column(e, "question"); t != "" {
			q.Text = t
		}
		if w, ok := findWhen(e.text); ok {
			q.Since = w.t
		}
		q.Text = unescape(bare(q.Text))
		all = append(all, q)
	}
	return all
}

// column returns the cell of an entry in the first column whose head starts with one of the given words.
func column(e entry, words ...string) string {
	for k, h := range e.head {
		for _, w := range words {
			if strings.HasPrefix(h, w) && k < len(e.cells) {
				return oneLine(e.cells[k])
			}
		}
	}
	return ""
}

// readItems returns the open entries of a section and its subsections.
func (n *Notes) readItems(i int) []Item {
	var all []Item
	for e := range n.entriesIn(i) {
		if !e.done && !e.blank && len(all) < maxEntries {
			all = append(all, Item{Text: unescape(e.text), Line: e.line})
		}
	}
	return all
}

// readIdentifiers returns the identifiers in the tables, lists and paragraphs of a section.
func (n *Notes) readIdentifiers(i int) []Identifier {
	var all []Identifier
	for _, j := range n.tree(i) {
		for e := range n.entriesOf(j) {
			if len(all) < maxEntries {
				all = append(all, identifiersOf(e)...)
			}
		}
	}
	return all
}

// identifiersOf returns the identifiers of an entry. For a table row, it returns only the first one.
func identifiersOf(e entry) []Identifier {
	if e.kind != blockTable {
		var all []Identifier
		refs := ledger.FindRefs(e.text)
		from := 0
		for k, r := range refs {
			if isBlank(r.Raw) {
				continue
			}
			end := len(e.text)
			if k+1 < len(refs) {
				end = refs[k+1].At
			}
			id := Identifier{Ref: r.Ref, Line: e.line, Purpose: purpose(e.text[min(r.End, end):end])}
			if k == 0 && id.Purpose == "" {
				id.Purpose = purpose(e.text[:r.At])
			}
			id.Quote = lastQuote(e.text[from:r.At])
			from = min(r.End, len(e.text))
			all = append(all, id)
		}
		return all
	}
	for k, c := range e.cells {
		ref, ok := ledger.ParseRef(strings.TrimSpace(c))
		if !ok {
			refs := ledger.FindRefs(c)
			if len(refs) == 0 {
				continue
			}
			ref = refs[0].Ref
		}
		if isBlank(ref.Raw) || isBlank(c) {
			continue
		}
		id := Identifier{Ref: ref, Line: e.line, Purpose: column(e, "purpose", "description", "what", "why", "note"), Verified: column(e, "last verified", "verified", "checked", "last check")}
		if id.Purpose == "" && len(e.head) > 1 && k+1 < len(e.cells) {
			id.Purpose = oneLine(e.cells[k+1])
		}
		id.Quote = lastQuote(column(e, "quote", "code", "evidence"))
		return []Identifier{id}
	}
	return nil
}

// purpose returns the text beside an identifier, without the punctuation between them.
func purpose(s string) string {
	return bare(strings.Trim(oneLine(s), " \t`*-–—:|·()[],;→"))
}

// named returns the different identifiers in a section.
func (n *Notes) named(i int) []Identifier {
	s := n.scan(n.Sections[i].Body, n.Sections[i].End, n.bodyLine(i))
	var all []Identifier
	seen := map[string]bool{}
	for {
		l, ok := s.next()
		if !ok || len(all) >= maxEntries {
			return all
		}
		if l.Kind != mark.Text {
			continue
		}
		t := n.str[l.lo:l.hi]
		from := 0
		for _, r := range ledger.FindRefs(t) {
			if key := r.String(); !seen[key] && !isBlank(r.Raw) {
				seen[key] = true
				all = append(all, Identifier{Ref: r.Ref, Quote: lastQuote(t[from:r.At]), Line: l.num})
			}
			from = min(r.End, len(t))
		}
	}
}
