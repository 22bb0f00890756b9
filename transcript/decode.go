package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
)

// record is the part of a line that is shown.
type record struct {
	Type    string          `json:"type"`
	Subtype string          `json:"subtype"`
	Content json.RawMessage `json:"content"` // of system records
	Message json.RawMessage `json:"message"`

	Attachment struct {
		Prompt json.RawMessage `json:"prompt"`
	} `json:"attachment"`
}

type apiMessage struct {
	Model   string          `json:"model"`
	Content json.RawMessage `json:"content"`
}

// apiBlock is a content block of any kind (client 1.0.0 to 2.1.329).
type apiBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage `json:"content"`
	Source    struct {
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
	} `json:"source"`
}

// decodeInto adds the blocks of one record to its message.
func decodeInto(m *Message, line []byte) error {
	var r record
	if err := json.Unmarshal(line, &r); err != nil && r.Type == "" {
		return fmt.Errorf("record changed on disk: %w", err)
	}
	switch r.Type {
	case "user", "assistant":
		var msg apiMessage
		if len(r.Message) > 0 && r.Message[0] != '{' {
			m.Blocks = append(m.Blocks, contentBlocks(r.Message)...)
			return nil
		}
		if err := json.Unmarshal(r.Message, &msg); err != nil && len(msg.Content) == 0 {
			m.Blocks = append(m.Blocks, Block{Kind: BlockUnknown, Raw: r.Message})
			return nil
		}
		if m.Model == "" && r.Type == "assistant" {
			m.Model = msg.Model
		}
		m.Blocks = append(m.Blocks, contentBlocks(msg.Content)...)
	case "attachment":
		m.Blocks = append(m.Blocks, contentBlocks(r.Attachment.Prompt)...)
	case "system":
		m.Blocks = append(m.Blocks, systemBlocks(r)...)
	}
	return nil
}

// systemBlocks is the text of a system record; without one its subtype is all there is to say.
func systemBlocks(r record) []Block {
	if blocks := contentBlocks(r.Content); len(blocks) > 0 {
		return blocks
	}
	return []Block{{Kind: BlockUnknown, Name: r.Subtype}}
}

// contentBlocks decodes message content: a string, or an array of blocks and (in one old client) strings.
func contentBlocks(raw json.RawMessage) []Block {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if raw[0] == '"' {
		if s := stringOf(raw); s != "" {
			return []Block{{Kind: BlockText, Text: s}}
		}
		return nil
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return []Block{{Kind: BlockUnknown, Raw: raw}}
	}
	blocks := make([]Block, 0, len(parts))
	for _, p := range parts {
		blocks = append(blocks, blockOf(p))
	}
	return blocks
}

func blockOf(raw json.RawMessage) Block {
	if raw[0] == '"' {
		return Block{Kind: BlockText, Text: stringOf(raw)}
	}
	var b apiBlock
	if err := json.Unmarshal(raw, &b); err != nil {
		return Block{Kind: BlockUnknown, Raw: raw}
	}
	switch b.Type {
	case "text":
		return Block{Kind: BlockText, Text: b.Text}
	case "thinking":
		return Block{Kind: BlockThinking, Text: b.Thinking}
	case "tool_use":
		return Block{Kind: BlockToolUse, ID: b.ID, Name: b.Name, Input: b.Input}
	case "tool_result":
		return Block{Kind: BlockToolResult, CallID: b.ToolUseID, Failed: b.IsError, Text: resultText(b.Content)}
	case "image":
		return Block{Kind: BlockImage, Media: b.Source.MediaType, Bytes: int64(len(b.Source.Data))}
	case "document":
		return Block{Kind: BlockDocument, Media: b.Source.MediaType, Bytes: int64(len(b.Source.Data))}
	}
	return Block{Kind: BlockUnknown, Name: b.Type, Raw: raw}
}

// resultText is a tool result as plain text: its text blocks, and a mark for each of another kind.
func resultText(raw json.RawMessage) string {
	var out []string
	for _, b := range contentBlocks(raw) {
		switch b.Kind {
		case BlockText:
			out = append(out, b.Text)
		case BlockImage, BlockDocument:
			out = append(out, fmt.Sprintf("[%s %s, %d bytes]", b.Kind, b.Media, b.Bytes))
		case BlockThinking, BlockToolUse, BlockToolResult, BlockUnknown:
			out = append(out, string(b.Raw))
		}
	}
	return strings.Join(out, "\n")
}

func stringOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
