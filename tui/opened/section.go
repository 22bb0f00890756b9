package opened

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Section is a heading of level 1 or 2 in a document, and the text below it.
type Section struct {
	At    int    // index of the section's first message
	Title string // heading for display, without control characters
	name  string // heading in lower case, as in spec 000, or ""
	text  string // text without the heading
}

// The names of the sections that continuo treats specially (spec 000).
const (
	frontMatter    = "front matter"
	sessionSummary = "session summary"
	currentTask    = "current task" // in active-context.md
	failedTries    = "failed approaches"
	gitContext     = "git context"
	remainingTodos = "remaining todo"
	nextSteps      = "next steps"
)

// Sections returns the sections of a document. A section may have several messages.
func Sections(msgs iter.Seq[transcript.Message]) iter.Seq[Section] {
	return func(yield func(Section) bool) {
		var s Section
		var parts []string // texts of the section's messages
		at, open := -1, false
		for msg := range msgs {
			at++
			text := Text(&msg)
			next := NewSection(text)
			if open && next.Title == "" && s.name != frontMatter { // the section continues
				parts = append(parts, text)
				continue
			}
			if open && !yield(s.withText(parts)) {
				return
			}
			s, parts, open = next, append(parts[:0], next.text), true
			s.At = at
		}
		if open {
			yield(s.withText(parts))
		}
	}
}

// withText returns the section with the joined texts of its messages.
func (s Section) withText(parts []string) Section {
	s.text = strings.Join(parts, "")
	return s
}

// Text returns the text of a document's message.
func Text(msg *transcript.Message) string {
	if len(msg.Blocks) == 0 {
		return ""
	}
	return msg.Blocks[0].Text
}

// NewSection parses a section with its heading. Without a heading, the title is "".
func NewSection(text string) Section {
	text = strings.TrimLeft(text, "\n\r")
	first, rest, _ := strings.Cut(text, "\n")
	first = strings.TrimRight(first, " \t\r")
	switch level, heading := mark.Heading(first); {
	case first == "```yaml":
		return Section{Title: "Front matter", name: frontMatter, text: text}
	case level < 1 || level > 2:
		return Section{text: text}
	default:
		heading = transcript.CleanLine(heading) // shown as it is written in the document
		s := Section{Title: heading, name: strings.ToLower(heading), text: rest}
		if s.Title == "" {
			s.Title = "No heading"
		}
		return s
	}
}

// Label returns the label for the section in the outline.
func (s *Section) Label() string {
	if s.Title == "" {
		return "Beginning"
	}
	return s.Title
}

// is reports whether the name of the section starts with name.
func (s *Section) is(name string) bool { return strings.HasPrefix(s.name, name) }

// Count returns the number of todos, commits or list entries in a section, as text. It returns "" for a section in
// which nothing is counted.
func (s *Section) Count() string {
	switch {
	case s.is(remainingTodos):
		if todos := todosIn(s.text); len(todos) > 0 {
			return words.Count(sessions.OpenTodos(todos)) + " of " + words.Count(len(todos)) + " open"
		}
	case s.is(gitContext):
		if n := commits(s.text); n > 0 {
			return words.Counted(n, "commit", "commits")
		}
	case slices.ContainsFunc([]string{
		frontMatter, sessionSummary, currentTask, nextSteps, "current state", "environment", "code context", "context",
	}, s.is):
	default:
		if n := entries(s.text); n > 0 {
			return words.Count(n)
		}
	}
	return ""
}

// todosIn returns the todos of a section, in the form of sessions.Row.Todos.
func todosIn(text string) []sessions.Todo {
	var reader sessions.ListReader
	var found []sessions.ListEntry
	for line := range strings.Lines(text) {
		switch e, is := reader.Next(line); is {
		case sessions.LineBegins:
			found = append(found, e)
		case sessions.LineGoesOn:
			found[len(found)-1].GoOn(line)
		case sessions.LineElse:
		}
	}
	return todosOf(found)
}

// todosOf returns the todos among the entries of a list.
func todosOf(entries []sessions.ListEntry) []sessions.Todo {
	var todos []sessions.Todo
	for i := range entries {
		if t, ok := entries[i].Todo(); ok {
			todos = append(todos, t)
		}
	}
	return todos
}

// commits counts the lines with the hash of a commit: 7 to 40 hex digits, at least one of which isn't a letter.
func commits(text string) int {
	hash := regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
	n := 0
	for line := range strings.Lines(text) {
		if strings.ContainsAny(hash.FindString(line), "0123456789") {
			n++
		}
	}
	return n
}

// entries counts the entries of top-level lists and the rows of tables in a text, except for an entry "None".
func entries(text string) int {
	n, table := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if strings.HasPrefix(line, "|") {
			if table++; table > 2 { // skip the head of the table and the line below it
				n++
			}
			continue
		}
		table = 0
		at := mark.Bullet(line)
		if at == 0 || len(line) < at+2 || line[at] != ' ' {
			continue
		}
		if word := strings.ToLower(strings.Trim(line[at+1:], " ._*()")); word != "none" && !strings.HasPrefix(word, "none ") {
			n++
		}
	}
	return n
}
