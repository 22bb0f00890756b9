package opened

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Find looks for a todo or next step in a document of n messages. It returns the section that contains the text,
// and the number of the line in the file, from 1. It prefers sections for todos or next steps to other sections.
// message is -1 if no section contains the text.
func (f *File) Find(ctx context.Context, version, n int, text string) (message, line int) {
	msgs, err := f.Messages(ctx, version, 0, n)
	if err != nil {
		return -1, 0
	}
	want, message, at, fits := Plain(text), -1, 1, false
	for i := range msgs {
		section := Text(&msgs[i])
		s := NewSection(section)
		fits = s.is(remainingTodos) || s.is(nextSteps) || fits && s.Title == "" // the message continues a long section
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

// lineIn returns the index of the first line of a text that matches want, or -1. want must come from Plain.
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

// leastSought is the minimum length, in bytes, of a line that matches although it contains only a part of the
// text. In the file, the text may be wrapped.
const leastSought = 24

// Plain returns a text in the form for comparisons. In this form, it is in lower case, and has no markdown, no
// checkbox and no priority.
func Plain(text string) string {
	if t, ok := sessions.ParseTodo(text); ok {
		text = t.Text
	} else if t, ok := sessions.ParseTodo("- " + text); ok { // this removes the checkbox
		text = t.Text
	}
	text = strings.NewReplacer("*", "", "`", "", `\`, "").Replace(transcript.CleanLine(text))
	text = strings.TrimLeft(text, "0123456789.)-+ ")
	return strings.ToLower(text)
}
