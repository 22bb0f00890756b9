package keeper

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/resume"
)

// standIn implements Starter. Each of its clients is a goroutine with a script.
type standIn struct {
	script func(c *client)

	mu       sync.Mutex
	commands []Command
}

// Start implements Starter.
func (s *standIn) Start(c Command) (Process, error) {
	s.mu.Lock()
	s.commands = append(s.commands, c)
	pid := len(s.commands)
	s.mu.Unlock()
	in, stdin := io.Pipe()
	p := &process{pid: pid, stdin: stdin, in: in, done: make(chan struct{})}
	played := &client{in: bufio.NewScanner(in), out: c.Stdout, err: c.Stderr}
	go func() {
		defer close(p.done)
		s.script(played)
		_ = in.Close()
		if p.err == nil {
			p.err = played.exit
		}
	}()
	return p, nil
}

type process struct {
	pid   int
	stdin io.WriteCloser
	in    *io.PipeReader
	done  chan struct{}
	err   error
}

func (p *process) PID() int              { return p.pid }
func (p *process) Stdin() io.WriteCloser { return p.stdin }
func (p *process) Terminate()            { _ = p.in.CloseWithError(errors.New("terminated")) }
func (p *process) Kill()                 { p.Terminate() }
func (p *process) Wait() error           { <-p.done; return p.err }

// client lets a script read and write like a client.
type client struct {
	in   *bufio.Scanner
	out  io.Writer
	err  io.Writer
	exit error
}

func (c *client) say(lines ...string) {
	for _, line := range lines {
		_, _ = io.WriteString(c.out, line+"\n")
	}
}

// next returns the next line of the Keeper, or nil at the end.
func (c *client) next() map[string]any {
	if !c.in.Scan() {
		return nil
	}
	var m map[string]any
	if err := json.Unmarshal(c.in.Bytes(), &m); err != nil {
		panic(err)
	}
	return m
}

// prompt reads lines until a prompt. ok is false at the end.
func (c *client) prompt() (text, uuid string, ok bool) {
	for m := c.next(); m != nil; m = c.next() {
		if m["type"] == "user" {
			return m["message"].(map[string]any)["content"].(string), m["uuid"].(string), true
		}
	}
	return "", "", false
}

// answer writes an answer with the lines that the real client adds.
func (c *client) answer(prompt, uuid, text string) {
	c.say(`{"type":"system","subtype":"init","session_id":"x","model":"opus","permissionMode":"default"}`)
	c.say(replay(prompt, uuid))
	for _, part := range strings.SplitAfter(text, " ") {
		c.say(fmt.Sprintf(`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":%q}},"parent_tool_use_id":null}`, part))
	}
	c.say(said(newUUID(), text), `{"type":"result","subtype":"success","is_error":false,"result":"ok","terminal_reason":"completed"}`)
}

func replay(prompt, uuid string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":%q},"parent_tool_use_id":null,"uuid":%q,"isReplay":true}`, prompt, uuid)
}

func said(uuid, text string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":%q}],"id":"m%s"},"parent_tool_use_id":null,"uuid":%q}`, text, uuid, uuid)
}

func echo(c *client) {
	for {
		prompt, uuid, ok := c.prompt()
		if !ok {
			return
		}
		c.answer(prompt, uuid, "I heard: "+prompt)
	}
}

// driven returns a Keeper and the ID of a session that runs script.
func driven(t *testing.T, script func(c *client), change ...func(*Options)) (*Keeper, string) {
	t.Helper()
	opts := Options{Start: &standIn{script: script}, Now: time.Now}
	for _, c := range change {
		c(&opts)
	}
	k := New(opts)
	t.Cleanup(k.Close)
	id, err := k.Start(launchNew(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return k, id
}

func launchNew() *resume.Launch { return &resume.Launch{Argv: []string{"claude"}, Dir: "/code"} }

// until returns all events up to the first one for which is returns true.
func until(t *testing.T, k *Keeper, is func(Event) bool) []Event {
	t.Helper()
	var all []Event
	for {
		events, _, err := k.Events(t.Context(), uint64(len(all)))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if all = append(all, e); is(e) {
				return all
			}
		}
	}
}

// kind is a condition for until: the event has one of these kinds.
func kind(kinds ...EventKind) func(Event) bool {
	return func(e Event) bool { return slices.Contains(kinds, e.Kind) }
}

func requested(t *testing.T, k *Keeper, want AttentionKind) Attention {
	t.Helper()
	all := until(t, k, func(e Event) bool { return e.Kind == EventRequested && e.Attention.Kind == want })
	return *all[len(all)-1].Attention
}
