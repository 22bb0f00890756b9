package document

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
)

// mostSteps is the maximum number of next steps in a handover. (Remaining Todos has all items.)
const mostSteps = 5

// items writes all items as todos, except dropped ones.
func (p *composer) items(items []handover.Item) {
	n := 0
	for i := range items {
		box := "- [ ] "
		switch items[i].Status {
		case handover.Dropped:
			continue
		case handover.Done:
			box = "- [x] "
		case handover.Open, handover.InProgress, handover.Blocked:
		}
		p.lines(box + itemTodo(&items[i]))
		n++
	}
	if n == 0 {
		p.lines("None.")
	}
}

// itemTodo returns an item in the form of a todo (spec 000), without the box.
func itemTodo(i *handover.Item) string {
	text := itemText(i)
	if i.Status == handover.InProgress {
		text += inProgress
	}
	switch priority := strings.ToUpper(i.Priority); {
	case i.Status == handover.Blocked:
		return "BLOCKED: " + text
	case priority == "HIGH" || priority == "MEDIUM" || priority == "LOW":
		return priority + ": " + text
	}
	return text
}

// inProgress is the suffix of a todo in progress.
const inProgress = " (in progress)"

// itemText returns the title and the ID of an item. A title that ends with "(in progress)" gets a full stop.
func itemText(i *handover.Item) string {
	text := opening(handover.Named(i.Title, i.ID))
	if _, ok := sessions.ParseTodo("- [ ] " + text); !ok { // ParseTodo rejects "None" and "[like this]"
		text = quoted(handover.Named(i.Title, i.ID))
	}
	if strings.HasSuffix(text, inProgress) {
		text += "."
	}
	return text
}

// steps writes the first open items that aren't blocked. Those in progress come first.
func (p *composer) steps(items []handover.Item) {
	n := 0
	for _, status := range []handover.Status{handover.InProgress, handover.Open} {
		for i := range items {
			is := items[i].Status
			if is == "" {
				is = handover.Open
			}
			if is == status && n < mostSteps {
				n++
				p.lines(strconv.Itoa(n) + ". " + itemText(&items[i]))
			}
		}
	}
	p.orUnknown(n)
}

// itemOfTodo returns a todo as an item.
func itemOfTodo(t sessions.Todo) handover.Item {
	i := itemOf(t.Text, handover.Open)
	text, started := strings.CutSuffix(t.Text, inProgress)
	switch {
	case t.Done:
		i.Status = handover.Done
	case t.Priority == "blocked":
		i.Status = handover.Blocked
	case started:
		i = itemOf(text, handover.InProgress)
	}
	if t.Priority != "blocked" {
		i.Priority = t.Priority
	}
	return i
}

// TaskItems returns Claude Code's tasks as items, without empty ones.
func TaskItems(todos []digest.Todo) []handover.Item {
	var items []handover.Item
	for _, t := range todos {
		if text := transcript.CleanLine(t.Text); text != "" {
			items = append(items, handover.Item{
				ID: t.ID, Title: text, Status: handover.Normal(t.Status), Written: t.Status, Priority: t.Priority, Marks: []handover.Mark{handover.MarkClient},
			})
		}
	}
	return items
}

func itemOf(text string, status handover.Status) handover.Item {
	title, id := handover.CutID(text)
	return handover.Item{ID: id, Title: title, Status: status, Marks: []handover.Mark{handover.MarkDocument}}
}
