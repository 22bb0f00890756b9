//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// mockAPI is a local server for the client's part of the Messages API (client 2.1.329).
type mockAPI struct {
	*httptest.Server
	reply  func(prompt string) string
	tokens func(prompt string) int // context tokens of an answer; nil means 100
	// call returns the tool call that precedes an answer. A nil call means no tool calls.
	call func(prompt string) (name, input string)

	mu  sync.Mutex
	log []apiRequest
}

type apiRequest struct {
	Path  string
	Turns []apiTurn // the conversation, without the client's own text
	Whole string    // all text, including the client's own
	Done  bool      // the last message has a tool result
}

// apiTurn joins consecutive messages of one role.
type apiTurn struct{ Role, Text string }

func newMockAPI(t *testing.T, reply func(prompt string) string) *mockAPI {
	t.Helper()
	m := &mockAPI{reply: reply}
	m.Server = httptest.NewServer(m)
	t.Cleanup(func() {
		m.CloseClientConnections() // the client may keep a connection open
		m.Close()
	})
	return m
}

// ServeHTTP implements http.Handler.
func (m *mockAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Model    string
		Stream   bool
		System   json.RawMessage
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, 32<<20))
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &body)
	}
	if err != nil {
		answerJSON(w, http.StatusBadRequest, apiFailure("invalid_request_error", err.Error()))
		return
	}
	asked := apiRequest{Path: r.URL.Path, Whole: textIn(body.System)}
	for _, message := range body.Messages {
		asked.Whole += "\n" + textIn(message.Content)
		if message.Role == "user" {
			asked.Done = bytes.Contains(message.Content, []byte(`"tool_result"`))
		}
		turn := turnText(message.Content)
		switch n := len(asked.Turns); {
		case turn == "" || message.Role != "user" && message.Role != "assistant":
		case n > 0 && asked.Turns[n-1].Role == message.Role:
			asked.Turns[n-1].Text += "\n" + turn
		default:
			asked.Turns = append(asked.Turns, apiTurn{message.Role, turn})
		}
	}
	m.mu.Lock()
	m.log = append(m.log, asked)
	id := fmt.Sprintf("%04d", len(m.log))
	m.mu.Unlock()

	switch r.Method + " " + r.URL.Path {
	case "POST /v1/messages":
		m.message(w, id, body.Model, asked, body.Stream)
	case "POST /v1/messages/count_tokens":
		answerJSON(w, http.StatusOK, map[string]any{"input_tokens": len(text) / 4})
	case "GET /v1/models":
		answerJSON(w, http.StatusOK, map[string]any{"data": []any{}, "has_more": false})
	default:
		answerJSON(w, http.StatusNotFound, apiFailure("not_found_error", r.URL.Path))
	}
}

// message answers the last prompt, as JSON or as a stream of events.
func (m *mockAPI) message(w http.ResponseWriter, id, model string, asked apiRequest, events bool) {
	prompt := ""
	if n := len(asked.Turns); n > 0 {
		prompt = asked.Turns[n-1].Text
	}
	text, tokens := m.reply(prompt), 100
	var block map[string]any
	if m.call != nil && !asked.Done {
		if name, input := m.call(prompt); name != "" {
			block = map[string]any{"type": "tool_use", "id": "toolu_" + id, "name": name, "input": json.RawMessage(input)}
		}
	}
	if m.tokens != nil {
		tokens = m.tokens(prompt)
	}
	w.Header().Set("Request-Id", "req_"+id)
	message := map[string]any{
		"id": "msg_" + id, "type": "message", "role": "assistant", "model": model, "stop_sequence": nil,
		"content": []any{map[string]any{"type": "text", "text": text}}, "stop_reason": "end_turn",
		"usage": map[string]any{"input_tokens": tokens, "output_tokens": 10},
	}
	stop := "end_turn"
	if block != nil {
		stop = "tool_use"
	}
	if !events {
		answerJSON(w, http.StatusOK, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(name string, value map[string]any) {
		value["type"] = name
		data, err := json.Marshal(value)
		if err != nil {
			panic(err) // can't happen
		}
		_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data) // the client may have disconnected
		_ = http.NewResponseController(w).Flush()
	}
	message["content"], message["stop_reason"] = []any{}, nil
	event("message_start", map[string]any{"message": message})
	if block == nil {
		event("content_block_start", map[string]any{"index": 0, "content_block": map[string]any{"type": "text", "text": ""}})
		for _, part := range strings.SplitAfter(text, " ") {
			event("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "text_delta", "text": part}})
		}
	} else {
		input := block["input"].(json.RawMessage)
		block["input"] = map[string]any{}
		event("content_block_start", map[string]any{"index": 0, "content_block": block})
		event("content_block_delta", map[string]any{"index": 0, "delta": map[string]any{"type": "input_json_delta", "partial_json": string(input)}})
	}
	event("content_block_stop", map[string]any{"index": 0})
	event("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 10},
	})
	event("message_stop", map[string]any{})
}

func (m *mockAPI) requests() []apiRequest {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(m.log), func(r apiRequest) bool { return r.Path != "/v1/messages" })
}

func textIn(content json.RawMessage) string {
	var text string
	var blocks []struct{ Type, Text string }
	if json.Unmarshal(content, &text) != nil && json.Unmarshal(content, &blocks) != nil {
		return ""
	}
	for _, block := range blocks {
		if block.Type == "text" {
			text += "\n" + block.Text
		}
	}
	return text
}

// turnText returns the text of a message without the client's own text.
func turnText(content json.RawMessage) string {
	aside := regexp.MustCompile(`(?s)<(system-reminder|command-name|command-message|command-args|local-command-[a-z]+)>.*?</[a-z-]+>`)
	return strings.TrimSpace(aside.ReplaceAllString(textIn(content), ""))
}

func apiFailure(kind, text string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": text}}
}

func answerJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client may have disconnected
}

func TestMockAPI(t *testing.T) {
	t.Parallel()
	const talk = `"model":"m","messages":[
		{"role":"user","content":[{"type":"text","text":"<system-reminder>\nToday is a day.\n</system-reminder>\n"},{"type":"text","text":"one"}]},
		{"role":"assistant","content":[{"type":"text","text":"first"},{"type":"tool_use","id":"t","name":"Bash","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"out"}]},
		{"role":"user","content":"two"}]`
	turns := []apiTurn{{"user", "one"}, {"assistant", "first"}, {"user", "two"}}
	for _, test := range []struct {
		name, method, path, body string
		status                   int
		want                     string
		turns                    []apiTurn
	}{
		{"whole", "POST", "/v1/messages?beta=true", "{" + talk + "}", 200, `"text":"heard two words"`, turns},
		{"events", "POST", "/v1/messages", `{"stream":true,` + talk + "}", 200, "heard two words", turns},
		{"tokens", "POST", "/v1/messages/count_tokens", "{" + talk + "}", 200, `"input_tokens":`, nil},
		{"models", "GET", "/v1/models", "", 200, `"data":[]`, nil},
		{"unknown", "GET", "/api/hello", "", 404, `"not_found_error"`, nil},
		{"no JSON", "POST", "/v1/messages", "{", 400, `"invalid_request_error"`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newMockAPI(t, func(prompt string) string { return "heard " + prompt + " words" })
			request, err := http.NewRequestWithContext(t.Context(), test.method, m.URL+test.path, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			response, err := m.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = response.Body.Close() }()
			text, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != test.status {
				t.Fatalf("%s, %v: %s", response.Status, err, text)
			}
			got := string(text)
			if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
				got = streamed(t, got)
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("answer %s, not %s", got, test.want)
			}
			asked := m.requests()
			if test.turns == nil && len(asked) != 0 || test.turns != nil && (len(asked) != 1 || !slices.Equal(asked[0].Turns, test.turns)) {
				t.Errorf("kept %v, not %v", asked, test.turns)
			}
		})
	}
}

func streamed(t *testing.T, stream string) string {
	t.Helper()
	var order []string
	var text strings.Builder
	for event := range strings.SplitSeq(strings.TrimSuffix(stream, "\n\n"), "\n\n") {
		var data struct {
			Type  string
			Delta struct{ Text string }
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(event, "event: "), "\ndata: ")
		if err := json.Unmarshal([]byte(value), &data); err != nil || !ok || data.Type != name {
			t.Fatalf("event %q: %v", event, err)
		}
		if text.WriteString(data.Delta.Text); len(order) == 0 || order[len(order)-1] != name {
			order = append(order, name)
		}
	}
	want := []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"}
	if !slices.Equal(order, want) {
		t.Errorf("events %q, not %q", order, want)
	}
	return text.String()
}
