package search

import (
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/search"
)

type item struct {
	kind   itemKind
	result int // index of the result, or of the next result
	hit    int // index of the match; -1 if the item isn't a match
	more   int // how many matches of the result aren't shown
}

type itemKind uint8

const (
	resultItem itemKind = iota
	titleItem           // a result in the group of titles
	hitItem
	moreItem
	titlesItem
	textItem
	blankItem
)

// key identifies an item. It stays the same while more results arrive.
type key struct {
	path   string
	title  bool  // in the group of titles
	offset int64 // offset of the match; -1 for a result
	file   string
}

// items implements blocks.Items. The bar stops at matches, and at results without matches below.
type items struct{ *Page }

func (p items) Len() int       { return len(p.items) }
func (p items) Height(int) int { return 1 }
func (p items) Stops(i int) bool {
	switch it := &p.items[i]; it.kind {
	case titleItem, hitItem:
		return true
	case resultItem:
		return len(p.answer.Results[it.result].Hits) == 0
	case moreItem, titlesItem, textItem, blankItem:
	}
	return false
}
func (p items) Chosen(i int) { p.sel, p.chosen = p.keyOf(i), true }

// With implements blocks.Grouped. A match is shown with its result and the heading.
func (p items) With(i int) (first, last int) {
	for first = i; first > 0 && !p.Stops(first-1); first-- {
	}
	return first, i
}

// isHeading reports whether an item is a heading, a result with matches below it, or a blank line.
func (p *Page) isHeading(i int) bool { return p.items[i].kind != moreItem && !p.list.Items.Stops(i) }

func (p *Page) keyOf(i int) key {
	r := &p.answer.Results[p.items[i].result]
	k := key{path: r.Path, title: p.items[i].kind == titleItem, offset: -1}
	if h := p.items[i].hit; h >= 0 {
		k.offset, k.file = r.Hits[h].Offset, r.Hits[h].Path
	}
	return k
}

// build makes the lines for the answer. The bar stays on its item.
func (p *Page) build() {
	p.items = p.items[:0]
	if p.query != nil && p.query.Empty() { // the list has recent sessions
		kept := p.answer.Results[:0:0]
		for _, r := range p.answer.Results {
			if r.Kind == index.Session || r.Row != nil && r.Row.Lost() != nil {
				kept = append(kept, r)
			}
		}
		p.answer.Results = kept
	}
	if p.query != nil && !p.query.Empty() {
		p.buildGroup(titlesItem, titleItem, (*search.Result).Titled)
		p.buildGroup(textItem, resultItem, func(r *search.Result) bool { return !r.Titled() })
	} else {
		for i := range p.answer.Results {
			p.items = append(p.items, item{kind: resultItem, result: i, hit: -1})
		}
	}
	p.restoreBar()
	p.list.Fit()
	p.list.Reveal()
}

// buildGroup makes the lines of a group: a heading and the results. A result with matches has them below and, if there
// is room, a blank line above.
func (p *Page) buildGroup(heading, kind itemKind, in func(*search.Result) bool) {
	first, plain := true, false
	for i := range p.answer.Results {
		r := &p.answer.Results[i]
		if !in(r) {
			continue
		}
		hits := kind == resultItem && len(r.Hits) > 0
		if p.airy() && len(p.items) > 0 && (first || !plain || hits) {
			p.items = append(p.items, item{kind: blankItem, result: i, hit: -1})
		}
		if first {
			p.items = append(p.items, item{kind: heading, result: i, hit: -1})
		}
		first, plain = false, !hits
		if p.items = append(p.items, item{kind: kind, result: i, hit: -1}); hits {
			p.buildHits(i)
		}
	}
}

// buildHits makes the lines of the matches of a result. Equal lines are drawn once.
func (p *Page) buildHits(result int) {
	r := &p.answer.Results[result]
	var shown []string
	for h := range r.Hits {
		if text := lineKey(&r.Hits[h]); !slices.ContainsFunc(shown, func(other string) bool { return alike(text, other) }) {
			shown = append(shown, text)
			p.items = append(p.items, item{kind: hitItem, result: result, hit: h})
		}
	}
	if more := r.Count - len(shown); more > 0 {
		p.items = append(p.items, item{kind: moreItem, result: result, hit: -1, more: more})
	}
}

// restoreBar selects the same item as before or, if it is gone, the first item.
func (p *Page) restoreBar() {
	p.list.At = p.list.End(-1)
	if !p.chosen {
		return
	}
	for i := range p.items {
		if p.list.Items.Stops(i) && p.keyOf(i) == p.sel {
			p.list.At = i
			return
		}
	}
}

// lineKey returns the role of a match, and the letters and digits of its line, for alike.
func lineKey(h *search.Hit) string {
	text, _ := around(h.Snippet, h.Marks, 40)
	line := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, ansi.Truncate(text, 40, ""))
	return h.Role + "\x00" + line
}

// alike reports whether two matches have the same role and one line contains the other. Short lines must be equal. a
// and b are from lineKey.
func alike(a, b string) bool {
	const few = 12
	roleA, a, _ := strings.Cut(a, "\x00")
	roleB, b, _ := strings.Cut(b, "\x00")
	short, long := a, b
	if len(a) > len(b) {
		short, long = b, a
	}
	return roleA == roleB && (a == b || len(short) >= few && strings.Contains(long, short))
}

// counted has the numbers of results and matches above the list and in its headings.
type counted struct {
	titles int // results in the group of titles
	hits   int // matches in the group of texts
	texts  int // results in the group of texts
	others int // documents and ledgers in the group of texts
}

func counts(b *search.Batch) (n counted) {
	n.hits = b.Hits
	for i := range b.Results {
		r := &b.Results[i]
		if r.Titled() {
			n.titles++
			n.hits -= r.Count
			continue
		}
		n.texts++
		if r.Kind != index.Session && r.Kind != index.Backup {
			n.others++
		}
	}
	return n
}

// places returns a text with the numbers of sessions and documents in the group of texts.
func (n counted) places() string {
	talks, documents := words.Counted(n.texts-n.others, "session", "sessions"), words.Counted(n.others, "document", "documents")
	switch n.others {
	case 0:
		return talks
	case n.texts:
		return documents
	}
	return talks + ", " + documents
}
