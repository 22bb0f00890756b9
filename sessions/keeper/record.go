package keeper

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/continuo-tui/continuo/transcript"
)

// asRecord returns a message of the stream as a record of a transcript. Some fields have other names in the stream,
// and links are missing. parent is the UUID of the previous message.
func asRecord(line []byte, parent, session, dir string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(line, &fields) != nil {
		return bytes.Clone(line)
	}
	set := func(key string, value any) { fields[key], _ = json.Marshal(value) } // encoding a string or nil never fails
	if result, ok := fields["tool_use_result"]; ok {
		fields["toolUseResult"] = result
	}
	set("sessionId", session)
	set("cwd", dir)
	if set("parentUuid", nil); parent != "" {
		set("parentUuid", parent)
	}
	for _, key := range []string{"tool_use_result", "session_id", "parent_tool_use_id", "isReplay"} {
		delete(fields, key)
	}
	record, err := json.Marshal(fields)
	if err != nil {
		return bytes.Clone(line) // can't happen: the fields come from JSON
	}
	return record
}

// uuidOf returns the UUID of a record, or "".
func uuidOf(record []byte) string {
	var r struct {
		UUID string `json:"uuid"`
	}
	_ = json.Unmarshal(record, &r) // a record without a UUID has none
	return r.UUID
}

// Messages decodes records as the messages of a conversation. It leaves out tool results without their call.
func Messages(records []json.RawMessage) (messages []transcript.Message) {
	if len(records) == 0 {
		return nil
	}
	text := make([][]byte, len(records))
	for i := range records {
		text[i] = records[i]
	}
	t, err := transcript.New(context.Background(), bytes.NewReader(bytes.Join(text, []byte("\n"))))
	if err != nil {
		return nil // can't happen: reading memory never fails
	}
	for i := range t.Outline().Messages {
		m := t.Message(i)
		m.Gap = false // the messages before these records are in the transcript
		if m.Kind == transcript.Prompt || m.Kind == transcript.Answer {
			messages = append(messages, m)
		}
	}
	return messages
}

// Join returns the records that a transcript doesn't have yet. has reports whether the transcript has the record with
// a UUID. The client writes in order, so these records follow the last one that the transcript has. Equal texts have
// different UUIDs.
func Join(has func(uuid string) bool, records []json.RawMessage) []json.RawMessage {
	for i := len(records); i > 0; i-- {
		if has(uuidOf(records[i-1])) {
			return records[i:]
		}
	}
	return records
}
