package document

import (
	"regexp"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions"
)

// HandoverNote returns the note about a handover for active-context.md: time, session, state and first open items.
// Reading.Handover can read the note. handover.Lost has everything that the note leaves out.
func HandoverNote(h *handover.Handover) ContextNote {
	n := ContextNote{stamp: h.When.UTC().Format(Stamp)}
	n.lines = append(n.lines, leadWritten+" "+n.stamp)
	if h.Session != "" {
		n.lines = append(n.lines, leadSession+" "+code(h.Session))
	}
	if state := strings.Join(cleanLines(h.State), " "); state != "" {
		n.lines = append(n.lines, leadStands+" "+escaped(state))
	}
	var todos []string
	for _, i := range h.Items {
		if i.Title = brief(i.Title); i.Status.IsOpen() && handover.Named(i.Title, i.ID) != "" {
			todos = append(todos, inList(itemTodo(&i)))
		}
	}
	n.lines = append(n.lines, listLine(leadTodos, todos)...)
	return n
}

// inList escapes the semicolons in a text, which would separate list entries. Code spans stay.
func inList(text string) string {
	for n, at := range semicolons(text) {
		text = text[:at+n] + `\` + text[at+n:]
	}
	return text
}

// cutList splits a line at the semicolons that separate entries.
func cutList(line string) []string {
	var all []string
	from := 0
	for _, at := range append(semicolons(line), len(line)) {
		all = append(all, strings.TrimSpace(line[from:at]))
		from = min(at+1, len(line))
	}
	return all
}

// semicolons returns the offsets of separating semicolons: not escaped, not in code spans, not in &lt; and &amp;.
func semicolons(text string) []int {
	var all []int
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '`':
			if end := strings.IndexByte(text[i+1:], '`'); end >= 0 {
				i += 1 + end
			}
		case c == '&' && strings.HasPrefix(text[i:], "&lt;"):
			i += len("lt;")
		case c == '&' && strings.HasPrefix(text[i:], "&amp;"):
			i += len("amp;")
		case c == ';':
			all = append(all, i)
		}
	}
	return all
}

// handedNote is a parsed note in active-context.md, about a document or a handover.
type handedNote struct {
	written time.Time
	session string
	state   string
	todos   []handover.Item
}

// line reads one line of the note, without its bullet.
func (n *handedNote) line(line string) {
	value := func(lead string) (string, bool) {
		rest, ok := strings.CutPrefix(line, strings.TrimPrefix(lead, "- "))
		return strings.TrimSpace(rest), ok
	}
	if v, ok := value(leadWritten); ok {
		n.written, _ = time.Parse(Stamp, v)
	}
	if v, ok := value(leadSession); ok {
		if id, _, ok := cutSpan(v); ok {
			n.session = id
		}
	}
	if v, ok := value(leadStands); ok {
		n.state = unescaped(v)
	}
	if v, ok := value(leadTodos); ok {
		left := regexp.MustCompile(`^\d+ more$`)
		for _, text := range cutList(v) {
			if t, ok := sessions.ParseTodo("- [ ] " + text); ok && !left.MatchString(text) {
				n.todos = append(n.todos, itemOfTodo(t))
			}
		}
	}
}

// join adds the note to the contents of the sections, unless the note is older.
func (n *handedNote) join(r *handoverReader) {
	if n.written.IsZero() || n.written.Before(r.h.When) {
		return
	}
	r.h.When = n.written
	if n.session != "" {
		r.h.Session = n.session
	}
	if n.state != "" {
		r.h.State = n.state
	}
	r.todos = append(n.todos, r.todos...)
}
