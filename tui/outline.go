package tui

import (
	"regexp"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// section is a part of a document below a heading of its first two levels.
type section struct {
	at    int    // message of its Doc that it begins with: a long one has several
	title string // as it is shown, clean
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
	remainingTodos = "remaining todos"
	nextSteps      = "next steps"
)

// specHeadings are those that are written as a sentence: the ones of spec 000, and what documents have added to them.
func specHeadings() []string {
	return []string{
		sessionSummary, "accomplishments", "key decisions & patterns", "clarifications & decisions", failedTries, gitContext,
		"current state", remainingTodos, nextSteps, "key files", "environment notes", "code context", "context & notes",
		"user preferences & decisions", "test status", "technical debt", "code understanding", "warnings & gotchas",
		"references used", currentTask, "completed this session", "completed last session", "in progress", "blockers",
		"key files modified",
	}
}

// sectionsOf are the sections of a document, of which each message has one or a part of one.
func sectionsOf(msgs []transcript.Message) []section {
	var list []section
	for i := range msgs {
		text := textOf(&msgs[i])
		s := newSection(text)
		s.at = i
		if n := len(list); s.title == "" && n > 0 && list[n-1].name != frontMatter { // it goes on
			list[n-1].text += text
			continue
		}
		list = append(list, s)
	}
	return list
}

// textOf is the text of a message of a document.
func textOf(msg *transcript.Message) string {
	if len(msg.Blocks) == 0 {
		return ""
	}
	return msg.Blocks[0].Text
}

// newSection reads the heading of a section; one without has no title.
func newSection(text string) section {
	text = strings.TrimLeft(text, "\n\r")
	first, rest, _ := strings.Cut(text, "\n")
	first = strings.TrimRight(first, " \t\r")
	heading := strings.TrimLeft(first, "#")
	switch level := len(first) - len(heading); {
	case first == "```yaml":
		return section{title: "Front matter", name: frontMatter, text: text}
	case level < 1 || level > 2 || heading != "" && heading[0] != ' ' && heading[0] != '\t':
		return section{text: text}
	}
	heading = transcript.CleanLine(strings.Trim(heading, "# \t"))
	s := section{title: heading, name: strings.ToLower(heading), text: rest}
	if slices.Contains(specHeadings(), s.name) {
		words := strings.ReplaceAll(s.name, " & ", " and ")
		s.title = strings.ToUpper(words[:1]) + words[1:]
	}
	if s.title == "" {
		s.title = "No heading"
	}
	return s
}

// label is what the outline calls it.
func (s *section) label() string {
	if s.title == "" {
		return "Beginning"
	}
	return s.title
}

// is reports whether it has a name, whatever stands behind that.
func (s *section) is(name string) bool { return strings.HasPrefix(s.name, name) }

// count says how much is in it: todos, commits, entries of its lists; "" where that says nothing.
func (s *section) count() string {
	switch {
	case s.is(remainingTodos):
		todos := todosIn(s.text)
		open := 0
		for i := range todos {
			if !todos[i].Done {
				open++
			}
		}
		if len(todos) > 0 {
			return render.Count(open) + " of " + render.Count(len(todos)) + " open"
		}
	case s.is(gitContext):
		if n := commits(s.text); n > 0 {
			return render.Counted(n, "commit", "commits")
		}
	case slices.ContainsFunc([]string{
		frontMatter, sessionSummary, currentTask, nextSteps, "current state", "environment", "code context", "context",
	}, s.is):
	default:
		if n := entries(s.text); n > 0 {
			return render.Count(n)
		}
	}
	return ""
}

// todosIn are the lines of a text with a box (spec 000: "- [ ] HIGH: text").
func todosIn(text string) []sessions.Todo {
	var todos []sessions.Todo
	for line := range strings.Lines(text) {
		if t, ok := parseTodo(line); ok {
			todos = append(todos, t)
		}
	}
	return todos
}

// parseTodo reads one. Its text is as it stands there.
func parseTodo(line string) (t sessions.Todo, ok bool) {
	line = strings.TrimSpace(line)
	if len(line) < 6 || !strings.ContainsRune("-*+", rune(line[0])) || line[1:3] != " [" || line[4:6] != "] " {
		return t, false
	}
	t.Done, t.Text = strings.ContainsRune("xX", rune(line[3])), transcript.CleanLine(line[6:])
	if word, rest, is := strings.Cut(t.Text, ":"); is {
		switch word = strings.ToLower(strings.Trim(word, " *")); word {
		case "high", "medium", "low", "blocked":
			t.Priority, t.Text = word, strings.TrimLeft(rest, " *")
		}
	}
	return t, t.Text != ""
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
		rest := strings.TrimLeft(line, "0123456789")
		marks := "-*+"
		if len(rest) < len(line) {
			marks = ".)"
		}
		if len(rest) < 3 || !strings.Contains(marks, rest[:1]) || rest[1] != ' ' {
			continue
		}
		if word := strings.ToLower(strings.Trim(rest[2:], " ._*()")); word != "none" && !strings.HasPrefix(word, "none ") {
			n++
		}
	}
	return n
}
