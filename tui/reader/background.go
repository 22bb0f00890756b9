package reader

import (
	"bytes"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
)

// callOfNotice returns the ID of the call that started the task of the selected notification. It returns "" if the
// selected part isn't a notification.
func (r *pane) callOfNotice() string {
	e := r.cache.messages[r.bar.message]
	if e == nil {
		return ""
	}
	block := r.part(r.bar).Block
	if block < 0 || block >= len(e.msg.Blocks) || e.msg.Blocks[block].Notice != transcript.NoticeTask {
		return ""
	}
	return e.msg.Blocks[block].CallID
}

// toStart looks for the call with an ID, before the bar.
func (r *pane) toStart(id string) tea.Cmd { return r.toCall(calling(id, -1)) }

// calling returns the input of a search for the call with an ID.
func calling(id string, step int) seeking {
	return seeking{
		step:     step,
		contains: func(line []byte) bool { return bytes.Contains(line, []byte(id)) },
		is: func(m *transcript.Message, block int) bool {
			return m.Blocks[block].Kind == transcript.BlockToolUse && m.Blocks[block].ID == id
		},
		none: "The call is not in this file.",
	}
}

// isRunning reports whether a message has a call that runs in the background. The notification of such a call
// changes the line of the call.
func isRunning(m *transcript.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b transcript.Block) bool {
		c := transcript.Call{Result: &b}
		d := c.Details()
		return d.Background && d.End == nil
	})
}
