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

// item is a line of the list.
type item struct {
	kind   itemKind
	result int // index of the result; for a heading or a blank line, index of the next result
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

// key identifies a result or a match while more of them arrive.
type key struct {
	path   string
	title  bool  // in the group of titles
	offset int64 // offset of the match; -1 for a result
	file   string
}

// items implements blocks.Items.
type items struct{ *Page }

func (p items) Len() int       { return len(p.items) }
func (p items) Height(int) int { return 1 }
func (p items) Stops(i int) bool {
	switch p.items[i].kind {
	case resultItem, titleItem, hitItem:
		return true
	case moreItem, titlesItem, textItem, blankItem:
	}
	return false
}
func (p items) Chosen(i int) { p.sel, p.chosen = p.keyOf(i), true }

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
	for i := range p.answer.Results {
		if p.answer.Results[i].InTitle == nil || p.query.Empty() {
			continue
		}
		if len(p.items) == 0 {
			p.items = append(p.items, item{kind: titlesItem, result: i, hit: -1})
		}
		p.items = append(p.items, item{kind: titleItem, result: i, hit: -1})
	}
	p.buildTexts()
	p.restoreBar()
	p.list.Fit()
	p.list.Reveal()
}

// buildTexts makes the lines of the results with matches in the text. Without a query, it makes a line for each result.
func (p *Page) buildTexts() {
	airy, first := p.airy(), true
	for i := range p.answer.Results {
		r := &p.answer.Results[i]
		if r.InTitle != nil && r.Count == 0 && !p.query.Empty() {
			continue
		}
		if airy && len(p.items) > 0 && !p.query.Empty() {
			p.items = append(p.items, item{kind: blankItem, result: i, hit: -1})
		}
		if first && !p.query.Empty() {
			p.items = append(p.items, item{kind: textItem, result: i, hit: -1})
		}
		first = false
		p.items = append(p.items, item{kind: resultItem, result: i, hit: -1})
		var shown []string
		for h := range r.Hits {
			if text := lineKey(&r.Hits[h]); !slices.ContainsFunc(shown, func(other string) bool { return alike(text, other) }) {
				shown = append(shown, text)
				p.items = append(p.items, item{kind: hitItem, result: i, hit: h})
			}
		}
		if more := r.Count - len(shown); more > 0 {
			p.items = append(p.items, item{kind: moreItem, result: i, hit: -1, more: more})
		}
	}
}

// restoreBar selects the item that was selected before build. If that item is gone, it selects the first item.
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

// lineKey returns the speaker of a match, and the letters and digits of its line in the list. Matches that look the same have
// similar keys; see alike.
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

// alike reports whether two matches of a session look the same, given their keys: one line contains the other. A few
// letters, such as those of a heading, can be in any line.
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

// counted has the figures above the list.
type counted struct {
	titles int // number of results whose title matches
	below  int // number of matches in the text
	texts  int // number of results that have matches in the text
	others int // number of documents and ledgers among these results
}

func counts(b *search.Batch) (n counted) {
	for i := range b.Results {
		r := &b.Results[i]
		n.below += r.Count
		if r.InTitle != nil {
			n.titles++
		}
		if r.Count > 0 {
			n.texts++
			if r.Kind != index.Session && r.Kind != index.Backup {
				n.others++
			}
		}
	}
	return n
}

// places returns a text with the number of results that have matches in the text.
func (n counted) places() string {
	if n.others == 0 {
		return words.Counted(n.texts, "session", "sessions")
	}
	return words.Counted(n.texts, "file", "files")
}
