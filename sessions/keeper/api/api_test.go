package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
)

var update = flag.Bool("update", false, "rewrite the golden file") //nolint:gochecknoglobals // a flag of the test binary

// conversation also has records that the interface leaves out: a result, a thought, client text, a broken line, a
// hidden branch.
const conversation = `{"type":"mode","mode":"default"}
{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-11-28T09:00:00.000Z","message":{"role":"user","content":"Boil water."}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","timestamp":"2026-11-28T09:00:01.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"thinking","thinking":"Hm."}]}}
{"type":"assistant","uuid":"a2","parentUuid":"a1","timestamp":"2026-11-28T09:00:02.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I heat it."}]}}
{"type":"assistant","uuid":"a3","parentUuid":"a2","timestamp":"2026-11-28T09:00:03.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"kettle on"}}]}}
{"type":"user","uuid":"r1","parentUuid":"a3","timestamp":"2026-11-28T09:00:04.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}
not JSON
{"type":"user","uuid":"x1","parentUuid":"r1","timestamp":"2026-11-28T09:00:05.000Z","message":{"role":"user","content":"A prompt that was undone."}}
{"type":"user","uuid":"n1","parentUuid":"r1","isMeta":true,"timestamp":"2026-11-28T09:00:06.000Z","message":{"role":"user","content":"Caveat: text of the client"}}
{"type":"user","uuid":"u2","parentUuid":"n1","timestamp":"2026-11-28T09:00:07.000Z","message":{"role":"user","content":"<command-name>/compact</command-name>\n<command-args>tea</command-args>"}}
{"type":"user","uuid":"u3","parentUuid":"u2","message":{"role":"user","content":[{"type":"text","text":"And this:"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}}]}}
{"type":"assistant","uuid":"a4","parentUuid":"u3","timestamp":"2026-11-28T09:00:09.000Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"A cup <b> & \u001b[31m."}]}}
{"type":"user","parentUuid":"a4","timestamp":"2026-11-28T09:00:10.000Z","message":{"role":"user","content":"No UUID."}}
`

func opened(t *testing.T, text string) *transcript.Transcript {
	t.Helper()
	opened, err := transcript.New(t.Context(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// TestGolden checks every type that is made from a value of continuo.
func TestGolden(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 28, 9, 0, 0, 0, time.FixedZone("", 3600))
	const id = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"
	row := func(change func(r *sessions.Row)) *sessions.Row {
		r := &sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{
			ID: id, Workdir: "/code", Name: "A generated title", Prompt: "Boil water.", Branch: "main", Created: at, Modified: at.Add(time.Hour),
			Messages: 7, State: sessions.StateOK,
		}}
		change(r)
		return r
	}
	same := func(*sessions.Row) {}
	state := func(change func(s *keeper.Session)) *keeper.Session {
		s := &keeper.Session{ID: id, Dir: "/code", Status: keeper.StatusIdle, Started: at, Since: at.Add(time.Minute), Active: true}
		change(s)
		return s
	}
	prompt := []json.RawMessage{json.RawMessage(`{"type":"user","uuid":"u1","message":{"role":"user","content":"Boil\nwater."}}`)}
	var b bytes.Buffer
	add := func(name string, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n%s\n\n", name, text)
	}

	add("a transcript", SessionOf(row(same), nil))
	add("a long prompt", SessionOf(row(func(r *sessions.Row) { r.Prompt = strings.Repeat("é", 201) }), nil))
	add("a transcript with a name of the user, and unknown times", SessionOf(row(func(r *sessions.Row) {
		r.Renamed, r.Name, r.Created, r.Modified = true, "Tea", time.Time{}, time.Time{}
	}), nil))
	for _, s := range []sessions.State{sessions.StateEmpty, sessions.StateStub, sessions.StateDamaged, sessions.StateUnreadable} {
		add("a transcript that is "+string(s), SessionOf(row(func(r *sessions.Row) { r.State, r.Reason = s, "The reason." }), nil))
	}
	add("open in another client", SessionOf(row(func(r *sessions.Row) { r.Live = &sessions.Live{PID: 1} }), nil))
	add("ended", SessionOf(row(same), state(func(s *keeper.Session) { s.Status = keeper.StatusEnded })))
	for _, s := range []keeper.Status{keeper.StatusIdle, keeper.StatusBusy, keeper.StatusWaiting} {
		add("driven, "+string(s), SessionOf(row(func(r *sessions.Row) { r.Live = &sessions.Live{PID: 1} }), state(func(k *keeper.Session) { k.Status = s })))
	}
	add("new", SessionOf(nil, state(func(s *keeper.Session) { s.Active, s.Status, s.Records = false, keeper.StatusBusy, prompt })))
	add("with an empty transcript", SessionOf(row(func(r *sessions.Row) {
		r.Session = sessions.Session{ID: id, Name: "Tea"}
		r.Renamed = true
	}), state(func(s *keeper.Session) { s.Status, s.Records = keeper.StatusBusy, prompt })))
	add("ended before the first record", SessionOf(nil, state(func(s *keeper.Session) { s.Status, s.Err = keeper.StatusEnded, "claude: exit status 1." })))

	page, more, err := Read(opened(t, conversation)).Page(nil, "", DefaultLimit)
	if more || err != nil {
		t.Errorf("more %v, %v", more, err)
	}
	add("history", History{Session: SessionOf(row(same), nil), Messages: page, More: more})

	question := &keeper.Attention{
		ID: "q1", Session: id, Kind: keeper.AttentionPermission, At: at, Tool: "Bash", Title: "Run a command", Description: "Heat water",
		Input: json.RawMessage(`{"command":"kettle on"}`), ToolUse: "t1", Path: "/kettle", Suggestions: []json.RawMessage{json.RawMessage(`{"type":"setMode"}`)},
		Resolution: keeper.ResolvedAlways,
	}
	failed := &keeper.Attention{ID: "e1", Session: id, Kind: keeper.AttentionError, At: at, Message: "The turn has failed: out of tea"}
	result := json.RawMessage(`{"type":"user","uuid":"r1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}`)
	for i, e := range []keeper.Event{
		{Kind: keeper.EventCreated},
		{Kind: keeper.EventActive},
		{Kind: keeper.EventUpdated},
		{Kind: keeper.EventMessage, Record: prompt[0]},
		{Kind: keeper.EventMessage, Record: result},
		{Kind: keeper.EventPartial, Text: "I he"},
		{Kind: keeper.EventRequested, Attention: question},
		{Kind: keeper.EventResolved, Attention: question},
		{Kind: keeper.EventRequested, Attention: failed},
		{Kind: keeper.EventEnded},
		{Kind: keeper.EventEnded, Cut: true},
		{Kind: keeper.EventEnded, Text: "claude: exit status 1."},
	} {
		e.ID, e.Session = uint64(i+1), id
		if event, ok := EventOf(&e, func() Session { return Session{ID: id, State: StateIdle} }); ok {
			add("event "+string(e.Kind), event)
		} else {
			add("event "+string(e.Kind)+" has no form", nil)
		}
	}

	name := filepath.Join("testdata", "wire.golden")
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(name); err != nil || !bytes.Equal(want, b.Bytes()) {
		t.Errorf("%s differs (%v):\n%s", name, err, b.String())
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	thread := Read(opened(t, conversation))
	all, _, err := thread.Page(nil, "", DefaultLimit)
	if err != nil || len(all) != 7 {
		t.Fatalf("%d messages, %v", len(all), err)
	}
	for limit := 1; limit <= len(all); limit++ {
		var got []Message
		before, more := "", true
		for more {
			var page []Message
			if page, more, err = thread.Page(nil, before, limit); err != nil || len(page) == 0 || len(page) > limit {
				t.Fatalf("limit %d before %q: %d messages, %v", limit, before, len(page), err)
			}
			got, before = append(page, got...), page[0].ID
		}
		if !reflect.DeepEqual(got, all) {
			t.Errorf("limit %d: %v", limit, got)
		}
	}
	for _, before := range []string{"x1", "n1", "unknown"} {
		if _, _, err := thread.Page(nil, before, 1); !errors.Is(err, ErrNoMessage) {
			t.Errorf("before %s: %v", before, err)
		}
	}
}

// TestStreamEqualsHistory: a streamed record gives the same message as the transcript.
func TestStreamEqualsHistory(t *testing.T) {
	t.Parallel()
	texts := []string{conversation}
	for _, name := range []string{"kinds.jsonl", "tools.jsonl"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "transcript", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		page, _, err := Read(opened(t, text)).Page(nil, "", MaxLimit)
		if err != nil || len(page) == 0 {
			t.Fatal(len(page), err)
		}
		streamed := map[string]Message{}
		for line := range strings.Lines(text) {
			for _, m := range MessagesOf([]json.RawMessage{json.RawMessage(line)}) {
				streamed[m.ID] = m
			}
		}
		for _, m := range page {
			if got := streamed[m.ID]; !strings.HasPrefix(m.ID, "@") && !reflect.DeepEqual(got, m) {
				t.Errorf("streamed %+v\nin the history %+v", got, m)
			}
		}
	}
}

// TestJoined: some records aren't in the transcript yet. They follow its messages.
func TestJoined(t *testing.T) {
	t.Parallel()
	var lines []string
	var records []json.RawMessage
	for line := range strings.Lines(conversation) {
		if !strings.Contains(line, `"x1"`) && !strings.Contains(line, "No UUID.") {
			lines = append(lines, line)
		}
		if strings.Contains(line, `"uuid"`) && !strings.Contains(line, `"x1"`) {
			records = append(records, json.RawMessage(line))
		}
	}
	ids := func(list []Message) (ids []string) {
		for _, m := range list {
			ids = append(ids, m.ID)
		}
		return ids
	}
	want := []string{"u1", "a2", "a3", "u2", "u3", "a4"}
	for n := range len(lines) + 1 {
		page, more, err := Read(opened(t, strings.Join(lines[:n], ""))).Page(records, "", DefaultLimit)
		if got := ids(page); !slices.Equal(got, want) || more || err != nil {
			t.Errorf("with %d lines of the transcript: %q, more %v, %v", n, got, more, err)
		}
	}
	half := Read(opened(t, conversation[:strings.Index(conversation, "not JSON")]))
	if page, more, err := half.Page(records, "u3", 2); !slices.Equal(ids(page), []string{"a3", "u2"}) || !more || err != nil {
		t.Errorf("a page over both: %q, %v, %v", ids(page), more, err)
	}
	if page, more, err := Read(nil).Page(nil, "", 5); page == nil || len(page) > 0 || more || err != nil { // null isn't a list
		t.Errorf("without messages: %v, %v, %v", page, more, err)
	}
	if page, more, err := Read(nil).Page(records, "u3", 5); !slices.Equal(ids(page), []string{"u1", "a2", "a3", "u2"}) || more || err != nil {
		t.Errorf("without a transcript: %q, %v, %v", ids(page), more, err)
	}
}

func TestContent(t *testing.T) {
	t.Parallel()
	for _, c := range []Content{
		{{Type: "text", Text: "tea"}},
		{{Type: "text", Text: "a"}, {Type: "text", Text: "b"}},
		{{Type: "tool_use", ID: "t1", Name: "Bash", Input: json.RawMessage(`{"command":"ls"}`)}},
	} {
		text, err := json.Marshal(c)
		var got Content
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}
