package fork_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/fork"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	oldID = "11111111-0000-4000-8000-000000000001"
	newID = "22222222-0000-4000-8000-000000000002"
)

// rec returns one record. The sessionId inside the message is text, which a fork keeps.
func rec(typ, uuid, parent, id, content string) string {
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	if id != "" {
		id = `"id":"` + id + `",`
	}
	return fmt.Sprintf(`{"type":%q,"message":{%s"role":%q,"content":%s,"inner":{"sessionId":"%s"}},"parentUuid":%s,"uuid":%q , "sessionId" : "%s","cwd":"/x"}`, typ, id, typ, content, oldID, up, uuid, oldID)
}

func text(s string) string { return `"` + s + `"` }

func conversation() string {
	return strings.Join([]string{
		`{"type":"mode","mode":"normal","sessionId":"` + oldID + `"}`,
		rec("user", "u1", "", "", text("First")),
		`{"type":"attachment","attachment":{"type":"date"},"parentUuid":"u1","uuid":"x1","sessionId":"` + oldID + `"}`,
		rec("assistant", "a1", "x1", "msg_1", `[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]`),
		rec("assistant", "a2", "a1", "msg_1", `[{"type":"tool_use","id":"t2","name":"Bash","input":{}}]`),
		rec("user", "r1", "a1", "", `[{"type":"tool_result","tool_use_id":"t1","content":"one"}]`),
		rec("user", "r2", "a2", "", `[{"type":"tool_result","tool_use_id":"t2","content":"two"}]`),
		rec("assistant", "a3", "r2", "msg_3", `[{"type":"text","text":"Done."}]`),
		rec("user", "b1", "a3", "", text("Branch")),
		rec("assistant", "b2", "b1", "msg_b", `[{"type":"text","text":"On a branch."}]`),
		rec("user", "u2", "a3", "", text("Second")),
		rec("assistant", "a4", "u2", "msg_4", `[{"type":"text","text":"Last."}]`),
	}, "\n") + "\n"
}

func write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "projects", "-x")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, oldID+".jsonl")
	if err := os.WriteFile(path, []byte(conversation()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFork: a fork has all messages up to the given one and all tool results. A resume gives the model these
// messages.
func TestFork(t *testing.T) {
	t.Parallel()
	path := write(t)
	src, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = src.Close() })
	for message, c := range map[string]struct {
		records, known, prompt string
		messages               int
	}{
		"u1":     {"u1", "u1", "First", 1},
		"msg_1":  {"u1 x1 a1 a2 r1 r2", "u1 msg_1", "First", 2},
		"2":      {"u1 x1 a1 a2 r1 r2", "u1 msg_1", "First", 2},
		"msg_3":  {"u1 x1 a1 a2 r1 r2 a3", "u1 msg_1 msg_3", "First", 3},
		"u2":     {"u1 x1 a1 a2 r1 r2 a3 u2", "u1 msg_1 msg_3 u2", "Second", 4},
		"msg_4":  {"u1 x1 a1 a2 r1 r2 a3 u2 a4", "u1 msg_1 msg_3 u2 msg_4", "Second", 5},
		"msg_b":  {"u1 x1 a1 a2 r1 r2 a3 b1 b2", "u1 msg_1 msg_3 b1 msg_b", "Branch", 5},
		"b":      {"u1 x1 a1 a2 r1 r2 a3 b1", "u1 msg_1 msg_3 b1", "Branch", 4},
		"0000-a": {"", "", "", 0},
	} {
		f, err := fork.Read(t.Context(), path, message)
		if c.records == "" {
			if !errors.Is(err, fork.ErrNoMessage) {
				t.Errorf("%s: %v", message, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", message, err)
			continue
		}
		if f.Messages != c.messages || f.Of != 7 || f.Prompt != c.prompt {
			t.Errorf("%s: %d of %d messages, the last prompt is %q", message, f.Messages, f.Of, f.Prompt)
		}
		op, err := f.Op(src, newID, `A "fork"`)
		if err != nil || op.Verb != change.Make || op.Path() != filepath.Join(filepath.Dir(path), newID+".jsonl") || op.Session != newID {
			t.Fatalf("%s: %+v, %v", message, op, err)
		}
		var got []string
		for line := range strings.Lines(string(op.Text)) {
			var r struct {
				Type, UUID, SessionID, CustomTitle string
				Message                            struct{ Inner struct{ SessionID string } }
				ForkedFrom                         struct{ SessionID, MessageUUID string }
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("%s: %v in %s", message, err, line)
			}
			if r.Type == "custom-title" {
				if r.CustomTitle != `A "fork"` || r.SessionID != newID {
					t.Errorf("%s: the title is %s", message, line)
				}
				continue
			}
			got = append(got, r.UUID)
			if r.SessionID != newID || r.ForkedFrom.SessionID != oldID || r.ForkedFrom.MessageUUID != r.UUID || r.Type != "attachment" && r.Message.Inner.SessionID != oldID {
				t.Errorf("%s: %s", message, line)
			}
		}
		if strings.Join(got, " ") != c.records {
			t.Errorf("%s: has %v, want %s", message, got, c.records)
		}
		forked, err := transcript.New(t.Context(), strings.NewReader(string(op.Text)))
		if err != nil {
			t.Fatal(err)
		}
		var known []string
		for _, m := range forked.Outline().Messages {
			if m.Known {
				known = append(known, forked.Outline().Name(m.ID))
			}
		}
		if strings.Join(known, " ") != c.known || forked.Outline().Hidden {
			t.Errorf("%s: the model knows %v, want %s", message, known, c.known)
		}
	}
	if _, err := fork.Read(t.Context(), path, "msg_"); !errors.Is(err, fork.ErrSeveral) {
		t.Errorf("the start of several IDs: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != conversation() {
		t.Errorf("the session has changed: %v", err)
	}
}

// TestForkOfFork: the records keep their first forkedFrom.
func TestForkOfFork(t *testing.T) {
	t.Parallel()
	path := write(t)
	line := strings.Replace(rec("user", "u1", "", "", text("First")), `"cwd"`, `"forkedFrom":{"sessionId":"older","messageUuid":"u0"},"cwd"`, 1)
	if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := fork.Read(t.Context(), path, "u1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Text(strings.NewReader(line+"\n"), newID, "")
	if err != nil || strings.Count(string(got), "forkedFrom") != 1 || !strings.Contains(string(got), `"sessionId":"older"`) {
		t.Errorf("%s, %v", got, err)
	}
}
