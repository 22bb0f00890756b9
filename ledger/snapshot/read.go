package snapshot

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
)

// LoadError is the reason why a file isn't a snapshot, in the words of spec 004.
type LoadError string

// Error implements error.
func (e LoadError) Error() string { return string(e) }

// The errors of spec 004, Error Handling.
const (
	ErrJSON     LoadError = "Cannot load: invalid JSON"
	ErrMetadata LoadError = "Cannot load: missing metadata"
	ErrTasks    LoadError = "Cannot load: missing tasks"
	ErrBlocks   LoadError = "Cannot load: context_blocks is not a list of objects"
)

// Parse parses a session-protocol.json. The error is a LoadError. A task requires only an ID, a title and a status.
// Unknown keys are kept.
func Parse(text []byte) (*Snapshot, error) {
	s := &Snapshot{highest: highestID(text)}
	if json.Unmarshal(text, &s.top) != nil {
		return nil, ErrJSON
	}
	if s.top.take("metadata", &s.metadata); s.metadata == nil {
		return nil, ErrMetadata
	}
	var tasks, blocks []object
	if s.top.take("tasks", &tasks); tasks == nil {
		return nil, ErrTasks
	}
	if s.top.take("context_blocks", &blocks); s.top.find("context_blocks") >= 0 {
		return nil, ErrBlocks
	}
	s.metadata.takeTime("created", &s.Created)
	s.metadata.takeTime("updated", &s.Updated)
	s.metadata.take("git_branch", &s.Branch)
	s.metadata.take("git_commit", &s.Commit)
	for i, o := range tasks {
		t := taskOf(o)
		for _, f := range [][2]string{{"id", t.ID}, {"title", t.Title}, {"status", t.Status}} {
			if f[1] == "" {
				return nil, LoadError(fmt.Sprintf("Cannot load: task %d has no %s", i+1, f[0]))
			}
		}
		s.Tasks = append(s.Tasks, t)
	}
	for _, o := range blocks {
		s.Blocks = append(s.Blocks, blockOf(o))
	}
	return s, nil
}

// ParsePart parses an object of the schema. A task requires only a title, and is pending without a status.
func ParsePart(text []byte) (*Snapshot, error) {
	s := &Snapshot{}
	if json.Unmarshal(text, &s.top) != nil {
		return nil, ErrJSON
	}
	var tasks, blocks []object
	s.top.take("metadata", &s.metadata)
	s.top.take("tasks", &tasks)
	s.top.take("context_blocks", &blocks)
	for _, key := range []string{"metadata", "tasks", "context_blocks"} {
		if s.top.find(key) >= 0 {
			return nil, LoadError("Cannot load: " + key + " has the wrong type")
		}
	}
	for _, key := range []string{"version", "created", "updated", "git_branch", "git_commit"} { // a save sets them
		var ignored any
		s.metadata.take(key, &ignored)
	}
	for i, o := range tasks {
		t := taskOf(o)
		if t.Title == "" {
			return nil, LoadError(fmt.Sprintf("Cannot load: task %d has no title", i+1))
		}
		s.Tasks = append(s.Tasks, t)
	}
	for i, o := range blocks {
		b := blockOf(o)
		if b.Title == "" {
			return nil, LoadError(fmt.Sprintf("Cannot load: context block %d has no title", i+1))
		}
		s.Blocks = append(s.Blocks, b)
	}
	return s, nil
}

func taskOf(o object) Task {
	t := Task{}
	for key, v := range map[string]any{
		"id": &t.ID, "title": &t.Title, "status": &t.Status, "priority": &t.Priority, "category": &t.Category,
		"consolidated": &t.Consolidated, "consolidated_count": &t.Count, "context": &t.Context, "files": &t.Files,
	} {
		o.take(key, v)
	}
	o.takeTime("created", &t.Created)
	o.takeTime("completed", &t.Completed)
	t.other = o
	return t
}

func blockOf(o object) Block {
	b := Block{}
	o.take("title", &b.Title)
	o.take("content", &b.Content)
	o.takeTime("updated", &b.Updated)
	o.take("related_tasks", &b.Related)
	b.other = o
	return b
}

// highestID returns the highest number of a task ID in a text. The text may mention removed tasks.
func highestID(text []byte) int {
	highest := 0
	for _, m := range regexp.MustCompile(`TASK_(\d{1,9})`).FindAllSubmatch(text, -1) {
		n, _ := strconv.Atoi(string(m[1])) // digits
		highest = max(highest, n)
	}
	return highest
}
