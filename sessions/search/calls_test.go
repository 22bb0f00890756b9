package search

import (
	"strings"
	"testing"
)

// TestCalls checks what scope All adds: calls, results and thoughts, each record once.
func TestCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.session("calls", "Calls", 1, "leeway asked")
	w.file("calls.jsonl", user(1, "leeway asked")+strings.Join([]string{
		`{"type":"assistant","uuid":"a1","timestamp":"2026-11-02T10:00:00Z","message":{"role":"assistant","content":[{"type":"text","text":"leeway said"}]}}`,
		`{"type":"assistant","uuid":"a2","timestamp":"2026-11-02T10:00:01Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"leeway thought"}]}}`,
		`{"type":"assistant","uuid":"a3","timestamp":"2026-11-02T10:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"leeway both"},{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"/x/clock.go","old_string":"leeway"}}]}}`,
		`{"type":"user","uuid":"u4","timestamp":"2026-11-02T10:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"l\u0065eway written"}]}}`,
		`{"type":"assistant","uuid":"a5","timestamp":"2026-11-02T10:00:04Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"grep leeway"}}]}}`,
		`{"type":"user","uuid":"u6","timestamp":"2026-11-02T10:00:05Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"clock.go: leeway"}]}}`,
	}, "\n")+"\n")
	if r.Path == "" {
		t.Fatal("no session")
	}
	for _, c := range []struct {
		query string
		scope Scope
		want  int
		roles string
	}{
		{"leeway", Conversation, 3, "you Claude Claude"},
		{"leeway", All, 7, "you Claude thought Claude result Bash result"},
		{"leeway tool:edit", Conversation, 2, "Edit result"},
		{"leeway tool:bash", All, 2, "Bash result"},
		{"file:clock.go", Conversation, 2, "Edit result"},
		{"leeway tool:read", All, 0, ""},
		{"written", Conversation, 0, ""},
		{"written", All, 1, "result"},
		{"leeway role:thought", All, 1, "thought"},
		{"leeway -written -grep", All, 5, "you Claude thought Claude result"},
	} {
		b := w.run(c.query, Options{Keep: 10, Scope: c.scope})
		var roles []string
		for _, r := range b.Results {
			for _, h := range r.Hits {
				roles = append(roles, h.Role)
			}
		}
		if got := strings.Join(roles, " "); b.Hits != c.want || got != c.roles {
			t.Errorf("%q in scope %d: %d matches, %s; want %d, %s", c.query, c.scope, b.Hits, got, c.want, c.roles)
		}
	}
}
