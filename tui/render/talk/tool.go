package talk

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// fixed draws a line that can't be opened.
func (p *page) fixed(block int, verb string, target, right []render.Span) {
	p.before(Folded)
	from := len(p.lines)
	p.head(Fixed, verb, target, right)
	p.add(block, from, Fixed, false)
}

// head draws the first line of a part: "▸ verb   target        right". It reports whether the whole target fits.
func (p *page) head(fold Fold, verb string, target, right []render.Span) bool {
	glyph, ink := "▸ ", render.Muted
	if fold >= Open {
		glyph, ink = "▾ ", render.Heading
	}
	l := p.line().To(p.text()).Put(render.Faint, glyph)
	end := p.o.Width
	if w := render.SpansWidth(right); w > 0 {
		if end-w-2 < l.At()+targetFrom { // there is room only for the glyph
			right = right[:1]
			w = render.SpansWidth(right)
		}
		end -= w + 2
	}
	l.PutUntil(ink, verb, end)
	if len(target) > 0 {
		l.To(max(p.text()+targetFrom, l.At()+2))
	}
	full := l.At()+render.SpansWidth(target) <= end
	for _, s := range target {
		l.PutUntil(s.Ink, s.Text, end)
	}
	l.Right(p.o.Width, right...)
	p.lines = append(p.lines, l.String())
	return full
}

// toolCall is a tool call that is being drawn.
type toolCall struct {
	transcript.Call
	inputLine          // the text that the first line shows
	change    fileDiff // the change that the call made to a file
}

// path returns the file of the call, or "".
func (c *toolCall) path() string {
	file, _ := c.File()
	return file
}

// call draws a tool call with its outcome at the right.
func (p *page) call(block int, b *transcript.Block) {
	c := toolCall{Call: b.Call(p.results[b.ID])}
	c.inputLine, c.change = inputLineOf(&c.Call), fileDiff{c.Diff(), c.Kind == transcript.ToolWrite}
	right := c.outcome(&p.o)
	verb := c.Verb()
	if c.Kind == transcript.ToolMCP {
		verb = strings.Replace(verb, " ", ": ", 1)
	}
	verb = words.Cut(verb, max((p.o.Width-p.o.Left)/2, 1))
	if file, _ := c.File(); c.Kind == transcript.ToolCode && file != "" {
		c.value = strings.Replace(c.value, file, p.relative(file), 1)
	}
	text, full := c.line(p.o.Width)
	if strings.Contains(c.target, "path") {
		from := max(targetFrom, ansi.StringWidth(verb)+4)
		path := p.relative(text)
		text = words.CutMiddle(path, p.o.Width-p.text()-from-render.SpansWidth(right)-2)
		full = full && text == path
	}
	fold := p.o.fold(block)
	p.before(callEnding(fold))
	from := len(p.lines)
	if p.o.Cleared && c.IsCleared() {
		right = append([]render.Span{{Ink: render.Faint, Text: "result cleared · "}}, right...)
		defer func() {
			for i := from; i < len(p.lines); i++ {
				p.lines[i] = p.o.Styles.Paint(render.Faint, ansi.Strip(p.lines[i]))
			}
		}()
	}
	full = p.head(fold, verb, []render.Span{{Ink: render.Muted, Text: text}}, right) && full
	body := p.body(fold, p.text()+4, true)
	if fold == Shut {
		if why := c.errorLine(p.o.Width); why != "" {
			body.row(render.Span{Ink: render.Bad, Text: words.Cut(why, body.width())})
		} else if said := c.agentLine(); said != "" {
			body.styled(words.Cut(body.inline(said), body.width()))
		}
		p.add(block, from, fold, false)
		return
	}
	body.block = block
	body.call(&c, full)
	body.end(block, from)
}

// stray draws a result without a call.
func (p *page) stray(block int, b *transcript.Block) {
	fold := p.o.fold(block)
	p.before(ending(fold))
	from := len(p.lines)
	p.head(fold, "Result", []render.Span{{Ink: render.Muted, Text: "of a call that is missing from the file"}}, resultSpans(b))
	if fold == Shut {
		p.add(block, from, fold, false)
		return
	}
	body := p.body(fold, p.text()+4, true)
	if len(b.Patch) > 0 && !b.Failed {
		body.diff(fileDiff{Diff: transcript.Diff{Hunks: b.Patch}}, "", openRows)
	} else {
		body.result(b, "")
	}
	body.end(block, from)
}

// unknown draws a block of an unknown type. An open block has its JSON.
func (p *page) unknown(block int, name string, b *transcript.Block) {
	fold := p.o.fold(block)
	p.before(ending(fold))
	from := len(p.lines)
	p.head(fold, "unknown block "+name, nil, sizeSpans(int64(len(b.Raw))))
	if fold == Shut {
		p.add(block, from, fold, false)
		return
	}
	body := p.body(fold, p.text()+4, true)
	body.text(render.Muted, indented(b.Raw), openRows)
	body.end(block, from)
}

func (p *page) relative(s string) string { return Relative(s, p.o.Dir, p.o.Home) }

// Relative returns a path relative to dir if the path is in dir. In other paths, ~ replaces the home directory.
func Relative(path, dir, home string) string {
	if dir = strings.TrimSuffix(dir, "/"); dir != "" {
		if rest, ok := strings.CutPrefix(path, dir+"/"); ok && rest != "" {
			return rest
		}
	}
	return render.Folder(path, home)
}

// longLine is the number of bytes from which resultSpans shows a line's size, not "1 line".
const longLine = 400

// resultSpans returns the glyph and the size of a result. A narrow line shows only the glyph.
func resultSpans(r *transcript.Block) []render.Span {
	spans := []render.Span{{Ink: render.Good, Text: "✓"}}
	if r.Failed {
		spans[0] = render.Span{Ink: render.Bad, Text: "✗"}
	}
	if r.Denied != "" {
		return []render.Span{{Ink: render.Bad, Text: "✗"}, {Ink: render.Faint, Text: " " + deniedWords(r.Denied)}}
	}
	switch text := strings.TrimRight(r.Text, "\n"); {
	case r.Bytes > 0:
		return append(spans, render.Span{Ink: render.Faint, Text: " " + words.Size(r.Bytes)})
	case len(text) > longLine && !strings.Contains(text, "\n"):
		return append(spans, render.Span{Ink: render.Faint, Text: " " + words.Size(int64(len(text)))})
	case text != "":
		return append(spans, render.Span{Ink: render.Faint, Text: " " + words.Counted(strings.Count(text, "\n")+1, "line", "lines")})
	}
	return spans
}

// deniedWords returns a text such as "denied by a rule".
func deniedWords(kind transcript.DenialKind) string {
	switch kind {
	case transcript.DeniedByPerson:
		return "rejected"
	case transcript.DeniedByRule:
		return "denied by a rule"
	case transcript.DeniedByAuto:
		return "blocked by auto mode"
	}
	return strings.ReplaceAll(transcript.CleanLine(string(kind)), "-", " ")
}

func sizeSpans(n int64) []render.Span {
	if n <= 0 {
		return nil
	}
	return []render.Span{{Ink: render.Faint, Text: words.Size(n)}}
}

func (p *page) media(block int, b *transcript.Block) {
	verb := firstUpper(string(b.Kind))
	var target []render.Span
	if t := transcript.CleanLine(b.Media); t != "" {
		target = []render.Span{{Ink: render.Muted, Text: t}}
	}
	p.fixed(block, verb, target, sizeSpans(b.Bytes))
}

// unknownType returns the type of an unknown block as the transcript has it.
func unknownType(b *transcript.Block) string {
	if b.Name != "" {
		return transcript.CleanLine(b.Name)
	}
	var t struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(b.Raw, &t); err != nil || t.Type == "" {
		return "without a type"
	}
	return transcript.CleanLine(t.Type)
}

func firstUpper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
