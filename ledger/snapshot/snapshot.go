// Package snapshot reads and writes session-protocol.json, the snapshot of the tasks of a project (spec 004, schema
// 2.0).
//
// A save keeps every open task and every unknown key. It joins completed tasks by the consolidation matrix of the
// spec. The package reads only the snapshot and runs no program.
package snapshot

import (
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// The names of the files.
const (
	Name       = "session-protocol.json"
	backupName = Name + ".bak" // copy of an unreadable file that a save has replaced
)

// version is the version of the schema.
const version = "2.0"

// Snapshot is the content of a session-protocol.json.
type Snapshot struct {
	Created, Updated time.Time
	Branch, Commit   string // of git; "" if unknown
	Tasks            []Task
	Blocks           []Block

	top, metadata object // unknown members
	highest       int    // highest number of a task ID in the file
}

// Task is a task of a snapshot. Reading requires only ID, Title and Status.
type Task struct {
	ID                 string // TASK_001
	Title              string
	Status             string // Pending, InProgress, Completed or any other word
	Priority           string // P1, P2 or P3; "" if none
	Category           string // BUGFIX, FEATURE, CONFIG, DOCS, TEST or REFACTOR; "" if none
	Created, Completed time.Time
	Consolidated       bool // the task replaces Count joined tasks
	Count              int
	Context            string
	Files              []string // path:line, relative or below ~/

	other object
}

// The statuses of a task.
const (
	Pending    = "pending"
	InProgress = "in_progress"
	Completed  = "completed"
)

// Block is a context block: a decision, an error, or a reference to a plan.
type Block struct {
	Title, Content string
	Updated        time.Time
	Related        []string // IDs of tasks

	other object
}

// status returns the normalised status of a task.
func (t *Task) status() handover.Status { return handover.Normal(t.Status) }

// isDone reports whether a task is completed.
func (t *Task) isDone() bool { return !t.status().IsOpen() }

// count returns the number of tasks that a consolidated task replaces; 1 for any other task.
func (t *Task) count() int {
	if t.Consolidated {
		return max(1, t.Count)
	}
	return 1
}
