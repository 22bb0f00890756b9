package beads

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzRead compares the values with encoding/json. Only closed beads may be skipped without decoding.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"", "\n\n", "{}", `{"id":"a"}`, `{"id":"a","status":"closed"}`, `{"id":"a","x":{"status":"closed"},"status":"open"}`,
		`{"id":"a","description":"\"status\":\"closed\" {","status":"open","comments":[{"id":1,"text":"DECISION: x\nRationale: y\nEvidence: p:1"}]}`,
		`{"id":"a\\","title":"\u00e9\ud83d","priority":1e2}`, `{"id":"a","dependencies":[{"depends_on_id":"a","type":"parent-child"}],"labels":[1]}`,
		`{"id":"a","status":"open"}` + "\n" + `{"id":"a","status":"tombstone"}` + "\n" + `{"id":"b","sta`, `{"id" : "a" , "status" : null } `,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &reader{g: &Graph{}}
		if err := r.lines(t.Context(), "issues.jsonl", data); err != nil {
			t.Fatal(err)
		}
		r.finish()
		g := r.g
		for _, list := range [][]*Bead{g.Ready(now()), g.Blocked(now()), g.InProgress(), g.Closed()} {
			for _, b := range list {
				if found, ok := g.Find(b.ID); !ok || found.ID != b.ID {
					t.Errorf("Find does not find %q", b.ID)
				}
				g.WaitsFor(b)
				b.CheckToClose(3, .95)
			}
		}
		for line := range strings.Lines(string(data)) {
			line := []byte(strings.TrimSpace(line))
			var want map[string]json.RawMessage
			if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &want) != nil {
				continue
			}
			got := map[string]string{}
			if err := walk(line, func(key, value []byte) error {
				var name string
				if err := json.Unmarshal([]byte(`"`+string(key)+`"`), &name); err != nil {
					return err
				}
				got[name] = string(value)
				return nil
			}); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if len(got) != len(want) {
				t.Errorf("%s has %d fields, want %d", line, len(got), len(want))
			}
			for key, value := range want {
				if got[key] != string(value) {
					t.Errorf("%s of %s is %q", key, line, got[key])
				}
				var s any
				_ = json.Unmarshal(value, &s)
				if have, ok := text(value); ok && !reflect.DeepEqual(s, have) {
					t.Errorf("text of %s is %q, want %v", value, have, s)
				}
			}
			var status string
			_ = json.Unmarshal(want["status"], &status)
			if id, _, ok := glance(line); ok && (!isShut(status) || string(want["id"]) != `"`+id+`"`) && json.Valid(line) && strings.Count(string(line), `"status"`) == 1 {
				t.Errorf("%s counts as closed", line)
			}
		}
	})
}

func FuzzParseShow(f *testing.F) {
	for _, s := range []string{
		"", "[]", "[{}]", "null", `[{"id":"a","dependencies":[{"id":"b","dependency_type":"blocks"}]}]`,
		`{"schema_version":2,"data":{"id":"a"}}`, `{"data":{"data":{"data":{"data":{"data":[]}}}}}`, `{"issues":[{"id":"a"}]}`, "[" + strings.Repeat("[", 99),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, out []byte) {
		list, listErr := ParseReady(out)
		b, err := ParseShow(out)
		if err == nil && (b.ID == "" || len(list) == 0 || list[0].ID != b.ID) {
			t.Errorf("ParseShow is %+v, ParseReady %v", b, list)
		}
		if err != nil && listErr == nil && len(list) > 0 {
			t.Errorf("ParseShow fails with %v, ParseReady does not", err)
		}
		for _, b := range list {
			if b.ID == "" {
				t.Error("a bead has no id")
			}
		}
	})
}

func FuzzYAML(f *testing.F) {
	for _, s := range []string{teaYAML, "", "- a", "id: [", "id: a\nlabels: [a, {b: c}]\n", "id: |\n  x\n---\nid: b\n", "? id\n: a\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > maxYAML {
			return
		}
		b, _, bad := parseYAML(data)
		if (b == nil) != (bad != "") || b != nil && b.ID == "" {
			t.Errorf("it is %+v, %q", b, bad)
		}
		if b != nil {
			b.CheckToClose(3, .95)
		}
	})
}
