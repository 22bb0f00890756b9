package show

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// messageJSON is one line of show --json.
type messageJSON struct {
	ID     string             `json:"id"`
	Role   transcript.Role    `json:"role"`
	Kind   string             `json:"kind"`
	Time   out.Time           `json:"time"`
	Model  string             `json:"model"`
	Thread string             `json:"thread"`
	Gap    bool               `json:"gap"`
	Blocks []transcript.Block `json:"blocks"`
	Error  string             `json:"error,omitempty"` // why the message is incomplete
}

// CountsJSON is the last line of show --json. It accounts for every line of the file.
type CountsJSON struct {
	Records    map[string]int `json:"records"`
	Unparsed   int            `json:"unparsed"`
	NotObjects int            `json:"notObjects"`
}

// showJSON prints all messages of all threads, one per line, and the counts.
func showJSON(ctx context.Context, o *out.Output, row *sessions.Row, doc place.SourceDoc) error {
	text, isDocument := doc.Markdown()
	err := error(nil)
	if isDocument { // one text; the reader splits it into sections
		err = o.PrintJSON(messageJSON{
			ID: row.ID, Kind: string(sessions.KindDocument), Time: out.Time(row.When()),
			Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: text}},
		})
	} else {
		err = eachChunk(o, ctx, doc, func(_ int, messages []transcript.Message) error {
			for i := range messages {
				if err := o.PrintJSON(newMessageJSON(&messages[i])); err != nil {
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
			return &out.Failure{What: "The rest cannot be read: " + out.Reason(err) + ". Check the file and run it again.", Cause: err}
		}
		if err := do(from, messages); err != nil {
			return err
		}
	}
	return nil
}

func newMessageJSON(m *transcript.Message) messageJSON {
	j := messageJSON{
		ID: m.ID, Role: m.Role, Kind: kindName(m.Kind), Time: out.Time(m.Time), Model: m.Model,
		Thread: m.Thread, Gap: m.Gap, Blocks: make([]transcript.Block, len(m.Blocks)), Error: m.Err,
	}
	for i, b := range m.Blocks {
		b.Input, b.Raw = validJSON(b.Input), validJSON(b.Raw)
		j.Blocks[i] = b
	}
	return j
}

// validJSON returns raw, or raw as a JSON string if it isn't valid JSON, such as a truncated value.
func validJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || json.Valid(raw) {
		return raw
	}
	text, err := json.Marshal(strings.ToValidUTF8(string(raw), "\uFFFD"))
	if err != nil {
		return nil
	}
	return text
}

// kindName returns the kind of a message for JSON.
func kindName(k transcript.MessageKind) string {
	switch k {
	case transcript.Prompt:
		return "prompt"
	case transcript.Answer:
		return "answer"
	case transcript.Notice:
		return "notice"
	case transcript.Boundary:
		return "boundary"
	case transcript.Summary:
		return "summary"
	case transcript.System:
		return "system"
	}
	return "unknown"
}
