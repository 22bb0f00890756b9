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

// Section is a part of a document below a heading of its first two levels.
type Section struct {
	At    int    // message of its Doc that it begins with: a long one has several
	Title string // as it is shown, clean
	name  string // in lower case, by which spec 000 knows it; "" it is no heading
	text  string // without the heading
}

// The sections that are more than text, by name (spec 000).
const (
	frontMatter    = "front matter"
	sessionSummary = "session summary"
	currentTask    = "current task" // of an active context
	failedTries    = "failed approaches"
	gitContext     = "git context"
	remainingTodos = "remaining todo"
	nextSteps      = "next steps"
)

// Sections are those of a document, of which each message has one or a part of one.
func Sections(msgs iter.Seq[transcript.Message]) iter.Seq[Section] {
	return func(yield func(Section) bool) {
		var s Section
		var parts []string // of its text
		at, open := -1, false
		for msg := range msgs {
			at++
			text := Text(&msg)
			next := NewSection(text)
			if open && next.Title == "" && s.name != frontMatter { // it goes on
				parts = append(parts, text)
				continue
			}
			if open && !yield(s.of(parts)) {
				return
			}
			s, parts, open = next, append(parts[:0], next.text), true
			s.At = at
		}
		if open {
			yield(s.of(parts))
		}
	}
}

// of is the section with the text that its messages have.
func (s Section) of(parts []string) Section {
	s.text = strings.Join(parts, "")
	return s
}

// Text is that of a message of a document.
func Text(msg *transcript.Message) string {
	if len(msg.Blocks) == 0 {
		return ""
	}
	return msg.Blocks[0].Text
}

// NewSection reads the heading of a section; one without has no title.
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
		heading = transcript.CleanLine(heading) // as the document writes it
		s := Section{Title: heading, name: strings.ToLower(heading), text: rest}
		if s.Title == "" {
			s.Title = "No heading"
		}
		return s
	}
}

// Label is what the outline calls it.
func (s *Section) Label() string {
	if s.Title == "" {
		return "Beginning"
	}
	return s.Title
}

// is reports whether it has a name, whatever stands behind that.
func (s *Section) is(name string) bool { return strings.HasPrefix(s.name, name) }

// Count says how much is in it: todos, commits, entries of its lists; "" where that says nothing.
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

// todosIn are the todos of a section, as the row of its document has them.
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

// todosOf are the entries of a list as todos.
func todosOf(entries []sessions.ListEntry) []sessions.Todo {
	var todos []sessions.Todo
	for i := range entries {
		if t, ok := entries[i].Todo(); ok {
			todos = append(todos, t)
		}
	}
	return todos
}

// commits counts the lines that name a commit: seven digits of one or more, of which not all are letters.
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

// entries counts those of the outer lists of a text, and the rows of its tables. One that says "None" is none.
func entries(text string) int {
	n, table := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if strings.HasPrefix(line, "|") {
			if table++; table > 2 { // its head, and the line below
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
