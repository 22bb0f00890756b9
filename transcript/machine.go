package transcript

import (
	"bytes"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// The client writes its own text into user records. Newer clients name the origin of a record (Envelope.Origin). For
// records of older clients, the start of the text shows who wrote it (clients 1.0.0 to 2.1.330).

const (
	fromPerson   = "human"
	continuation = "auto-continuation" // a prompt that the client wrote for the model
)

// machineTags returns the tags that the client puts around its own text.
func machineTags() []string {
	return []string{
		"system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "local-command-caveat",
		"local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr", "tools-used-before-summary",
	}
}

// IsTag reports whether the client uses a tag, for its own text or for a command of the user.
func IsTag(name string) bool {
	switch name {
	case "command-name", "command-message", "command-args", "bash-input", taskTag:
		return true
	}
	return slices.Contains(machineTags(), name)
}

// IsMachine reports whether the client wrote the whole text of a user record: an interruption, a caveat, or a text
// inside tags of the client.
func IsMachine(text string) bool {
	rest := strings.TrimSpace(text)
	if isInterruption(rest) || isCaveat(rest) {
		return true
	}
	if rest == "" {
		return false
	}
	for rest != "" {
		name := tagName(rest)
		_, after, ok := strings.Cut(rest, "</"+name+">")
		if !ok || !slices.Contains(machineTags(), name) {
			return false
		}
		rest = strings.TrimSpace(after)
	}
	return true
}

// Frame is a tag of the client and its text. The Tag is "" for an interruption, and "caveat" for a caveat without a
// tag.
type Frame struct{ Tag, Text string }

// Frames returns the frames in a text of the client; nil if IsMachine returns false.
func Frames(text string) []Frame {
	rest := strings.TrimSpace(text)
	switch {
	case !IsMachine(text):
		return nil
	case isInterruption(rest):
		return []Frame{{Text: rest}}
	case isCaveat(rest):
		return []Frame{{Tag: "caveat", Text: rest}}
	}
	var list []Frame
	for rest != "" {
		name := tagName(rest)
		body, after, _ := strings.Cut(rest, "</"+name+">")
		_, body, _ = strings.Cut(body, ">")
		list = append(list, Frame{name, body})
		rest = strings.TrimSpace(after)
	}
	return list
}

// isMachineFrom is IsMachine for a record with an origin, which may be "". A text with another origin than the user
// may be incomplete. A message of another agent must be complete, because a user may quote its start.
func isMachineFrom(text, origin string) bool {
	if origin == fromPerson {
		return IsMachine(text)
	}
	text = strings.TrimSpace(text)
	switch name := tagName(text); {
	case name == "command-name", name == taskTag, slices.Contains(machineTags(), name):
		return true // custom commands are prompts
	}
	return isInterruption(text) || isCaveat(text) || strings.HasPrefix(text, systemNotification) || len(noticesIn(text)) > 0
}

// quiet reports whether a notice is only for the model: a caveat, a reminder, or an output without text. Messages of
// agents and tasks aren't quiet.
func (e *Envelope) quiet() bool {
	if !e.byPerson() || len(e.Text) == 0 {
		return false
	}
	for _, s := range e.Text {
		text := strings.TrimSpace(jsonlex.Unquote(e.Line[s.Start:s.End]))
		switch name := tagName(text); {
		case isInterruption(text), len(noticesIn(text)) > 0:
			return false
		case e.Meta, isCaveat(text), name == "local-command-caveat", name == "system-reminder", strings.HasPrefix(name, "ide_"):
		case name == "local-command-stdout" || name == "bash-stdout":
			if out, ok := tagged(text, name); !ok || out != "" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// machineText is isMachineFrom for an undecoded JSON string. It decodes only a text with a possible first character.
func machineText(raw []byte, origin string) bool {
	raw = bytes.TrimLeft(raw, " ")
	if len(raw) == 0 || bytes.IndexByte([]byte(`<[CA\`), raw[0]) < 0 {
		return false
	}
	return isMachineFrom(jsonlex.Unquote(raw), origin)
}

func isInterruption(text string) bool { return strings.HasPrefix(text, "[Request interrupted by user") }

func isCaveat(text string) bool {
	return strings.HasPrefix(text, "Caveat: The messages below were generated")
}

// tagName returns the name of the tag at the start of a text, or "" if there is none.
func tagName(text string) string {
	rest, ok := strings.CutPrefix(text, "<")
	if !ok {
		return ""
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '-' && r != '_' && (r < 'a' || r > 'z') })
	if end <= 0 || strings.IndexByte("> \t\r\n", rest[end]) < 0 {
		return ""
	}
	return rest[:end]
}
