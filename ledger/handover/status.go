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

// Normal returns the status for a word of any spec, in any case, with blanks, hyphens or underscores. It also accepts
// the boxes of Markdown: "[ ]", "[x]", "[-]". An unknown word is Open, because only a known word may hide an item.
//
// Spec 000 has completed, in-progress and blocked; spec 002 (beads) open, in_progress, blocked, deferred, closed,
// tombstone and pinned, and in NOTES.md resolved, answered, fixed and not started; spec 003 in-progress, complete and
// blocked, the outcomes success, partial and failed, and the states of sessions init, active, suspended, complete and
// terminated; spec 004 and Claude Code pending, in_progress, completed and deleted.
func Normal(status string) Status {
	s, _ := normal(status)
	return s
}

// normal is like Normal. known is false if the word is more exact than the status, such as "deferred".
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
