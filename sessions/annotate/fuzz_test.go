package annotate

import (
	"errors"
	"reflect"
	"testing"
)

// FuzzDecode: the result is an error with a line number, or a file that survives encoding and decoding.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"later":[1],"sessions":[{"dir":"/a","project":"-b","id":"c","name":"n","tags":["t"],"x":{},"changed":"2026-01-02T03:04:05Z"}]}`))
	f.Add([]byte("{\"version\":1,\n\"sessions\":[{\"dir\":{\"base64\":\"L/8=\"},\"project\":\"b\",\"id\":\"c\",\"note\":\"a\\nb\"}]}"))
	f.Add([]byte("{\n\"version\":2}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		first, err := decode(text)
		if err != nil {
			le, ok := errors.AsType[*lineError](err)
			if !ok || le.line < 1 || le.line > len(text)+1 {
				t.Fatalf("%v", err)
			}
			return
		}
		written, err := first.encode()
		if err != nil {
			t.Skip(err) // JSON has no years over 9999
		}
		second, err := decode(written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if !reflect.DeepEqual(first.notes(), second.notes()) || len(first.entries) != len(second.entries) || len(first.extra) != len(second.extra) {
			t.Errorf("%+v\n%+v", first, second)
		}
	})
}
