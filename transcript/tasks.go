package transcript

import "slices"

// taskRef is a change of the task list of the model.
type taskRef struct {
	id            ID
	record        int32  // index of the record with the result
	title, status string // untrusted; "" if unchanged
}

// task adds the change of the task list in a result.
func (o *Outline) task(result []byte, record int32) {
	d := detailsOf(result)
	t := taskRef{id: o.id([]byte(d.Task)), record: record}
	switch {
	case d.Task == "":
		return
	case d.changed:
		t.status = d.Status
	case d.Name != "":
		t.title, t.status = d.Name, d.Status
		if t.status == "" {
			t.status = "pending"
		}
	}
	o.tasks = append(o.tasks, t)
}

// taskTitle returns the title of a task at the time of a record; "" if unknown.
func (o *Outline) taskTitle(id string, record int32) string {
	n, ok := o.ids[id]
	if !ok || id == "" {
		return ""
	}
	for _, t := range slices.Backward(o.tasks) {
		if t.id == n && t.record < record && t.title != "" {
			return t.title
		}
	}
	return ""
}

// tasksAt returns the task list after a record; nil if the record doesn't change it.
func (o *Outline) tasksAt(record int32) []Todo {
	const most = 2000 // maximum number of changes that are compared
	end := len(o.tasks)
	for end > 0 && o.tasks[end-1].record > record {
		end--
	}
	if end == 0 || o.tasks[end-1].record != record {
		return nil
	}
	list := []Todo{}
	where := map[ID]int{}
	for _, t := range o.tasks[max(end-most, 0):end] {
		at, known := where[t.id]
		if !known {
			at = len(list)
			where[t.id] = at
			list = append(list, Todo{Content: "task " + o.Name(t.id), Status: "pending"})
		}
		if t.title != "" {
			list[at].Content = t.title
		}
		if t.status != "" {
			list[at].Status = t.status
		}
	}
	return slices.DeleteFunc(list, func(t Todo) bool { return t.Status == "deleted" })
}

// Checklist returns the list of todos or tasks after a call; nil for an unrelated call.
func (c *Call) Checklist() []Todo {
	if c.Kind == ToolTodos {
		todos, _ := c.Todos()
		return todos
	}
	if c.Result == nil || c.Result.Failed {
		return nil
	}
	switch d := &c.Result.details; {
	case c.Kind == ToolTaskNew, c.Kind == ToolTaskChange, c.Kind == ToolTasks && d.Tasks > 0:
		return d.list
	}
	return nil
}
