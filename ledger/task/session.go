package task

import (
	"fmt"
	"time"
)

// Session is a session of a task: json/sessions/<session_id>.json (spec 003, section 1.2).
type Session struct {
	ID          string
	Agent       string
	Slug        string
	State       State
	Started     time.Time
	Active      time.Time // last activity
	Gate        Gate      // current gate
	Count       int       // number of checkpoints
	Parent      string    // ID of the parent session; "" if none
	Children    []string  // IDs of the child sessions
	ClaudeID    string    // ID of the session of Claude Code; "" if unknown
	Goal        string    // goal, set at the start; "" if unknown
	ResumedFrom string    // ID of the checkpoint from which the session continues; "" if unknown

	Name     string    // file name without .json; it should be the ID
	Problems []Problem // missing fields, and fields with wrong values
	object   object
	text     []byte
}

func parseSession(name string, text []byte) *Session {
	s := &Session{Name: name, text: text}
	var err error
	if s.object, err = parseObject(text); err != nil {
		s.Problems = []Problem{{"", err.Error()}}
		s.object = object{}
		return s
	}
	f := &fields{s.object, "", &s.Problems}
	s.ID, s.Agent, s.Slug = f.text("session_id", required), f.text("agent_id", required), f.text("task_slug", required)
	if s.State = State(f.text("state", required)); s.State != "" && !s.State.IsState() {
		f.problem("state", fmt.Sprintf("%q isn't a state", cut(string(s.State))))
	}
	s.Started, s.Active = f.time("started_at", required), f.time("last_activity", required)
	s.Gate, s.Count = f.gate("current_gate", required), f.count("checkpoint_count", required)
	if _, there := f.values["parent_session"]; !there {
		f.problem("parent_session", "missing")
	}
	s.Parent, s.Children = f.text("parent_session", optional), f.texts("child_sessions", required)
	s.ClaudeID, s.ResumedFrom = f.text("claude_session_id", optional), f.text("resumed_from", optional)
	s.Goal = f.text("goal", optional)
	return s
}

// file returns the text of the session file, with its unknown keys.
func (s *Session) file() []byte {
	o := s.object.clone()
	o.set("session_id", s.ID)
	o.set("agent_id", s.Agent)
	o.set("task_slug", s.Slug)
	o.set("state", s.State)
	o.set("started_at", stamp(s.Started))
	o.set("last_activity", stamp(s.Active))
	o.set("current_gate", s.Gate)
	o.set("checkpoint_count", s.Count)
	o.set("parent_session", orNull(s.Parent))
	o.set("child_sessions", orEmpty(s.Children))
	for _, extra := range [][2]string{{"claude_session_id", s.ClaudeID}, {"resumed_from", s.ResumedFrom}, {"goal", s.Goal}} {
		if _, there := o.values[extra[0]]; there || extra[1] != "" {
			o.set(extra[0], orNull(extra[1]))
		}
	}
	return o.file()
}

// Path returns the path of the file below the directory of the task.
func (s *Session) Path() string { return sessionsDir + "/" + s.Name + ".json" }

// stamp returns a time in the format of the files of a task.
func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// damaged reports whether the file exists and can't be parsed. Such a file isn't overwritten.
func (s *Session) damaged() bool { return s.text != nil && s.object.values == nil }
