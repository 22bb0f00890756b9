package handover

import "strings"

// Status is the normalised status of an item.
type Status string

// The statuses. An item without a status counts as Open.
const (
	Open       Status = "open"
	InProgress Status = "in progress"
	Blocked    Status = "blocked"
	Done       Status = "done"
	Dropped    Status = "dropped"
)

// UnmarshalText accepts the words that Normal accepts.
func (s *Status) UnmarshalText(text []byte) error {
	*s = Normal(string(text))
	return nil
}

// Normal returns the status for a word of any spec. Case, blanks, hyphens and underscores make no difference. It also
// accepts the boxes of Markdown: "[ ]", "[x]", "[-]". An unknown word is Open, because an unknown status must not
// hide an item.
//
// The words come from spec 000, spec 002 (beads and NOTES.md), spec 003 (tasks, outcomes and sessions), spec 004 and
// Claude Code.
func Normal(status string) Status {
	s, _ := normal(status)
	return s
}

// normal is like Normal. known is false if the word says more than the status, such as "deferred".
func normal(status string) (s Status, known bool) {
	word := strings.ToLower(strings.Trim(status, " \t\r\n.*`"))
	switch word {
	case "[x]", "✓", "✔", "✅", "☑":
		return Done, true
	case "[-]", "[~]":
		return Dropped, true
	case "", "[ ]", "[]", "☐":
		return Open, true
	}
	word = strings.Join(strings.FieldsFunc(word, func(r rune) bool { return r == ' ' || r == '_' || r == '-' }), " ")
	switch strings.Trim(word, "[]()") {
	case "open", "pending", "todo", "to do", "not started", "init", "new", "ready":
		return Open, true
	case "in progress", "inprogress", "active", "started", "doing", "wip", "partial", "current":
		return InProgress, true
	case "blocked", "waiting", "on hold", "stuck":
		return Blocked, true
	case "completed", "complete", "closed", "done", "resolved", "answered", "fixed", "success", "succeeded", "finished", "passed", "merged":
		return Done, true
	case "tombstone", "deleted", "dropped", "cancelled", "canceled", "terminated", "abandoned", "discarded", "superseded", "obsolete", "wontfix", "won't fix", "rejected", "duplicate":
		return Dropped, true
	}
	return Open, false
}

// IsOpen reports whether an item with this status is still to do.
func (s Status) IsOpen() bool { return s != Done && s != Dropped }

// or returns the status; Open for the zero value.
func (s Status) or() Status {
	if s == "" {
		return Open
	}
	return s
}
