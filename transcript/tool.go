package transcript

import (
	"encoding/json"
	"strings"
	"time"
)

// ToolKind groups tools that are treated alike.
type ToolKind uint8

// The kinds of tools.
const (
	ToolOther      ToolKind = iota // unknown tool
	ToolKnown                      // a known tool without special code
	ToolMCP                        // a tool of an MCP server
	ToolShell                      // runs a command
	ToolRead                       // reads a file
	ToolSearch                     // searches or lists many files
	ToolWrite                      // writes a whole file
	ToolEdit                       // changes parts of a file
	ToolTodos                      // replaces the list of todos
	ToolTaskNew                    // adds a task to the list of tasks
	ToolTaskChange                 // changes a task in the list of tasks
	ToolQuestions                  // asks the user
	ToolPlan                       // shows a plan for approval
	ToolAgent                      // starts a sub-agent
	ToolTasks                      // shows the list of tasks or one task
	ToolFetch                      // reads a web page
	ToolWeb                        // searches the web
	ToolSkill                      // loads a skill or runs a slash command
	ToolOutput                     // reads the output of a background task
	ToolStop                       // stops a background task
	ToolWatch                      // watches a file or a process in the background
	ToolWorkflow                   // runs a workflow of sub-agents
	ToolWait                       // sets a time at which the client continues
	ToolMessage                    // sends a message to another agent
	ToolStructured                 // returns the result of the session
	ToolCode                       // asks a language server
	ToolTools                      // loads the definitions of tools
	ToolAdvice                     // asks another model for advice
)

// tool is a row of the table of tools.
type tool struct {
	kind     ToolKind
	line     string // parameter with a line number; "" if none
	old, new string // parameters with the removed and the added text; "" if none
	edits    string // parameter with a list of old and new texts; "" if none
	unit     string // what a search finds: match, file, entry
}

// toolOf returns the row of a tool; the zero row for an unknown one (clients 1.0.0 to 2.1.330). Names of tools are
// only here.
func toolOf(name string) tool {
	switch name {
	case "Bash", "PowerShell":
		return tool{kind: ToolShell}
	case "Read":
		return tool{kind: ToolRead, line: "offset"}
	case "NotebookRead":
		return tool{kind: ToolRead}
	case "LSP":
		return tool{kind: ToolCode, line: "line"}
	case "Grep":
		return tool{kind: ToolSearch, unit: "match"}
	case "Glob":
		return tool{kind: ToolSearch, unit: "file"}
	case "LS":
		return tool{kind: ToolSearch, unit: "entry"}
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
	return tool{kind: otherTool(name)}
}

// otherTool returns the kind of a tool that has only a kind. A name in lower case is a tool of the API.
func otherTool(name string) ToolKind {
	switch name {
	case "TaskList", "TaskGet":
		return ToolTasks
	case "WebFetch", "web_fetch":
		return ToolFetch
	case "WebSearch", "web_search":
		return ToolWeb
	case "Skill", "SlashCommand":
		return ToolSkill
	case "TaskOutput", "BashOutput", "AgentOutputTool":
		return ToolOutput
	case "TaskStop", "KillShell", "KillBash":
		return ToolStop
	case "Monitor":
		return ToolWatch
	case "Workflow":
		return ToolWorkflow
	case "ScheduleWakeup":
		return ToolWait
	case "SendMessage":
		return ToolMessage
	case "StructuredOutput":
		return ToolStructured
	case "ToolSearch", "tool_search_tool_regex", "tool_search_tool_bm25":
		return ToolTools
	case "advisor":
		return ToolAdvice
	case "bash_code_execution":
		return ToolShell
	case "code_execution", "text_editor_code_execution", "EnterPlanMode", "ReportFindings", "NotebookExecute", "CronCreate",
		"CronDelete", "CronList", "EnterWorktree", "ExitWorktree", "ListMcpResourcesTool", "ReadMcpResourceTool",
		"ReadMcpResourceDirTool", "PushNotification", "Artifact":
		return ToolKnown
	}
	if strings.HasPrefix(name, "mcp__") {
		return ToolMCP
	}
	return ToolOther
}

// fileKeys returns the parameters for the file of a call, the most reliable one first.
func fileKeys() []string { return []string{"file_path", "notebook_path", "filePath", "path"} }

// targetKeys returns the parameters for the target of a call, the most specific one first.
func targetKeys() []string {
	return []string{
		"command", "file_path", "notebook_path", "pattern", "path", "title", "description", "query", "url", "skill",
		"subject", "prompt", "question", "task_id", "shell_id", "bash_id", "name", "id",
	}
}

// Call is a tool call with its result. All its texts are untrusted.
type Call struct {
	Name   string
	Kind   ToolKind
	Input  json.RawMessage
	Params Params        // nil if the input isn't an object
	Result *Block        // nil if there is no result
	Title  string        // title of the task that the call changes; "" if unknown
	Took   time.Duration // time until the result, with the wait for a permission; 0 if unknown
}

// Call returns the tool call of a block. result may be nil.
func (b *Block) Call(result *Block) Call {
	c := Call{Name: b.Name, Kind: toolOf(b.Name).kind, Input: b.Input, Params: paramsOf(b.Input), Result: result, Title: b.taskTitle}
	switch {
	case result == nil:
	case result.details.Took > 0:
		c.Took = result.details.Took
	case !b.Time.IsZero() && result.Time.After(b.Time):
		c.Took = result.Time.Sub(b.Time)
	}
	return c
}

// Call returns the tool call in a block, with its result if the message has one.
func (m *Message) Call(block int) Call {
	b := &m.Blocks[block]
	return b.Call(m.result(b.ID))
}

// result returns the result of the call with an ID; nil if the message doesn't have it.
func (m *Message) result(call string) *Block {
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == BlockToolResult && call != "" && b.CallID == call {
			return b
		}
	}
	return nil
}

// Verb returns the clean name of the tool on one line: "server tool" for "mcp__server__tool".
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

// Target returns the string parameter that best describes the call; nil if there is none.
func (c *Call) Target() *Param {
	for _, key := range targetKeys() {
		if !isBlank(c.Params.String(key)) {
			return c.Params.Named(key)
		}
	}
	return nil
}

// File returns the file of the call; "" for a search. line is the first line that was changed or read, from 1; 0 if
// unknown. The path may be relative to the directory of the session.
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

// IsCleared reports whether the client has cleared the result.
func (c *Call) IsCleared() bool { return c.Result != nil && c.Result.Cleared }
