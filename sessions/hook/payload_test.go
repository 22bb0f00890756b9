package hook

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

func TestReadPayload(t *testing.T) {
	t.Parallel()
	whole := payload{Event: "SessionEnd", Session: "s-1", Transcript: "/t.jsonl", Cwd: "/p", Reason: "clear"}
	for _, tt := range []struct {
		name, text string
		want       payload
		err        error
	}{
		{"the client's", `{"session_id":"s-1","transcript_path":"/t.jsonl","cwd":"/p","hook_event_name":"SessionEnd","reason":"clear"}`, whole, nil},
		{"the spec's", `{"session_id":"s-1","transcript_path":"/t.jsonl","stop_reason":"exit"}`, payload{Session: "s-1", Transcript: "/t.jsonl", StopReason: "exit"}, nil},
		{"a compaction", `{"transcript_path":"/t.jsonl","trigger":"auto","custom_instructions":null}`, payload{Transcript: "/t.jsonl", Trigger: "auto"}, nil},
		{"a start", `{"session_id":"s-1","hook_event_name":"SessionStart","source":"clear"}`, payload{Event: "SessionStart", Session: "s-1", Source: "clear"}, nil},
		{"on several lines", "\n {\n\"session_id\" : \"s-1\" }\n", payload{Session: "s-1"}, nil},
		{"escapes", `{"transcript_path":"/a\u0020b\"\\\n"}`, payload{Transcript: "/a b\"\\\n"}, nil},
		{"more fields", `{"session_id":"s-1","effort":{"level":"low"},"list":[1,[2]],"n":1e400}`, payload{Session: "s-1"}, nil},
		{"null fields", `{"session_id":null,"transcript_path":null,"reason":null}`, payload{}, nil},
		{"fields of other types", `{"session_id":1,"transcript_path":["/t"],"cwd":{"a":"b"},"reason":true,"trigger":2.5}`, payload{}, nil},
		{"one field of another type", `{"session_id":1,"transcript_path":"/t.jsonl"}`, payload{Transcript: "/t.jsonl"}, nil},
		{"garbage behind", `{"session_id":"s-1"}}}garbage` + "\x00", payload{Session: "s-1"}, nil},
		{"two of them", `{"session_id":"s-1"}{"session_id":"s-2"}`, payload{Session: "s-1"}, nil},
		{"no field", `{}`, payload{}, nil},
		{"null", `null`, payload{}, nil},
		{"empty", ``, payload{}, errNoPayload},
		{"blank", " \n", payload{}, errNoPayload},
		{"cut in a string", `{"session_id":"s-1","transcript_path":"/t`, payload{}, errNoJSON},
		{"cut before the end", `{"session_id":"s-1"`, payload{}, errNoJSON},
		{"text", `not json`, payload{}, errNoJSON},
		{"garbage before", `x{"session_id":"s-1"}`, payload{}, errNoJSON},
		{"binary", "\x00\x01\xff", payload{}, errNoJSON},
		{"a list", `[{"session_id":"s-1"}]`, payload{}, errNoObject},
		{"a string", `"s-1"`, payload{}, errNoObject},
		{"deep", strings.Repeat(`{"a":`, 20_000), payload{}, errNoJSON},
		{"large", `{"session_id":"s-1","custom_instructions":"` + strings.Repeat("x", maxPayload-100) + `"}`, payload{Session: "s-1"}, nil},
		{"too large", `{"session_id":"s-1","custom_instructions":"` + strings.Repeat("x", maxPayload) + `"}`, payload{}, errPayloadSize},
		{
			"too large behind what is needed", `{"transcript_path":"/t.jsonl","trigger":"manual","custom_instructions":"` + strings.Repeat("x", maxPayload) + `"}`,
			payload{Transcript: "/t.jsonl", Trigger: "manual"},
			nil,
		},
		{"a byte order mark", byteOrderMark + `{"session_id":"s-1"}`, payload{Session: "s-1"}, nil},
		{"half a byte order mark", byteOrderMark[:1] + `{}`, payload{}, errNoJSON},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readPayload(t.Context(), strings.NewReader(tt.text))
			if !errors.Is(err, tt.err) || got != tt.want {
				t.Errorf("read %+v, %v; want %+v, %v", got, err, tt.want, tt.err)
			}
		})
	}
	if _, err := readPayload(t.Context(), nil); !errors.Is(err, errNoPayload) {
		t.Errorf("no stdin: %v", err)
	}
}

// TestPayloadLeftOpen: stdin stays open. Reading ends after the JSON object or at the time limit.
func TestPayloadLeftOpen(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	go func() { _, _ = io.WriteString(w, `{"session_id":"s-1"}`) }()
	if p, err := readPayload(t.Context(), r); err != nil || p.Session != "s-1" {
		t.Errorf("left open: %+v, %v", p, err)
	}
	began := time.Now()
	if _, err := readPayload(t.Context(), r); !errors.Is(err, errPayloadLimit) {
		t.Errorf("silent: %v", err)
	}
	if waited := time.Since(began); waited < payloadLimit {
		t.Errorf("it waited %v only", waited)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readPayload(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

type brokenReader struct{ panics bool }

func (r brokenReader) Read([]byte) (int, error) {
	if r.panics {
		panic("bug")
	}
	return 0, errors.New("broken")
}

func TestPayloadBroken(t *testing.T) {
	t.Parallel()
	for _, panics := range []bool{false, true} {
		if p, err := readPayload(t.Context(), brokenReader{panics}); err == nil {
			t.Errorf("panics %v: read %+v", panics, p)
		}
	}
}

func FuzzReadPayload(f *testing.F) {
	f.Add(`{"session_id":"s-1","transcript_path":"/t.jsonl","reason":"clear"}`)
	f.Add(`{"session_id":{"a":[1,null]},"transcript_path":null}x`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := readPayload(t.Context(), strings.NewReader(text))
		if err != nil && p != (payload{}) {
			t.Errorf("read %+v beside %v", p, err)
		}
	})
}
