package trajectory

import (
	"bytes"
	"encoding/json"
	"testing"
	"testing/iotest"
)

type seen struct {
	Stats

	raws [][]byte
	all  []*Record
}

func see(t *testing.T, text []byte, slow bool) seen {
	t.Helper()
	var s seen
	var err error
	r := bytes.NewReader(text)
	from := iotest.HalfReader(r)
	if slow {
		from = iotest.OneByteReader(r)
	}
	s.Stats, err = scan(t.Context(), from, &File{}, Options{}, func(r *Record) bool {
		s.raws, s.all = append(s.raws, r.Raw), append(s.all, r)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// FuzzScan compares the records with those of encoding/json. Two copies of a text must have the records twice.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		"", "{}", "{}{}", `{"a":1}` + "\n" + `{"a":`, "{\"a\":[\n{\"b\":2},\n{\"c\":\n", "\x00\x00{}", "\xef\xbb\xbf{}", `{"a":-0.1e+5,"b":tru}`,
		"{\n  \"ts\": \"2026-02-06T02:41:59Z\",\n  \"phase\": 2,\n  \"x\": [true, null, \"\\u00e9\\\"\"]\n}\n", `{"a":1,"a":2,"\u0061":3}`, "x\n{\"a\":{}}\r\n}",
		`{"grounding":{"type":"citation"},"citations":[{"code":"x"},7,[]],"ts":1770345719123}`,
	} {
		f.Add([]byte(s), []byte(`{"a":1}`))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		whole := see(t, a, false)
		if slow := see(t, a, true); slow.Stats != whole.Stats || !bytes.Equal(bytes.Join(slow.raws, []byte("|")), bytes.Join(whole.raws, []byte("|"))) {
			t.Errorf("byte by byte it is %+v, in halves %+v", slow.Stats, whole.Stats)
		}
		if whole.Bytes != int64(len(a)) || whole.Records != len(whole.all) || (whole.Bad > 0) != (whole.FirstAt > 0) || whole.Torn && whole.Bad == 0 {
			t.Errorf("%+v", whole.Stats)
		}
		rest := bytes.TrimPrefix(a, []byte(byteOrderMark))
		between := false // whether there is text between records
		line := 1
		for i, raw := range whole.raws {
			at := bytes.Index(rest, raw)
			if at < 0 {
				t.Fatalf("%q isn't after the previous record", raw)
			}
			if whole.Bad == 0 && line+bytes.Count(rest[:at], []byte{'\n'}) != whole.all[i].Line {
				t.Errorf("%q is at line %d", raw, whole.all[i].Line)
			}
			between = between || len(bytes.Trim(rest[:at], " \t\r\n")) > 0
			line += bytes.Count(rest[:at+len(raw)], []byte{'\n'})
			rest = rest[at+len(raw):]
			check(t, whole.all[i])
		}
		if between = between || len(bytes.Trim(rest, " \t\r\n")) > 0; between != (whole.Bad > 0) {
			t.Errorf("%d bad parts, but other text: %v", whole.Bad, between)
		}
		other := see(t, b, false)
		if whole.Bad > 0 || other.Bad > 0 || bytes.HasPrefix(b, []byte(byteOrderMark)) {
			return
		}
		both := see(t, append(append(bytes.Clone(a), '\n'), b...), false)
		if both.Bad != 0 || !bytes.Equal(bytes.Join(both.raws, []byte("|")), bytes.Join(append(whole.raws, other.raws...), []byte("|"))) {
			t.Errorf("%q and %q have %q", whole.raws, other.raws, both.raws)
		}
	})
}

const byteOrderMark = "\ufeff"

func check(t *testing.T, r *Record) {
	t.Helper()
	var want map[string]json.RawMessage
	if err := json.Unmarshal(r.Raw, &want); err != nil {
		t.Fatalf("%q: %v", r.Raw, err)
	}
	if len(want) != len(r.Fields) {
		t.Errorf("%q has %q", r.Raw, r.Fields)
	}
	for key, value := range want {
		if !bytes.Equal(bytes.TrimSpace(value), r.Fields[key]) {
			t.Errorf("%q of %q is %q", key, r.Raw, r.Fields[key])
		}
		r.Text(key)
		r.kind(key)
		r.Number(key)
	}
}
