package show

import (
	"context"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/dropped"
	"github.com/continuo-tui/continuo/transcript/export"
)

// CountsJSON is the last line of show --json. It counts the file's lines by content.
type CountsJSON struct {
	Records    map[string]int `json:"records"`
	Unparsed   int            `json:"unparsed"`
	NotObjects int            `json:"notObjects"`
}

// showJSON prints all messages, one on each line, and the counts.
func showJSON(ctx context.Context, o *out.Output, row *sessions.Row, doc place.SourceDoc) error {
	text, isDocument := doc.Markdown()
	err := error(nil)
	if isDocument { // only the reader shows sections
		m := export.NewMessage(&transcript.Message{
			ID: row.ID, Time: row.When(), Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: text}},
		})
		m.Kind = string(sessions.KindDocument)
		err = o.PrintJSON(m)
	} else {
		lists := dropped.NewLists(doc.Outline())
		err = eachChunk(o, ctx, doc, func(from int, messages []transcript.Message) error {
			for i := range messages {
				m := export.NewMessage(&messages[i])
				m.Dropped = lists.Add(from+i, &messages[i])
				if err := o.PrintJSON(m); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	c := doc.Counts()
	counts := CountsJSON{Records: c.Types, Unparsed: c.Unparsed, NotObjects: c.NotObjects}
	if counts.Records == nil {
		counts.Records = map[string]int{}
	}
	return o.PrintJSON(counts)
}

// eachChunk decodes the messages of a document in chunks.
func eachChunk(s *out.Output, ctx context.Context, doc place.SourceDoc, do func(from int, messages []transcript.Message) error) error {
	n := len(doc.Outline())
	for from := 0; from < n && s.Out.Failed == nil; from += showChunk {
		messages, err := doc.Messages(ctx, from, min(from+showChunk, n))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return &out.Failure{What: "The other messages cannot be read: " + out.Reason(err) + ". Check the file, and run the command again.", Cause: err}
		}
		if err := do(from, messages); err != nil {
			return err
		}
	}
	return nil
}
