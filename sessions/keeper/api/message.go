package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/export"
)

// ErrNoMessage is returned for a page before a message that the session doesn't show.
var ErrNoMessage = errors.New("the session doesn't show this message")

// record is one record of a message of a transcript.
type record struct {
	id    string
	shown bool                  // it is a prompt, a command of the user, or a part of an answer, in the main thread
	ref   transcript.MessageRef // the message with only this record
}

// recordsIn returns the records of the messages of an outline, in reading order.
func recordsIn(o *transcript.Outline) []record {
	list := make([]record, 0, len(o.Records))
	for _, ref := range o.Messages {
		for i, n := range ref.Records {
			r, one := &o.Records[n], ref
			// The output of a command is a part of its message, and has another kind.
			shown := ref.Thread == 0 && (ref.Kind == transcript.Answer || r.Kind == transcript.KindPrompt || r.Has(transcript.FlagCommand) || r.Has(transcript.FlagFeedback))
			one.Time, one.Records = r.Time, ref.Records[i:i+1]
			id := o.Name(r.UUID)
			if id == "" {
				id = fmt.Sprintf("@%d", r.Offset)
			}
			list = append(list, record{id, shown, one})
		}
	}
	return list
}

// MessagesOf returns the messages of records. A Keeper has such records; see keeper.Session.
func MessagesOf(records []json.RawMessage) []Message {
	list := []Message{}
	for _, raw := range records {
		t, err := transcript.New(context.Background(), bytes.NewReader(raw))
		if err != nil {
			continue // can't happen: reading from memory doesn't fail
		}
		for _, r := range recordsIn(t.Outline()) {
			if m, _ := messageOf(t, r); r.shown && m.Content != nil {
				list = append(list, m)
			}
		}
	}
	return list
}

// Messages returns a page of the thread that Claude Code shows: the last messages before the message with the ID before,
// or the last messages if before is "". It returns at most limit messages, the oldest first. more reports whether there
// are older ones.
//
// t is nil if there is no transcript. records are those of the Keeper that drives the session. Records that t doesn't
// have yet follow the messages of t. A record that can no longer be read is left out, and err is the reason. If before
// isn't shown, err is ErrNoMessage.
func Messages(t *transcript.Transcript, records []json.RawMessage, before string, limit int) (page []Message, more bool, err error) {
	page = []Message{} // [] in JSON, and not null
	var written []record
	if t != nil {
		t.View(func(o *transcript.Outline) { written = recordsIn(o) })
	}
	if len(records) > 0 {
		known := make(map[string]bool, len(written))
		for i := range written {
			known[written[i].id] = true
		}
		page = MessagesOf(keeper.Join(func(uuid string) bool { return known[uuid] }, records))
	}
	written = slices.DeleteFunc(written, func(r record) bool { return !r.shown })
	if before != "" {
		i := slices.IndexFunc(page, func(m Message) bool { return m.ID == before })
		k := slices.IndexFunc(written, func(r record) bool { return r.id == before })
		switch {
		case i >= 0:
			page = page[:i]
		case k >= 0:
			page, written = page[:0], written[:k]
		default:
			return nil, false, ErrNoMessage
		}
	}
	slices.Reverse(page)
	for i := len(written) - 1; i >= 0 && len(page) <= limit; i-- {
		m, failed := messageOf(t, written[i])
		if err = errors.Join(err, failed); m.Content != nil {
			page = append(page, m)
		}
	}
	if more = len(page) > limit; more {
		page = page[:limit]
	}
	slices.Reverse(page)
	return page, more, err
}

// messageOf returns the message of a record, with the values of `show --json`. Its Content is nil if the record has
// neither text nor tool calls.
func messageOf(t *transcript.Transcript, r record) (Message, error) {
	decoded := t.Decode(&r.ref, "")
	if decoded.Err != "" {
		return Message{}, errors.New(decoded.Err)
	}
	values := export.NewMessage(&decoded)
	m := Message{ID: r.id, Role: string(values.Role), Timestamp: values.Time}
	for i := range values.Blocks {
		switch b := &values.Blocks[i]; b.Kind {
		case transcript.BlockText:
			if text := transcript.PromptText(b.Text); text != "" {
				m.Content = append(m.Content, Block{Type: "text", Text: text})
			}
		case transcript.BlockToolUse:
			m.Content = append(m.Content, Block{Type: "tool_use", ID: b.ID, Name: b.Name, Input: b.Input})
		case transcript.BlockImage, transcript.BlockDocument:
			m.Content = append(m.Content, Block{Type: "text", Text: "[" + string(b.Kind) + "]"})
		case transcript.BlockThinking, transcript.BlockToolResult, transcript.BlockNotice, transcript.BlockUnknown:
		}
	}
	return m, nil
}
