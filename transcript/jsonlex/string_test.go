package jsonlex

import (
	"encoding/json"
	"testing"
)

func FuzzUnquote(f *testing.F) {
	for _, seed := range []string{
		`plain`, `a\nb\t\"\\\/\b\f\r`, `\u00e9\u4e2d`, `\ud83d\ude80`, `\ud83d`, `\ud83dx\ude80`, `\ud83d\ud83d\ude80`, `\ude80\u12`,
		"\x80\xff", "caf\u00e9 \u4e2d", `\`, `\q`, `"`, "\n", `\u00E9`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		want := string(raw)
		var s string
		if json.Unmarshal([]byte(`"`+string(raw)+`"`), &s) == nil {
			want = s
		}
		if got := Unquote(raw); got != want {
			t.Errorf("Unquote(%q) is %q, want %q", raw, got, want)
		}
		if got := AppendUnquote([]byte("before"), raw); string(got) != "before"+want {
			t.Errorf("AppendUnquote after other bytes is %q, want %q", got, "before"+want)
		}
	})
}
