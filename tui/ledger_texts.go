package tui

import "github.com/continuo-tui/continuo/tui/render"

// maxTexts is how many bytes of rendered text a ledger keeps.
const maxTexts = 4 << 20

// ledgerTexts are texts of NOTES.md through markdown, known by what they say: those of a file that has grown stay.
type ledgerTexts struct {
	width int
	theme render.Theme
	lines map[string][]string // nil lines: it is better left plain
	bytes int
	busy  bool // some are on their way
}

// of is a text as it was rendered, nil when it was not.
func (t *ledgerTexts) of(text string, look contentLook) []string {
	if t == nil || t.width != look.width || t.theme != look.theme {
		return nil
	}
	return t.lines[text]
}

// ask begins anew for another width or theme, and reports whether a text is to be rendered.
func (t *ledgerTexts) ask(text string, look contentLook) bool {
	if t.width != look.width || t.theme != look.theme || t.bytes > maxTexts {
		*t = ledgerTexts{width: look.width, theme: look.theme, busy: t.busy, lines: map[string][]string{}}
	}
	_, done := t.lines[text]
	return !done
}

// put keeps rendered texts.
func (t *ledgerTexts) put(msg ledgerDrawnMsg) {
	t.busy = false
	if t.width != msg.width || t.theme != msg.theme {
		return
	}
	for text, lines := range msg.lines {
		t.lines[text] = lines
		t.bytes += len(text)
		for _, s := range lines {
			t.bytes += len(s) + 16
		}
	}
}

// wants are the texts that are seen, and one screen after them, that were not rendered yet.
func (c *ledgerContent) wants() []string {
	if c.texts == nil || c.texts.busy {
		return nil
	}
	var texts []string
	for _, s := range c.win.visible(len(c.blocks), c.look.rows, c.heights()) {
		if text := c.blocks[s.item].text; text != "" && c.texts.ask(text, c.look) {
			texts = append(texts, text)
		}
	}
	return texts
}

// rendered takes rendered texts in: what is seen stays where it is.
func (c *ledgerContent) rendered(msg ledgerDrawnMsg) {
	height := c.heights()
	for i := range c.blocks {
		if _, ok := msg.lines[c.blocks[i].text]; !ok || c.blocks[i].text == "" || c.lines[i] == nil {
			continue
		}
		was := height(i)
		c.lines[i] = nil
		c.win.resized(i, was, height(i))
	}
	c.win.fit(len(c.blocks), c.look.rows, height)
}
