package ledger

// AttentionLevel says how full the context of a session is (spec 002, attention budget). It is only for display.
type AttentionLevel string

// The levels, from an empty context to a full one.
const (
	Green  AttentionLevel = "green"
	Yellow AttentionLevel = "yellow" // a delta-synthesis is due
	Orange AttentionLevel = "orange"
	Red    AttentionLevel = "red"
)

// Level returns the level for a number of tokens.
func (a Attention) Level(tokens int64) AttentionLevel {
	switch {
	case tokens >= int64(a.Red):
		return Red
	case tokens >= int64(a.Orange):
		return Orange
	case tokens >= int64(a.Yellow):
		return Yellow
	}
	return Green
}
