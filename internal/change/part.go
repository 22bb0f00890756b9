package change

// Part is a part of a plan as a person reads it: a label and what stands beside it. The parts come in the order Touched,
// Removed, But, Stays, Undo.
type Part struct {
	Name  string
	Lines []Line
}

// Line is a fact of a plan. Its texts may be foreign; who draws them cleans them.
type Line struct {
	Mark  Mark
	Tone  Tone
	Text  string
	Right string // at the right edge
	Whole bool   // a path or a command: it is to be copied, so it is not broken; only a terminal cuts it in the middle
	Cut   bool   // a row of a table: it is cut, not broken
}

// Mark stands before a fact; "" none.
type Mark string

// The marks.
const (
	Good Mark = "✓"
	Warn Mark = "△"
	Bad  Mark = "✗"
	Note Mark = "·"
)

// Tone says how a fact is set off; "" is plain text.
type Tone string

// The tones.
const (
	Muted Tone = "muted"
	Faint Tone = "faint"
	Code  Tone = "code"
	Plus  Tone = "plus"  // a line of a diff that comes
	Minus Tone = "minus" // a line of a diff that goes
)
