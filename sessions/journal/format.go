package journal

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

const (
	version = 2
	// maxEntry is the limit of an entry in bytes: 200,000 ops of 300 bytes. An entry keeps at most 1 MB of one file.
	maxEntry = 64 << 20
)

// file is an entry in JSON.
type file struct {
	Version int               `json:"version"`
	Kind    Kind              `json:"kind"`
	At      time.Time         `json:"at"`
	What    string            `json:"what"`
	Where   []change.Verbatim `json:"where"`
	Ops     []change.Op       `json:"ops,omitempty"`
	Stuck   bool              `json:"stuck,omitempty"`
	Of      string            `json:"of"`
	Done    bool              `json:"done"`
	Undone  string            `json:"undone"`
}

// encode returns an entry as JSON. It keeps the unknown fields of before, the previous JSON.
func (e *Entry) encode(before []byte) ([]byte, error) {
	f := file{
		Version: version, Kind: e.Kind, At: e.At.UTC(), What: e.What, Of: e.Of, Done: e.Done, Undone: e.Undone, Ops: e.Ops, Stuck: e.Stuck,
		Where: []change.Verbatim{},
	}
	for _, dir := range e.Where {
		f.Where = append(f.Where, change.Verbatim(dir))
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	var ours, all map[string]json.RawMessage
	if err := json.Unmarshal(text, &ours); err != nil {
		return nil, err
	}
	_ = json.Unmarshal(before, &all) // if the previous JSON can't be parsed, it has no fields to keep
	for name := range all {
		for own := range ours {
			if strings.EqualFold(name, own) { // encoding/json would decode the key into this field
				delete(all, name)
			}
		}
	}
	for name, value := range all {
		ours[name] = value
	}
	text, err = json.MarshalIndent(ours, "", "  ")
	if err == nil && len(text) >= maxEntry {
		err = errTooLarge
	}
	return append(text, '\n'), err
}

// decode parses the JSON of an entry. The error wraps errNotEntry, or is that of encoding/json.
func decode(id string, text []byte) (Entry, error) {
	at, kind, _, ok := parseID(id)
	if !ok {
		return Entry{}, errNotEntry
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return Entry{}, err
	}
	if f.Version != version {
		return Entry{}, fmt.Errorf("version %d: %w", f.Version, errNotEntry)
	}
	if f.Kind != kind || !f.At.Equal(at) {
		return Entry{}, fmt.Errorf("%q of %s: %w", f.Kind, f.At.Format(time.RFC3339), errNotEntry)
	}
	e := Entry{ID: id, At: at, Kind: kind, What: f.What, Of: f.Of, Done: f.Done, Undone: f.Undone, Ops: f.Ops, Stuck: f.Stuck}
	for _, dir := range f.Where {
		e.Where = append(e.Where, string(dir))
	}
	if len(e.Ops) == 0 {
		e.Ops = nil
	}
	return e, e.check()
}
