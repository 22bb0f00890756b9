package transcript

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
)

// synthetic is the model name of messages that the client wrote, such as "No response requested." (client 2.1.330).
const synthetic = "<synthetic>"

// Said returns the texts of an answer, separated by blank lines; "" for other messages and for text of the client.
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

// Code returns the content of the last non-empty fenced code block of an answer, without the final newline.
func (m *Message) Code() string {
	if m.answers() {
		for _, b := range slices.Backward(m.Blocks) {
			if b.Kind != BlockText {
				continue
			}
			if code := mark.LastFenced(b.Text); code != "" {
				return code
			}
		}
	}
	return ""
}

func (m *Message) answers() bool { return m.Kind == Answer && m.Model != synthetic }

// Quote returns the text of a block for pasting; "" if it has none:
//
//   - Text or a thought: the text. Of a prompt, only the text that the user typed.
//   - A notice: its text or, without one, its title.
//   - A call that changed a file: the change as a unified diff, or the new text.
//   - Any other call: its command or parameters, and after a blank line its result.
//   - A result without its call: its text. A block of unknown type: its JSON.
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
		c := m.Call(block)
		return c.quote()
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

// Target returns the file and the line of a tool call; see Call.File. For any other block, the file is "".
func (m *Message) Target(block int) (file string, line int) {
	if block < 0 || block >= len(m.Blocks) || m.Blocks[block].Kind != BlockToolUse {
		return "", 0
	}
	c := m.Call(block)
	return c.File()
}

// changed reports whether a block is a successful result with a patch.
func (b *Block) changed() bool { return len(b.Patch) > 0 && !b.Failed }

func (c *Call) quote() string {
	text := c.Written()
	switch result := c.Result; {
	case result != nil && result.changed():
		return diff(c.Params.String("file_path"), result.Patch)
	case text != "" && (result == nil || !result.Failed): // the result only reports success
		return text
	case text != "":
	case c.Params == nil:
		text = string(c.Input)
	default:
		text = c.Params.text()
	}
	if c.Result == nil || isBlank(c.Result.Text) {
		return text
	}
	if isBlank(text) {
		return c.Result.Text
	}
	return text + "\n\n" + c.Result.Text
}

// text returns the command of a call, its only parameter, or all parameters on one line each.
func (ps Params) text() string {
	if command := ps.String("command"); command != "" {
		return command
	}
	lines := make([]string, len(ps))
	for i, p := range ps {
		value := string(p.Raw)
		if p.Raw[0] == '"' {
			value = p.Text()
		}
		if len(ps) == 1 {
			return value
		}
		lines[i] = p.Key + ": " + value
	}
	return strings.Join(lines, "\n")
}

// diff returns hunks as a unified diff. It counts the lines, because OldLines and NewLines may be wrong.
func diff(path string, hunks []Hunk) string {
	var b strings.Builder
	if path != "" {
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", path, path)
	}
	for i := range hunks {
		h := &hunks[i]
		before, after := 0, 0
		for _, l := range h.Lines {
			switch signOf(l) {
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

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
