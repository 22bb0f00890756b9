package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// synthetic is the model of what the client says in the place of the assistant, such as "No response requested."
// or the text of an API error (client 2.1.330).
const synthetic = "<synthetic>"

// Said is what the assistant said in a message, as it was written: its texts, a blank line between two. It is ""
// for one that only thinks or calls tools, for what the client said in its place and for anything that is no answer.
func (m *Message) Said() string {
	var texts []string
	if m.answers() {
		for i := range m.Blocks {
			if b := &m.Blocks[i]; b.Kind == BlockText && !isBlank(b.Text) {
				texts = append(texts, b.Text)
			}
		}
	}
	return strings.Join(texts, "\n\n")
}

// Code is what is inside the last fenced code block of what the assistant said in a message, without the end of its
// last line; "" when there is none with something in it.
func (m *Message) Code() string {
	if m.answers() {
		for _, b := range slices.Backward(m.Blocks) {
			if b.Kind != BlockText {
				continue
			}
			if code := lastFenced(b.Text); code != "" {
				return code
			}
		}
	}
	return ""
}

func (m *Message) answers() bool { return m.Kind == Answer && m.Model != synthetic }

// Quote is the text of one block, as a person would paste it; "" when it has none.
//
//   - A text or a thought is what was written; of a prompt, what the person typed.
//   - A notice is its text, else its title.
//   - A call that changed a file is the change as a unified diff when the client kept one, else the new text.
//   - Any other call is its command, or what it was told, and behind a blank line what came back.
//   - A result whose call is not here is its text, a block of unknown type its JSON.
func (m *Message) Quote(block int) string {
	if block < 0 || block >= len(m.Blocks) {
		return ""
	}
	b := &m.Blocks[block]
	switch b.Kind {
	case BlockText:
		if m.Role == RoleUser {
			return PromptText(b.Text)
		}
		return b.Text
	case BlockThinking:
		return b.Text
	case BlockToolUse:
		return quoteCall(b, m.result(b.ID))
	case BlockToolResult:
		if b.changed() {
			return diff("", b.Patch)
		}
		return b.Text
	case BlockNotice:
		return cmp.Or(b.Text, b.Title, b.Name)
	case BlockImage, BlockDocument:
		return ""
	case BlockUnknown:
	}
	return string(b.Raw)
}

// Target is the file that a tool call is about and the line in it, from 1: that of the first change, or where
// reading began; 0 unknown. The path is foreign and as the call has it, maybe relative to the session's folder. It is
// "" for any other block, and for a search, which is about many files (tools of clients 1.0.0 to 2.1.330).
func (m *Message) Target(block int) (file string, line int) {
	if block < 0 || block >= len(m.Blocks) || m.Blocks[block].Kind != BlockToolUse {
		return "", 0
	}
	b := &m.Blocks[block]
	if b.Name == "Grep" || b.Name == "Glob" || b.Name == "LS" {
		return "", 0
	}
	in := inputOf(b.Input)
	for _, name := range [...]string{"file_path", "notebook_path", "filePath", "path"} {
		if file = in.str(name); !isBlank(file) {
			break
		}
	}
	r := m.result(b.ID)
	switch {
	case isBlank(file):
		return "", 0
	case r != nil && r.changed():
		return file, r.Patch[0].firstChange()
	case b.Name == "Read":
		return file, in.line("offset")
	case b.Name == "LSP":
		return file, in.line("line")
	}
	return file, 0
}

// result finds what came back from a call; nil when it is not here.
func (m *Message) result(call string) *Block {
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == BlockToolResult && call != "" && b.CallID == call {
			return b
		}
	}
	return nil
}

// changed reports whether a result says what was changed in a file.
func (b *Block) changed() bool { return len(b.Patch) > 0 && !b.Failed }

func quoteCall(b, result *Block) string {
	in := inputOf(b.Input)
	text, writes := in.written(b.Name)
	switch {
	case result != nil && result.changed():
		return diff(in.str("file_path"), result.Patch)
	case writes && (result == nil || !result.Failed): // the result only says that it was done
		return text
	case writes:
	case in == nil:
		text = string(b.Input)
	default:
		text = in.told()
	}
	if result == nil || isBlank(result.Text) {
		return text
	}
	if isBlank(text) {
		return result.Text
	}
	return text + "\n\n" + result.Text
}

// input is what a call was told, in the order of the file.
type input []parameter

type parameter struct {
	name string
	raw  json.RawMessage
}

// inputOf returns the parameters of a call, nil when its input is no object.
func inputOf(raw json.RawMessage) input {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	in := input{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil
		}
		p := parameter{}
		p.name, _ = name.(string)
		if dec.Decode(&p.raw) != nil {
			return nil
		}
		in = append(in, p)
	}
	return in
}

// value is the last parameter of a name, nil without one.
func (in input) value(name string) json.RawMessage {
	for _, p := range slices.Backward(in) {
		if p.name == name {
			return p.raw
		}
	}
	return nil
}

// str is a parameter that is a string, "" when it is none.
func (in input) str(name string) string { return stringOf(in.value(name)) }

// line is a parameter that is the number of a line; 0 when it is none. One file of an old client has it as a string.
func (in input) line(name string) int {
	n, err := strconv.Atoi(strings.Trim(string(in.value(name)), `"`))
	if err != nil {
		return 0
	}
	return lineNumber(n)
}

// lineNumber is n, or 0 where no file has such a line.
func lineNumber(n int) int {
	const most = 1 << 30
	if n < 1 || n > most {
		return 0
	}
	return n
}

// written is the text that a call puts into a file; false for tools that do not, and for an input that is not what
// it should be.
func (in input) written(tool string) (string, bool) {
	text := ""
	switch tool {
	case "Edit":
		text = in.str("new_string")
	case "Write":
		text = in.str("content")
	case "NotebookEdit":
		text = in.str("new_source")
	case "MultiEdit":
		var edits []struct {
			New string `json:"new_string"`
		}
		if json.Unmarshal(in.value("edits"), &edits) != nil {
			return "", false
		}
		var texts []string
		for _, e := range edits {
			texts = append(texts, e.New)
		}
		text = strings.Join(texts, "\n\n")
	}
	return text, text != ""
}

// told is the command of a call, its only word, or its parameters, one a line.
func (in input) told() string {
	if command := in.str("command"); command != "" {
		return command
	}
	lines := make([]string, len(in))
	for i, p := range in {
		value := string(p.raw)
		if p.raw[0] == '"' {
			value = stringOf(p.raw)
		}
		if len(in) == 1 {
			return value
		}
		lines[i] = p.name + ": " + value
	}
	return strings.Join(lines, "\n")
}

// diff is a change in the unified format. The lengths in it are counted: those of the file need not fit its lines.
func diff(path string, hunks []Hunk) string {
	var b strings.Builder
	if path != "" {
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", path, path)
	}
	for i := range hunks {
		h := &hunks[i]
		before, after := 0, 0
		for _, l := range h.Lines {
			switch sign(l) {
			case '+':
				after++
			case '-':
				before++
			case ' ':
				before++
				after++
			}
		}
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", h.OldStart, before, h.NewStart, after)
		for _, l := range h.Lines {
			if l == "" {
				l = " "
			}
			b.WriteString(l + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// sign is what a line of a hunk begins with. One without a sign is a line that stays.
func sign(l string) byte {
	if l != "" && strings.IndexByte("+-\\", l[0]) >= 0 {
		return l[0]
	}
	return ' '
}

// firstChange is the number of the first line that was changed, after the change; 0 unknown.
func (h *Hunk) firstChange() int {
	same := 0
	for _, l := range h.Lines {
		if s := sign(l); s == '+' || s == '-' {
			break
		} else if s == ' ' {
			same++
		}
	}
	if lineNumber(h.NewStart) == 0 {
		return 0
	}
	return lineNumber(h.NewStart + same)
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
