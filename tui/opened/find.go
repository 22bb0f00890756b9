package opened

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Find looks for a todo or next step in a document of n messages. It returns the index of the message and the line
// number in the file, from 1. Sections of todos and next steps are preferred. message is -1 without a result.
func (f *File) Find(ctx context.Context, version, n int, text string) (message, line int) {
	msgs, err := f.Messages(ctx, version, 0, n)
	if err != nil {
		return -1, 0
	}
	want, message, at, fits := Plain(text), -1, 1, false
	for i := range msgs {
		section := Text(&msgs[i])
		s := NewSection(section)
		fits = s.is(remainingTodos) || s.is(nextSteps) || fits && s.Title == "" // a message without a title continues its section
		if fits || message < 0 {
			if k := lineIn(section, want); k >= 0 {
				message, line = i, at+k
			}
		}
		if fits && message == i {
			break
		}
		at += strings.Count(section, "\n")
	}
	return message, line
}

// lineIn returns the index of the first matching line, or -1. want must come from Plain.
func lineIn(text, want string) int {
	n := 0
	for line := range strings.Lines(text) {
		if got := Plain(line); want != "" && got != "" && (strings.Contains(got, want) || len(got) >= leastSought && strings.Contains(want, got)) {
			return n
		}
		n++
	}
	return -1
}

// leastSought is the minimum length, in bytes, of a line that matches with a part of the text. The text may be wrapped
// in the file.
const leastSought = 24

// Plain prepares a text for a comparison: lower case, without markdown, checkbox and priority.
func Plain(text string) string {
	if t, ok := sessions.ParseTodo(text); ok {
		text = t.Text
	} else if t, ok := sessions.ParseTodo("- " + text); ok { // removes a checkbox without a list marker
		text = t.Text
	}
	text = strings.NewReplacer("*", "", "`", "", `\`, "").Replace(transcript.CleanLine(text))
	text = strings.TrimLeft(text, "0123456789.)-+ ")
	return strings.ToLower(text)
}
