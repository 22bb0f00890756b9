package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// readOutline reads a document and draws its sections, as many lines as there is room for, and lets the file go.
func readOutline(ctx context.Context, source Source, row sessions.Row, o talk.Options, rows, gen int) tea.Cmd {
	return func() tea.Msg {
		doc, err := source.Open(ctx, row)
		if err != nil {
			return previewedMsg{gen: gen, err: err}
		}
		msg := previewedMsg{gen: gen, total: len(doc.Outline())}
		msgs := func(yield func(transcript.Message) bool) {
			for from := 0; from < msg.total && msg.err == nil; from += sectionsAtOnce {
				var part []transcript.Message
				part, msg.err = doc.Messages(ctx, from, min(from+sectionsAtOnce, msg.total))
				for i := range part {
					if msg.shown++; !yield(part[i]) {
						return
					}
				}
			}
		}
		msg.lines = opened.Draw(opened.Sections(msgs), &row, rows, o)
		if closing := doc.Close(); msg.err == nil {
			msg.err = closing
		}
		return msg
	}
}

// sectionsAtOnce is how many sections the preview reads at once: a document of spec 000 has thirteen.
const sectionsAtOnce = 16

// todoLine finds the line of a document that something open is in.
func todoLine(source Source, row sessions.Row, text string) func(context.Context) (string, int, error) {
	return func(ctx context.Context) (string, int, error) {
		line := 0
		if doc, err := source.Open(ctx, row); err == nil {
			d := opened.New(doc)
			_, line = d.Find(ctx, 0, len(doc.Outline()), text)
			if err := d.Close(); err != nil {
				return "", 0, err
			}
		}
		return row.Path, line, nil
	}
}
