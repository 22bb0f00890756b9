package change

// Part is a section of a plan on the screen: a label and lines. The labels, in this order, are Touched, Removed, But,
// Stays and Undo.
type Part struct {
	Name  string
	Lines []Line
}

// Line is a line of a plan. Its texts may contain control characters.
type Line struct {
	Mark  Mark
	Tone  Tone
	Text  string
	Right string // text at the right edge
	Whole bool   // a path or a command to copy: never wrapped
	Cut   bool   // a table row: cut instead of wrapped
}

// Mark is the sign before a line, or "" if none.
type Mark string

// The marks.
const (
	Good Mark = "✓"
	Warn Mark = "△"
	Bad  Mark = "✗"
	Note Mark = "·"
)

// Tone is the style of a line. "" means plain text.
type Tone string

// The tones.
const (
	Muted Tone = "muted"
	Faint Tone = "faint"
	Code  Tone = "code"
	Plus  Tone = "plus"  // an added line of a diff
	Minus Tone = "minus" // a removed line of a diff
)
