// Package talk draws the messages of a conversation. A message consists of parts: texts, tool calls with their results,
// thoughts, and notices. The bar can select a part, and a part can be opened. The rules of package render apply.
package talk

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Fold is how far a part is open.
type Fold uint8

// The folds. The first enter opens a Shut part. If the content is cut, the second enter makes the part Whole.
const (
	Fixed Fold = iota // can't be opened, for example a text or a boundary
	Shut              // the part has one line; a failed call has two
	Open              // the content is shown, but cut after some lines
	Whole             // the whole content is shown
)

// Part is a part of a message that the bar can select.
type Part struct {
	Block    int  // index in Message.Blocks, or -1
	From, To int  // range of lines in Drawing.Lines, without the blank line before the part
	Fold     Fold // the fold of the drawn part
	More     bool // the part is Open, and Whole would show more lines
	Item     int  // number of an item of DrawDropped, from 1; 0 for other parts
}

// Drawing is a drawn message.
type Drawing struct {
	Lines []string
	Parts []Part // at least one, in the order of their lines
	End   Ending // for the next message's Draw
}

// Ending is the kind of the last part of a message. A blank line may depend on it.
type Ending uint8

// The endings.
const (
	Start    Ending = iota // there is no previous message
	Asked                  // a prompt
	Prose                  // a text, or an open part that isn't a call
	Folded                 // a folded line or a call
	OpenCall               // an open call
	Worked                 // the line about folded work
	Begun                  // the line about open work
)

// Draw draws a message. after is the Ending of the message above. The drawing has at least one line and one part.
// Hidden lines are counted, but not laid out.
func Draw(m *transcript.Message, after Ending, o Options) Drawing {
	if o.Styles == nil {
		o.Styles = render.NewStyles(render.None)
	}
	p := page{o: o, last: after}
	p.pair(m)
	if o.hasTimes() && !m.Time.IsZero() {
		p.stamp = m.Time.In(p.zone()).Format("15:04")
	}
	if after == Worked && m.Kind == transcript.Answer { // the prompt has a time, and the work a duration
		p.stamp = ""
	}
	if m.Gap && after != Start {
		p.mark(render.Warn, "△", "Earlier messages are not in this file.")
	}
	if m.Unread > 0 {
		p.mark(render.Warn, "△", words.Counted(m.Unread, "line", "lines")+" before this could not be parsed.")
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

// zone returns the time zone of displayed times.
func (p *page) zone() *time.Location {
	if p.o.Zone == nil {
		return time.UTC
	}
	return p.o.Zone
}

func (p *page) nothing(m *transcript.Message) {
	isThought := func(b transcript.Block) bool { return b.Kind == transcript.BlockThinking }
	if i := slices.IndexFunc(m.Blocks, isThought); i >= 0 {
		p.plain(i, thoughtWords(&m.Blocks[i]))
		return
	}
	p.fixed(-1, "Empty message", nil, nil)
}

// Message returns only the lines of Draw.
func Message(m *transcript.Message, after Ending, o Options) []string { return Draw(m, after, o).Lines }

// End returns the Ending of a message whose parts are all shut. It doesn't draw the message.
func End(m *transcript.Message) Ending { return EndWith(m, Options{}) }

// EndWith returns the Ending of a message without drawing it. It uses only o.Folds and o.Work.
func EndWith(m *transcript.Message, o Options) Ending {
	if m.Kind == transcript.Boundary {
		return Prose
	}
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
			switch {
			case b.IsTask():
				return Prose
			case isUnderCall(b, calls):
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
			return callEnding(o.fold(i))
		}
		return ending(o.fold(i))
	}
	return o.lastEnding(m, aside)
}

// textEnding returns the ending of a text. A client's text in a prompt ends like a notice.
func (o *Options) textEnding(m *transcript.Message, block int) Ending {
	text := m.Blocks[block].Text
	switch {
	case o.Work && isRemark(text):
		return Folded
	case m.Kind != transcript.Prompt:
		return Prose
	case !transcript.IsMachine(text):
		return Asked
	case fixedGist(text) != "":
		return Folded
	}
	return typedEnding(text, o.fold(block))
}

// lastEnding returns the ending of a message that is drawn as one part.
func (o *Options) lastEnding(m *transcript.Message, aside bool) Ending {
	text := allText(m)
	switch {
	case aside && m.Kind == transcript.Summary:
		_, sections := splitSummary(text)
		return summaryEnding(gistsOf(sections), o.fold(-1))
	case aside && fixedGist(text) != "":
		return Folded
	case aside && !isBlank(text):
		return typedEnding(text, o.fold(-1))
	case m.Err != "" && (!aside || len(m.Blocks) > 0):
		return Prose
	}
	return Folded
}

// typedEnding returns the ending of a notice. A typed command ends like a prompt.
func typedEnding(text string, f Fold) Ending {
	if isTyped(text) && f < Open {
		return Asked
	}
	return ending(f)
}

func callEnding(f Fold) Ending {
	if f >= Open {
		return OpenCall
	}
	return Folded
}

func ending(f Fold) Ending {
	if f >= Open {
		return Prose
	}
	return Folded
}

// fold returns the fold of a part that can be opened: Shut, Open or Whole.
func (o *Options) fold(block int) Fold {
	if o.Folds == nil {
		return Shut
	}
	return min(max(o.Folds(block), Shut), Whole)
}
