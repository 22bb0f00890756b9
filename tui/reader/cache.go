package reader

import (
	"maps"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/dropped"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// maxCache is the maximum size, in bytes, of the cached texts and lines. Some hundred screens fit.
const maxCache = 16 << 20

// drawing is a message drawn as lines. Commands never change a cached drawing.
type drawing struct {
	index   int
	msg     *transcript.Message
	after   talk.Ending // the end of the previous message
	heading *transcript.Thread
	before  time.Time // time of the thread's previous message
	now     time.Time
	base    talk.Fold
	folds   map[int]talk.Fold // by block; only folds that differ from base
	head
	// The message is a section of a document.
	section bool
	pretty  map[int][]string // markdown texts by block; a text without lines stays plain
	code    map[int]coded    // highlighted code of opened calls, by block
	uncoded map[int]int      // by block: bytes of plain code that can be highlighted
	want    []int            // blocks to render as markdown or to highlight
	lines   []string
	parts   []talk.Part
	end     talk.Ending
}

// head has what a message shows besides its own blocks.
type head struct {
	lead   bool // the line about the work is above the message
	inWork bool // the message belongs to the work
	// openWork means that the turn is open. A folded turn has only the line about the work.
	openWork bool
	calls    int        // number of calls of the turn
	branches int        // number of branches after the message
	work     *turn.Work // work of the turn, or nil if it isn't counted
	lists    bool       // the message is a summary with a list of left out items
	dropped  *dropped.List
	// number of all items before the summary; number of messages that it replaces
	droppedOf, replaced int
	runs                []talk.RunPart
	result              bool   // the message is the result of a sub-agent
	horizon             string // text of Options.Horizon
	context             string // text of Options.Context
	live                bool   // calls without a result may still get one
	cleared             bool   // mark the results that the client has cleared
}

func (h head) same(g head) bool {
	return slices.Equal(h.runs, g.runs) && h.lead == g.lead && h.inWork == g.inWork && h.openWork == g.openWork && h.calls == g.calls &&
		h.branches == g.branches && h.work == g.work && h.lists == g.lists && h.dropped == g.dropped && h.droppedOf == g.droppedOf && h.replaced == g.replaced && h.context == g.context && h.result == g.result && h.horizon == g.horizon && h.live == g.live && h.cleared == g.cleared
}

// coded is the highlighted code of a call that is partly or fully open.
type coded struct {
	fold  talk.Fold
	spans [][][]render.Span // nil if the code stays plain
}

// draw draws the lines. It renders the wanted markdown and highlights the wanted code.
func (d *drawing) draw(o talk.Options, markdown func(text string, prose, code int) []string) {
	if d.section {
		if d.isShut() {
			d.drawShut(o)
			return
		}
		markdown = opened.WithTodos(o.Styles, markdown)
	}
	pretty := make(map[int][]string, len(d.pretty)+len(d.want))
	for block, lines := range d.pretty {
		pretty[block] = lines
	}
	o.Folds, o.Markdown, o.Runs, o.Result, o.Horizon, o.Cleared, o.Replaced, o.Context = d.foldOf, markdown, d.runs, d.result, d.horizon, d.cleared, d.replaced, d.context
	o.Blocks = func(block int, text string, prose, code int) []string {
		lines, ok := pretty[block]
		if !ok && slices.Contains(d.want, block) {
			lines = markdown(text, prose, code)
			pretty[block] = lines
		}
		return lines
	}
	d.highlights(&o)
	var above []string
	var parts []talk.Part
	after := d.after
	if d.heading != nil {
		above = talk.ThreadHeading(d.heading, o)
		parts = []talk.Part{{Block: headingBlock, From: len(above) - 1, To: len(above)}}
	} else if !d.before.IsZero() { // the line above the conversation has its first day
		above = talk.DayHeading(d.msg.Time, d.before, d.now, o)
	}
	if len(above) > 0 {
		after = talk.Prose
	}
	d.lines, d.parts, d.end, d.pretty = above, parts, after, pretty
	if d.lead {
		d.join(talk.DrawWork(d.work, d.calls, d.openWork, d.end, o))
	}
	if o.Work, o.Live = d.inWork, d.live; d.inWork {
		o.Left += talk.WorkIndent
	}
	if !d.lead || d.openWork {
		d.join(talk.Draw(d.msg, d.end, o))
	}
	if d.lists {
		d.join(talk.DrawDropped(d.dropped, d.droppedOf, max(d.foldOf(talk.DroppedBlock), talk.Shut), d.end, o))
	}
	if d.branches > 0 {
		d.lines, d.end = append(d.lines, "", talk.BranchMark(d.branches, o)), talk.Prose
	}
	d.want = nil
}

// highlights sets o.Code, which highlights wanted code and returns stored spans.
func (d *drawing) highlights(o *talk.Options) {
	highlight := o.Code
	code := make(map[int]coded, len(d.code)+len(d.want))
	maps.Copy(code, d.code)
	d.code, d.uncoded = code, nil
	want := d.want
	if highlight == nil {
		return
	}
	o.Code = func(block int, file string, texts [][]string) [][][]render.Span {
		fold := d.foldOf(block)
		c, ok := code[block]
		switch {
		case ok && c.fold == fold:
		case slices.Contains(want, block):
			c = coded{fold, highlight(block, file, texts)}
			code[block] = c
		default:
			if d.uncoded == nil {
				d.uncoded = map[int]int{}
			}
			for _, lines := range texts {
				for _, line := range lines {
					d.uncoded[block] += len(line) + 1
				}
			}
			return c.begin(texts)
		}
		return c.spans
	}
}

// begin returns spans for a call that was opened further. The old lines stay highlighted, and the new lines are plain.
func (c *coded) begin(texts [][]string) [][][]render.Span {
	if c.spans == nil {
		return nil
	}
	out := make([][][]render.Span, len(texts))
	for i, lines := range texts {
		out[i] = make([][]render.Span, len(lines))
		for k, line := range lines {
			out[i][k] = []render.Span{{Ink: render.Text, Text: line}}
			if i < len(c.spans) && k < len(c.spans[i]) && render.HasText(c.spans[i][k], line) {
				out[i][k] = c.spans[i][k]
			}
		}
	}
	return out
}

// join appends a drawing below the existing lines.
func (d *drawing) join(drawn talk.Drawing) {
	above := len(d.lines)
	d.lines, d.end = append(d.lines, drawn.Lines...), drawn.End
	for _, p := range drawn.Parts {
		p.From, p.To = p.From+above, p.To+above
		if d.section && p.Block == 0 && d.hasHeading() {
			p.Fold = talk.Open
		}
		d.parts = append(d.parts, p)
	}
}

// foldOf returns the fold of a block.
func (d *drawing) foldOf(block int) talk.Fold {
	if f, ok := d.folds[block]; ok {
		return f
	}
	return d.base
}

// headingBlock stands for the heading of a thread.
const headingBlock = -2

// partOf returns the index of the part with a block, or 0.
func (d *drawing) partOf(block int) int {
	if i := slices.IndexFunc(d.parts, func(p talk.Part) bool { return p.Block == block && p.Fold != talk.Fixed }); i >= 0 {
		return i // a Fixed part of the message also has block -1
	}
	return max(slices.IndexFunc(d.parts, func(p talk.Part) bool { return p.Block == block }), 0)
}

// waits reports whether a block is plain and will be rendered or highlighted.
func (d *drawing) waits(block int) bool {
	if d.uncoded[block] > 0 {
		return true
	}
	if block < 0 || block >= len(d.msg.Blocks) || d.isShut() {
		return false
	}
	b := &d.msg.Blocks[block]
	_, done := d.pretty[block]
	return !done && (b.IsTask() || b.Kind == transcript.BlockText && d.msg.Kind == transcript.Answer) && (len(b.Text) <= render.MaxMarkdown || d.section)
}

// cached is a decoded message, with its drawing for one width and one theme.
type cached struct {
	drawing
	width int
	theme render.Theme
	stale bool // a fold or the previous ending has changed
	bytes int
}

// cache has the messages around the view. It drops the messages farthest from the view. The reader keeps their heights.
type cache struct {
	messages map[int]*cached
	bytes    int
}

// put stores a drawing in place of an older drawing.
func (c *cache) put(d drawing, width int, theme render.Theme) {
	e := &cached{drawing: d, width: width, theme: theme}
	for _, line := range d.lines {
		e.bytes += len(line) + 16
	}
	for _, lines := range d.pretty {
		for _, line := range lines {
			e.bytes += len(line) + 16
		}
	}
	for _, c := range d.code {
		for _, text := range c.spans {
			for _, line := range text {
				for _, s := range line {
					e.bytes += len(s.Text) + 24
				}
			}
		}
	}
	for i := range d.msg.Blocks {
		b := &d.msg.Blocks[i]
		e.bytes += len(b.Text) + len(b.Input) + len(b.Raw) + 200
		for k := range b.Patch {
			for _, line := range b.Patch[k].Lines {
				e.bytes += len(line) + 16
			}
		}
	}
	c.drop(d.index)
	c.keep(e)
}

func (c *cache) keep(e *cached) {
	if c.messages == nil {
		c.messages = map[int]*cached{}
	}
	c.messages[e.index] = e
	c.bytes += e.bytes
}

func (c *cache) drop(index int) {
	if e := c.messages[index]; e != nil {
		c.bytes -= e.bytes
		delete(c.messages, index)
	}
}

// trim drops the messages farthest from [from, to) until the cache is small enough. It keeps the prompt above the view,
// because the reader would request it again.
func (c *cache) trim(from, to, keep int) {
	for c.bytes > maxCache {
		far := 0
		for i := range c.messages {
			if i != keep {
				far = max(far, from-i, i-to)
			}
		}
		if far == 0 {
			return
		}
		for i := range c.messages {
			if i != keep && max(from-i, i-to) > far/2 {
				c.drop(i)
			}
		}
	}
}
