package task

import "fmt"

// Precondition is a condition for continuing from a checkpoint in a new session (spec 003, section 5.1).
type Precondition struct {
	What  string // such as "no newer session is active"
	Holds bool
	Why   string // why it doesn't hold
}

// Preconditions checks whether a session can continue from a checkpoint. Its files must exist, and its commit must be
// an ancestor of HEAD. The content of its gate must be complete. No newer session may be active. exists is called
// with a file of the project, and ancestor with a commit.
func (t *Task) Preconditions(c *Checkpoint, exists func(path string) bool, ancestor func(commit string) bool) []Precondition {
	files := Precondition{What: "the files of " + c.Name + " exist", Holds: true}
	for _, f := range c.Files {
		if f.Action != "deleted" && !exists(f.Path) && files.Holds {
			files.Holds, files.Why = false, f.Path+" is missing"
		}
	}
	commit := Precondition{What: "the commit of the checkpoint is an ancestor of HEAD", Holds: c.Commit == "" || ancestor(c.Commit)}
	if !commit.Holds {
		commit.Why = "commit " + c.Commit + " isn't in the history of HEAD"
	}
	gate := Precondition{What: "the content of the gate is complete", Holds: true}
	var same []*Checkpoint
	for _, other := range t.Checkpoints {
		if other.Gate == c.Gate {
			same = append(same, other)
		}
	}
	for _, w := range c.Gate.Wanted(same...) {
		if !w.Has && gate.Holds {
			gate.Holds, gate.Why = false, fmt.Sprintf("%s lacks %s", c.Gate, w.Name)
		}
	}
	newer := Precondition{What: "no newer session is active", Holds: true}
	for _, s := range t.Sessions {
		if s.State == Active && s.ID != c.Session {
			newer.Holds, newer.Why = false, "session "+s.ID+" is active"
		}
	}
	return []Precondition{files, commit, gate, newer}
}
