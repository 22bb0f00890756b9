package talk

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/tui/render"
)

// source draws the result of a Read as code with line numbers. It returns false if the first line has no number. The
// client writes " 9→code". Clients since about 2.1.90 write "9\tcode".
func (b *body) source(text, file string, open int) bool {
	text = trimLines(text)
	if _, _, ok := cutLineNumber(text); !ok {
		return false
	}
	digits := 0
	for line := range strings.Lines(text) {
		if number, _, ok := cutLineNumber(line); ok {
			digits = max(digits, len(number))
		}
	}
	b.code = true
	defer func() { b.code = false }()
	var left hidden
	limit, used := b.limit(open), 0
	inked := b.highlightSource(file, text, limit)
	for rows, at, more := 0, 0, true; more; at++ {
		if rows >= limit || used >= b.bytes {
			left.lines = countLines(text)
			break
		}
		var line string
		line, text, more = strings.Cut(text, "\n")
		number, code, _ := cutLineNumber(line)
		got, n, ok := b.wrapLine(code, max(b.width()-digits-2, 1), limit-rows, b.bytes-used)
		used += n + 1
		rows += len(got)
		left.cut = !ok
		var spans []render.Span
		if at < len(inked) {
			spans = inked[at]
		}
		texts := make([]string, len(got))
		for i, r := range got {
			texts[i] = r.text
		}
		for _, r := range render.Rows(texts, spans, render.Text) {
			b.row(append([]render.Span{{Ink: render.Faint, Text: strings.Repeat(" ", digits-len(number)) + number + "  "}}, based(r, render.Muted)...)...)
			number = ""
		}
	}
	b.bytes -= used
	b.rest(left)
	return true
}

// highlightSource highlights the result of a Read, up to the first line without a number.
func (b *body) highlightSource(file, text string, limit int) [][]render.Span {
	var lines []string
	for line := range strings.Lines(text) {
		_, code, ok := cutLineNumber(strings.TrimSuffix(line, "\n"))
		if !ok || len(lines) >= limit {
			break
		}
		code, _ = codeOf(code, lineCells)
		lines = append(lines, code)
	}
	if inked := b.highlight(file, [][]string{lines}); inked != nil {
		return inked[0]
	}
	return nil
}

// cutLineNumber splits a line into its line number and its code. ok is false without a number.
func cutLineNumber(line string) (number, code string, ok bool) {
	for _, separator := range []string{"→", "\t"} {
		before, after, found := strings.Cut(line, separator)
		if number = strings.TrimLeft(before, " "); found && number != "" && len(number) <= 7 {
			if _, err := strconv.ParseUint(number, 10, 32); err == nil {
				return number, after, true
			}
		}
	}
	return "", line, false
}
