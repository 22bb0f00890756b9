package transcript

import (
	"encoding/json"
	"strings"
)

// ToolKind groups tools that are treated alike.
type ToolKind uint8

// The kinds of tools.
const (
	ToolOther      ToolKind = iota // unknown tool: only its parameters are shown
	ToolShell                      // runs a command
	ToolRead                       // reads a file
	ToolSearch                     // searches many files; Call.File returns none
	ToolWrite                      // writes a whole file
	ToolEdit                       // changes parts of a file
	ToolTodos                      // replaces the list of todos
	ToolTaskNew                    // adds a task to the list
	ToolTaskChange                 // changes a task of the list
	ToolQuestions                  // asks the user
	ToolPlan                       // shows a plan for approval
	ToolAgent                      // starts a sub-agent
)

// tool is a row of the table of tools.
type tool struct {
	kind     ToolKind
	line     string // the parameter with a line number, "" none
	old, new string // the parameters with the removed and the added text, "" none
	edits    string // the parameter with a list of such pairs, "" none
}

// toolOf returns the row of a tool (clients 1.0.0 to 2.1.330). Tool names appear only here. For unknown tools it
// returns the zero row, and only their parameters are shown.
func toolOf(name string) tool {
	switch name {
	case "Bash", "PowerShell":
		return tool{kind: ToolShell}
	case "Read":
		return tool{kind: ToolRead, line: "offset"}
	case "NotebookRead":
		return tool{kind: ToolRead}
	case "LSP":
		return tool{kind: ToolOther, line: "line"}
	case "Grep", "Glob", "LS":
		return tool{kind: ToolSearch}
	case "Write":
		return tool{kind: ToolWrite, new: "content"}
	case "Edit":
		return tool{kind: ToolEdit, old: "old_string", new: "new_string"}
	case "MultiEdit":
		return tool{kind: ToolEdit, edits: "edits"}
	case "NotebookEdit":
		return tool{kind: ToolEdit, new: "new_source"}
	case "TodoWrite":
		return tool{kind: ToolTodos}
	case "TaskCreate":
		return tool{kind: ToolTaskNew}
	case "TaskUpdate":
		return tool{kind: ToolTaskChange}
	case "AskUserQuestion":
		return tool{kind: ToolQuestions}
	case "ExitPlanMode":
		return tool{kind: ToolPlan}
	case "Agent", "Task":
		return tool{kind: ToolAgent}
	}
	return tool{}
}

// fileKeys are the parameters that name the file of a call, the most reliable first.
func fileKeys() []string { return []string{"file_path", "notebook_path", "filePath", "path"} }

// targetKeys are the parameters that can name the target of a call, the most specific first.
func targetKeys() []string {
	return []string{
		"command", "file_path", "notebook_path", "pattern", "path", "description", "query", "url", "skill",
		"subject", "prompt", "question", "task_id", "shell_id", "bash_id", "name", "id",
	}
}

// Call is a tool call with its result. All its texts are untrusted.
type Call struct {
	Name   string
	Kind   ToolKind
	Input  json.RawMessage
	Params Params // nil when the input is not an object
	Result *Block // nil without a result
}

// Call returns the tool call of a block, with its result if the message has one.
func (b *Block) Call(result *Block) Call {
	return Call{Name: b.Name, Kind: toolOf(b.Name).kind, Input: b.Input, Params: paramsOf(b.Input), Result: result}
}

// Call returns the tool call in a block of the message, with its result if the message has it.
func (m *Message) Call(block int) Call {
	b := &m.Blocks[block]
	return b.Call(m.result(b.ID))
}

// result returns the result of the call with the given ID, or nil if the message doesn't contain it.
func (m *Message) result(call string) *Block {
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == BlockToolResult && call != "" && b.CallID == call {
			return b
		}
	}
	return nil
}

// Verb returns the name of the tool, clean and on one line. For "mcp__server__tool" it returns "server tool".
func (c *Call) Verb() string {
	name := CleanLine(c.Name)
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if server, tool, ok := strings.Cut(rest, "__"); ok && server != "" && tool != "" {
			return server + " " + tool
		}
	}
	if name == "" {
		return "Tool"
	}
	return name
}

// Target returns the non-blank string parameter that best names the target of the call, or nil if there is none.
func (c *Call) Target() *Param {
	for _, key := range targetKeys() {
		if !isBlank(c.Params.String(key)) {
			return c.Params.Named(key)
		}
	}
	return nil
}

// File returns the file of the call and a line number from 1: the first changed line or the first line read; 0 if
// unknown. The path is as in the call, possibly relative to the session's directory; "" for a search.
func (c *Call) File() (file string, line int) {
	if c.Kind == ToolSearch {
		return "", 0
	}
	for _, key := range fileKeys() {
		if file = c.Params.String(key); !isBlank(file) {
			break
		}
	}
	switch r := c.Result; {
	case isBlank(file):
		return "", 0
	case r != nil && r.changed():
		return file, r.Patch[0].firstChange()
	}
	return file, c.Params.line(toolOf(c.Name).line)
}

// Outcome is the result of a call.
type Outcome uint8

// The outcomes.
const (
	OutcomeNone     Outcome = iota // no result
	OutcomeDone                    // the tool succeeded
	OutcomeFailed                  // the tool failed, or a rule refused the call
	OutcomeRejected                // the user refused the call
	OutcomeSkipped                 // the client skipped the call, because another call of the same answer failed
)

// Outcome returns the result of the call.
func (c *Call) Outcome() Outcome {
	r := c.Result
	switch {
	case r == nil:
		return OutcomeNone
	case r.Denied == DeniedByPerson:
		return OutcomeRejected
	case !r.Failed:
		return OutcomeDone
	}
	text, _ := r.Unmarked()
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "Sibling tool call errored") || strings.HasPrefix(text, "Cancelled: parallel tool call") {
		return OutcomeSkipped
	}
	return OutcomeFailed
}

// Unmarked returns the text of a result without the tags that the client puts around its own errors, and whether the
// text had these tags.
func (b *Block) Unmarked() (text string, own bool) {
	const begin, end = "<tool_use_error>", "</tool_use_error>"
	inner, own := strings.CutPrefix(strings.TrimLeft(b.Text, " \n"), begin)
	if !own {
		return b.Text, false
	}
	return strings.TrimSuffix(strings.TrimRight(inner, " \n"), end), true
}
