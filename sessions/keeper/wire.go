package keeper

import "encoding/json"

// wireArgs returns the arguments for stream-json with permission questions on stdout.
func wireArgs() []string {
	return []string{
		"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--include-partial-messages", "--replay-user-messages", "--permission-prompt-tool", "stdio",
	}
}

// incoming has the fields of a client's line that the Keeper uses.
type incoming struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	UUID      string          `json:"uuid"`
	Parent    *string         `json:"parent_tool_use_id"` // set for messages of a sub-agent
	RequestID string          `json:"request_id"`
	Request   json.RawMessage `json:"request"`
	Response  json.RawMessage `json:"response"`
	Event     struct {
		Type  string `json:"type"`
		Delta struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"delta"`
	} `json:"event"`

	// system/init and system/status
	Model          string `json:"model"`
	PermissionMode string `json:"permissionMode"`

	// result
	IsError  bool     `json:"is_error"`
	Result   string   `json:"result"`
	Errors   []string `json:"errors"`
	Terminal string   `json:"terminal_reason"`
}

// toolRequest is a control_request of the client. can_use_tool is a question.
type toolRequest struct {
	Subtype     string            `json:"subtype"`
	ToolName    string            `json:"tool_name"`
	DisplayName string            `json:"display_name"`
	Input       json.RawMessage   `json:"input"`
	Description string            `json:"description"`
	Suggestions []json.RawMessage `json:"permission_suggestions"`
	BlockedPath string            `json:"blocked_path"`
	ToolUseID   string            `json:"tool_use_id"`
}

// reply is the response of the client to a control_request of the Keeper.
type reply struct {
	Subtype   string          `json:"subtype"`
	RequestID string          `json:"request_id"`
	Error     string          `json:"error"`
	Response  json.RawMessage `json:"response"`
}

// permission is the answer to can_use_tool.
type permission struct {
	Behavior           string            `json:"behavior"`
	UpdatedInput       json.RawMessage   `json:"updatedInput,omitempty"`
	UpdatedPermissions []json.RawMessage `json:"updatedPermissions,omitempty"`
	Message            string            `json:"message,omitempty"`
	Interrupt          bool              `json:"interrupt,omitempty"`
}

type object map[string]any

func controlRequest(id string, request object) object {
	return object{"type": "control_request", "request_id": id, "request": request}
}

func controlResponse(id string, response any) object {
	return object{"type": "control_response", "response": object{"subtype": "success", "request_id": id, "response": response}}
}

func controlError(id, text string) object {
	return object{"type": "control_response", "response": object{"subtype": "error", "request_id": id, "error": text}}
}

// userMessage is a prompt. The client keeps the UUID.
func userMessage(uuid, text string) object {
	return object{
		"type": "user", "uuid": uuid, "message": object{"role": "user", "content": text}, "parent_tool_use_id": nil, "session_id": "",
	}
}
