package jsonlex

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// shortened feeds a line to a Shortener in pieces of n bytes.
func shortened(s *Shortener, data []byte, n int) []byte {
	for len(data) > 0 {
		k := min(n, len(data))
		took := s.Feed(data[:k])
		data = data[took:]
		if took < k || s.done {
			break
		}
	}
	return append(s.Finish(), data...) // the bytes after the value belong to the next line
}

// FuzzShorten compares the Shortener with encoding/json. With tiny limits, only the validity and short strings must
// be the same.
func FuzzShorten(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,,2],"b":1 2,"c":[1,]}`, `{"a":"x\u00e9\"y","b":[{"c":null}, true ,-1.5e3]}`, `[1,2`, `"`, `{"a":"\`, `]`, `[[],{}]`,
		`{"type":"user","message":{"content":[{"type":"text","text":"` + strings.Repeat(`long\n\u1234`, 40) + `"}]},"uuid":"u1"}`,
		`{"type":"user","parts":[` + strings.Repeat(`{"n":1},`, 60) + `{}],"uuid":"u1"}`,
	} {
		f.Add([]byte(s), byte(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, piece byte) {
		n := int(piece) + 1
		same := shortened(NewShortener(), data, n)
		if json.Valid(data) != json.Valid(same) {
			t.Fatalf("valid %v became %v: %q → %q", json.Valid(data), json.Valid(same), data, same)
		}
		var a, b any
		if json.Unmarshal(data, &a) == nil && json.Unmarshal(same, &b) == nil && !reflect.DeepEqual(a, b) {
			t.Fatalf("%q became %q", data, same)
		}
		if a == nil {
			return
		}
		small := shortened(&Shortener{keepString: 64, minString: 16, budget: 256}, data, n)
		if !json.Valid(small) {
			t.Fatalf("JSON became invalid: %q → %q", data, small)
		}
		checkTop(t, data, small)
	})
}

func checkTop(t *testing.T, data, small []byte) {
	t.Helper()
	var was, is map[string]json.RawMessage
	if json.Unmarshal(data, &was) != nil || json.Unmarshal(small, &is) != nil {
		return
	}
	for k, v := range was {
		if len(k) > 2 {
			continue // a long key is cut like a long string
		}
		if _, ok := is[k]; !ok {
			t.Errorf("member %q is gone: %q → %q", k, data, small)
		}
		if v[0] == '"' && len(v) < 16 && string(is[k]) != string(v) {
			t.Errorf("member %q was %s, is %s", k, v, is[k])
		}
	}
}
