package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// object is a JSON object. It keeps the order of the keys and the text of the values.
type object struct {
	keys   []string
	values map[string]json.RawMessage
}

var errObject = errors.New("not a JSON object")

// parseObject parses a text that is one JSON object. The last value of a key counts.
func parseObject(text []byte) (object, error) {
	o := object{values: map[string]json.RawMessage{}}
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return o, errObject
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return o, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return o, err
		}
		name, _ := key.(string) // any other key is an error
		if _, twice := o.values[name]; !twice {
			o.keys = append(o.keys, name)
		}
		o.values[name] = value
	}
	if _, err := d.Token(); err != nil {
		return o, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return o, errors.New("text follows the JSON object")
	}
	return o, nil
}

// set sets a key. A new key becomes the last one.
func (o *object) set(key string, value any) {
	if o.values == nil {
		o.values = map[string]json.RawMessage{}
	}
	if _, known := o.values[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.values[key] = encode(value)
}

// clone returns an independent copy.
func (o *object) clone() object {
	c := object{keys: slices.Clone(o.keys), values: make(map[string]json.RawMessage, len(o.values))}
	for k, v := range o.values {
		c.values[k] = v
	}
	return c
}

// MarshalJSON returns the object with its keys in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, key := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(key))
		b.WriteByte(':')
		b.Write(o.values[key])
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// file returns the object as the text of a file.
func (o object) file() []byte {
	var b bytes.Buffer
	compact, _ := o.MarshalJSON()
	_ = json.Indent(&b, compact, "", "  ") // the values were parsed or encoded, so they are valid
	b.WriteByte('\n')
	return b.Bytes()
}

// encode returns a value as JSON. It doesn't escape <, > and &.
func encode(value any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // the types of this package have no errors
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// drop removes a key.
func (o *object) drop(key string) {
	delete(o.values, key)
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
}

// same reports whether two objects have the same keys and values.
func (o *object) same(other *object) bool {
	return slices.Equal(o.keys, other.keys) && bytes.Equal(encode(*o), encode(*other))
}
