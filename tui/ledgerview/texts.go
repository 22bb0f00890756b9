package ledgerview

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/tui/render"
)

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

// wants are the texts that are seen, and one screen after them, that were not rendered yet.
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

// rendered takes rendered texts in: what is seen stays where it is.
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

// isComment reports whether a text is nothing but comments.
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

// keepFacts keeps lines such as "Key: value" apart that stand one below the other: markdown would join them.
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

// partLimit is the longest piece of text that goes through markdown at once: about 60 ms of a worker.
const partLimit = 24 << 10

// splitText cuts a text at blank lines outside of fenced code and comments into pieces of at most partLimit, where the lines allow.
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
			if n == 0 { // one line is too long
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
