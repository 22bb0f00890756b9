package preview

import (
	"context"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

const (
	tail  = 12 // messages at the end of a conversation that are read
	ahead = 16 // sections that are read at once; a document of spec 000 has thirteen
)

// Source opens the file of a row.
type Source interface {
	Open(ctx context.Context, row sessions.Row) (opened.Doc, error)
}

// Shown has the lines of a row, the number of messages in them, and the total number of messages.
type Shown struct {
	Lines        []string
	Shown, Total int
	Err          error
}

// Read opens the file of a row, draws about rows lines of the end of a conversation or of the start of a document, and
// closes the file.
func Read(ctx context.Context, source Source, row sessions.Row, o talk.Options, rows int) (s Shown) {
	doc, err := source.Open(ctx, row)
	if err != nil {
		return Shown{Err: err}
	}
	if row.Kind == sessions.KindDocument {
		s = readDocument(ctx, doc, &row, o, rows)
	} else {
		s = readEnd(ctx, doc, o, rows)
	}
	if closing := doc.Close(); s.Err == nil {
		s.Err = closing
	}
	return s
}

func readEnd(ctx context.Context, doc opened.Doc, o talk.Options, rows int) Shown {
	last := opened.MainEnd(doc.Outline(), doc.Threads()) + 1
	msgs, err := doc.Messages(ctx, max(last-tail, 0), last)
	return Shown{Lines: drawUp(msgs, rows, o), Shown: len(msgs), Total: last, Err: err}
}

// drawUp draws the last messages. It starts at the end and stops when there are enough lines.
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

func readDocument(ctx context.Context, doc opened.Doc, row *sessions.Row, o talk.Options, rows int) Shown {
	s := Shown{Total: len(doc.Outline())}
	msgs := func(yield func(transcript.Message) bool) {
		for from := 0; from < s.Total && s.Err == nil; from += ahead {
			var part []transcript.Message
			part, s.Err = doc.Messages(ctx, from, min(from+ahead, s.Total))
			for i := range part {
				if s.Shown++; !yield(part[i]) {
					return
				}
			}
		}
	}
	s.Lines = opened.Draw(opened.Sections(msgs), row, rows, o)
	return s
}
