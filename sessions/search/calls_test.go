package search

import (
	"strings"
	"testing"
)

// TestCalls: scope All also has calls, results and thoughts, each record once.
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
	w.session("notices", "Notices", 1, "hello")
	w.file("notices.jsonl", strings.Join([]string{
		`{"type":"system","subtype":"local_command","uuid":"s1","timestamp":"2026-11-01T10:00:00Z","content":"<local-command-stdout>zanzibar is set</local-command-stdout>"}`,
		`{"type":"attachment","uuid":"s2","timestamp":"2026-11-01T10:00:01Z","attachment":{"type":"hook_non_blocking_error","hookName":"PreToolUse:Write","stderr":"quokka failed"}}`,
		`{"type":"user","uuid":"s3","timestamp":"2026-11-01T10:00:02Z","message":{"role":"user","content":"<local-command-stdout>gazelle out</local-command-stdout>"}}`,
		`{"type":"assistant","uuid":"s4","timestamp":"2026-11-01T23:59:59Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t3","name":"Grep","input":{"pattern":"walrus"}}]}}`,
		`{"type":"user","uuid":"s5","timestamp":"2026-11-02T00:00:01Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t3","content":"a walrus"},{"type":"text","text":"the walrus reminder"}]}}`,
	}, "\n")+"\n")
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
		{"leeway role:tool", All, 3, "result Bash result"},
		{"zanzibar", Conversation, 0, ""},
		{"zanzibar", All, 1, "notice"},
		{"zanzibar role:notice", All, 1, "notice"},
		{"zanzibar role:tool", All, 0, ""},
		{"quokka", All, 1, "notice"},
		{"pretooluse:write", All, 1, "notice"},
		{"gazelle", Conversation, 0, ""},
		{"gazelle", All, 1, "notice"},
		{"walrus", All, 2, "Grep you"},
		{"walrus reminder", All, 1, "you"},
		{"walrus tool:grep after:2026-11-02", All, 1, "result"},
		{"project:calls", All, 0, ""},
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
