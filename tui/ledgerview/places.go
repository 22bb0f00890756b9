package ledgerview

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// lookups count places in the code that were looked up.
type lookups struct {
	n     int
	bad   int // lead nowhere
	moved int
}

func (p *lookups) add(c *ledger.Check) {
	switch {
	case c.Status == "": // it was not looked at
		return
	case c.Status == ledger.Moved:
		p.moved++
	case c.Status != ledger.Outside && c.Bad(): // what is outside was not looked at
		p.bad++
	}
	p.n++
}

// mark says behind a count how many lead nowhere.
func (p *lookups) mark() string {
	if p.bad == 0 {
		return ""
	}
	return words.Count(p.bad) + "✗"
}

// countPlaces counts how the places are that are cited.
func (f *ledgerFacts) countPlaces() {
	for i := range f.checked {
		f.listed.add(&f.checked[i].Check)
	}
	for i := range f.decisions {
		for k := range f.decisions[i].Evidence {
			c := f.Evidence[survey.BackingOf(&f.decisions[i].Evidence[k])]
			f.cited.add(&c)
		}
	}
}

// words says how the cited places are: nothing where all are well.
func (f *ledgerFacts) words() (glyph render.Span, said, more string) {
	p := lookups{f.listed.n + f.cited.n, f.listed.bad + f.cited.bad, f.listed.moved + f.cited.moved}
	of := " of " + words.Counted(p.n, "code reference", "code references") + " "
	switch {
	case p.bad > 0:
		broken := "are broken"
		if p.bad == 1 {
			broken = "is broken"
		}
		glyph, said = render.Span{Ink: render.BadBold, Text: "✗ "}, words.Count(p.bad)+of+broken
		if p.moved > 0 {
			more = " · " + words.Count(p.moved) + " " + movedWord(p.moved)
		}
	case p.moved > 0:
		glyph, said = render.Span{Ink: render.Warn, Text: "△ "}, words.Count(p.moved)+of+movedWord(p.moved)
	}
	if !f.Staged.IsZero() {
		more += " · a recovery of about " + render.Tokens(int64(f.StagedN)) + " tokens is staged"
		if said == "" {
			more = strings.TrimPrefix(more, " · ")
		}
	}
	return glyph, said, more
}

func movedWord(n int) string {
	if n == 1 {
		return "has moved"
	}
	return "have moved"
}
