package opened

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Find finds a todo or a next step in a document of n messages: its section, and the line of the file, from 1. The
// section is that of the todos or next steps, else the first that has the text; -1 there is none.
func (f *File) Find(ctx context.Context, version, n int, text string) (message, line int) {
	msgs, err := f.Messages(ctx, version, 0, n)
	if err != nil {
		return -1, 0
	}
	want, message, at, fits := Plain(text), -1, 1, false
	for i := range msgs {
		section := Text(&msgs[i])
		s := NewSection(section)
		fits = s.is(remainingTodos) || s.is(nextSteps) || fits && s.Title == "" // a long one goes on
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

// lineIn is the line of a text that has what is Plain, from 0; -1 none has.
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

// leastSought is how much of a text a line has to have that does not have all of it: one that is wrapped.
const leastSought = 24

// Plain is a text as it is compared: without marks, which markdown takes away, and box and priority.
func Plain(text string) string {
	if t, ok := sessions.ParseTodo(text); ok {
		text = t.Text
	} else if t, ok := sessions.ParseTodo("- " + text); ok { // without its mark
		text = t.Text
	}
	text = strings.NewReplacer("*", "", "`", "", `\`, "").Replace(transcript.CleanLine(text))
	text = strings.TrimLeft(text, "0123456789.)-+ ")
	return strings.ToLower(text)
}
