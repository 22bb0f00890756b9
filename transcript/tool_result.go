package transcript

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// Outcome is the result of a call.
type Outcome uint8

// The outcomes.
const (
	OutcomeNone     Outcome = iota // there is no result
	OutcomeDone                    // the tool succeeded
	OutcomeFailed                  // the tool failed, or a rule refused the call
	OutcomeRejected                // the user refused the call
	OutcomeSkipped                 // the client skipped the call after another failure
)

// Outcome returns the outcome of the call. For a background task, it is the task's outcome.
func (c *Call) Outcome() Outcome {
	r := c.Result
	switch {
	case r == nil:
		return OutcomeNone
	case r.Denied == DeniedByPerson:
		return OutcomeRejected
	case !r.Failed && r.details.End != nil && r.details.End.Status == "failed":
		return OutcomeFailed
	case !r.Failed:
		return OutcomeDone
	}
	text, _ := r.Unmarked()
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "Sibling tool call errored") || strings.HasPrefix(text, "Cancelled: parallel tool call") {
		return OutcomeSkipped
	}
	return OutcomeFailed
}

// Unmarked returns the text of a result without the tags of the client. own is true if there were such tags.
func (b *Block) Unmarked() (text string, own bool) {
	const begin, end = "<tool_use_error>", "</tool_use_error>"
	inner, own := strings.CutPrefix(strings.TrimLeft(b.Text, " \n"), begin)
	if !own {
		return b.Text, false
	}
	return strings.TrimSuffix(strings.TrimRight(inner, " \n"), end), true
}

// Details are facts about a result in toolUseResult (clients 1.0.57 to 2.1.330). Zero values are unknown. The texts
// are untrusted.
type Details struct {
	Took        time.Duration // duration, as measured by the client
	Exit        int           // exit code of a command; valid if Exited is set
	Exited      bool
	Background  bool          // the work continues as a background task
	End         *End          // end of the background task; nil if unknown
	Interrupted bool          // interrupted by the user
	TimedOut    time.Duration // time limit that the command has exceeded
	Meaning     string        // meaning of the exit code, such as "No matches found"

	Counted               bool // Files, Lines and Matches are known
	Files, Lines, Matches int  // numbers that were found or read
	Mode                  string
	More                  bool // there is more than was read or found
	First                 int  // number of the first line that was read
	Bytes                 int64
	Type                  string // for a file that was read: text, image, pdf, file_unchanged
	HTTP                  int    // status code of a web page
	HTTPText              string
	Status                string // status of a task or workflow
	Agent                 string // type of a sub-agent
	Calls                 int    // number of calls of a sub-agent
	Tokens                int64
	Task, Name            string // ID and title of a task, a workflow or a background command
	Done, Tasks           int    // for a task list: numbers of done tasks and of all tasks
	Delay                 time.Duration

	changed bool   // the call set the Status of a task
	list    []Todo // task list after the call
}

// Details returns the facts about the result.
func (c *Call) Details() Details {
	if c.Result == nil {
		return Details{}
	}
	return c.Result.details
}

// detailsOf decodes a toolUseResult, without long texts.
func detailsOf(raw json.RawMessage) Details {
	var d Details
	for _, p := range paramsOf(raw) {
		d.set(&p)
	}
	return d
}

func (d *Details) set(p *Param) {
	switch p.Key {
	case "durationMs", "totalDurationMs":
		d.Took = milliseconds(p.number(1))
	case "durationSeconds":
		d.Took = milliseconds(p.number(1000))
	case "timedOutAfterMs":
		d.TimedOut = milliseconds(p.number(1))
	case "clampedDelaySeconds":
		d.Delay = milliseconds(p.number(1000))
	case "exitCode":
		d.exit(p)
	case "backgroundTaskId":
		d.Background = stringOf(p.Raw) != ""
	case "isAsync":
		d.Background = string(p.Raw) == "true"
	case "persistent": // from Monitor
		d.Background = true
	case "interrupted", "wasInterrupted":
		d.Interrupted = string(p.Raw) == "true"
	case "truncated":
		d.More = string(p.Raw) == "true"
	case "appliedLimit":
		d.More = p.number(1) > 0
	case "returnCodeInterpretation":
		d.Meaning = stringOf(p.Raw)
	case "status":
		d.Status = stringOf(p.Raw)
	case "mode":
		d.Mode = stringOf(p.Raw)
	case "agentType":
		d.Agent = stringOf(p.Raw)
	case "type":
		d.Type = stringOf(p.Raw)
	case "codeText":
		d.HTTPText = stringOf(p.Raw)
	case "workflowName", "command", "commandName":
		d.Name = stringOf(p.Raw)
	default:
		d.count(p)
	}
}

// count sets a number.
func (d *Details) count(p *Param) {
	n := int(p.number(1))
	switch p.Key {
	case "numFiles", "fileCount":
		d.Files, d.Counted = n, true
	case "numLines":
		d.Lines, d.Counted = n, true
	case "numMatches", "resultCount", "count":
		d.Matches, d.Counted = n, true
	case "startLine":
		d.First = n
	case "bytes", "originalSize":
		d.Bytes = int64(n)
	case "code":
		d.HTTP = n
	case "totalTokens":
		d.Tokens = int64(n)
	case "totalToolUseCount":
		d.Calls = n
	default:
		d.parts(p)
	}
}

// parts sets the facts in an object or a list.
func (d *Details) parts(p *Param) {
	switch p.Key {
	case "taskId":
		d.Task = stringOf(p.Raw)
	case "statusChange":
		d.Status, d.changed = stringOf(members(p.Raw)["to"]), true
	case "file":
		for _, q := range paramsOf(p.Raw) {
			if q.Key != "type" { // of an image, type is a media type
				d.set(&q)
			}
		}
	case "task":
		for _, q := range paramsOf(p.Raw) {
			d.task(&q)
		}
	case "tasks":
		var tasks []struct {
			Subject string `json:"subject"`
			Status  string `json:"status"`
		}
		if json.Unmarshal(p.Raw, &tasks) == nil {
			d.Tasks = len(tasks)
			for _, t := range tasks {
				d.list = append(d.list, Todo{Content: t.Subject, Status: t.Status})
				if t.Status == "completed" {
					d.Done++
				}
			}
		}
	case "matches": // result of a search for tools
		var names []string
		if json.Unmarshal(p.Raw, &names) == nil {
			d.Matches, d.Counted = len(names), true
		}
	case "results": // result of a web search: pages, and texts of the model
		d.pages(p.Raw)
	}
}

// task sets a fact about a task or a background command.
func (d *Details) task(p *Param) {
	switch p.Key {
	case "id", "task_id":
		d.Task = stringOf(p.Raw)
	case "subject", "description":
		if d.Name == "" {
			d.Name = stringOf(p.Raw)
		}
	case "status":
		d.Status = stringOf(p.Raw)
	case "exitCode":
		d.exit(p)
	}
}

func (d *Details) exit(p *Param) {
	if string(p.Raw) != "null" {
		d.Exit, d.Exited = int(p.number(1)), true
	}
}

func (d *Details) pages(raw json.RawMessage) {
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return
	}
	for _, part := range parts {
		var pages []json.RawMessage
		if json.Unmarshal(members(part)["content"], &pages) == nil {
			d.Matches, d.Counted = d.Matches+len(pages), true
		}
	}
}

// number returns a number multiplied by a factor; 0 for any other value.
func (p *Param) number(factor float64) int64 {
	f, err := strconv.ParseFloat(string(p.Raw), 64)
	if f *= factor; err != nil || math.IsNaN(f) || math.Abs(f) > 1<<40 {
		return 0
	}
	return int64(f)
}

func milliseconds(n int64) time.Duration { return time.Duration(max(n, 0)) * time.Millisecond }

// Exit returns the exit code of a command. ok is false if it is unknown.
func (c *Call) Exit() (code int, ok bool) {
	r := c.Result
	if r == nil {
		return 0, false
	}
	if r.details.Exited {
		return r.details.Exit, true
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(r.Text, "Error: "), "\n")
	if digits, found := strings.CutPrefix(first, "Exit code "); found && r.Failed {
		code, err := strconv.Atoi(strings.TrimSpace(digits))
		return code, err == nil
	}
	return 0, false
}

// DenialKind says who or what refused a tool call (toolDenialKind, clients 2.1.205 to 2.1.330). For older clients,
// the text of the result decides. Unknown values are kept.
type DenialKind string

// The kinds with a description.
const (
	DeniedByPerson DenialKind = "user-rejected"
	DeniedByRule   DenialKind = "permission-rule"
	DeniedByAuto   DenialKind = "automode-blocked"
)

// rejected is the start of the result of a call that the user rejected.
const rejected = "The user doesn't want to proceed with this tool use."

// deny sets Denied and Reason of a tool result. feedback is userFeedback in the record.
func (b *Block) deny(kind DenialKind, feedback string) {
	if kind == "" && b.Failed && strings.HasPrefix(b.Text, rejected) {
		kind = DeniedByPerson
	}
	b.Denied = kind
	switch kind {
	case DeniedByPerson:
		b.Reason = feedbackOf(b.Text, feedback)
	case DeniedByAuto:
		_, reason, _ := strings.Cut(b.Text, "Reason: ")
		if at := strings.LastIndex(reason, ". If you have other tasks"); at >= 0 { // advice for the model
			reason = reason[:at]
		}
		b.Reason = strings.TrimSpace(reason)
	case DeniedByRule:
		text, _ := b.Unmarked()
		b.Reason, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	}
}

// feedbackOf returns the text with which the user rejected a call; "" if the user typed nothing. It is userFeedback,
// or the text in the result without the note to the model.
func feedbackOf(result, feedback string) string {
	if feedback = strings.TrimSpace(feedback); feedback != "" {
		return feedback
	}
	_, said, ok := strings.Cut(result, "the user said:\n")
	if !ok || !strings.HasPrefix(result, rejected) || strings.HasPrefix(said, "The user wants to clarify these questions.") {
		return ""
	}
	said, _, _ = strings.Cut("\n\n"+said, "\n\nNote: The user's next message may contain ")
	return strings.TrimSpace(said)
}

// hasFeedback reports whether a tool result has a text with which the user rejected a call.
func (e *Envelope) hasFeedback() bool {
	kind := DenialKind(e.Denial)
	return e.Refused && (kind == "" && len(e.Said) > 0 || kind == DeniedByPerson) &&
		feedbackOf(jsonlex.Unquote(e.Said), jsonlex.Unquote(e.Feedback)) != ""
}
