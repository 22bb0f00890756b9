package task

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/change"
)

// Rule is a rule of Verify. The spec requires a check of the chain (section 6.2), but has no rules.
type Rule int

// The rules.
const (
	RuleName   Rule = iota + 1 // the ID of a session or checkpoint is the name of its file
	RuleFields                 // all fields exist and have the right form
	RuleTimes                  // times don't decrease within a session
	RuleKnown                  // the session of a checkpoint exists
	RuleIndex                  // the index has exactly the checkpoints, with the SHA-256 of their files
	RuleGates                  // gates don't decrease along the chain, except after an error_recovery
	RuleEnd                    // an ended session has a session_end or interrupted checkpoint
	RuleCount                  // a session has the number of its checkpoints, and the gate of the last one
	RuleParent                 // parents and children name each other, and no session is its own ancestor
)

// Finding is a violation of a rule.
type Finding struct {
	Rule Rule
	File string // path below the directory of the task
	What string // one sentence without a full stop
}

// Verify returns the violations of the rules in a task, sorted by file. It finds each changed byte of a checkpoint or
// of the index, and missing files. Unreadable files are in Task.Problem.
func (t *Task) Verify() []Finding {
	v := &verifier{t: t}
	v.status()
	for _, s := range t.Sessions {
		v.session(s)
	}
	for _, c := range t.Checkpoints {
		v.checkpoint(c)
	}
	v.order()
	v.gates()
	v.index()
	slices.SortStableFunc(v.found, func(a, b Finding) int { return strings.Compare(a.File, b.File) })
	return v.found
}

type verifier struct {
	t     *Task
	found []Finding
}

func (v *verifier) add(rule Rule, file, format string, args ...any) {
	v.found = append(v.found, Finding{rule, file, fmt.Sprintf(format, args...)})
}

func (v *verifier) fields(file string, problems []Problem) {
	for _, p := range problems {
		v.add(RuleFields, file, "%s", p)
	}
}

func (v *verifier) status() {
	s := &v.t.Status
	if !s.There() {
		v.add(RuleFields, statusFile, "the file is missing")
		return
	}
	v.fields(statusFile, s.Problems)
	if s.Slug != "" && s.Slug != v.t.Slug {
		v.add(RuleName, statusFile, "task_slug is %s, but the directory is %s", s.Slug, v.t.Slug)
	}
	if s.Session != "" && v.t.Session(s.Session) == nil {
		v.add(RuleKnown, sessionsDir+"/"+s.Session+ending, "the file is missing, but last_session in task-status.json names it")
	}
	if e := v.t.Emergency; e != nil {
		v.fields(emergencyFile, e.Problems)
	}
}

// session compares a session file with its name, its fields and its checkpoints.
func (v *verifier) session(s *Session) {
	file := s.Path()
	v.fields(file, s.Problems)
	if s.ID != "" && s.ID != s.Name {
		v.add(RuleName, file, "session_id is %s", s.ID)
	}
	if s.ID != "" && !isWord(s.ID) {
		v.add(RuleFields, file, "session_id: only letters, digits, - and _ are allowed")
	}
	if s.Slug != "" && s.Slug != v.t.Slug {
		v.add(RuleName, file, "task_slug is %s, but the directory is %s", s.Slug, v.t.Slug)
	}
	if !s.Started.IsZero() && s.Active.Before(s.Started) {
		v.add(RuleTimes, file, "last_activity is before started_at")
	}
	own := v.t.Of(s.ID)
	if s.Count != len(own) {
		v.add(RuleCount, file, "checkpoint_count is %d, but the session has %d", s.Count, len(own))
	}
	for _, c := range own {
		switch {
		case c.At.IsZero():
		case c.At.Before(s.Started):
			v.add(RuleTimes, c.Path(), "timestamp is before started_at of session %s", s.ID)
		case c.At.After(s.Active):
			v.add(RuleTimes, file, "last_activity is before checkpoint %s", c.Name)
		}
	}
	if n := len(own); n > 0 && own[n-1].Gate != s.Gate {
		v.add(RuleCount, file, "current_gate is %s, but the last checkpoint is at %s", s.Gate, own[n-1].Gate)
	}
	if s.State.Ended() && !v.t.hasEnd(s) {
		v.add(RuleEnd, file, "the session is %s, but its last checkpoint isn't session_end or interrupted", s.State)
	}
	v.parent(s)
}

// hasEnd reports whether the last checkpoint of a session is an end.
func (t *Task) hasEnd(s *Session) bool {
	own := t.Of(s.ID)
	if e := t.Emergency; e != nil && e.Session == s.ID && (len(own) == 0 || !e.At.Before(own[len(own)-1].At)) {
		return true
	}
	return len(own) > 0 && slices.Contains([]Event{SessionEnd, Interrupted}, own[len(own)-1].Type)
}

// parent checks the links of a session to its parent and its children.
func (v *verifier) parent(s *Session) {
	file := s.Path()
	for _, id := range s.Children {
		switch child := v.t.Session(id); {
		case child == nil:
			v.add(RuleParent, sessionsDir+"/"+id+ending, "the file is missing, but child_sessions of %s names it", s.Name)
		case child.Parent != s.ID:
			v.add(RuleParent, file, "child_sessions has %s, but parent_session of that session is %q", id, child.Parent)
		}
	}
	if s.Parent == "" {
		if s.ResumedFrom != "" {
			v.add(RuleParent, file, "resumed_from is set, but parent_session isn't")
		}
		return
	}
	p := v.t.Session(s.Parent)
	if p == nil {
		v.add(RuleParent, sessionsDir+"/"+s.Parent+ending, "the file is missing, but parent_session of %s names it", s.Name)
		return
	}
	if !slices.Contains(p.Children, s.ID) {
		v.add(RuleParent, p.Path(), "child_sessions lacks %s, although this session is its parent_session", s.ID)
	}
	if s.Started.Before(p.Started) {
		v.add(RuleParent, file, "started_at is before started_at of parent_session")
	}
	if c := v.t.Checkpoint(s.ResumedFrom); s.ResumedFrom != "" && (c == nil || c.Session != p.ID) {
		v.add(RuleParent, file, "resumed_from is %s, which isn't a checkpoint of parent_session", s.ResumedFrom)
	}
	for at, seen := p, []string{s.ID}; at != nil; at = v.t.Session(at.Parent) {
		if slices.Contains(seen, at.ID) {
			if at.ID == s.ID {
				v.add(RuleParent, file, "the session is its own ancestor")
			}
			return
		}
		seen = append(seen, at.ID)
	}
}

func (v *verifier) checkpoint(c *Checkpoint) {
	file := c.Path()
	v.fields(file, c.Problems)
	if c.ID != "" && c.ID != c.Name {
		v.add(RuleName, file, "checkpoint_id is %s", c.ID)
	}
	if c.Session != "" && v.t.Session(c.Session) == nil {
		v.add(RuleKnown, file, "session_id is %s, but json/sessions/%s.json does not exist", c.Session, c.Session)
	}
}

// order checks that the times of the checkpoints of a session increase with their numbers.
func (v *verifier) order() {
	last := map[string]*Checkpoint{}
	all := slices.Clone(v.t.Checkpoints)
	slices.SortStableFunc(all, func(a, b *Checkpoint) int {
		dayA, nA, _ := numbered(a.Name)
		dayB, nB, _ := numbered(b.Name)
		if n := strings.Compare(dayA, dayB); n != 0 {
			return n
		}
		return nA - nB
	})
	for _, c := range all {
		if _, _, ok := numbered(c.Name); !ok || c.At.IsZero() {
			continue
		}
		if p := last[c.Session]; p != nil && c.At.Before(p.At) {
			v.add(RuleTimes, c.Path(), "timestamp is before that of the earlier checkpoint %s", p.Name)
		}
		last[c.Session] = c
	}
}

// gates checks that gates don't decrease from one checkpoint to the next, even between sessions.
func (v *verifier) gates() {
	for _, s := range v.t.Sessions {
		p := v.t.origin(s)
		for _, c := range v.t.Of(s.ID) {
			if p != nil && c.Gate.Below(p.Gate) && c.Type != ErrorRecovery {
				v.add(RuleGates, c.Path(), "gate %s is below gate %s of checkpoint %s", c.Gate, p.Gate, p.Name)
			}
			p = c
		}
	}
}

// origin returns the checkpoint that a session continues; nil if there is none. It is resumed_from, or the last
// checkpoint of the nearest ancestor before the start.
func (t *Task) origin(s *Session) *Checkpoint {
	if c := t.Checkpoint(s.ResumedFrom); c != nil {
		return c
	}
	seen := map[string]bool{s.ID: true}
	for p := t.Session(s.Parent); p != nil && !seen[p.ID]; p = t.Session(p.Parent) {
		seen[p.ID] = true
		for _, c := range slices.Backward(t.Of(p.ID)) {
			if !c.At.After(s.Started) {
				return c
			}
		}
	}
	return nil
}

// index checks that each checkpoint has an index entry, and vice versa.
func (v *verifier) index() {
	x := &v.t.Index
	if !x.There() {
		if len(v.t.Checkpoints) > 0 {
			v.add(RuleIndex, indexFileName, "the file is missing")
		}
		return
	}
	if v.fields(indexFileName, x.Problems); x.object.values == nil {
		return // a damaged index says nothing about the checkpoints
	}
	before := len(v.found)
	seen := map[string]bool{}
	for _, e := range x.Entries {
		c := v.t.named(e.ID)
		switch {
		case seen[e.ID]:
			v.add(RuleIndex, indexFileName, "%s is in the index twice", e.ID)
		case c == nil && isID(e.ID):
			v.add(RuleIndex, checkpointsDir+"/"+e.ID+ending, "the file is missing, but checkpoint-index.json names it")
		case c == nil:
			v.add(RuleIndex, indexFileName, "checkpoint_id: %q isn't an ID", cut(e.ID))
		case e.Sum != c.Sum:
			v.add(RuleIndex, c.Path(), "the SHA-256 differs from that in checkpoint-index.json: one of the two files was changed")
		}
		seen[e.ID] = true
	}
	for _, c := range v.t.Checkpoints {
		if !seen[c.Name] {
			v.add(RuleIndex, c.Path(), "checkpoint-index.json doesn't name the file")
		}
	}
	if len(v.found) == before && change.Sum(v.t.rebuilt(false)) != change.Sum(x.text) {
		v.add(RuleIndex, indexFileName, "%s", v.difference())
	}
}

// difference describes the first line of the index that a rebuild would change.
func (v *verifier) difference() string {
	now, want := bytes.Split(v.t.Index.text, []byte("\n")), bytes.Split(v.t.rebuilt(false), []byte("\n"))
	for i := range min(len(now), len(want)) {
		if !bytes.Equal(now[i], want[i]) {
			return fmt.Sprintf("line %d doesn't match the checkpoints", i+1)
		}
	}
	return "the index doesn't match the checkpoints"
}
