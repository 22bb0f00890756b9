package digest

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// todoWrite replaces the todo list (clients 1.0.24 to 2.1.330).
func (r *reading) todoWrite(c *transcript.Call) {
	todos, ok := c.Todos()
	if !ok {
		return
	}
	r.Todos, r.TodosLeft = nil, 0
	clear(r.tasks)
	for _, t := range todos {
		todo := Todo{Text: line(t.Content, todoRunes), Status: line(t.Status, 40), Priority: line(t.Priority, 40)}
		if todo.Text == "" {
			r.TodosLeft++
			continue
		}
		r.todo(todo)
	}
}

func (r *reading) todo(t Todo) {
	if len(r.Todos) == todosMost {
		r.TodosLeft++
		return
	}
	if t.ID != "" {
		r.tasks[t.ID] = len(r.Todos)
	}
	r.Todos = append(r.Todos, t)
}

// taskCreate adds a task, whose number is in the result of the call (clients 2.1.29 to 2.1.330).
func (r *reading) taskCreate(c *transcript.Call) {
	rest, numbered := strings.CutPrefix(strings.TrimSpace(c.Result.Text), "Task #")
	id, _, ok := strings.Cut(rest, " created")
	if c.Params == nil || !numbered || !ok || len(id) > 40 || strings.ContainsAny(id, " \n") {
		return
	}
	r.todo(Todo{ID: id, Text: line(c.Params.String("subject"), todoRunes), Status: "pending"})
}

// taskUpdate changes a task. Its TaskCreate, which has the text, may be missing.
func (r *reading) taskUpdate(c *transcript.Call) {
	if !strings.HasPrefix(strings.TrimSpace(c.Result.Text), "Updated task") {
		return
	}
	id, status, subject := line(c.Params.String("taskId"), 40), c.Params.String("status"), c.Params.String("subject")
	at, known := r.tasks[id]
	switch {
	case id == "":
		return
	case status == "deleted" && known:
		r.Todos = slices.Delete(r.Todos, at, at+1)
		delete(r.tasks, id)
		for other, i := range r.tasks {
			if i > at {
				r.tasks[other] = i - 1
			}
		}
		return
	case status == "deleted":
		return
	case !known:
		r.todo(Todo{ID: id, Text: line(subject, todoRunes), Status: line(status, 40)})
		return
	}
	t := &r.Todos[at]
	if status != "" {
		t.Status = line(status, 40)
	}
	if subject != "" {
		t.Text = line(subject, todoRunes)
	}
}
