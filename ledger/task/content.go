package task

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
)

// ContentError is returned for content that can't become a checkpoint.
type ContentError struct{ Problems []Problem }

// Error returns the problems of all fields.
func (e *ContentError) Error() string {
	var all []string
	for _, p := range e.Problems {
		all = append(all, p.String())
	}
	return strings.Join(all, "; ")
}

// ParseContent parses the content of a new checkpoint: a JSON object with fields of the schema. Unknown fields are
// kept. Fields that continuo sets itself are refused, except the gate. The error is a *ContentError.
func ParseContent(text []byte) (*Checkpoint, error) {
	o, err := parseObject(text)
	if err != nil {
		return nil, &ContentError{[]Problem{{"", err.Error()}}}
	}
	return newContent(o)
}

func newContent(o object) (*Checkpoint, error) {
	c := &Checkpoint{object: o, CanResume: true}
	f := &fields{o, "", &c.Problems}
	for _, key := range []string{"checkpoint_id", "session_id", "timestamp", "type"} {
		if _, given := o.values[key]; given {
			f.problem(key, "continuo sets this field, so leave it out")
		}
	}
	c.Gate = f.gate("gate", optional)
	c.content(f, optional)
	if _, given := o.values["can_resume"]; !given {
		c.CanResume = true
	}
	if len(c.Problems) > 0 {
		return nil, &ContentError{c.Problems}
	}
	return c, nil
}

// complete fills missing fields of the content. p is the previous checkpoint; it may be nil.
func (c *Checkpoint) complete(p *Checkpoint) {
	if _, given := c.object.values["step"]; !given && p != nil && p.Gate == c.Gate {
		c.Step = p.Step
	}
	if strings.TrimSpace(c.Summary) == "" {
		c.Summary = c.short(p)
	}
	if c.Type == SessionEnd && p != nil && isEmpty(c.object.values["next_steps"]) { // the next session continues with the same steps
		c.Next = p.Next
		c.object.set("next_steps", orEmpty(p.Next))
	}
	if strings.TrimSpace(c.Resume) == "" {
		c.Resume = "Continue from " + string(c.Gate)
		if c.Step > 0 {
			c.Resume += " step " + strconv.Itoa(c.Step)
		}
		if len(c.Next) > 0 {
			c.Resume += ": " + c.Next[0]
		}
	}
}

// short returns a one-line summary of the other fields.
func (c *Checkpoint) short(p *Checkpoint) string {
	switch c.Type {
	case GateTransition:
		if p != nil && p.Gate != c.Gate {
			return fmt.Sprintf("%s to %s", p.Gate, c.Gate)
		}
		return "Reached " + string(c.Gate)
	case Decided:
		if len(c.Decisions) > 0 {
			return c.Decisions[0].Text
		}
		return "Decision at " + string(c.Gate)
	case FileChange:
		return "Changed " + words.Counted(len(c.Files), "file", "files")
	case ErrorRecovery:
		if s, ok := textOf(c.state.values["error"]); ok && s != "" {
			return s
		}
		return "Error at " + string(c.Gate)
	case SessionEnd:
		return "Session ends at " + string(c.Gate)
	case Interrupted:
	}
	return "Interrupted at " + string(c.Gate)
}
