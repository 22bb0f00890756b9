package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// object has the members of a JSON object in the order of the file. The last value of a key counts.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

var errNoObject = errors.New("not a JSON object")

// UnmarshalJSON implements json.Unmarshaler. encoding/json passes only valid JSON.
func (o *object) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errNoObject
	}
	*o = object{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		o.put(fmt.Sprint(key), value)
	}
	return nil
}

func (o *object) find(key string) int {
	return slices.IndexFunc(*o, func(m member) bool { return m.key == key })
}

// put sets the value of a key.
func (o *object) put(key string, value json.RawMessage) {
	if i := o.find(key); i >= 0 {
		(*o)[i].value = value
		return
	}
	*o = append(*o, member{key, value})
}

// take removes a member and decodes its value into v. A value of the wrong type stays in o.
func (o *object) take(key string, v any) {
	i := o.find(key)
	if i >= 0 && json.Unmarshal((*o)[i].value, v) == nil {
		*o = slices.Delete(*o, i, i+1)
	}
}

// takeTime is take for a time. A time without a zone is in UTC.
func (o *object) takeTime(key string, v *time.Time) {
	i := o.find(key)
	if i < 0 {
		return
	}
	var text string
	if json.Unmarshal((*o)[i].value, &text) != nil {
		return
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			*v = t.UTC().Truncate(time.Second)
			*o = slices.Delete(*o, i, i+1)
			return
		}
	}
	if text == "" { // null
		*o = slices.Delete(*o, i, i+1)
	}
}

// add sets the members of another object in o.
func (o *object) add(other object) {
	*o = slices.Clone(*o)
	for _, m := range other {
		o.put(m.key, m.value)
	}
}
