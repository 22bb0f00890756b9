// Package talk draws a conversation: its messages as lines, and the parts of each that the bar can stand on and that open, a
// text, a tool call with its result, a thought, a notice. What holds in package render holds here.
package talk

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Fold is how far a part of a message is open.
type Fold uint8

// The folds. What can be opened goes from Shut to Open, and from there to Whole when Open cut it short.
const (
	Fixed Fold = iota // there is nothing to open: text, a boundary
	Shut              // one line
	Open              // its content, at most some lines of it
	Whole             // all of its content
)

// Part is one thing of a message that the bar can stand on: a text, a tool call with its result, a thought.
type Part struct {
	Block    int  // index into Message.Blocks, -1 for what belongs to no block
	From, To int  // its lines in Drawing.Lines; a blank line before it is not among them
	Fold     Fold // as it was drawn
	More     bool // it was cut short: Whole would show more than Open
}

// Drawing is a message as lines.
type Drawing struct {
	Lines []string
	Parts []Part // in the order of their lines; at least one
	End   Ending // for the message behind it
}

// Ending is how a message ends: it decides whether a blank line stands before the next one.
type Ending uint8

// The endings.
const (
	Start  Ending = iota // nothing stands before
	Prose                // ended in text, or in something that is open
	Folded               // ended in a folded line; folded lines stand together
)

// Draw draws one message after one that ended as given. There is at least one line and one part. A shut part costs
// what its line takes, an open one what it shows; the lines of what is not shown are only counted.
func Draw(m *transcript.Message, after Ending, o Options) Drawing {
	if o.Styles == nil {
		o.Styles = render.NewStyles(render.None)
	}
	p := page{o: o, last: after}
	p.pair(m)
	if o.hasTimes() && !m.Time.IsZero() {
		zone := o.Zone
		if zone == nil {
			zone = time.UTC
		}
		p.stamp = m.Time.In(zone).Format("15:04")
	}
	if m.Gap && after != Start {
		p.mark(render.Warn, "△", "Earlier messages are not in this file.")
	}
	marks := len(p.parts)
	if m.Err != "" {
		p.mark(render.Bad, "✗", "This part could not be read: "+transcript.CleanLine(m.Err))
	}
	p.blocks(m)
	if len(p.parts) == marks {
		p.nothing(m)
	}
	return Drawing{Lines: p.lines, Parts: p.parts, End: p.last}
}

// nothing draws a message that has nothing to show: the thoughts of some are kept without their words.
func (p *page) nothing(m *transcript.Message) {
	isThought := func(b transcript.Block) bool { return b.Kind == transcript.BlockThinking }
	if i := slices.IndexFunc(m.Blocks, isThought); i >= 0 {
		p.plain(i, "Thought")
		return
	}
	p.fixed(-1, "Empty message", nil, nil)
}

// Message draws one message after one that ended as given. There is at least one line.
func Message(m *transcript.Message, after Ending, o Options) []string { return Draw(m, after, o).Lines }

// End says how a message ends that has nothing open, without drawing it.
func End(m *transcript.Message) Ending { return EndWith(m, nil) }

// EndWith says how a message ends that is open as folds says (see Options.Folds), without drawing it.
func EndWith(m *transcript.Message, folds func(block int) Fold) Ending {
	if m.Kind == transcript.Boundary {
		return Prose
	}
	o := Options{Folds: folds}
	aside := isAside(m)
	calls := callsOf(m)
	for i := len(m.Blocks) - 1; i >= 0; i-- {
		b := &m.Blocks[i]
		switch b.Kind {
		case transcript.BlockText:
			if !aside && isSaid(m, b) {
				return o.textEnding(m, i)
			}
			continue
		case transcript.BlockToolResult:
			if calls[b.CallID] != nil {
				continue
			}
		case transcript.BlockNotice:
			if isUnderCall(b, calls) {
				continue
			}
			return ending(o.noticeFold(i, b))
		case transcript.BlockImage, transcript.BlockDocument:
			return Folded
		case transcript.BlockUnknown:
			if isWordless(m, b) {
				return Folded
			}
		case transcript.BlockThinking:
			if isBlank(b.Text) {
				continue
			}
		case transcript.BlockToolUse:
			for n := len(m.Blocks) - 1; n >= 0; n-- {
				if notice := &m.Blocks[n]; isUnderCall(notice, calls) && calls[notice.CallID] == b {
					return ending(o.noticeFold(n, notice))
				}
			}
		}
		return ending(o.fold(i))
	}
	return o.lastEnding(m, aside)
}

// textEnding is how a text that is drawn ends: what the client put into a prompt is a line as that of a notice.
func (o *Options) textEnding(m *transcript.Message, block int) Ending {
	text := m.Blocks[block].Text
	switch {
	case m.Kind != transcript.Prompt || !transcript.IsMachine(text):
		return Prose
	case fixedGist(text) != "":
		return Folded
	}
	return ending(o.fold(block))
}

// lastEnding is how a message ends that has no block which is drawn behind its aside.
func (o *Options) lastEnding(m *transcript.Message, aside bool) Ending {
	text := allText(m)
	switch {
	case aside && m.Kind == transcript.Summary:
		return ending(o.fold(-1))
	case aside && fixedGist(text) != "":
		return Folded
	case aside && !isBlank(text):
		return ending(o.fold(-1))
	case m.Err != "" && (!aside || len(m.Blocks) > 0):
		return Prose
	}
	return Folded
}

// ending is how a part ends that is as far open.
func ending(f Fold) Ending {
	if f >= Open {
		return Prose
	}
	return Folded
}

// fold says how far to draw what can be opened: never Fixed.
func (o *Options) fold(block int) Fold {
	if o.Folds == nil {
		return Shut
	}
	return min(max(o.Folds(block), Shut), Whole)
}
