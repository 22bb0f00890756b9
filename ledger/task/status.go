package task

import (
	"slices"
	"time"
)

// Status is json/task-status.json.
type Status struct {
	Slug     string
	Status   string // as written: in-progress, complete, blocked
	Gate     Gate
	Session  string    // ID of the last session
	Active   time.Time // last activity
	Blockers []string
	Next     []string // next steps, most important first
	Title    string   // "" if the file has none
	Health   *Health  // nil if no health check was run

	Problems []Problem
	object   object
	text     []byte // nil if there is no file
}

// write returns the text of the status. Unchanged fields keep their text.
func (s *Status) write(slug string) []byte {
	was := parseStatus(s.text)
	o := s.object.clone()
	set := func(key string, changed bool, value any) {
		if _, there := o.values[key]; changed || !there {
			o.set(key, value)
		}
	}
	set("task_slug", false, slug)
	set("status", s.Status != was.Status, s.Status)
	set("current_gate", s.Gate != was.Gate, s.Gate)
	set("last_session", s.Session != was.Session, s.Session)
	set("last_activity", !s.Active.Equal(was.Active), stamp(s.Active))
	set("blockers", !slices.Equal(s.Blockers, was.Blockers), orEmpty(s.Blockers))
	set("next_steps", !slices.Equal(s.Next, was.Next), orEmpty(s.Next))
	if s.Health != nil && (was.Health == nil || *s.Health != *was.Health) {
		o.set("health", s.Health.object())
	}
	if o.same(&s.object) {
		return s.text
	}
	return o.file()
}

// The words for the status of a task.
const (
	InProgress = "in-progress"
	Completed  = "complete"
	Blocked    = "blocked"
)

func parseStatus(text []byte) Status {
	s := Status{text: text}
	var err error
	if s.object, err = parseObject(text); err != nil {
		s.Problems = []Problem{{"", err.Error()}}
		s.object = object{}
		return s
	}
	f := &fields{s.object, "", &s.Problems}
	s.Slug, s.Status, s.Title = f.text("task_slug", optional), f.text("status", optional), f.text("title", optional)
	s.Gate, s.Session, s.Active = f.gate("current_gate", optional), f.text("last_session", optional), f.time("last_activity", optional)
	s.Blockers, s.Next = f.texts("blockers", optional), f.texts("next_steps", optional)
	s.parseHealth(f)
	return s
}

// There reports whether the file exists.
func (s *Status) There() bool { return s.text != nil }

// damaged reports whether the file exists and can't be parsed. Such a file isn't overwritten.
func (s *Status) damaged() bool { return s.text != nil && s.object.values == nil }
