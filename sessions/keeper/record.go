package keeper

import (
	"bytes"
	"encoding/json"
)

// asRecord returns a message of the stream as a record of a transcript. The stream names some fields differently and
// leaves out the links: parent is the UUID of the message before it.
func asRecord(line []byte, parent, session, dir string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(line, &fields) != nil {
		return bytes.Clone(line)
	}
	set := func(key string, value any) { fields[key], _ = json.Marshal(value) } // strings and nil can be encoded
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

// uuidOf returns the UUID of a record; "" if it has none.
func uuidOf(record []byte) string {
	var r struct {
		UUID string `json:"uuid"`
	}
	_ = json.Unmarshal(record, &r) // a record without a UUID has none
	return r.UUID
}

// Join returns those records of a session that its transcript doesn't have yet, in order. The transcript and the stream
// have the same UUIDs, so two equal messages stay two messages.
func Join(has func(uuid string) bool, records []json.RawMessage) []json.RawMessage {
	var missing []json.RawMessage
	for _, r := range records {
		if !has(uuidOf(r)) {
			missing = append(missing, r)
		}
	}
	return missing
}
