package ledgerview

import (
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// attention returns how full the context of the newest live session is, or zero.
func (p *Page) attention() sessions.Attention {
	if row := p.attentiveSession(); row != nil {
		return *row.Attention
	}
	return sessions.Attention{}
}

// attentiveSession returns the newest live session with a known attention level, or nil.
func (p *Page) attentiveSession() *sessions.Row {
	return p.newest(func(r *sessions.Row) bool { return r.Attention != nil })
}

// attentionOf returns the limit to show beside the used tokens: the start of the next level, or of red if the level is
// red.
func attentionOf(a *sessions.Attention, budget *ledger.Attention) int64 {
	switch ledger.AttentionLevel(a.Level) {
	case ledger.Green:
		return int64(budget.Yellow)
	case ledger.Yellow:
		return int64(budget.Orange)
	case ledger.Orange, ledger.Red:
	}
	return int64(budget.Red)
}

func attentionItems(a *sessions.Attention, budget *ledger.Attention) []outlineItem {
	all := attentionOf(a, budget)
	text := render.Tokens(a.Used) + " tokens"
	if a.Used < all {
		text = render.Tokens(a.Used) + " of " + roundTokens(all) + " tokens"
	}
	it := outlineItem{key: ledgerKey{kind: isAttention}, name: text, section: -1}
	if a.Due {
		it.bad = "△"
	}
	return []outlineItem{
		{name: "Attention", head: true, section: -1},
		it,
		{name: a.Level, used: a.Used, all: all, section: -1},
	}
}

// roundTokens formats a limit, such as 5k or 7.5k.
func roundTokens(n int64) string { return strings.Replace(render.Tokens(n), ".0k", "k", 1) }

// attentionInk returns the colour of the gauge.
func attentionInk(level string) render.Ink {
	switch ledger.AttentionLevel(level) {
	case ledger.Yellow:
		return render.Warn
	case ledger.Orange:
		return render.Urgent
	case ledger.Red:
		return render.BadBold
	case ledger.Green:
	}
	return render.Good
}

// attention adds the facts about the attention level.
func (c *ledgerContent) attention() {
	a := &c.look.attention
	budget := &c.facts.Project.Config.Attention
	c.title[0].Text = "Attention"
	fact := func(label, text string) {
		if text != "" {
			c.blocks = append(c.blocks, ledgerBlock{label: label, fact: text})
		}
	}
	fact("session", c.session)
	fact("level", a.Level)
	fact("used", "about "+render.Tokens(a.Used)+" tokens in this context (limit "+roundTokens(attentionOf(a, budget))+")")
	if a.Fresh < a.Used {
		fact("since", "about "+render.Tokens(a.Fresh)+" tokens since the last delta-synthesis")
	}
	fact("levels", "yellow from "+roundTokens(int64(budget.Yellow))+", orange from "+roundTokens(int64(budget.Orange))+", red from "+roundTokens(int64(budget.Red)))
	note := "This is advice only. It blocks nothing."
	if a.Due {
		note = "A delta-synthesis is due: continuo delta adds the latest findings to the ledger."
	}
	c.blocks = append(c.blocks, ledgerBlock{note: note, gap: true})
}
