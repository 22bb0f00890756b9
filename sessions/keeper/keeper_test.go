package keeper

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/resume"
)

const bashQuestion = `{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Bash",` +
	`"input":{"command":"echo hi"},"permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}],"tool_use_id":"t1"}}`

func TestAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		answer Answer
		want   string
		how    Resolution
	}{
		{"allow", Answer{Allow: true}, `{"behavior":"allow","updatedInput":{"command":"echo hi"}}`, ResolvedAllow},
		{"edited", Answer{Allow: true, Input: json.RawMessage(`{"command":"echo ho"}`)}, `{"behavior":"allow","updatedInput":{"command":"echo ho"}}`, ResolvedAllow},
		{"always", Answer{Allow: true, Always: []json.RawMessage{json.RawMessage(`{"type":"setMode"}`)}}, `{"behavior":"allow","updatedInput":{"command":"echo hi"},"updatedPermissions":[{"type":"setMode"}]}`, ResolvedAlways},
		{"deny", Answer{Message: "Not now."}, `{"behavior":"deny","message":"Not now."}`, ResolvedDeny},
		{"deny without a reason", Answer{}, `{"behavior":"deny","message":"The user denied this."}`, ResolvedDeny},
		{"deny and interrupt", Answer{Message: "Stop.", Interrupt: true}, `{"behavior":"deny","interrupt":true,"message":"Stop."}`, ResolvedDeny},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := make(chan map[string]any, 1)
			k, id := driven(t, func(c *client) {
				c.say(bashQuestion)
				got <- c.next()["response"].(map[string]any)
				echo(c)
			})
			q := requested(t, k, AttentionPermission)
			if s, _ := k.Session(id); s.Status != StatusWaiting || len(s.Open) != 1 || q.ToolUse != "t1" || len(q.Suggestions) != 1 {
				t.Errorf("while it asks: %+v", s)
			}
			if err := k.Answer(id, q.ID, tt.answer); err != nil {
				t.Fatal(err)
			}
			response := <-got
			if text, _ := json.Marshal(response["response"]); string(text) != tt.want || response["request_id"] != "q1" {
				t.Errorf("the client got %s for %v, want %s", text, response["request_id"], tt.want)
			}
			all := until(t, k, kind(EventResolved))
			if how := all[len(all)-1].Attention.Resolution; how != tt.how {
				t.Errorf("resolved %s, want %s", how, tt.how)
			}
			if err := k.Answer(id, q.ID, tt.answer); !errors.Is(err, ErrUnknown) {
				t.Errorf("second answer: %v", err)
			}
		})
	}
}

func TestQuestionKinds(t *testing.T) {
	t.Parallel()
	k, id := driven(t, func(c *client) {
		c.say(strings.ReplaceAll(strings.Replace(bashQuestion, "q1", "q2", 1), "Bash", "AskUserQuestion"),
			strings.ReplaceAll(strings.Replace(bashQuestion, "q1", "q3", 1), "Bash", "ExitPlanMode"))
		echo(c)
	}, func(o *Options) { o.Limit = time.Nanosecond }) // no kind has a limit
	requested(t, k, AttentionQuestion)
	requested(t, k, AttentionPlan)
	if s, _ := k.Session(id); len(s.Open) != 2 {
		t.Errorf("open: %+v", s.Open)
	}
	input, err := Answered(json.RawMessage(`{"questions":[{"question":"Tea?"}]}`), map[string]string{"Tea?": "Green"})
	if want := `{"answers":{"Tea?":"Green"},"questions":[{"question":"Tea?"}]}`; err != nil || string(input) != want {
		t.Errorf("answered %s, %v", input, err)
	}
}

// TestEdited: one text of an input can be edited. The other fields stay.
func TestEdited(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`{"command":"make","description":"d"}`: `{"command":"a\t<b>","description":"d"}`,
		`{"file_path":"f","content":""}`:       `{"content":"a\t<b>","file_path":"f"}`,
		`{"old_string":"o","new_string":"n"}`:  `{"new_string":"a\t<b>","old_string":"o"}`,
		`{"pattern":"p"}`:                      "",
		`{"command":["a"]}`:                    "",
		`null`:                                 "",
	} {
		field, _ := Editable(json.RawMessage(input))
		got := json.RawMessage{}
		if field != "" {
			edited, err := Edited(json.RawMessage(input), field, "a\t<b>")
			if err != nil {
				t.Error(err)
			}
			got = []byte(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(edited)))
		}
		if string(got) != want {
			t.Errorf("%s: %s, want %s", input, got, want)
		}
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	k, _ := driven(t, func(c *client) {
		c.say(bashQuestion)
		text, _ := json.Marshal(c.next())
		got <- string(text)
		echo(c)
	}, func(o *Options) { o.Limit = time.Millisecond })
	if answer := <-got; !strings.Contains(answer, `"behavior":"deny"`) {
		t.Errorf("the client got %s", answer)
	}
	until(t, k, kind(EventResolved))
}

// TestCancelled: the client withdraws a question, and gets no answer.
func TestCancelled(t *testing.T) {
	t.Parallel()
	k, id := driven(t, func(c *client) {
		c.say(bashQuestion)
		interrupt := c.next()
		if interrupt["request"].(map[string]any)["subtype"] != "interrupt" {
			panic(fmt.Sprint("no interrupt: ", interrupt))
		}
		c.say(`{"type":"control_cancel_request","request_id":"q1"}`,
			fmt.Sprintf(`{"type":"control_response","response":{"subtype":"success","request_id":%q,"response":{"still_queued":[]}}}`, interrupt["request_id"]),
			`{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools"}`)
		echo(c)
	})
	q := requested(t, k, AttentionPermission)
	if err := k.Interrupt(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	until(t, k, func(e Event) bool { return e.Kind == EventResolved && e.Attention.Resolution == ResolvedCancelled })
	until(t, k, func(Event) bool { s, _ := k.Session(id); return s.Status == StatusIdle })
	if s, _ := k.Session(id); len(s.Open) != 0 {
		t.Errorf("an interrupt left %+v", s.Open)
	}
	if err := k.Answer(id, q.ID, Answer{Allow: true}); !errors.Is(err, ErrUnknown) {
		t.Errorf("answer after the cancellation: %v", err)
	}
}

func TestQueue(t *testing.T) {
	t.Parallel()
	begin := make(chan struct{})
	k, id := driven(t, func(c *client) {
		<-begin
		c.say(`not JSON`, `{"type":"new_in_this_version"}`, strings.Repeat("x", lineLimit+1), `[]`,
			`{"type":"control_request","request_id":"h","request":{"subtype":"hook_callback"}}`)
		echo(c)
	})
	for _, prompt := range []string{"one", "again", "again", "dropped"} {
		if err := k.Send(id, prompt); err != nil {
			t.Fatal(err)
		}
	}
	if text, ok := k.Unqueue(id); text != "dropped" || !ok {
		t.Errorf("unqueued %q, %v", text, ok)
	}
	if s, _ := k.Session(id); !slices.Equal(s.Queued, []string{"again", "again"}) || s.Status != StatusBusy {
		t.Errorf("queued %q, %s", s.Queued, s.Status)
	}
	close(begin)
	requested(t, k, AttentionCompletion)
	s, _ := k.Session(id)
	var texts []string
	parent := ""
	for _, r := range s.Records {
		var record struct {
			UUID, ParentUUID, SessionID string
			Message                     struct{ Content json.RawMessage }
		}
		if err := json.Unmarshal(r, &record); err != nil || record.ParentUUID != parent || record.SessionID != id {
			t.Errorf("record %s after %s: %v", r, parent, err)
		}
		parent = record.UUID
		texts = append(texts, string(record.Message.Content))
	}
	want := `"one" [{"type":"text","text":"I heard: one"}] "again" [{"type":"text","text":"I heard: again"}] "again" [{"type":"text","text":"I heard: again"}]`
	if got := strings.Join(texts, " "); got != want {
		t.Errorf("messages\n%s\nwant\n%s", got, want)
	}
	if s.Model != "opus" || s.Mode != "default" || s.Partial != "" {
		t.Errorf("model %q, mode %q, partial %q", s.Model, s.Mode, s.Partial)
	}
}

// TestPartial: events have the text of the answer. The session becomes active once.
func TestPartial(t *testing.T) {
	t.Parallel()
	k, id := driven(t, echo)
	if s, _ := k.Session(id); s.Active {
		t.Error("active before the first record")
	}
	if err := k.Send(id, "a longer prompt"); err != nil {
		t.Fatal(err)
	}
	text, active := "", 0
	events := until(t, k, kind(EventRequested))
	for _, e := range events {
		if e.Kind == EventPartial {
			text += e.Text
		}
		if e.Kind == EventActive {
			active++
		}
	}
	if s, _ := k.Session(id); text != "I heard: a longer prompt" || active != 1 || !s.Active {
		t.Errorf("streamed %q, active %d times, %v", text, active, s.Active)
	}
	if last := k.LastEvent(); last < events[len(events)-1].ID {
		t.Errorf("the last event is %d", last)
	}
}

// TestDied: when the client dies, its questions are denied, then an error comes, then the end.
func TestDied(t *testing.T) {
	t.Parallel()
	k, id := driven(t, func(c *client) {
		c.say(bashQuestion)
		c.next()
		_, _ = c.err.Write([]byte("Error: out of tea\n"))
		c.exit = errors.New("signal: killed")
	})
	requested(t, k, AttentionPermission)
	_ = k.Interrupt(t.Context(), id) // the client ends instead of answering
	var order []string
	for _, e := range until(t, k, kind(EventEnded)) {
		switch e.Kind {
		case EventResolved:
			order = append(order, string(e.Attention.Resolution))
		case EventRequested:
			order = append(order, string(e.Attention.Kind))
		case EventEnded:
			order = append(order, "ended")
		default:
		}
	}
	if want := []string{"permission", "deny", "error", "ended"}; !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
	all := until(t, k, kind(EventEnded))
	s, _ := k.Session(id)
	if how, why := s.Ending(); s.Err != "claude: signal: killed. Error: out of tea" || s.Status != StatusEnded || all[len(all)-1].Text != s.Err || how != "killed" || why != "" {
		t.Errorf("ended: %s, %+v", how, s)
	}
	if err := k.Send(id, "more"); !errors.Is(err, ErrEnded) {
		t.Errorf("send: %v", err)
	}
	if k.Forget(id); len(k.Sessions()) != 0 {
		t.Error("the session is still listed")
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	k, id := driven(t, func(c *client) {
		for m := c.next(); m != nil; m = c.next() {
			request := m["request"].(map[string]any)
			response := `"subtype":"success","response":{"model":"claude-opus"}`
			if request["mode"] == "bypassPermissions" {
				response = `"subtype":"error","error":"not launched for it"`
			}
			c.say(fmt.Sprintf(`{"type":"control_response","response":{"request_id":%q,%s}}`, m["request_id"], response))
		}
	})
	if err := k.SetMode(t.Context(), id, "acceptEdits"); err != nil {
		t.Error(err)
	}
	if err := k.SetModel(t.Context(), id, "opus"); err != nil {
		t.Error(err)
	}
	if err := k.SetMode(t.Context(), id, "bypassPermissions"); err == nil || !strings.Contains(err.Error(), "not launched for it") {
		t.Errorf("refused: %v", err)
	}
	if s, _ := k.Session(id); s.Mode != "acceptEdits" || s.Model != "claude-opus" {
		t.Errorf("mode %q, model %q", s.Mode, s.Model)
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	stand := &standIn{script: echo}
	k := New(Options{Start: stand, Now: time.Now})
	defer k.Close()
	const id = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"
	resumed := &resume.Launch{Argv: []string{"/bin/claude", "--resume", id}, Dir: "/code", Writes: id}
	if got, err := k.Start(resumed, []string{"A=b"}); got != id || err != nil {
		t.Fatal(got, err)
	}
	forked, err := k.Start(&resume.Launch{Argv: []string{"/bin/claude", "--resume", id, "--fork-session"}, Dir: "/code"}, nil)
	if err != nil || forked == id {
		t.Fatal(forked, err)
	}
	if _, err := k.Start(resumed, nil); !errors.Is(err, ErrDriven) {
		t.Errorf("driven twice: %v", err)
	}
	if _, err := k.Start(&resume.Launch{Argv: []string{"claude"}, Writes: "x", Second: true}, nil); !errors.Is(err, ErrLive) {
		t.Errorf("a second writer: %v", err)
	}
	first, second := stand.commands[0], strings.Join(stand.commands[1].Args, " ")
	if args := strings.Join(first.Args, " "); !strings.HasPrefix(args, "--resume "+id+" -p ") || strings.Contains(args, "--session-id") {
		t.Errorf("resumed with %s", args)
	}
	if !strings.HasSuffix(second, "--session-id "+forked) {
		t.Errorf("forked with %s", second)
	}
	if !slices.Equal(first.Environ, []string{"A=b", Variable + "=" + Entrypoint}) {
		t.Errorf("environment %q", first.Environ)
	}
}

// TestSlowReader: the session doesn't wait for a slow reader. The reader learns that events were lost.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	l := NewLog()
	for i := range 3*stored + 7 {
		l.Add(Event{Text: fmt.Sprint(i)})
	}
	events, lost, err := l.After(t.Context(), 5)
	if err != nil || !lost || len(events) < stored || events[len(events)-1].ID != 3*stored+7 {
		t.Errorf("%d events, lost %v, %v", len(events), lost, err)
	}
	for i, e := range events {
		if want := events[0].ID + uint64(i); e.ID != want || e.Text != fmt.Sprint(want-1) {
			t.Fatalf("event %d has the ID %d and the text %s", want, e.ID, e.Text)
		}
	}
	if next, lost, err := l.After(t.Context(), 3*stored+6); len(next) != 1 || lost || err != nil {
		t.Errorf("the last event: %v, lost %v, %v", next, lost, err)
	}
}

// TestNothingLeft: sessions end, some in a turn. No goroutine is left.
func TestNothingLeft(t *testing.T) {
	drilltest.SkipUnderRace(t)
	before := runtime.NumGoroutine()
	k := New(Options{Start: &standIn{script: echo}, Now: time.Now})
	for i := range 1000 {
		id, err := k.Start(launchNew(), nil)
		if err == nil && i%2 == 0 {
			err = k.Send(id, "hello")
		}
		if err == nil {
			err = k.End(id)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	k.Close()
	for _, s := range k.Sessions() {
		if s.Status != StatusEnded || s.Err != "" {
			t.Fatalf("ended as %+v", s)
		}
	}
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// TestJoin: a screen is opened at any moment. The transcript and the joined records have each message once.
func TestJoin(t *testing.T) {
	t.Parallel()
	const texts = 3 // few different texts, so that equal messages follow each other
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // the fixed seed makes the test repeatable
		var all []json.RawMessage
		for i := range 1 + r.IntN(40) {
			all = append(all, json.RawMessage(fmt.Sprintf(`{"type":"user","uuid":"%d","message":{"content":"text %d"}}`, i, r.IntN(texts))))
		}
		streamed := all[r.IntN(len(all)):] // records after the resume
		written := r.IntN(len(all) + 1)
		if before := len(all) - len(streamed); written < before {
			written = before // the transcript has all records from before the resume
		}
		has := map[string]bool{}
		for _, line := range all[:written] {
			has[uuidOf(line)] = true
		}
		joined := slices.Concat(all[:written], Join(func(id string) bool { return has[id] }, streamed))
		if !slices.EqualFunc(joined, all, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Fatalf("seed %d: %s", seed, joined)
		}
	}
}

// TestStreamedOnce is like TestJoin, but the session runs. Prompts repeat, and the client writes late.
func TestStreamedOnce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the fixed seed makes the test repeatable
		var mu sync.Mutex
		var written, all []string // UUIDs of the transcript, and of the whole conversation
		late := r.IntN(4)
		k, id := driven(t, func(c *client) {
			for {
				prompt, uuid, ok := c.prompt()
				if !ok {
					return
				}
				mu.Lock()
				answer := newUUID()
				all = append(all, uuid, answer)
				written = append(written, all[len(written):max(len(all)-late, len(written))]...)
				mu.Unlock()
				c.say(replay(prompt, uuid), said(answer, prompt), said(answer, prompt), // the client may repeat a line
					`{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed"}`)
			}
		})
		open := func() []string {
			mu.Lock()
			seen := slices.Clone(written)
			mu.Unlock()
			s, _ := k.Session(id)
			for _, record := range Join(func(id string) bool { return slices.Contains(seen, id) }, s.Records) {
				seen = append(seen, uuidOf(record))
			}
			return seen
		}
		turns := 1 + r.IntN(12)
		for range turns {
			if err := k.Send(id, []string{"again", "again", "other"}[r.IntN(3)]); err != nil {
				t.Fatal(err)
			}
			if r.IntN(2) == 0 { // a person opens the screen at this moment
				seen := open()
				mu.Lock()
				n := min(len(seen), len(all)) // the last prompt may not have reached the client
				if !slices.Equal(seen[:n], all[:n]) || len(seen) > len(all)+1 {
					t.Errorf("seed %d: opened with\n%q\nof\n%q", seed, seen, all)
				}
				mu.Unlock()
			}
		}
		streamed := 0
		until(t, k, func(e Event) bool {
			if e.Kind == EventMessage {
				streamed++
			}
			return streamed == 2*turns
		})
		if seen := open(); len(all) != 2*turns || !slices.Equal(seen, all) {
			t.Errorf("seed %d: at the end\n%q\nof\n%q", seed, seen, all)
		}
	}
}
