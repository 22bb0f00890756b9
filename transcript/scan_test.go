package transcript_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// seeds returns valid lines of every format, and invalid lines.
func seeds() []string {
	return []string{
		`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"hello"},"uuid":"u1","timestamp":"2026-01-02T03:04:05.678Z"}`,
		`{"type":"assistant","message":{"content":[{"type":"server_tool_use","id":"s1","name":"web_search"},{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}]}}`,
		`{"parentUuid":"u1","type":"assistant","message":{"model":"claude-x","id":"msg_1","role":"assistant","content":[{"type":"text","text":"hi \"there\"\n"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":3,"output_tokens":4,"cache_read_input_tokens":5,"cache_creation_input_tokens":6,"cache_creation":{"input_tokens":99}}},"requestId":"r1","uuid":"a1"}`,
		`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":[{"type":"text","text":"out"}]}]},"toolUseResult":{"stdout":"x"},"uuid":"u2","parentUuid":"a1"}`,
		`{"type":"system","subtype":"compact_boundary","parentUuid":null,"logicalParentUuid":"u2","uuid":"b1"}`,
		`{"type":"attachment","attachment":{"type":"queued_command","prompt":"later","commandMode":"prompt"}}`,
		`{"type":"attachment","attachment":{"type":"file","prompt":"not said"}}`,
		`{"type":"summary","summary":"S","leafUuid":"u\u0031"}`,
		`{"type":"custom-title","customTitle":"A \u00e9 title","sessionId":"s"}`,
		`{"message":"bare string","type":"user"}`,
		`{"type":"a","type":"user","message":{"id":"x"},"message":{"role":"user"}}`,
		`{"ty\u0070e":"user","uuid":"\ud800x"}`,
		`{"type":"user","message":{"content":[{"text":"late type","type":"text"},"bare",null,[1]]}}`,
		`{"type":"assistant","message":{"id":"m","usage":{"input_tokens":1e3,"output_tokens":-5,"cache_read_input_tokens":"7"}}}`,
		`{"type":"user","cwd":"C:\\Users\\ada","gitBranch":"main","isMeta":true,"isCompactSummary":true,"isApiErrorMessage":true,"agentId":"ab","version":"2.1.0","entrypoint":"cli"}`,
		`{"type":"continued-in","continuedInSessionId":"i\u0031"}`,
		`{"type":7,"uuid":null,"message":[]}`,
		"{\"type\":\"user\",\"uuid\":\"a\x80b\",\"x\":\"\u2028\"}",
		`{}`, `[]`, `42`, `"s"`, `null`, ` {"a":1} `, `{"a":1}{"b":2}`, `{"a":1`, `{"a":01}`, `{"a":"\x"}`, "{\"a\":\"\x01\"}", `{"a":1,}`, `{,}`, ``, ` `,
	}
}

// FuzzScan compares Scan with encoding/json.
func FuzzScan(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var e transcript.Envelope
		got := transcript.Scan(line, &e)
		want, m := verdict(line)
		if got != want {
			t.Fatalf("verdict %d, want %d: %q", got, want, line)
		}
		if got == transcript.Object {
			compare(t, m, &e)
		}
	})
}

// TestScanDepth: these lines are too long for the fuzz test.
func TestScanDepth(t *testing.T) {
	t.Parallel()
	for _, n := range []int{9999, 10000, 10001} {
		nest := strings.Repeat("[", n) + strings.Repeat("]", n)
		for _, line := range []string{
			nest, `{"a":` + nest + `}`, `{"message":` + nest + `}`, `{"message":{"content":` + nest + `}}`,
			`{"message":{"content":[{"text":` + nest + `}]}}`, strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n),
		} {
			var e transcript.Envelope
			got := transcript.Scan([]byte(line), &e)
			if want, _ := verdict([]byte(line)); got != want {
				t.Errorf("depth %d: verdict %d, want %d: %.40s…", n, got, want, line)
			}
		}
	}
}

// TestScanDoubled: a line can have several messages. Some lines are too long to be rewritten.
func TestScanDoubled(t *testing.T) {
	t.Parallel()
	answer := `{"id":"m1","role":"assistant","model":"claude-x","content":[{"type":"text","text":"first"},{"type":"tool_use","id":"t1"}],"usage":{"input_tokens":1}}`
	for _, last := range []string{
		`{"role":"user","content":"last"}`, `{"role":"user","content":[{"type":"text","text":"last"},{"type":"tool_result","tool_use_id":"t2"}]}`,
		`"last"`, `{"role":"user","content":"first","content":"last"}`, `{}`, `null`,
	} {
		for _, pad := range []int{0, 2 << 20} {
			line := []byte(`{"type":"user","message":` + answer + `,"message":` + last + `,"x":"` + strings.Repeat("x", pad) + `"}`)
			var e transcript.Envelope
			got := transcript.Scan(line, &e)
			want, m := verdict(line)
			if e.Line = e.Line[:min(len(e.Line), 600)]; got != want {
				t.Fatalf("verdict %d, want %d: %.600q", got, want, line)
			}
			compare(t, m, &e)
		}
	}
}

func verdict(line []byte) (transcript.Verdict, map[string]any) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	var v any
	if !json.Valid(line) || dec.Decode(&v) != nil {
		return transcript.Invalid, nil
	}
	if m, ok := v.(map[string]any); ok {
		return transcript.Object, m
	}
	return transcript.NotObject, nil
}

func compare(t *testing.T, m map[string]any, e *transcript.Envelope) {
	t.Helper()
	msg, _ := m["message"].(map[string]any)
	att, _ := m["attachment"].(map[string]any)
	usage, _ := msg["usage"].(map[string]any)
	fork, _ := m["forkedFrom"].(map[string]any)
	str := func(m map[string]any, key string) string { s, _ := m[key].(string); return s }
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"type", e.Type, str(m, "type")},
		{"subtype", e.Subtype, str(m, "subtype")},
		{"uuid", e.UUID, str(m, "uuid")},
		{"parentUuid", e.Parent, str(m, "parentUuid")},
		{"logicalParentUuid", e.Logical, str(m, "logicalParentUuid")},
		{"timestamp", e.Time, str(m, "timestamp")},
		{"requestId", e.RequestID, str(m, "requestId")},
		{"sessionId", e.SessionID, str(m, "sessionId")},
		{"version", e.Version, str(m, "version")},
		{"entrypoint", e.Entrypoint, str(m, "entrypoint")},
		{"agentId", e.Agent, str(m, "agentId")},
		{"promptSource", e.PromptSource, str(m, "promptSource")},
		{"message.id", e.MessageID, str(msg, "id")},
		{"role", e.Role, str(msg, "role")},
		{"model", e.Model, str(msg, "model")},
		{"attachment.type", e.AttachmentType, str(att, "type")},
		{"commandMode", e.AttachmentMode, str(att, "commandMode")},
		{"leafUuid", e.Leaf, str(m, "leafUuid")},
		{"continuedInSessionId", e.ContinuedIn, str(m, "continuedInSessionId")},
		{"forkedFrom.sessionId", e.ForkedFrom, str(fork, "sessionId")},
	} {
		if string(c.got) != c.want {
			t.Errorf("%s %q, want %q in %q", c.name, c.got, c.want, e.Line)
		}
	}
	for _, c := range []struct {
		name string
		got  []byte
		want string
	}{
		{"cwd", e.Cwd, str(m, "cwd")},
		{"gitBranch", e.Branch, str(m, "gitBranch")},
		{"customTitle", e.CustomTitle, str(m, "customTitle")},
		{"aiTitle", e.AITitle, str(m, "aiTitle")},
		{"summary", e.Summary, str(m, "summary")},
	} {
		if jsonlex.Unquote(c.got) != c.want {
			t.Errorf("%s %q, want %q in %q", c.name, jsonlex.Unquote(c.got), c.want, e.Line)
		}
	}
	_, chained := m["parentUuid"]
	if e.Chained != chained || e.Sidechain != (m["isSidechain"] == true) || e.Meta != (m["isMeta"] == true) ||
		e.CompactSummary != (m["isCompactSummary"] == true) || e.APIError != (m["isApiErrorMessage"] == true) {
		t.Errorf("flags differ in %q", e.Line)
	}
	num := func(key string) int64 {
		n, _ := usage[key].(json.Number)
		if f, err := n.Float64(); err == nil && f >= 0 && f < 1<<53 && n[0] != '-' {
			return int64(f)
		}
		return 0
	}
	want := transcript.Usage{Input: num("input_tokens"), Output: num("output_tokens"), CacheRead: num("cache_read_input_tokens"), CacheWrite: num("cache_creation_input_tokens")}
	if e.Usage != want {
		t.Errorf("usage %+v, want %+v in %q", e.Usage, want, e.Line)
	}
	compareContent(t, m, e)
}

func compareContent(t *testing.T, m map[string]any, e *transcript.Envelope) {
	t.Helper()
	var texts, tools []string
	blocks := 0
	take := func(content any) {
		switch c := content.(type) {
		case string:
			texts, blocks = append(texts, c), blocks+1
		case []any:
			blocks += len(c)
			for _, b := range c {
				o, _ := b.(map[string]any)
				text, isText := o["text"].(string)
				id, _ := o["id"].(string)
				call, _ := o["tool_use_id"].(string)
				switch o["type"] {
				case "text":
					if isText {
						texts = append(texts, text)
					}
				case "tool_use", "server_tool_use", "mcp_tool_use":
					tools = append(tools, "call "+id)
				default:
					if kind, _ := o["type"].(string); kind == "tool_result" || strings.HasSuffix(kind, "_tool_result") {
						tools = append(tools, "result "+call)
					}
				}
			}
		}
	}
	att, _ := m["attachment"].(map[string]any)
	// If a record has both forms, only the sums can be compared. A map has no order.
	switch msg := m["message"].(type) {
	case string:
		take(msg)
	case map[string]any:
		take(msg["content"])
	}
	both := len(texts)+len(tools) > 0
	take(att["prompt"])
	typ, _ := m["type"].(string)
	if typ != "user" && typ != "assistant" && (typ != "attachment" || att["type"] != "queued_command") {
		texts = nil
	}
	var gotTexts, gotTools []string
	for _, s := range e.Text {
		gotTexts = append(gotTexts, jsonlex.Unquote(e.Line[s.Start:s.End]))
	}
	for _, c := range e.Tools {
		gotTools = append(gotTools, map[bool]string{false: "call ", true: "result "}[c.Result]+string(c.ID))
	}
	if both && att["prompt"] != nil {
		for _, l := range [][]string{texts, tools, gotTexts, gotTools} {
			slices.Sort(l)
		}
	}
	if !slices.Equal(texts, gotTexts) || !slices.Equal(tools, gotTools) || e.Blocks != blocks {
		t.Errorf("texts %q tools %q blocks %d, want %q %q %d in %q", gotTexts, gotTools, e.Blocks, texts, tools, blocks, e.Line)
	}
}
