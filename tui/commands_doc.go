package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// previewTail is how many messages at the end of a conversation the preview reads.
const previewTail = 12

// readPreview reads the end of a conversation, draws as much as there is room for and lets the file go.
func readPreview(ctx context.Context, source Source, row sessions.Row, o talk.Options, rows, gen int) tea.Cmd {
	return func() tea.Msg {
		doc, err := source.Open(ctx, row)
		if err != nil {
			return previewedMsg{gen: gen, err: err}
		}
		msg := previewedMsg{gen: gen}
		refs := doc.Outline()
		last := opened.MainEnd(refs, doc.Threads()) + 1
		msgs, err := doc.Messages(ctx, max(last-previewTail, 0), last)
		if closing := doc.Close(); err == nil {
			err = closing
		}
		msg.shown, msg.total, msg.err, msg.lines = len(msgs), last, err, drawUp(msgs, rows, o)
		return msg
	}
}

// drawUp draws the last messages, from the end until there are enough lines: what nobody sees is not rendered.
func drawUp(msgs []transcript.Message, rows int, o talk.Options) []string {
	var lines []string
	for i := len(msgs) - 1; i >= 0 && len(lines) < rows; i-- {
		after := talk.Start
		if i > 0 {
			after = talk.End(&msgs[i-1])
		}
		lines = append(talk.Message(&msgs[i], after, o), lines...)
	}
	return lines
}
