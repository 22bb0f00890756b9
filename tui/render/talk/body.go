package talk

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// The limits for an opened part.
const (
	openRows  = 12 // rows of a text in an Open part
	inputRows = 4  // minimum rows for the input of a call
	// Rows for the start of a failed result. The end gets more rows, because it usually contains the error.
	failedHead = 4
	valueRows  = 3         // rows of a parameter
	wholeRows  = 2000      // rows of a Whole part
	wholeBytes = 256 << 10 // maximum bytes of text in a Whole part; wrapping takes 25 ms
)

// body draws the content of an opened part.
type body struct {
	p     *page
	fold  Fold
	left  int    // column of the text
	rail  bool   // a vertical line is at the left of the text
	media bool   // the text may contain markers for mediaLine
	mark  string // glyph before the first row; may be ""
	block int    // block of a call, for Options.Code
	code  bool   // the text is the source of a program
	// The escape sequences for colours in the text become inks of the theme.
	colors bool
	state  sgr

	rows, bytes int  // rows and bytes that a Whole part may still draw
	drawn       int  // rows drawn so far
	more        bool // some text was cut, and a Whole part would show it
}

func (p *page) body(fold Fold, left int, rail bool) *body {
	return &body{p: p, fold: fold, left: left, rail: rail, rows: wholeRows, bytes: wholeBytes}
}

// end completes the part that starts at line from.
func (b *body) end(block, from int) {
	if b.drawn == 0 {
		b.row(render.Span{Ink: render.Faint, Text: "empty"})
	}
	b.p.add(block, from, b.fold, b.more)
}

// width returns the width of a row. With a rail, rows extend to the right edge.
func (b *body) width() int {
	w := b.p.o.Width - b.left
	if !b.rail {
		w = min(w, b.p.prose())
	}
	return max(w, 1)
}

// highlight returns the highlighted spans of the texts of a call, or nil.
func (b *body) highlight(file string, texts [][]string) [][][]render.Span {
	if b.p.o.Code == nil || file == "" || b.p.o.Styles.Theme == render.None {
		return nil
	}
	inked := b.p.o.Code(b.block, file, texts)
	if len(inked) != len(texts) {
		return nil
	}
	for i := range inked { // the cache may have spans for another width
		if !slices.EqualFunc(inked[i], texts[i], render.HasText) {
			return nil
		}
	}
	return inked
}

// limit returns the maximum number of rows for a text. An Open part has the limit open.
func (b *body) limit(open int) int {
	if b.fold == Whole {
		return b.rows
	}
	return open
}

func (b *body) row(spans ...render.Span) {
	l := b.p.line()
	switch {
	case b.rail:
		l.To(b.left-2).Put(render.Rule, "│")
	case b.mark != "":
		l.To(b.left-2).Put(render.Faint, b.mark)
		b.mark = ""
	}
	if render.SpansWidth(spans) > 0 {
		l.To(b.left).Spans(spans...)
	}
	b.add(l)
}

// styled draws a row of rendered markdown.
func (b *body) styled(text string) {
	l := b.p.line()
	if b.rail {
		l.To(b.left-2).Put(render.Rule, "│")
	}
	if text != "" {
		l.To(b.left).PutStyled(render.Text, text)
	}
	b.add(l)
}

func (b *body) add(l *render.Line) {
	b.p.lines = append(b.p.lines, l.String())
	b.drawn++
	b.rows--
}

// hidden counts the text that isn't drawn: lines, and the end of the last drawn line.
type hidden struct {
	lines int
	cut   bool
}

func (h hidden) is() bool { return h.lines > 0 || h.cut }

// rest draws a line about the hidden text, if any.
func (b *body) rest(h hidden) {
	if h.is() {
		b.row(render.Span{Ink: render.Faint, Text: b.restText(h)})
	}
}

func (b *body) restText(h hidden) string {
	s := "… rest of the line"
	if h.lines > 0 {
		s = "… " + words.Counted(h.lines, "more line", "more lines")
	}
	if b.fold == Whole {
		return s + ", see the file"
	}
	b.more = true
	return s
}

type textRow struct {
	text  string
	inked []render.Span // the spans of the row; nil if the row has one ink
}

// put draws a row of a text.
func (b *body) put(ink render.Ink, r textRow) {
	if r.inked == nil {
		b.row(render.Span{Ink: ink, Text: r.text})
		return
	}
	b.row(based(r.inked, ink)...)
}

// based returns a copy of the spans with an ink in place of the ink Text.
func based(spans []render.Span, ink render.Ink) []render.Span {
	out := slices.Clone(spans)
	for i := range out {
		if out[i].Ink == render.Text {
			out[i].Ink = ink
		}
	}
	return out
}

// text draws a text. An Open part has at most limit rows. Blank text isn't drawn.
func (b *body) text(ink render.Ink, text string, limit int) {
	text = trimLines(text)
	if text == "" {
		return
	}
	rows, used, left := b.wrapHead(text, b.width(), b.limit(limit))
	b.bytes -= used
	for _, r := range rows {
		b.put(ink, r)
	}
	b.rest(left)
}

// ends draws the start and the end of a text, such as a failed output. A short text is complete.
func (b *body) ends(ink render.Ink, text string) {
	text = trimLines(text)
	if _, _, left := b.wrapHead(text, b.width(), openRows); !left.is() || b.fold == Whole {
		b.text(ink, text, openRows)
		return
	}
	first, _, below := b.wrapHead(text, b.width(), failedHead)
	last, above := b.wrapTail(text, b.width(), openRows-failedHead)
	for _, r := range first {
		b.put(ink, r)
	}
	b.rest(hidden{lines: below.lines + above - countLines(text), cut: true})
	for _, r := range last {
		b.put(ink, r)
	}
}

// params draws the parameters of a call. A value has at most valueRows rows.
func (b *body) params(params transcript.Params, open int) {
	limit, left := b.limit(open), hidden{}
	for _, q := range params {
		text := trimLines(q.Text())
		if limit <= 0 {
			left.lines += max(countLines(text), 1)
			continue
		}
		key := words.Cut(transcript.CleanLine(head(q.Key, b.width())), max(b.width()/2, 1))
		indent := ansi.StringWidth(key) + 2
		width, most := max(b.width()-indent, 1), limit
		if b.fold != Whole {
			most = min(most, valueRows)
		}
		rows, used, rest := b.wrapHead(text, width, most)
		b.bytes -= used
		switch last := len(rows) - 1; {
		case rest.is() && (b.fold == Whole || last < 0):
			left.lines += rest.lines
			left.cut = left.cut || rest.cut
		case rest.is():
			b.more = true
			rows[last].text = words.Cut(rows[last].text+" …", width)
		case last < 0:
			rows = []textRow{{}}
		}
		for i, r := range rows {
			if lead := key + "  "; i == 0 {
				b.row(render.Span{Ink: render.Muted, Text: strings.TrimRight(lead+r.text, " ")})
			} else {
				b.row(render.Span{Ink: render.Muted, Text: strings.Repeat(" ", indent) + r.text})
			}
		}
		limit -= len(rows)
	}
	b.rest(left)
}

// wrapHead wraps the start of a text into at most limit rows. It also returns their bytes and what is hidden.
func (b *body) wrapHead(text string, width, limit int) (rows []textRow, used int, left hidden) {
	b.state = noColors()
	for line, more := "", text != ""; more; {
		if len(rows) >= limit || used >= b.bytes {
			left.lines = strings.Count(text, "\n") + 1
			return rows, used, left
		}
		line, text, more = strings.Cut(text, "\n")
		got, n, ok := b.wrapLine(line, width, limit-len(rows), b.bytes-used)
		rows, used, left.cut = append(rows, got...), used+n+1, !ok
	}
	return rows, used, left
}

// wrapLine wraps a line into at most limit rows. It also returns their bytes. ok reports whether the line is complete.
func (b *body) wrapLine(line string, width, limit, bytes int) (rows []textRow, used int, ok bool) {
	line = strings.TrimSuffix(line, "\r")
	if b.media {
		line = mediaLine(line)
	}
	s := line
	if n := min(bytes, max(limit*width, 64)*4); len(s) > n {
		s = strings.ToValidUTF8(s[:n], "")
	}
	rows = b.wrap(s, width)
	if len(rows) > limit {
		return rows[:limit], len(s), false
	}
	return rows, len(s), len(s) == len(line)
}

// wrap returns the rows of a line, with their inks.
func (b *body) wrap(line string, width int) []textRow {
	wrap := render.Wrap
	if b.code {
		wrap = render.WrapIndented
	}
	texts := wrap(line, width)
	rows := make([]textRow, len(texts))
	for i, text := range texts {
		rows[i].text = text
	}
	if !b.colors {
		return rows
	}
	if spans := b.state.spans(line); spans != nil {
		for i, inked := range render.Rows(texts, spans, render.Text) {
			rows[i].inked = inked
		}
	}
	return rows
}

// wrapTail wraps the end of a text. It returns the last rows and the number of lines before the rows.
func (b *body) wrapTail(text string, width, limit int) (rows []textRow, left int) {
	for left = countLines(text); len(rows) < limit && left > 0; left-- {
		i := strings.LastIndexByte(text, '\n')
		line := strings.TrimSuffix(text[i+1:], "\r")
		text = text[:max(i, 0)]
		if b.media {
			line = mediaLine(line)
		}
		if n := max(limit*width, 64) * 4; len(line) > n {
			line = strings.ToValidUTF8(line[len(line)-n:], "")
		}
		b.state = noColors()
		got := b.wrap(line, width)
		rows = append(got[max(len(got)-limit+len(rows), 0):], rows...)
	}
	return rows, left
}

// trimLines removes line breaks at the start and the end of a text. A blank text becomes "".
func trimLines(s string) string {
	s = strings.Trim(strings.TrimRight(s, " \t\r\n"), "\r\n")
	if isBlank(s) {
		return ""
	}
	return s
}

// countLines returns the number of lines in a text. A line break at the end starts no line.
func countLines(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}

// mediaLine replaces the marker of an image or document by a text such as "Image  image/png  12 kB". Other lines stay
// the same.
func mediaLine(line string) string {
	s, ok := strings.CutPrefix(line, "[")
	if !ok {
		return line
	}
	kind, s, _ := strings.Cut(s, " ")
	media, s, _ := strings.Cut(s, ", ")
	s, ok = strings.CutSuffix(s, " bytes]")
	if !ok || kind != "image" && kind != "document" {
		return line
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return line
	}
	return firstUpper(kind) + "  " + strings.TrimSpace(media+"  "+words.Size(n))
}
