package task

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

// Checkpoint is a saved state of a task: json/checkpoints/<checkpoint_id>.json (spec 003, section 3.2).
type Checkpoint struct {
	ID        string
	Session   string // ID of its session
	At        time.Time
	Gate      Gate
	Step      int
	Type      Event
	Summary   string
	Files     []File
	Tests     Tests
	Tested    bool // Tests is set
	Decisions []Decision
	Next      []string // most important first
	CanResume bool
	Resume    string // how to resume the work
	Branch    string // git branch when the checkpoint was made; "" if unknown
	Commit    string // git commit when the checkpoint was made; "" if unknown

	Name     string    // file name without .json; it should be the ID
	Sum      string    // SHA-256 of the file in hex
	Problems []Problem // missing fields, and fields with wrong values

	object object // the whole file
	state  object // the value of state
}

// File is a file that was changed since the previous checkpoint.
type File struct {
	Path   string // as written, relative to the project
	Action string // as written: created, modified, deleted
}

// Tests is the result of a test run.
type Tests struct{ Passing, Failing, Pending int }

// Decision is a decision with its reason.
type Decision struct {
	Text, Rationale string
	Alternatives    []string // options that weren't chosen
}

// isID reports whether a text is the ID of a checkpoint. The spec has two prefixes, ckpt- and ckpt_.
func isID(id string) bool {
	for _, prefix := range []string{"ckpt-", "ckpt_"} {
		if rest, ok := strings.CutPrefix(id, prefix); ok {
			return isWord(rest)
		}
	}
	return false
}

// isWord reports whether a text has only ASCII letters, digits, hyphens and underscores. Such a text is a valid file
// name on all systems.
func isWord(s string) bool {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	return s != "" && len(s) <= maxName && !strings.ContainsFunc(s, odd)
}

// maxName is the maximum length of a name in bytes.
const maxName = 128

func parseCheckpoint(name string, text []byte) *Checkpoint {
	c := &Checkpoint{Name: name, Sum: change.Sum(text)}
	var err error
	if c.object, err = parseObject(text); err != nil {
		c.Problems = []Problem{{"", err.Error()}}
		return c
	}
	f := &fields{c.object, "", &c.Problems}
	c.ID, c.Session, c.At = f.text("checkpoint_id", required), f.text("session_id", required), f.time("timestamp", required)
	if c.ID != "" && !isID(c.ID) {
		f.problem("checkpoint_id", fmt.Sprintf("%q is not of the form ckpt-2025-12-04-001", cut(c.ID)))
	}
	if c.Type = Event(f.text("type", required)); c.Type != "" && !slices.Contains(Events(), c.Type) {
		f.problem("type", fmt.Sprintf("%q isn't one of %s", cut(string(c.Type)), joined(Events())))
	}
	c.Gate = f.gate("gate", required)
	c.content(f, required)
	return c
}

// content decodes the fields that describe the work. continuo sets the other fields itself.
func (c *Checkpoint) content(f *fields, n need) {
	c.Step, c.Summary = f.count("step", n), f.text("summary", n)
	c.Next, c.CanResume, c.Resume = f.texts("next_steps", n), f.flag("can_resume", n), f.text("resume_instructions", optional)
	if _, there := f.values["resume_instructions"]; !there && n == required {
		f.problem("resume_instructions", "missing")
	}
	c.Branch, c.Commit = f.text("git_branch", optional), f.text("git_commit", optional)
	state, ok := f.inner("state", n)
	if !ok {
		return
	}
	c.state = state.object
	state.objects("files_changed", func(o *fields) {
		c.Files = append(c.Files, File{o.text("path", required), o.text("action", optional)})
	})
	if tests, ok := state.inner("tests", optional); ok {
		c.Tests = Tests{tests.count("passing", optional), tests.count("failing", optional), tests.count("pending", optional)}
		c.Tested = len(tests.keys) > 0
	}
	state.objects("decisions", func(o *fields) {
		c.Decisions = append(c.Decisions, Decision{o.text("decision", required), o.text("rationale", optional), o.texts("alternatives_considered", optional)})
	})
}

// Path returns the path of the file below the directory of the task.
func (c *Checkpoint) Path() string { return checkpointsDir + "/" + c.Name + ".json" }

// Text returns the indented file of the checkpoint; "" if it can't be parsed.
func (c *Checkpoint) Text() string { return string(c.object.file()) }

// Wanted returns the content that tables 3.1 and 7.1 require of the checkpoint.
func (c *Checkpoint) Wanted() []Want {
	has := func(name, field string, has bool) Want { return Want{name, field, has} }
	said := strings.TrimSpace(c.Summary) != ""
	reason := slices.ContainsFunc(c.Decisions, func(d Decision) bool { return strings.TrimSpace(d.Rationale) != "" })
	other := slices.ContainsFunc(c.Decisions, func(d Decision) bool { return len(d.Alternatives) > 0 })
	switch c.Type {
	case GateTransition:
		return append([]Want{has("full state", "state", !isEmpty(encode(c.state))), has("decisions", "state.decisions", len(c.Decisions) > 0)}, c.Gate.Wanted(c)...)
	case Decided:
		return []Want{has("rationale", "state.decisions[].rationale", reason), has("alternatives", "state.decisions[].alternatives_considered", other)}
	case FileChange:
		return []Want{has("file list", "state.files_changed", len(c.Files) > 0), has("summary", "summary", said)}
	case ErrorRecovery:
		return []Want{has("error", "state.error", !isEmpty(c.state.values["error"])), has("resolution", "state.resolution", !isEmpty(c.state.values["resolution"]))}
	case SessionEnd:
		return []Want{has("full summary", "summary", said)}
	case Interrupted:
	}
	return nil
}

// parseEmergency reads json/emergency-checkpoint.json, which an agent writes if it must stop at once.
func parseEmergency(text []byte) *Checkpoint {
	c := &Checkpoint{ID: "emergency-checkpoint", Name: "emergency-checkpoint", Type: Interrupted, Sum: change.Sum(text)}
	var err error
	if c.object, err = parseObject(text); err != nil {
		c.Problems = []Problem{{"", err.Error()}}
		return c
	}
	f := &fields{c.object, "", &c.Problems}
	c.At, c.Session, c.Summary = f.time("timestamp", required), f.text("session_id", required), f.text("trigger", required)
	if state, ok := f.inner("state", optional); ok {
		c.state = state.object
		c.Gate, c.Step = state.gate("current_gate", optional), state.count("last_completed_step", optional)
		for _, path := range state.texts("files_modified", optional) {
			c.Files = append(c.Files, File{path, "modified"})
		}
	}
	if recovery, ok := f.inner("recovery", optional); ok {
		c.CanResume, c.Resume = recovery.flag("can_resume", optional), recovery.text("resume_from", optional)
	}
	return c
}

func joined[T ~string](list []T) string {
	var all []string
	for _, s := range list {
		all = append(all, string(s))
	}
	return strings.Join(all, ", ")
}

// numbered splits an ID such as ckpt-2025-12-04-001 into its day and its number.
func numbered(id string) (day string, n int, ok bool) {
	if !isID(id) || len(id) < len("ckpt-2025-12-04-1") {
		return "", 0, false
	}
	day, number := id[len("ckpt-"):len("ckpt-2025-12-04")], id[len("ckpt-2025-12-04-"):]
	n, err := strconv.Atoi(number)
	_, wrong := time.Parse(time.DateOnly, day)
	return day, n, err == nil && wrong == nil && n >= 0
}
