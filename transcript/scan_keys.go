package transcript

import (
	"bytes"

	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// The functions in this file handle the keys that Scan reads (clients 1.0.0 to 2.1.330), one function for each JSON
// object.

// topKey handles a member of the record itself.
func (e *Envelope) topKey(key []byte, i, depth int) int {
	switch string(key) {
	case "type":
		e.once(0)
		return e.word(i, depth, &e.Type)
	case "subtype":
		e.once(1)
		return e.word(i, depth, &e.Subtype)
	case "uuid":
		e.once(2)
		return e.word(i, depth, &e.UUID)
	case "parentUuid":
		e.once(3)
		e.Chained = true
		return e.word(i, depth, &e.Parent)
	case "logicalParentUuid":
		e.once(4)
		return e.word(i, depth, &e.Logical)
	case "timestamp":
		e.once(5)
		return e.word(i, depth, &e.Time)
	case "message":
		if e.once(6) {
			e.dropMessage()
		}
		return e.message(i, depth)
	case "attachment":
		e.once(7)
		if i < len(e.Line) && e.Line[i] == '{' {
			return e.object(i+1, depth+1, (*Envelope).attachmentKey)
		}
		return jsonlex.SkipValue(e.Line, i, depth)
	case "isSidechain":
		e.once(8)
		return e.truth(i, depth, &e.Sidechain)
	case "isMeta":
		e.once(9)
		return e.truth(i, depth, &e.Meta)
	case "isCompactSummary":
		e.once(10)
		return e.truth(i, depth, &e.CompactSummary)
	case "isApiErrorMessage":
		e.once(11)
		return e.truth(i, depth, &e.APIError)
	}
	return e.factKey(key, i, depth)
}

// factKey handles further members of the record, mostly for the session list.
func (e *Envelope) factKey(key []byte, i, depth int) int {
	switch string(key) {
	case "requestId":
		e.once(12)
		return e.word(i, depth, &e.RequestID)
	case "cwd":
		e.once(13)
		return e.raw(i, depth, &e.Cwd)
	case "gitBranch":
		e.once(14)
		return e.raw(i, depth, &e.Branch)
	case "sessionId":
		e.once(15)
		return e.word(i, depth, &e.SessionID)
	case "version":
		e.once(16)
		return e.word(i, depth, &e.Version)
	case "entrypoint":
		e.once(17)
		return e.word(i, depth, &e.Entrypoint)
	case "agentId":
		e.once(18)
		return e.word(i, depth, &e.Agent)
	case "customTitle":
		e.once(19)
		return e.raw(i, depth, &e.CustomTitle)
	case "aiTitle":
		e.once(20)
		return e.raw(i, depth, &e.AITitle)
	case "summary":
		e.once(21)
		return e.raw(i, depth, &e.Summary)
	case "leafUuid":
		e.once(31)
		return e.word(i, depth, &e.Leaf)
	case "promptSource":
		e.once(22)
		return e.word(i, depth, &e.PromptSource)
	case "origin":
		e.once(23)
		return e.origin(i, depth)
	case "userFeedback":
		e.once(24)
		return e.raw(i, depth, &e.Feedback)
	case "operation":
		e.once(26)
		return e.word(i, depth, &e.Operation)
	case "content":
		e.once(27)
		var raw []byte
		end := e.raw(i, depth, &raw)
		if e.Content = (Span{}); raw != nil {
			e.Content = Span{i + 1, i + 1 + len(raw)}
		}
		return end
	case "toolDenialKind":
		e.once(25)
		return e.word(i, depth, &e.Denial)
	}
	return e.pickerKey(key, i, depth)
}

// pickerKey handles the members of the record that only Picker needs.
func (e *Envelope) pickerKey(key []byte, i, depth int) int {
	switch string(key) {
	case "continuedInSessionId":
		e.once(30)
		return e.word(i, depth, &e.ContinuedIn)
	case "forkedFrom":
		e.ForkedFrom = nil // the last of duplicate keys counts
		return e.member("sessionId", &e.ForkedFrom, i, depth)
	case "toolUseResult":
		end := jsonlex.SkipValue(e.Line, i, depth)
		if e.Task = nil; end != jsonlex.Invalid && isTask(e.Line[i:end]) {
			e.Task = e.Line[i:end]
		}
		return end
	}
	return jsonlex.SkipValue(e.Line, i, depth)
}

// isTask reports whether a toolUseResult is about a task or a background task.
func isTask(result []byte) bool {
	const short = 1 << 10
	for _, start := range [...]string{`{"task":{"id":`, `{"success":true,"taskId":`, `{"isAsync":true,`} {
		if bytes.HasPrefix(result, []byte(start)) {
			return true
		}
	}
	return len(result) < short && bytes.Contains(result, []byte(`"backgroundTaskId":"`))
}

// origin stores the kind of an origin, the author of a user record.
func (e *Envelope) origin(i, depth int) int { return e.member("kind", &e.Origin, i, depth) }

// member stores the identifier at one key of an object.
func (e *Envelope) member(name string, to *[]byte, i, depth int) int {
	if i >= len(e.Line) || e.Line[i] != '{' {
		return jsonlex.SkipValue(e.Line, i, depth)
	}
	return e.object(i+1, depth+1, func(e *Envelope, key []byte, i, depth int) int {
		if string(key) == name {
			e.once(0)
			return e.word(i, depth, to)
		}
		return jsonlex.SkipValue(e.Line, i, depth)
	})
}

// message handles the message of a user or assistant record. One old client has a string.
func (e *Envelope) message(i, depth int) int {
	switch {
	case i < len(e.Line) && e.Line[i] == '{':
		return e.object(i+1, depth+1, (*Envelope).messageKey)
	case i < len(e.Line) && e.Line[i] == '"':
		return e.content(i, depth)
	}
	return jsonlex.SkipValue(e.Line, i, depth)
}

func (e *Envelope) messageKey(key []byte, i, depth int) int {
	switch string(key) {
	case "id":
		e.once(0)
		return e.word(i, depth, &e.MessageID)
	case "role":
		e.once(1)
		return e.word(i, depth, &e.Role)
	case "model":
		e.once(2)
		return e.word(i, depth, &e.Model)
	case "content":
		if e.once(3) {
			e.dropContent()
		}
		return e.content(i, depth)
	case "usage":
		e.once(4)
		if i < len(e.Line) && e.Line[i] == '{' {
			e.HasUsage = true
			return e.object(i+1, depth+1, (*Envelope).usageKey)
		}
	}
	return jsonlex.SkipValue(e.Line, i, depth)
}

func (e *Envelope) usageKey(key []byte, i, depth int) int {
	switch string(key) {
	case "input_tokens":
		e.once(0)
		return e.number(i, depth, &e.Usage.Input)
	case "output_tokens":
		e.once(1)
		return e.number(i, depth, &e.Usage.Output)
	case "cache_read_input_tokens":
		e.once(2)
		return e.number(i, depth, &e.Usage.CacheRead)
	case "cache_creation_input_tokens":
		e.once(3)
		return e.number(i, depth, &e.Usage.CacheWrite)
	}
	return jsonlex.SkipValue(e.Line, i, depth)
}

// content handles message.content: a string, or an array of blocks.
func (e *Envelope) content(i, depth int) int {
	b := e.Line
	if i < len(b) && b[i] == '"' {
		end, _ := jsonlex.SkipQuoted(b, i+1)
		if end != jsonlex.Invalid {
			e.Blocks++
			e.Text = append(e.Text, Span{i + 1, end - 1})
		}
		return end
	}
	if i >= len(b) || b[i] != '[' {
		return jsonlex.SkipValue(b, i, depth)
	}
	depth++
	if depth > jsonlex.MaxDepth {
		return jsonlex.Invalid
	}
	if i = jsonlex.SkipSpace(b, i+1); i < len(b) && b[i] == ']' {
		return i + 1
	}
	for i < len(b) {
		last := false
		if i, last = jsonlex.SkipComma(b, e.block(i, depth), ']'); last {
			return i
		}
	}
	return jsonlex.Invalid
}

// block handles one content block. Its members can be in any order.
func (e *Envelope) block(i, depth int) int {
	e.Blocks++
	if i >= len(e.Line) || e.Line[i] != '{' {
		return jsonlex.SkipValue(e.Line, i, depth)
	}
	var kind, id, name, call, content []byte
	var failed bool
	text := Span{-1, -1}
	end := e.object(i+1, depth+1, func(e *Envelope, key []byte, i, depth int) int {
		switch string(key) {
		case "type":
			e.once(0)
			return e.word(i, depth, &kind)
		case "id":
			e.once(1)
			return e.word(i, depth, &id)
		case "tool_use_id":
			e.once(2)
			return e.word(i, depth, &call)
		case "text":
			e.once(3)
			if i < len(e.Line) && e.Line[i] == '"' {
				end, _ := jsonlex.SkipQuoted(e.Line, i+1)
				text = Span{i + 1, end - 1}
				return end
			}
		case "content":
			e.once(4)
			return e.raw(i, depth, &content)
		case "is_error":
			e.once(5)
			return e.truth(i, depth, &failed)
		case "name":
			e.once(6)
			return e.word(i, depth, &name)
		}
		return jsonlex.SkipValue(e.Line, i, depth)
	})
	switch {
	case end == jsonlex.Invalid:
		return jsonlex.Invalid
	case string(kind) == "text" && text.Start >= 0:
		e.Text = append(e.Text, text)
	case string(kind) == "tool_use", string(kind) == "server_tool_use", string(kind) == "mcp_tool_use":
		e.Tools = append(e.Tools, ToolSpan{ID: id})
		kind := toolOf(string(name)).kind
		e.Edits = e.Edits || kind == ToolWrite || kind == ToolEdit
	case string(kind) == "tool_result", bytes.HasSuffix(kind, []byte("_tool_result")):
		e.Tools = append(e.Tools, ToolSpan{ID: call, Result: true})
		if failed {
			e.refuse(content)
		}
	}
	return end
}

// refuse stores the result of a rejected call in Said. A result with a text of the user is preferred, then the first
// one.
func (e *Envelope) refuse(result []byte) {
	e.Refused = true
	if bytes.HasPrefix(result, []byte(rejected)) && (e.Said == nil || feedbackOf(jsonlex.Unquote(e.Said), "") == "") {
		e.Said = result
	}
}

// attachmentKey handles the members of an attachment. The prompt of a queued_command is a text of the user.
func (e *Envelope) attachmentKey(key []byte, i, depth int) int {
	switch string(key) {
	case "type":
		e.once(0)
		return e.word(i, depth, &e.AttachmentType)
	case "commandMode":
		e.once(1)
		return e.word(i, depth, &e.AttachmentMode)
	case "prompt":
		e.once(2)
		return e.content(i, depth)
	case "origin":
		e.once(3)
		return e.origin(i, depth)
	case "isMeta":
		e.once(4)
		return e.truth(i, depth, &e.Meta)
	case "toolUseID":
		e.once(5)
		var call []byte
		end := e.word(i, depth, &call)
		e.Tools = append(e.Tools, ToolSpan{ID: call, Result: true})
		return end
	case "exitCode":
		e.once(6)
		e.AttachmentBad = e.AttachmentBad || i < len(e.Line) && e.Line[i] != '0' && e.Line[i] != 'n'
	case "response": // from a hook that ran in the background
		e.once(8)
		if i < len(e.Line) && e.Line[i] == '{' {
			return e.object(i+1, depth+1, (*Envelope).responseKey)
		}
	case "timedOut":
		e.once(7)
		e.AttachmentBad = e.AttachmentBad || i < len(e.Line) && e.Line[i] == 't'
	}
	return jsonlex.SkipValue(e.Line, i, depth)
}

// responseKey handles the response of a hook, which can block the client.
func (e *Envelope) responseKey(key []byte, i, depth int) int {
	if string(key) != "decision" {
		return jsonlex.SkipValue(e.Line, i, depth)
	}
	e.once(0)
	var decision []byte
	end := e.word(i, depth, &decision)
	e.AttachmentBad = e.AttachmentBad || string(decision) == "block"
	return end
}
