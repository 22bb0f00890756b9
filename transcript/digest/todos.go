package digest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// todoWrite takes a todo list, which replaces the one before (clients 1.0.24 to 2.1.330).
func (r *reading) todoWrite(b *transcript.Block) {
	var in struct {
		Todos []struct {
			Content  string `json:"content"`
			Status   string `json:"status"`
			Priority string `json:"priority"`
		} `json:"todos"`
	}
	if json.Unmarshal(b.Input, &in) != nil {
		return
	}
	r.Todos, r.TodosLeft = nil, 0
	clear(r.tasks)
	for _, t := range in.Todos {
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

// taskCreate takes a task, which its result gives a number (clients 2.1.29 to 2.1.330).
func (r *reading) taskCreate(b, result *transcript.Block) {
	var in struct {
		Subject string `json:"subject"`
	}
	said, numbered := strings.CutPrefix(strings.TrimSpace(result.Text), "Task #")
	id, _, ok := strings.Cut(said, " created")
	if json.Unmarshal(b.Input, &in) != nil || !numbered || !ok || len(id) > 40 || strings.ContainsAny(id, " \n") {
		return
	}
	r.todo(Todo{ID: id, Text: line(in.Subject, todoRunes), Status: "pending"})
}

// taskUpdate folds a change into its task. One whose TaskCreate is not in this transcript has no text.
func (r *reading) taskUpdate(b, result *transcript.Block) {
	var in struct {
		ID      string `json:"taskId"`
		Status  string `json:"status"`
		Subject string `json:"subject"`
	}
	if json.Unmarshal(b.Input, &in) != nil || !strings.HasPrefix(strings.TrimSpace(result.Text), "Updated task") {
		return
	}
	in.ID = line(in.ID, 40)
	at, known := r.tasks[in.ID]
	switch {
	case in.ID == "":
		return
	case in.Status == "deleted" && known:
		r.Todos = slices.Delete(r.Todos, at, at+1)
		delete(r.tasks, in.ID)
		for id, i := range r.tasks {
			if i > at {
				r.tasks[id] = i - 1
			}
		}
		return
	case in.Status == "deleted":
		return
	case !known:
		r.todo(Todo{ID: in.ID, Text: line(in.Subject, todoRunes), Status: line(in.Status, 40)})
		return
	}
	t := &r.Todos[at]
	if in.Status != "" {
		t.Status = line(in.Status, 40)
	}
	if in.Subject != "" {
		t.Text = line(in.Subject, todoRunes)
	}
}
