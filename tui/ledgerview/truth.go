package ledgerview

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// outlineTruth adds the disagreements between sources to the outline.
func (f *ledgerFacts) outlineTruth() {
	if n := len(f.Truth.List); n > 0 {
		f.lines = append(f.lines, outlineItem{key: ledgerKey{kind: isTruth}, name: "disagreements", count: words.Count(n + f.Truth.Left), section: -1})
	}
}

func (c *ledgerContent) truth() {
	r := &c.facts.Truth
	c.title[0].Text = "Disagreements"
	c.count(len(r.List)+r.Left, ", the first source wins")
	for i := range r.List {
		c.blocks = append(c.blocks, ledgerBlock{truth: true, source: i, text: disagreementText(&r.List[i]), gap: i > 0 && c.look.rows >= compactFrom})
	}
	if r.Left > 0 {
		c.blocks = append(c.blocks, ledgerBlock{note: "… " + words.Counted(r.Left, "more disagreement", "more disagreements"), gap: true})
	}
}

// drawTruth draws a disagreement between sources.
func (c *ledgerContent) drawTruth(b *ledgerBlock) []string {
	at := b.source
	return ledgerlines.TruthLines(&truth.Report{List: c.facts.Truth.List[at : at+1]}, c.st, min(c.look.width, c.proseWidth()+2))
}

func disagreementText(d *truth.Disagreement) string {
	text := transcript.CleanLine(d.About)
	for i := range d.Says {
		text += "\n  " + string(d.Says[i].Source) + ": " + transcript.CleanLine(d.Says[i].Text)
	}
	return text + "\n  " + transcript.CleanLine(d.Do)
}

// trouble adds the reason why the item can't be shown.
func (c *ledgerContent) trouble(it *outlineItem) {
	f := c.facts
	say := func(title, text string, wrong bool) {
		c.title[0].Text = title
		c.blocks = append(c.blocks, ledgerBlock{note: text, wrong: wrong})
	}
	switch it.key.name {
	case "notes":
		say("NOTES.md", f.Trouble, true)
	case "beads":
		say("Beads", f.BeadsBad, true)
	case "missing":
		c.missing("Missing")
	default:
		if len(f.Missing) > 0 {
			c.missing("NOTES.md")
			return
		}
		say("NOTES.md", "There is no NOTES.md yet. The first entry creates it.", false)
	}
}

// missing adds the parts that heal can restore.
func (c *ledgerContent) missing(title string) {
	c.title[0].Text = title
	for _, part := range c.facts.Missing {
		c.blocks = append(c.blocks, ledgerBlock{note: part, wrong: true})
	}
	c.blocks = append(c.blocks, ledgerBlock{note: c.look.heal, gap: true})
}
