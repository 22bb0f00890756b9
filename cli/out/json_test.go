package out

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/transcript"
)

func TestEncodeJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		v    any
		want string
	}{
		{"plain", "a <b> & c é 日 👩‍💻", `"a <b> & c é 日 👩‍💻"`},
		{"c0", "\x00\x1b\t\n", `"\u0000\u001b\t\n"`},
		{"del", "a\x7fb", `"a\u007fb"`},
		{"c1", "\u0080\u009b\u009f\u00a0", `"\u0080\u009b\u009f` + "\u00a0" + `"`},
		{"separators", "\u2028\u2029", `"\u2028\u2029"`},
		{"bidi", "\u202a\u202e\u2066\u2069\u200e\u200f\u061c", `"\u202a\u202e\u2066\u2069\u200e\u200f\u061c"`},
		{"invisible", "\ufeff\U000e0041\u00ad\u200b\u2060\u3164\U000e0100", `"\ufeff\udb40\udc41\u00ad\u200b\u2060\u3164\udb40\udd00"`},
		{"no utf-8", "a\x9bb\xff", `"a\ufffdb\ufffd"`},
		{"raw", json.RawMessage("{\"a\":\"\u009b\x9b\"}"), `{"a":"\u009b` + "\uFFFD" + `"}`},
		{"key", map[string]int{"\u009b\x7f": 1}, `{"\u009b\u007f":1}`},
		{"nothing", nil, "null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, err := EncodeJSON(tt.v); err != nil || got != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
	if _, err := EncodeJSON(func() {}); err == nil {
		t.Error("a func was encoded")
	}
}

// FuzzEncodeJSON: the JSON is safe for a terminal, and decodes to the same string.
func FuzzEncodeJSON(f *testing.F) {
	for _, s := range []string{"", "a", "\x1b[31m", "\u009b\x7f", "\xff\x9b", "\U000e0001\u2028", `"\`, "\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, err := EncodeJSON(map[string]string{"s": s})
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r == 0x7f || r >= 0x80 && transcript.IsUnsafe(r) }) {
			t.Fatalf("a terminal would interpret %q", text)
		}
		var back map[string]string
		if err := json.Unmarshal([]byte(text), &back); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if want := strings.ToValidUTF8(s, "\uFFFD"); utf8.ValidString(s) && back["s"] != want {
			t.Errorf("%q came back as %q", s, back["s"])
		}
	})
}
