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

// ErrNoMessage is returned by Page for a message that the session doesn't show.
var ErrNoMessage = errors.New("the session doesn't show this message")

// record is one record of a message. A message has one or more records.
type record struct {
	id    string
	shown bool                  // a prompt, a command of the user or a part of an answer, in the main thread
	ref   transcript.MessageRef // the message with only this record
}

// recordsIn returns the records of the messages of an outline, in reading order.
func recordsIn(o *transcript.Outline) []record {
	list := make([]record, 0, len(o.Records))
	for _, ref := range o.Messages {
		for i, n := range ref.Records {
			r, one := &o.Records[n], ref
			// A command's output is in the same message, but isn't shown.
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

// MessagesOf converts the records of a Keeper; see keeper.Session.
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

// Thread is the main thread of a transcript, as Claude Code shows it, at the time of Read.
type Thread struct {
	transcript *transcript.Transcript
	known      map[string]bool // IDs of all records of all threads
	shown      []record
}

// Read returns the thread of a transcript, which may be nil. The transcript must stay open while pages are read.
func Read(t *transcript.Transcript) *Thread {
	th := &Thread{transcript: t, known: map[string]bool{}}
	if t == nil {
		return th
	}
	var all []record
	t.View(func(o *transcript.Outline) { all = recordsIn(o) })
	for _, r := range all {
		if th.known[r.id] = true; r.shown {
			th.shown = append(th.shown, r)
		}
	}
	return th
}

// Page returns the last messages before the message with the ID before. If before is "", it returns the last messages
// of all. There are at most limit messages, oldest first. more is true if there are older ones.
//
// records are the Records of the keeper.Session. Read them after the transcript. Records that are missing in the
// transcript follow its messages. An unreadable record is left out, and err is the reason. err is ErrNoMessage if the
// session doesn't show the message before.
func (th *Thread) Page(records []json.RawMessage, before string, limit int) (page []Message, more bool, err error) {
	page, shown := MessagesOf(keeper.Join(func(uuid string) bool { return th.known[uuid] }, records)), th.shown
	if before != "" {
		i := slices.IndexFunc(page, func(m Message) bool { return m.ID == before })
		k := slices.IndexFunc(shown, func(r record) bool { return r.id == before })
		switch {
		case i >= 0:
			page = page[:i]
		case k >= 0:
			page, shown = []Message{}, shown[:k]
		default:
			return nil, false, ErrNoMessage
		}
	}
	slices.Reverse(page)
	for i := len(shown) - 1; i >= 0 && len(page) <= limit; i-- {
		m, failed := messageOf(th.transcript, shown[i])
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

// messageOf returns the message of a record, with the values of `continuo show --json`. Content is nil for a record
// without text and tool calls.
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
