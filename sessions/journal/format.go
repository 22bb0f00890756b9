package journal

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	version = 1
	// maxEntry bounds a file: a save keeps two documents of 1 MB, and a deed or a backup takes some 250 bytes, so that
	// is 30,000 of them.
	maxEntry = 8 << 20
)

// file is an entry as its file has it.
type file struct {
	Version int       `json:"version"`
	Kind    Kind      `json:"kind"`
	At      time.Time `json:"at"`
	What    string    `json:"what"`
	Where   []exact   `json:"where"`
	Deeds   []deed    `json:"deeds"`
	Made    []made    `json:"made"`
	Of      string    `json:"of"`
	Done    bool      `json:"done"`
	Undone  string    `json:"undone"`
}

type deed struct {
	Project exact `json:"project"`
	ID      exact `json:"id"`
}

type made struct {
	Path   exact  `json:"path"`
	Sum    string `json:"sha256"`
	Before []byte `json:"before"`
	Mode   uint32 `json:"mode"`
}

// exact is a text that comes back byte for byte. JSON has no form for a path that is not UTF-8.
type exact string

type exactBytes struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON writes a string, or an object where that would change it.
func (e exact) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(e)) {
		return json.Marshal(string(e))
	}
	return json.Marshal(exactBytes{[]byte(e)})
}

// UnmarshalJSON reads both.
func (e *exact) UnmarshalJSON(data []byte) error {
	if strings.HasPrefix(string(data), "{") {
		var b exactBytes
		err := json.Unmarshal(data, &b)
		*e = exact(b.Base64)
		return err
	}
	return json.Unmarshal(data, (*string)(e))
}

// encode is an entry as its file has it. What else the file had before is kept.
func (e *Entry) encode(before []byte) ([]byte, error) {
	f := file{
		Version: version, Kind: e.Kind, At: e.At.UTC(), What: e.What, Of: e.Of, Done: e.Done, Undone: e.Undone,
		Where: []exact{}, Deeds: []deed{}, Made: []made{},
	}
	for _, dir := range e.Where {
		f.Where = append(f.Where, exact(dir))
	}
	for _, d := range e.Deeds {
		f.Deeds = append(f.Deeds, deed{exact(d.Project), exact(d.ID)})
	}
	for _, m := range e.Made {
		f.Made = append(f.Made, made{exact(m.Path), m.Sum, m.Before, m.Mode})
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	var ours, all map[string]json.RawMessage
	if err := json.Unmarshal(text, &ours); err != nil {
		return nil, err
	}
	_ = json.Unmarshal(before, &all) // what cannot be read is written anew
	for name := range all {
		for own := range ours {
			if strings.EqualFold(name, own) { // it would be read as this one
				delete(all, name)
			}
		}
	}
	for name, value := range all {
		ours[name] = value
	}
	text, err = json.MarshalIndent(ours, "", "  ")
	if err == nil && len(text) >= maxEntry {
		err = ErrTooLarge
	}
	return append(text, '\n'), err
}

// decode reads what encode wrote, of the entry with an id. The error wraps ErrNotEntry or is that of JSON.
func decode(id string, text []byte) (Entry, error) {
	at, kind, _, ok := parseID(id)
	if !ok {
		return Entry{}, ErrNotEntry
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return Entry{}, err
	}
	if f.Version != version {
		return Entry{}, fmt.Errorf("version %d: %w", f.Version, ErrNotEntry)
	}
	if f.Kind != kind || !f.At.Equal(at) {
		return Entry{}, fmt.Errorf("%q of %s: %w", f.Kind, f.At.Format(time.RFC3339), ErrNotEntry)
	}
	e := Entry{ID: id, At: at, Kind: kind, What: f.What, Of: f.Of, Done: f.Done, Undone: f.Undone}
	for _, dir := range f.Where {
		e.Where = append(e.Where, string(dir))
	}
	for _, d := range f.Deeds {
		e.Deeds = append(e.Deeds, Deed{string(d.Project), string(d.ID)})
	}
	for _, m := range f.Made {
		e.Made = append(e.Made, Made{string(m.Path), m.Sum, m.Before, m.Mode})
	}
	return e, e.check()
}
