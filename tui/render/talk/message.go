package talk

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Options describe how to draw messages.
type Options struct {
	Width  int // maximum width of a line, in cells
	Left   int // column of the glyphs; the text is two columns further right
	Styles *render.Styles
	Zone   *time.Location // time zone of the times; nil means UTC
	Dir    string         // directory of relative paths; may be ""
	Home   string         // home directory, which is shown as ~; may be ""

	// Markdown renders the text of an answer. Prose has at most prose cells, and code at most code cells. If Markdown
	// or its result is nil, the text is drawn plain.
	Markdown func(text string, prose, code int) []string

	// Folds returns the fold of a block; nil if all blocks are shut. The block -1 is a message that is one part: a
	// notice, a system message or a summary.
	Folds func(block int) Fold
	// Runs are the runs of calls in the message.
	Runs []RunPart
	// Result means that the message is the answer of a sub-agent to Claude.
	Result bool
	// Work means that the message is part of the work of a turn.
	Work bool
	// Live means that the session still runs, so a call may still get a result.
	Live bool
	// Horizon is a sentence about what the model knows after a compaction. If Horizon is "", the sizes of the context
	// are drawn.
	Horizon string
	// Cleared marks the results that the client has cleared. The model knows only their calls.
	Cleared bool
	// Replaced is the number of messages that the summary replaces, or 0.
	Replaced int
	// Context has the context sizes before and after the compaction, or "".
	Context string
	// Blocks replaces Markdown if set. block is the index of the block, for a cache of lines.
	Blocks func(block int, text string, prose, code int) []string
	// Code highlights the code of a call. It is called at most once for a block. It may be nil.
	Code func(block int, file string, texts [][]string) [][][]render.Span
}

const (
	maxProse   = 96 // in cells, because longer lines are hard to read
	timeWidth  = 8  // such as "14:02" and the blanks before it
	timesFrom  = 62 // minimum cells at the right of Left to show times
	targetFrom = 9  // cells from the text to the target of a tool line
)

// TextWidth returns Options.Width for a screen of w cells. The other cells are for the scrollbar.
func TextWidth(w int) int {
	if w < 64 {
		return max(w-3, 1)
	}
	return w - 5
}

// page is a message that is being drawn.
type page struct {
	o       Options
	lines   []string
	parts   []Part
	last    Ending
	stamp   string                       // the time; "" as soon as it is drawn
	calls   map[string]*transcript.Block // the calls of the message, by ID
	results map[string]*transcript.Block // the first result of each call
}

// ThreadHeading returns a blank line and the heading of a thread; nil for the main thread.
func ThreadHeading(t *transcript.Thread, o Options) []string {
	if o.Styles == nil {
		o.Styles = render.NewStyles(render.None)
	}
	glyph, name, note := render.Span{Ink: render.Warn, Text: "◇"}, firstUpper(transcript.CleanLine(t.Name)), "hidden on resume"
	switch t.Kind {
	case transcript.Main:
		return nil
	case transcript.Sidechain:
		glyph, name, note = render.Span{Ink: render.Faint, Text: "▸"}, "Sub-agent", transcript.CleanLine(t.Name)
		if strings.HasPrefix(note, "sidechain ") { // continuo made up this name
			note = ""
		}
	case transcript.Branch:
	}
	l := render.NewLine(o.Styles, o.Width).To(o.Left).Spans(glyph, render.Span{Ink: render.Text, Text: " "})
	l.Put(render.Heading, name).Put(render.Faint, " · ")
	if l.Put(render.Muted, words.Counted(len(t.Messages), "message", "messages")); note != "" {
		l.Put(render.Faint, " · "+note)
	}
	return []string{"", l.String()}
}

// BranchMark returns the line below a message at which n branches start.
func BranchMark(n int, o Options) string {
	l := render.NewLine(o.Styles, o.Width).To(o.Left).Put(render.Warn, "◇").To(o.Left + 2)
	return l.PutUntil(render.Muted, words.Counted(n, "other branch", "other branches")+" from here", o.Width).String()
}

// hasTimes reports whether there is room for times.
func (o *Options) hasTimes() bool { return o.Width-o.Left >= timesFrom }

func (p *page) text() int { return p.o.Left + 2 }

// prose returns the width of running text, without the column of the times.
func (p *page) prose() int {
	w := p.o.Width - p.text()
	if p.o.hasTimes() {
		w -= timeWidth
	}
	return max(min(w, maxProse), 1)
}

// before adds a blank line if the next part needs one.
func (p *page) before(next Ending) {
	switch {
	case p.last == Start, p.last == Begun:
	case p.last == Folded && (next == Folded || next == OpenCall), p.last == OpenCall && next == Folded:
	case (p.last == Asked || p.last == Worked) && next != Asked:
	default:
		p.lines = append(p.lines, "")
	}
	p.last = next
}

// apart adds a blank line before a line that doesn't belong to a turn, such as a compaction.
func (p *page) apart() {
	p.before(Asked)
	p.last = Prose
}

// add adds a part that begins at line from.
func (p *page) add(block, from int, fold Fold, more bool) {
	p.parts = append(p.parts, Part{Block: block, From: from, To: len(p.lines), Fold: fold, More: more && fold == Open})
}

func (p *page) line() *render.Line { return render.NewLine(p.o.Styles, p.o.Width) }

// blocks draws the blocks of a message, depending on the kind of the message.
func (p *page) blocks(m *transcript.Message) {
	switch m.Kind {
	case transcript.Prompt:
		if isCommand(m) {
			p.command(m)
			return
		}
		p.prompt(m)
	case transcript.Notice, transcript.System, transcript.Summary:
		p.aside(m)
	case transcript.Boundary:
		p.boundary(m)
	case transcript.Answer:
		fallthrough
	default:
		for i := range m.Blocks {
			p.block(m, i)
		}
	}
}

// prompt draws a prompt. Only prompts are bold, so that users find them quickly.
func (p *page) prompt(m *transcript.Message) {
	first := true
	for i := range m.Blocks {
		b := &m.Blocks[i]
		if b.Kind != transcript.BlockText {
			p.block(m, i)
			continue
		}
		if !isSaid(m, b) {
			continue
		}
		if transcript.IsMachine(b.Text) {
			p.notice(i, b.Text)
			continue
		}
		glyph := render.Span{}
		if first {
			glyph = render.Span{Ink: render.AccentBold, Text: "❯"}
		}
		first = false
		p.before(Asked)
		p.paragraph(i, glyph, render.Strong, render.Wrap(commandText(b.Text), p.prose()))
	}
}

// paragraph draws lines of text. The first line has the time.
func (p *page) paragraph(block int, glyph render.Span, ink render.Ink, lines []string) {
	from := len(p.lines)
	for i, text := range lines {
		l := p.line()
		if i == 0 && glyph.Text != "" {
			l.To(p.o.Left).Spans(glyph)
		}
		if text != "" {
			l.To(p.text())
			l.PutStyled(ink, text)
		}
		if i == 0 && p.stamp != "" && l.At() < p.o.Width-len(p.stamp) {
			l.Right(p.o.Width, render.Span{Ink: render.Faint, Text: p.stamp})
			p.stamp = ""
		}
		p.lines = append(p.lines, l.String())
	}
	p.add(block, from, Fixed, false)
}

func (p *page) block(m *transcript.Message, i int) {
	b := &m.Blocks[i]
	switch b.Kind {
	case transcript.BlockText:
		switch {
		case !isSaid(m, b):
		case p.o.Work && isRemark(b.Text):
			p.stamp = "" // the line about the work has the duration
			p.before(Folded)
			p.paragraph(i, render.Span{}, render.Text, p.answer(i, b.Text))
		default:
			p.before(Prose)
			lines := p.answer(i, b.Text)
			if p.o.Result {
				p.o.Result = false // only the first text has the heading
				lines = p.headed("Result to Claude", lines)
			}
			p.paragraph(i, render.Span{}, render.Text, lines)
		}
	case transcript.BlockThinking:
		if !isBlank(b.Text) { // some thoughts have only a signature
			p.thought(i, b)
		}
	case transcript.BlockToolUse:
		p.callOrRun(m, i)
	case transcript.BlockToolResult:
		if p.calls[b.CallID] == nil {
			p.stray(i, b)
		}
	case transcript.BlockImage, transcript.BlockDocument:
		p.media(i, b)
	case transcript.BlockNotice:
		switch {
		case b.IsTask():
			p.before(Prose)
			p.paragraph(i, render.Span{}, render.Text, p.headed("Task from Claude", p.answer(i, b.Text)))
		case !isUnderCall(b, p.calls):
			p.noted(i, b)
		}
	case transcript.BlockUnknown:
		if isWordless(m, b) {
			p.faint(i, Fixed, strings.ReplaceAll(transcript.CleanLine(b.Name), "_", " "))
			return
		}
		p.unknown(i, unknownType(b), b)
	default:
		p.unknown(i, transcript.CleanLine(string(b.Kind)), b)
	}
}

// isRemark reports whether a text is short and on one line, such as "I look at each caller."
func isRemark(text string) bool {
	const longest = 200 // bytes
	text = strings.TrimSpace(text)
	return len(text) <= longest && !strings.Contains(text, "\n")
}

func (p *page) headed(title string, lines []string) []string {
	return append([]string{p.o.Styles.Paint(render.Heading, title)}, lines...)
}

// callOrRun draws a call with its notices. Before the first call of a run, it draws the line of the run.
func (p *page) callOrRun(m *transcript.Message, i int) {
	b, run := &m.Blocks[i], p.o.runAt(i)
	if run != nil && run.Leads && i == run.From {
		p.run(run)
	}
	switch {
	case run == nil:
		p.call(i, b)
	case run.Open:
		p.o.Left += WorkIndent
		p.call(i, b)
		p.o.Left -= WorkIndent
	default:
		return
	}
	for n := range m.Blocks {
		if notice := &m.Blocks[n]; isUnderCall(notice, p.calls) && p.calls[notice.CallID] == b {
			p.noted(n, notice)
		}
	}
}

// answer returns the text of an answer as lines, if possible as markdown.
func (p *page) answer(block int, text string) []string {
	var lines []string
	switch code := max(p.o.Width-p.text(), 1); {
	case p.o.Blocks != nil:
		lines = p.o.Blocks(block, text, p.prose(), code)
	case p.o.Markdown != nil:
		lines = p.o.Markdown(text, p.prose(), code)
	}
	if len(lines) > 0 {
		return lines
	}
	return render.Wrap(text, p.prose())
}

// Compacted returns a text such as "Compacted automatically".
func Compacted(m *transcript.Message) string {
	text := transcript.CleanLine(allText(m))
	switch c := m.Compaction; {
	case c != nil && c.Auto:
		return "Compacted automatically"
	case c != nil:
		return "Compacted with /compact"
	case text == "":
		return "Compacted"
	}
	return text
}

// horizon draws a compaction as one heavy line with Options.Horizon.
func (p *page) horizon(m *transcript.Message) {
	end, stamp := p.o.Width, ""
	if p.stamp != "" {
		stamp = " " + p.stamp
		end -= len(stamp)
	}
	l := p.line().To(p.o.Left).Put(render.Heading, "≡ ")
	if trigger := Compacted(m) + ". "; ansi.StringWidth(trigger+p.o.Horizon)+12 <= end-l.At() {
		l.Put(render.Muted, "━━━━ ").Put(render.Bold, trigger)
	}
	l.PutUntil(render.Muted, p.o.Horizon+". ", end)
	if n := end - l.At(); n > 0 {
		l.Put(render.Muted, strings.Repeat("━", n))
	}
	p.lines = append(p.lines, l.Put(render.Faint, stamp).String())
	p.add(-1, len(p.lines)-1, Fixed, false)
}

// boundary draws a compaction of the context.
func (p *page) boundary(m *transcript.Message) {
	p.apart()
	if p.o.Horizon != "" {
		p.horizon(m)
		return
	}
	from := len(p.lines)
	l := p.line().To(p.o.Left).Put(render.Muted, "≡ ")
	text := Compacted(m)
	end := p.o.Width
	if p.stamp != "" {
		end -= len(p.stamp) + 1
	}
	l.PutUntil(render.Heading, text, end-2).Put(render.Rule, " ")
	if n := end - l.At(); n > 0 {
		l.Put(render.Rule, strings.Repeat("─", n))
	}
	if p.stamp != "" {
		l.Put(render.Rule, " ").Put(render.Faint, p.stamp)
	}
	p.lines = append(p.lines, l.String())
	if m.Compaction != nil {
		p.compacted(m.Compaction)
	}
	p.add(-1, from, Fixed, false)
}

// compacted draws how many tokens the context had before and after a compaction.
func (p *page) compacted(c *transcript.Compaction) {
	const label, number, share = 9, 7, 14
	p.lines = append(p.lines, "")
	for _, row := range []struct {
		name string
		n    int64
	}{{"before", c.Before}, {"after", c.After}} {
		if row.n == 0 {
			continue
		}
		l := p.line().To(p.text()).Put(render.Muted, row.name).Right(p.text()+label+number, render.Span{Ink: render.Text, Text: render.Tokens(row.n)})
		l.Put(render.Muted, " tokens")
		if room := min(p.prose()-label-number-9-share, 60); c.After > 0 && room > share {
			ink, isAfter := render.Muted, row.n == c.After
			if isAfter {
				ink = render.Accent
			}
			l.Put(render.Muted, "  ").GaugeIn(ink, int(row.n), int(max(c.Before, c.After)), room)
			if isAfter && c.Before > c.After {
				l.Put(render.Muted, fmt.Sprintf("  %d %% is left", max(c.After*100/c.Before, 1)))
			}
		}
		p.lines = append(p.lines, l.String())
	}
}

// mark draws a line about the transcript, such as "Earlier messages are not in this file."
func (p *page) mark(ink render.Ink, glyph, text string) {
	p.apart()
	from := len(p.lines)
	for i, line := range render.Wrap(text, p.prose()) {
		l := p.line()
		if i == 0 {
			l.To(p.o.Left).Put(ink, glyph)
		}
		p.lines = append(p.lines, l.To(p.text()).Put(ink, line).String())
	}
	p.add(-1, from, Fixed, false)
}

// pair finds the calls of a message and the result of each call.
func (p *page) pair(m *transcript.Message) {
	p.calls = callsOf(m)
	if p.calls == nil {
		return
	}
	p.results = make(map[string]*transcript.Block, len(p.calls))
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == transcript.BlockToolResult && p.results[b.CallID] == nil {
			p.results[b.CallID] = b
		}
	}
}

func callsOf(m *transcript.Message) map[string]*transcript.Block {
	var calls map[string]*transcript.Block
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == transcript.BlockToolUse {
			if calls == nil {
				calls = map[string]*transcript.Block{}
			}
			calls[b.ID] = b
		}
	}
	return calls
}

// isUnderCall reports whether a block is a notice about one of the calls.
func isUnderCall(b *transcript.Block, calls map[string]*transcript.Block) bool {
	return b.Kind == transcript.BlockNotice && b.CallID != "" && calls[b.CallID] != nil
}

// answers reports whether a message contains the call with an ID.
func answers(m *transcript.Message, call string) bool {
	for i := range m.Blocks {
		if m.Blocks[i].Kind == transcript.BlockToolUse && m.Blocks[i].ID == call {
			return true
		}
	}
	return false
}

// isSaid reports whether a text block of a prompt or an answer is drawn.
func isSaid(m *transcript.Message, b *transcript.Block) bool {
	if m.Kind == transcript.Prompt {
		return !isBlank(commandText(b.Text))
	}
	return !isBlank(b.Text)
}

// isWordless reports whether a block is a system record that has only a name.
func isWordless(m *transcript.Message, b *transcript.Block) bool {
	return m.Kind == transcript.System && len(b.Raw) == 0 && b.Name != ""
}

func allText(m *transcript.Message) string {
	var parts []string
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == transcript.BlockText && !isBlank(b.Text) {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// head returns the start of a text, long enough for n cells.
func head(s string, n int) string {
	if n = max(n, 64) * 4; len(s) > n {
		return strings.ToValidUTF8(s[:n], "")
	}
	return s
}
