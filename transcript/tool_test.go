package transcript_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

func FuzzParams(f *testing.F) {
	for _, s := range []string{
		`{"command":"ls","n":[1,{"a":"}"}],"x":null}`, ` { "a\\" : "b\"," , "a" : 1e3 } `, `{}`, `[]`, `null`, `{`, ``, `{"a":{"b":"]"}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var want map[string]json.RawMessage
		err := json.Unmarshal(input, &want)
		block := transcript.Block{Kind: transcript.BlockToolUse, Input: input}
		params := block.Call(nil).Params
		if (params != nil) != (err == nil && want != nil) {
			t.Fatalf("%d parameters, %v", len(params), err)
		}
		for key, raw := range want {
			if q := params.Named(key); q == nil || !bytes.Equal(q.Raw, raw) {
				t.Errorf("%q: %v, want %s", key, q, raw)
			}
		}
		for _, q := range params {
			if _, ok := want[q.Key]; !ok {
				t.Errorf("unexpected parameter %q", q.Key)
			}
		}
	})
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		result *transcript.Block
		want   transcript.Outcome
	}{
		{"none", nil, transcript.OutcomeNone},
		{"done", &transcript.Block{Text: "Sibling tool call errored"}, transcript.OutcomeDone},
		{"failed", &transcript.Block{Text: "Exit code 1", Failed: true}, transcript.OutcomeFailed},
		{"denied by a rule", &transcript.Block{Text: "no", Failed: true, Denied: transcript.DeniedByRule}, transcript.OutcomeFailed},
		{"rejected", &transcript.Block{Text: "no", Failed: true, Denied: transcript.DeniedByPerson}, transcript.OutcomeRejected},
		{"skipped", &transcript.Block{Text: "<tool_use_error>Sibling tool call errored</tool_use_error>", Failed: true}, transcript.OutcomeSkipped},
	} {
		m := calling("Bash", `{"command":"ls"}`, c.result)
		call := m.Call(1)
		if got := call.Outcome(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestDiffCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, tool, input string
		added, removed    int
	}{
		{"write", "Write", `{"content":"a\nb"}`, 2, 0},
		{"edit", "Edit", `{"old_string":"a\nb","new_string":"a\nc\nd"}`, 2, 1},
		{"a line behind the last one", "Edit", `{"old_string":"a","new_string":"a\nb"}`, 1, 0},
		{"several edits", "MultiEdit", `{"edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}`, 1, 2},
		{"cell", "NotebookEdit", `{"new_source":"a\nb"}`, 2, 0},
		{"cell that goes", "NotebookEdit", `{"new_source":"a","edit_mode":"delete"}`, 0, 0},
		{"no change", "Edit", `{"old_string":"a","new_string":"a"}`, 0, 0},
		{"no tool that writes", "Read", `{"content":"a"}`, 0, 0},
	} {
		m := calling(c.tool, c.input, nil)
		call := m.Call(1)
		diff := call.Diff()
		added, removed, cut := diff.Count()
		if added != c.added || removed != c.removed || cut || diff.Changes() != (added+removed > 0) {
			t.Errorf("%s: +%d −%d, want +%d −%d", c.name, added, removed, c.added, c.removed)
		}
	}
}

// TestQuestions: the answers aren't in the order of the questions.
func TestQuestions(t *testing.T) {
	t.Parallel()
	m := calling("AskUserQuestion", `{"questions":[{"question":"A?","options":[{"label":"x"}]},{"question":"B?"},{"question":"C?"}]}`,
		&transcript.Block{Text: `User has answered your questions: "B?"="y" user notes: soon, "A?"="say "x", or so". You can now continue with the user's answers in mind.`})
	call := m.Call(1)
	want := []transcript.Question{
		{Text: "A?", Options: []transcript.Option{{Label: "x"}}, Answered: true, Answer: `say "x", or so`},
		{Text: "B?", Answered: true, Answer: "y", Notes: "soon"},
		{Text: "C?"},
	}
	if got := call.Questions(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, tool, input, text string
		want                    transcript.Found
	}{
		{"content", "Grep", `{"output_mode":"content"}`, "a.go:3:x\na.go:9:y\nb.go:1:z\n", transcript.Found{Count: 3, Unit: "match", Files: 2}},
		{"content without numbers", "Grep", `{"output_mode":"content"}`, "a.go:x: y\nb.go:z", transcript.Found{Count: 2, Unit: "match", Files: 2}},
		{"lines around", "Grep", `{"output_mode":"content","-C":1}`, "a.go-2-x: 7\na.go:3:y\n--\nb.go:9:z\nb.go-10-", transcript.Found{Count: 2, Unit: "match", Files: 2}},
		{"one file", "Grep", `{"output_mode":"content","-A":1}`, "3:y\n4-z", transcript.Found{Count: 1, Unit: "match"}},
		{"lines around without numbers", "Grep", `{"output_mode":"content","-A":1}`, "y\nz", transcript.Found{Count: 2, Unit: "line"}},
		{"a drive", "Grep", `{"output_mode":"content"}`, `C:\a.go:3:x`, transcript.Found{Count: 1, Unit: "match", Files: 1}},
		{"an unknown mode", "Grep", `{}`, "a.go:3:x", transcript.Found{Count: 1, Unit: "match", Files: 1}},
		{"files", "Grep", `{}`, "Found 2 files\na.go\nb.go", transcript.Found{Count: 2, Unit: "file"}},
		{"nothing", "Grep", `{"output_mode":"content"}`, "No matches found", transcript.Found{Unit: "match"}},
		{"names", "Glob", `{}`, "a.go\nb.go", transcript.Found{Count: 2, Unit: "file"}},
		{"a directory", "LS", `{}`, "- /x/\n  - a\n    - b\n", transcript.Found{Count: 2, Unit: "entry"}},
	} {
		m := calling(c.tool, c.input, &transcript.Block{Text: c.text})
		call := m.Call(1)
		if got, ok := call.Found(); got != c.want || !ok {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestExit: the output of a command must not fake an exit code.
func TestExit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"Exit code 3\nno": 3, "Error: Exit code 127": 127, "no\nExit code 3": -1, "Exit code x": -1} {
		m := calling("Bash", `{"command":"x"}`, &transcript.Block{Text: text, Failed: true})
		call := m.Call(1)
		if code, ok := call.Exit(); ok != (want >= 0) || ok && code != want {
			t.Errorf("%q: %d %t, want %d", text, code, ok, want)
		}
	}
}
