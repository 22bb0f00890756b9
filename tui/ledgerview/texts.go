package ledgerview

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/tui/render"
)

// maxTexts is the maximum size of the cached texts, in bytes.
const maxTexts = 4 << 20

// ledgerTexts caches rendered markdown by its source text. The cache stays valid when the file grows.
type ledgerTexts struct {
	width int
	theme render.Theme
	lines map[string][]string // nil for a text that is shown as plain text
	bytes int
	busy  bool // a command is rendering texts
}

// of returns the rendered lines of a text, or nil.
func (t *ledgerTexts) of(text string, look contentLook) []string {
	if t == nil || t.width != look.width || t.theme != look.theme {
		return nil
	}
	return t.lines[text]
}

// ask reports whether a text must be rendered. A new width or theme clears the cache.
func (t *ledgerTexts) ask(text string, look contentLook) bool {
	if t.width != look.width || t.theme != look.theme || t.bytes > maxTexts {
		*t = ledgerTexts{width: look.width, theme: look.theme, busy: t.busy, lines: map[string][]string{}}
	}
	_, done := t.lines[text]
	return !done
}

// put stores rendered texts.
func (t *ledgerTexts) put(msg drawnMsg) {
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

// wants returns the visible texts that aren't rendered yet.
func (c *ledgerContent) wants() []string {
	if c.texts == nil || c.texts.busy {
		return nil
	}
	var texts []string
	for _, s := range c.list.Visible() {
		if text := c.blocks[s.Item].text; text != "" && c.texts.ask(text, c.look) {
			texts = append(texts, text)
		}
	}
	return texts
}

// rendered stores rendered texts and draws their blocks again. The visible lines don't move.
func (c *ledgerContent) rendered(msg drawnMsg) {
	height := c.Height
	for i := range c.blocks {
		if _, ok := msg.lines[c.blocks[i].text]; !ok || c.blocks[i].text == "" || c.lines[i] == nil {
			continue
		}
		was := height(i)
		c.lines[i] = nil
		c.list.Win.Resized(i, was, height(i))
	}
	c.list.Fit()
}

// isComment reports whether a text has nothing except comments.
func isComment(text string) bool {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		rest, ok := strings.CutPrefix(text, "<!--")
		if !ok {
			return false
		}
		if _, text, ok = strings.Cut(rest, "-->"); !ok {
			return false
		}
	}
	return true
}

// keepFacts changes lines such as "Key: value" so that markdown doesn't join them.
func keepFacts(text string) string {
	if !strings.Contains(text, ": ") {
		return text
	}
	fact := regexp.MustCompile(`^[A-Z][\w /()-]{0,40}: `)
	var b strings.Builder
	before, was := "", false
	for line := range strings.Lines(text) {
		is := fact.MatchString(line)
		if is && was {
			before = strings.TrimRight(before, " \t\r\n") + "  \n"
		}
		b.WriteString(before)
		before, was = line, is
	}
	return b.String() + before
}

// partLimit is the maximum size, in bytes, of a text that is rendered in one piece. This takes about 60 ms.
const partLimit = 24 << 10

// splitText splits a text into pieces of at most partLimit bytes, if possible at blank lines.
func splitText(text string) []string {
	if len(text) <= partLimit {
		return []string{text}
	}
	var parts []string
	good, at := 0, 0
	var r mark.Reader
	cut := func(n int) {
		parts, text = append(parts, text[:n]), text[n:]
		good, at = 0, at-n
	}
	for at < len(text) {
		end := strings.IndexByte(text[at:], '\n') + 1
		if end == 0 {
			end = len(text) - at
		}
		if r.Next(text[at:at+end]).Kind == mark.Blank {
			good = at + end
		}
		for at+end > partLimit {
			n := good
			if n == 0 {
				n = at
			}
			if n == 0 { // a single line is too long
				for n = partLimit; n > 0 && !utf8.RuneStart(text[n]); n-- {
				}
				n = max(n, 1)
			}
			if cut(n); at < 0 {
				end, at = end+at, 0
			}
		}
		at += end
	}
	return slices.DeleteFunc(append(parts, text), func(s string) bool { return strings.TrimSpace(s) == "" })
}
