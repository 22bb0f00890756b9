package talk

import (
	"bytes"
	"encoding/json"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Find returns the indexes of the blocks that contain the needle, in order. A result counts as the block of its call.
// For a message that is one part, Find returns -1.
func Find(n render.Needle, m *transcript.Message) []int {
	var found []int
	add := func(block int) {
		if len(found) == 0 || found[len(found)-1] != block {
			found = append(found, block)
		}
	}
	whole := m.Kind == transcript.Notice || m.Kind == transcript.Summary || m.Kind == transcript.System || m.Kind == transcript.Boundary
	for i := range m.Blocks {
		b := &m.Blocks[i]
		switch {
		// The result is searched together with its call.
		case b.Kind == transcript.BlockToolResult && answers(m, b.CallID):
		case !inBlock(n, m, b):
		case whole && b.Kind == transcript.BlockText:
			add(-1)
		default:
			add(i)
		}
	}
	return found
}

func inBlock(n render.Needle, m *transcript.Message, b *transcript.Block) bool {
	if b.Kind == transcript.BlockNotice {
		words, text := noticeWords(b, wholePath)
		return n.In(words) || n.In(text)
	}
	if n.In(b.Text) || n.In(b.Name) || n.In(b.Reason) || len(b.Input) > 0 && inJSON(n, b.Input) || len(b.Raw) > 0 && inJSON(n, b.Raw) {
		return true
	}
	if b.Kind != transcript.BlockToolUse {
		return false
	}
	for i := range m.Blocks {
		if r := &m.Blocks[i]; r.Kind == transcript.BlockToolResult && r.CallID == b.ID && n.In(r.Text) {
			return true
		}
	}
	return false
}

// inJSON reports whether a string in a JSON value contains the needle. Escapes are resolved first.
func inJSON(n render.Needle, raw json.RawMessage) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		if s, ok := token.(string); ok && n.In(s) {
			return true
		}
	}
}
