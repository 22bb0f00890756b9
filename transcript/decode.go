package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// errChanged is returned if the bytes of a record aren't a JSON object any more.
var errChanged = errors.New("record changed on disk")

// members returns the members of a JSON object with undecoded values; nil if raw isn't an object. Keys are
// case-sensitive, unlike in a struct.
func members(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// decodeInto adds the blocks of one record to its message.
func decodeInto(m *Message, line []byte) error {
	r := members(line)
	if r == nil {
		return errChanged
	}
	switch stringOf(r["type"]) {
	case "assistant":
		content, model := messageOf(r["message"])
		if m.Model == "" {
			m.Model = model
		}
		blocks := contentBlocks(content)
		for i := range blocks {
			if took, err := strconv.Atoi(string(r["thinkingDurationMs"])); err == nil && blocks[i].Kind == BlockThinking {
				blocks[i].Took = milliseconds(int64(took))
			}
		}
		m.Blocks = append(m.Blocks, blocks...)
	case "user":
		m.Blocks = append(m.Blocks, userRecordBlocks(m.Kind, r)...)
	case "attachment":
		m.Blocks = append(m.Blocks, attachmentBlocks(r["attachment"])...)
	case "queue-operation":
		m.Blocks = append(m.Blocks, userBlocks(r["content"], nil)...)
	case "system":
		m.Blocks = append(m.Blocks, systemBlocks(r)...)
		if m.Kind == Boundary {
			m.Compaction = compactionOf(r["compactMetadata"])
		}
	}
	return nil
}

// messageOf returns the content and the model of a message. One old client wrote only the content.
func messageOf(raw json.RawMessage) (content json.RawMessage, model string) {
	if len(raw) > 0 && raw[0] != '{' {
		return raw, ""
	}
	m := members(raw)
	return m["content"], stringOf(m["model"])
}

// userRecordBlocks decodes the blocks of a user record that belong to a message of a kind. If the user typed a text
// during a call, the record belongs to an answer and a prompt. The text may be the reason for a refusal.
func userRecordBlocks(kind MessageKind, r map[string]json.RawMessage) []Block {
	content, _ := messageOf(r["message"])
	blocks := userBlocks(content, r["origin"])
	for i := range blocks {
		switch b := &blocks[i]; {
		case b.Kind == BlockToolResult:
			b.deny(DenialKind(stringOf(r["toolDenialKind"])), stringOf(r["userFeedback"]))
		case b.Kind == BlockText && kind == Answer && !isAsked(*b): // a text of the client
			*b = Block{Kind: BlockNotice, Notice: NoticeNote, Text: b.Text}
		case kind == Notice && string(r["isSidechain"]) == "true" && isAsked(*b):
			*b = Block{Kind: BlockNotice, Notice: NoticePeer, Name: mainAgent, Text: b.Text}
		}
	}
	if string(r["isSidechain"]) != "true" && slices.ContainsFunc(blocks, isResult) && slices.ContainsFunc(blocks, isTyped) {
		blocks = partFor(kind, blocks)
	}
	if result := onlyResult(blocks); result != nil {
		result.Patch, result.details = patchOf(r["toolUseResult"]), detailsOf(r["toolUseResult"])
		result.Agent = agentOf(r["toolUseResult"])
	}
	if kind == Prompt && slices.ContainsFunc(blocks, isResult) && !slices.ContainsFunc(blocks, isAsked) {
		return []Block{{Kind: BlockText, Text: reasons(blocks)}}
	}
	return blocks
}

// partFor returns the blocks of a record that belong to a message of a kind. The record has results and a typed text.
func partFor(kind MessageKind, blocks []Block) []Block {
	if kind != Prompt {
		return slices.DeleteFunc(blocks, isTyped)
	}
	if said := reasons(blocks); said != "" {
		blocks = append(blocks, Block{Kind: BlockText, Text: said})
	}
	return slices.DeleteFunc(blocks, isResult)
}

// maxPatch is the maximum number of lines of a patch.
const maxPatch = 5000

// onlyResult returns the tool result of a record that has exactly one, else nil. With several results, the owner of
// toolUseResult is unknown.
func onlyResult(blocks []Block) *Block {
	var only *Block
	for i := range blocks {
		if blocks[i].Kind != BlockToolResult {
			continue
		}
		if only != nil {
			return nil
		}
		only = &blocks[i]
	}
	return only
}

func isResult(b Block) bool { return b.Kind == BlockToolResult }
func isTyped(b Block) bool  { return b.Kind == BlockText && isAsked(b) }

// isAsked reports whether a block can belong to a prompt.
func isAsked(b Block) bool {
	switch b.Kind {
	case BlockToolResult, BlockNotice:
		return false
	case BlockText:
		return !IsMachine(b.Text)
	case BlockThinking, BlockToolUse, BlockImage, BlockDocument, BlockUnknown:
	}
	return true
}

// reasons returns the different texts with which the user rejected calls.
func reasons(blocks []Block) string {
	var texts []string
	for i := range blocks {
		if b := &blocks[i]; b.Denied == DeniedByPerson && b.Reason != "" && !slices.Contains(texts, b.Reason) {
			texts = append(texts, b.Reason)
		}
	}
	return strings.Join(texts, "\n\n")
}

// patchOf decodes the hunks of a toolUseResult, at most maxPatch lines. It returns nil without hunks, or if one is
// invalid. A patch without this hunk would hide changes.
func patchOf(raw json.RawMessage) []Hunk {
	const key = "structuredPatch"
	if !bytes.Contains(raw, []byte(key)) { // fast path for most results
		return nil
	}
	var parts []json.RawMessage
	if json.Unmarshal(members(raw)[key], &parts) != nil || len(parts) > maxPatch {
		return nil
	}
	var hunks []Hunk
	room := maxPatch
	for _, p := range parts {
		m := members(p)
		var h Hunk
		for name, to := range map[string]any{
			"oldStart": &h.OldStart, "oldLines": &h.OldLines, "newStart": &h.NewStart, "newLines": &h.NewLines, "lines": &h.Lines,
		} {
			if json.Unmarshal(m[name], to) != nil {
				return nil
			}
		}
		if room == 0 {
			break
		}
		if len(h.Lines) > room {
			h.Lines = slices.Clone(h.Lines[:room])
		}
		room -= len(h.Lines)
		hunks = append(hunks, h)
	}
	return hunks
}

// systemBlocks returns the text of a system record, or its subtype.
func systemBlocks(r map[string]json.RawMessage) []Block {
	if blocks := contentBlocks(r["content"]); len(blocks) > 0 {
		return blocks
	}
	b := Block{Kind: BlockUnknown, Name: stringOf(r["subtype"])}
	if b.Name == apiError {
		cause := members(r["error"])
		b.Title = cmp.Or(stringOf(cause["formatted"]), stringOf(cause["message"]))
	}
	return []Block{b}
}

// apiError is the subtype of a system record about a failed request (clients 2.0.76 to 2.1.330).
const apiError = "api_error"

// APIErrors returns the cause of each failed request that a message reports; "" for an unknown cause. The client has
// repeated these requests.
func (m *Message) APIErrors() []string {
	var list []string
	for i := range m.Blocks {
		if m.Kind != System || m.Blocks[i].Name != apiError {
			return nil
		}
		list = append(list, m.Blocks[i].Title)
	}
	return list
}

// agentOf returns the ID of the sub-agent in a toolUseResult (clients 2.0.0 to 2.1.330).
func agentOf(raw json.RawMessage) string {
	if !bytes.Contains(raw, []byte(`"agentId"`)) { // fast path for most results
		return ""
	}
	return stringOf(members(raw)["agentId"])
}

// compactionOf decodes the figures of a compaction; nil if there are none.
func compactionOf(raw json.RawMessage) *Compaction {
	var c struct {
		Trigger               string
		PreTokens, PostTokens int64
	}
	if len(raw) == 0 || json.Unmarshal(raw, &c) != nil || c.PreTokens <= 0 {
		return nil
	}
	return &Compaction{Auto: c.Trigger == "auto", Before: c.PreTokens, After: max(c.PostTokens, 0)}
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
	given := map[uint64]bool{}
	for _, p := range parts {
		if b := blockOf(p); !b.again(given) {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// again reports whether an image or document is in given, by its digest. If not, its digest is added.
func (b *Block) again(given map[uint64]bool) bool {
	was := b.data != 0 && given[b.data]
	given[b.data] = true
	return was
}

// userBlocks decodes the content of a user record or a queued command. A text becomes a notice if the client wrote
// it, or if the origin isn't the user.
func userBlocks(content, origin json.RawMessage) []Block {
	from := members(origin)
	kind := stringOf(from["kind"])
	var blocks []Block
	for _, b := range contentBlocks(content) {
		var notices []Block
		switch {
		case b.Kind != BlockText:
		case kind != fromPerson && len(noticesIn(b.Text)) > 0:
			notices = noticesIn(b.Text)
		case IsMachine(b.Text), kind == taskTag:
		case kind == continuation:
			notices = []Block{continuedNotice(b.Text)}
		case kind != "" && kind != fromPerson:
			notices = []Block{{Kind: BlockNotice, Notice: NoticePeer, Name: sender(from), Text: b.Text}}
		}
		if len(notices) > 0 {
			blocks = append(blocks, notices...)
		} else {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// sender returns the name of a record's origin, such as the address of a peer.
func sender(origin map[string]json.RawMessage) string {
	for _, key := range [...]string{"name", "from", "server", "kind"} {
		if s := stringOf(origin[key]); s != "" {
			return s
		}
	}
	return ""
}

func blockOf(raw json.RawMessage) Block {
	if raw[0] == '"' {
		return Block{Kind: BlockText, Text: stringOf(raw)}
	}
	b := members(raw)
	if b == nil {
		return Block{Kind: BlockUnknown, Raw: raw}
	}
	switch kind := BlockKind(stringOf(b["type"])); kind {
	case BlockText:
		return Block{Kind: kind, Text: stringOf(b["text"])}
	case BlockThinking, "redacted_thinking": // a redacted thought has encrypted data and no text
		return Block{Kind: BlockThinking, Text: stringOf(b["thinking"])}
	case BlockToolUse:
		return Block{Kind: kind, ID: stringOf(b["id"]), Name: stringOf(b["name"]), Input: b["input"]}
	case BlockToolResult:
		r := Block{Kind: kind, CallID: stringOf(b["tool_use_id"]), Failed: string(b["is_error"]) == "true"}
		r.Text, r.images = resultText(b["content"])
		return r
	case BlockImage, BlockDocument:
		return mediaBlock(kind, b)
	default:
		if served, ok := servedBlock(string(kind), b); ok {
			return served
		}
		return Block{Kind: BlockUnknown, Name: string(kind), Raw: raw}
	}
}

// servedBlock decodes a call of a tool that the API runs, or the result of such a call.
func servedBlock(kind string, b map[string]json.RawMessage) (Block, bool) {
	switch {
	case kind == "server_tool_use", kind == "mcp_tool_use":
		name := stringOf(b["name"])
		if server := stringOf(b["server_name"]); server != "" {
			name = "mcp__" + server + "__" + name
		}
		return Block{Kind: BlockToolUse, ID: stringOf(b["id"]), Name: name, Input: b["input"]}, true
	case !strings.HasSuffix(kind, "_tool_result"):
		return Block{}, false
	}
	r := Block{Kind: BlockToolResult, CallID: stringOf(b["tool_use_id"]), Failed: string(b["is_error"]) == "true"}
	var list []json.RawMessage
	if json.Unmarshal(b["content"], &list) != nil {
		list = []json.RawMessage{b["content"]}
	}
	var texts []string
	for _, part := range list {
		m := members(part)
		if code := stringOf(m["error_code"]); code != "" {
			r.Failed = true
			texts = append(texts, strings.ReplaceAll(code, "_", " "))
		}
		if code, err := strconv.Atoi(string(m["return_code"])); err == nil {
			r.details.Exit, r.details.Exited = code, true
		}
		for _, key := range [...]string{"title", "url", "text", "stdout", "stderr"} {
			if s := stringOf(m[key]); s != "" {
				texts = append(texts, s)
			}
		}
	}
	if kind == "web_search_tool_result" && !r.Failed {
		r.details.Matches, r.details.Counted = len(list), true
	}
	r.Text = strings.Join(texts, "\n")
	return r, true
}

// mediaBlock decodes an image or document without its data: the media type, and the length of the data.
func mediaBlock(kind BlockKind, b map[string]json.RawMessage) Block {
	source := members(b["source"])
	block := Block{Kind: kind, Media: stringOf(source["media_type"]), Bytes: int64(max(len(source["data"])-2, 0))}
	if len(source["data"]) > 0 {
		block.data = digest(0, b["source"])
	}
	return block
}

// resultText returns a tool result as plain text, with a placeholder for each image and document. It also returns the
// images. Nested results aren't decoded, because a hostile file can nest them very deeply.
func resultText(raw json.RawMessage) (text string, images []Block) {
	if len(raw) == 0 || raw[0] != '[' {
		if s := stringOf(raw); s != "" || len(raw) == 0 || raw[0] == '"' || string(raw) == "null" {
			return s, nil
		}
		return string(raw), nil
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return string(raw), nil
	}
	out := make([]string, 0, len(parts))
	given := map[uint64]bool{}
	for _, p := range parts {
		switch m := members(p); stringOf(m["type"]) {
		case "text":
			out = append(out, stringOf(m["text"]))
		case "image", "document":
			b := mediaBlock(BlockKind(stringOf(m["type"])), m)
			if b.again(given) {
				continue
			}
			if b.Kind == BlockImage && b.Bytes > 0 {
				images = append(images, b)
			}
			out = append(out, fmt.Sprintf("[%s %s, %d bytes]", b.Kind, b.Media, b.Bytes))
		default:
			if p[0] == '"' {
				out = append(out, stringOf(p))
			} else {
				out = append(out, string(p))
			}
		}
	}
	return strings.Join(out, "\n"), images
}

func stringOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Blocks decodes the content blocks of one record; nil if there are none.
func Blocks(line []byte) []Block {
	m := Message{Kind: Answer}
	if decodeInto(&m, line) != nil {
		return nil
	}
	return m.Blocks
}
