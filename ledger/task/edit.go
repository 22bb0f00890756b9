package task

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger"
)

// Kind is the kind of the changes of this package in the journal.
const Kind = "task"

// DamagedError is returned if a file to change can't be parsed.
type DamagedError struct {
	File string // path below the root of the project
	Why  string
}

// Error implements error.
func (e *DamagedError) Error() string { return fmt.Sprintf("%s: %s", e.File, e.Why) }

// editor collects the ops that change a task. Each method also changes the Task in memory.
type editor struct {
	ctx  context.Context
	t    *Task
	at   time.Time // of the change
	ops  []change.Op
	made []*Checkpoint
	err  error

	said     []string // evidence
	touched  []*Session
	repaired []string // files that repair has completed, below the directory of the task
}

// edit returns an editor. The time of the change is now, but never earlier than the newest time in the task.
func (t *Task) edit(ctx context.Context, now time.Time) *editor {
	e := &editor{ctx: ctx, t: t, at: later(now.UTC().Truncate(time.Second), t.Active())}
	if t.Status.damaged() {
		e.damaged(statusFile, t.Status.Problems)
	}
	e.repair()
	return e
}

func (e *editor) damaged(file string, problems []Problem) {
	e.fail(&DamagedError{filepath.Join(tasksDir, e.t.Slug, file), problems[0].String()})
}

func (e *editor) fail(err error) { e.err = errors.Join(append(ledger.Parts(e.err), err)...) }

// op adds an op that writes a file. It is Loose, because another program may add a checkpoint after the plan was
// shown. act.Do then plans again with other checkpoint numbers.
func (e *editor) op(file string, was, now []byte) {
	if was != nil && string(was) == string(now) {
		return
	}
	o, err := ledger.ReplaceOp(e.t.Root, filepath.Join(e.t.Dir(), file), was, now)
	if err != nil {
		e.fail(err)
		return
	}
	o.Loose = true
	o.Quiet = file == indexFileName // the index can be rebuilt
	e.ops = append(e.ops, o)
}

// lines adds an op that appends lines of JSON to a file.
func (e *editor) lines(file string, values ...any) {
	var text []byte
	for _, v := range values {
		text = append(append(text, encode(v)...), '\n')
	}
	e.text(file, string(text))
}

// text adds an op that appends text to a file.
func (e *editor) text(file, lines string) {
	was, text := e.t.read(e.ctx, file), []byte(lines)
	if n := len(was); n > 0 && was[n-1] != '\n' {
		text = append([]byte{'\n'}, text...)
	}
	o, err := ledger.InsertOp(e.t.Root, filepath.Join(e.t.Dir(), file), was, len(was), text)
	if err != nil {
		e.fail(err)
		return
	}
	o.Loose = true
	e.ops = append(e.ops, o)
}

// touch marks a session as changed. The session must not be damaged.
func (e *editor) touch(s *Session) *Session {
	if s.damaged() {
		e.damaged(s.Path(), s.Problems)
	}
	if !slices.Contains(e.touched, s) {
		e.touched = append(e.touched, s)
	}
	return s
}

// checkpoint adds a checkpoint to a session, and sets its ID, session and time.
func (e *editor) checkpoint(s *Session, c *Checkpoint) {
	c.Session, c.At = s.ID, e.at
	c.ID = e.t.nextID(c.At)
	c.Name = c.ID
	text := c.file()
	saved := parseCheckpoint(c.Name, text)
	if len(saved.Problems) > 0 { // the caller checks the fields
		e.fail(fmt.Errorf("checkpoint: %s", saved.Problems[0]))
		return
	}
	e.t.Checkpoints = append(e.t.Checkpoints, saved)
	e.made = append(e.made, saved)
	e.evidence("Checkpoint created: %s", saved.ID)
	e.op(c.Path(), nil, text)
	e.derive(s)
}

// derive sets the fields of a session that are computed from its checkpoints.
func (e *editor) derive(s *Session) {
	own := e.t.Of(s.ID)
	s.Count = len(own)
	if len(own) > 0 {
		last := own[len(own)-1]
		s.Gate, s.Active = last.Gate, later(s.Active, last.At)
	}
	e.touch(s)
}

// nextID returns the ID of a new checkpoint. Deleted checkpoints in the index count too.
func (t *Task) nextID(at time.Time) string {
	day, most := at.Format(time.DateOnly), 0
	look := func(id string) {
		if d, n, ok := numbered(id); ok && d == day {
			most = max(most, n)
		}
	}
	for _, c := range t.Checkpoints {
		look(c.Name)
	}
	for _, e := range t.Index.Entries {
		look(e.ID)
	}
	return fmt.Sprintf("ckpt-%s-%03d", day, most+1)
}

// finish returns the change. It writes the files in the order of the spec: checkpoint, index, sessions, status.
func (e *editor) finish(what string) (change.Change, error) {
	if e.t.Problem != nil {
		e.fail(e.t.Problem)
	}
	if e.err != nil {
		return change.Change{}, e.err
	}
	if len(e.t.Checkpoints) > 0 || e.t.Index.There() {
		e.op(indexFileName, e.t.Index.text, e.t.rebuilt(true))
	}
	for _, s := range e.touched {
		e.op(s.Path(), s.text, s.file())
	}
	if s := e.t.Newest(); s != nil {
		st := &e.t.Status
		st.Session, st.Gate, st.Active = s.ID, s.Gate, s.Active
		if st.Status == "" {
			st.Status = InProgress
		}
		e.op(statusFile, st.text, st.write(e.t.Slug))
	}
	e.logEvidence()
	if e.err != nil {
		return change.Change{}, e.err
	}
	return change.Change{Kind: Kind, What: what, Where: []string{e.t.Root}, Ops: e.ops}, nil
}

// file returns the text of a new checkpoint. Unknown fields come last.
func (c *Checkpoint) file() []byte {
	o := object{}
	o.set("checkpoint_id", c.ID)
	o.set("session_id", c.Session)
	o.set("timestamp", stamp(c.At))
	o.set("gate", c.Gate)
	o.set("step", c.Step)
	o.set("type", c.Type)
	o.set("summary", c.Summary)
	o.set("state", c.state)
	o.set("next_steps", []string{})
	if steps := c.object.values["next_steps"]; !isEmpty(steps) {
		o.set("next_steps", steps)
	}
	o.set("can_resume", c.CanResume)
	o.set("resume_instructions", c.Resume)
	for _, key := range c.object.keys {
		if _, known := o.values[key]; !known {
			o.set(key, c.object.values[key])
		}
	}
	return o.file()
}
