package search

import (
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/search"
)

// item is a line of the list.
type item struct {
	kind   itemKind
	result int // index of its result; of a heading or blank, of the next one
	hit    int // index of its match; -1 none
}

type itemKind uint8

const (
	resultItem itemKind = iota
	hitItem
	moreItem // the number of matches that aren't shown
	titlesItem
	textItem
	blankItem
)

// key identifies a result or match while more of them arrive.
type key struct {
	path   string
	offset int64 // of the match; -1 for the result
	file   string
}

// items implements blocks.Items.
type items struct{ *Page }

func (p items) Len() int       { return len(p.items) }
func (p items) Height(int) int { return 1 }
func (p items) Stops(i int) bool {
	return p.items[i].kind == resultItem || p.items[i].kind == hitItem
}
func (p items) Chosen(i int) { p.sel, p.chosen = p.keyOf(i), true }

func (p *Page) keyOf(i int) key {
	r := &p.answer.Results[p.items[i].result]
	k := key{path: r.Path, offset: -1}
	if h := p.items[i].hit; h >= 0 {
		k.offset, k.file = r.Hits[h].Offset, r.Hits[h].Path
	}
	return k
}

// build makes the lines of the answer, and puts the bar where it was.
func (p *Page) build() {
	p.items = p.items[:0]
	if p.query != nil && p.query.Empty() { // recent sessions
		kept := p.answer.Results[:0:0]
		for _, r := range p.answer.Results {
			if r.Kind == index.Session || r.Row != nil && r.Row.Lost() != nil {
				kept = append(kept, r)
			}
		}
		p.answer.Results = kept
	}
	airy := p.airy()
	var last itemKind
	for i := range p.answer.Results {
		r := &p.answer.Results[i]
		group := textItem
		if r.InTitle != nil {
			group = titlesItem
		}
		if !p.query.Empty() && group != last {
			if airy && i > 0 {
				p.items = append(p.items, item{blankItem, i, -1})
			}
			p.items = append(p.items, item{group, i, -1})
			last = group
		} else if airy && i > 0 && (len(r.Hits) > 0 || len(p.answer.Results[i-1].Hits) > 0) {
			p.items = append(p.items, item{blankItem, i, -1})
		}
		p.items = append(p.items, item{resultItem, i, -1})
		for h := range r.Hits {
			p.items = append(p.items, item{hitItem, i, h})
		}
		if r.Count > len(r.Hits) {
			p.items = append(p.items, item{moreItem, i, -1})
		}
	}
	p.place()
	p.list.Fit()
	p.list.Reveal()
}

// place puts the bar on the item it was on, else on the first one.
func (p *Page) place() {
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

// counts returns the number of results whose title matches, and that of those with matches in the text.
func counts(b *search.Batch) (titles, texts int) {
	for i := range b.Results {
		if b.Results[i].InTitle != nil {
			titles++
		}
		if b.Results[i].Count > 0 {
			texts++
		}
	}
	return titles, texts
}
