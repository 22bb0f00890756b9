package render

import "github.com/continuo-tui/continuo/transcript"

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

// Draw draws one message after one that ended as given. There is at least one line and one part.
func Draw(m *transcript.Message, after Ending, o Options) Drawing {
	lines := Message(m, after, o)
	return Drawing{Lines: lines, Parts: []Part{{Block: -1, To: len(lines)}}, End: End(m)}
}
