package document

import (
	"regexp"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions"
)

// HandoverNote returns the note about a handover for active-context.md: its time, session, state and first open
// items. Reading.Handover reads it back. handover.Lost says what the note can't store.
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

// inList escapes the semicolons of a text, which separate the texts of a list on one line. Those in code spans stay.
func inList(text string) string {
	for n, at := range semicolons(text) {
		text = text[:at+n] + `\` + text[at+n:]
	}
	return text
}

// cutList splits a line that inList has made.
func cutList(line string) []string {
	var all []string
	from := 0
	for _, at := range append(semicolons(line), len(line)) {
		all = append(all, strings.TrimSpace(line[from:at]))
		from = min(at+1, len(line))
	}
	return all
}

// semicolons returns the offsets of the semicolons that separate texts. Escaped ones, those in code spans, and the
// end of an entity such as &lt; are skipped.
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

// handedNote is the note about a document or a handover in active-context.md.
type handedNote struct {
	written time.Time
	session string
	state   string
	todos   []handover.Item
}

// line reads a line of the note, without its bullet.
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

// join adds the fields of the note to those of the sections. A note that is older than the sections is ignored.
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
