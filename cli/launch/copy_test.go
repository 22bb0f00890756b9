package launch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/transcript"
)

// TestLastIn: only the end of a long document may be decoded.
func TestLastIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const resumeID = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"
	path := filepath.Join(dir, resumeID+".jsonl")
	var b strings.Builder
	parent := ""
	say := func(typ, id, more, content string) {
		fmt.Fprintf(&b, `{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":%q,"timestamp":"2026-11-21T13:20:00.000Z"%s,"message":{"id":%q,"role":%q,"model":"m","content":%s}}`+"\n",
			typ, id, parent, resumeID, more, "m"+id, typ, content)
		parent = fmt.Sprintf("%q", id)
	}
	text := func(s string) string { return fmt.Sprintf(`[{"type":"text","text":%q}]`, s) }
	parent = "null"
	const turns = 500
	for i := range turns {
		say("user", fmt.Sprint("u", i), "", text("go on"))
		said := fmt.Sprint("answer ", i)
		if i == turns-5 {
			said += "\n```\ncode\n```"
		}
		say("assistant", fmt.Sprint("a", i), "", text(said))
	}
	for i := range 50 { // tool calls without text
		say("assistant", fmt.Sprint("c", i), "", fmt.Sprintf(`[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"ls"}}]`, i))
		say("user", fmt.Sprint("r", i), "", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d","content":"x"}]`, i))
	}
	for i := range 50 {
		say("user", fmt.Sprint("p", i), "", text("and?"))
	}
	parent = "null"
	for i := range 50 {
		say("assistant", fmt.Sprint("s", i), `,"isSidechain":true`, text("```\naside\n```"))
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		say        func(*transcript.Message) string
		records    int // maximum that may be decoded
	}{
		{"answer", fmt.Sprint("answer ", turns-1), (*transcript.Message).Said, 100 + 1}, // 50 calls with their results
		{"code", "code", (*transcript.Message).Code, 100 + 5},
		{"none", "", func(*transcript.Message) string { return "" }, 100 + turns},
	} {
		doc, err := catalog.New(catalog.Options{}).Open(t.Context(), sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{Path: path}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := lastIn(t.Context(), doc, c.say)
		if n := doc.Decoded(); err != nil || got != c.want || n > c.records || n == 0 {
			t.Errorf("%s: %q from %d records, %v", c.name, got, n, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := lastIn(ctx, doc, c.say); err == nil {
			t.Errorf("%s: no error after the end", c.name)
		}
		if err := doc.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
