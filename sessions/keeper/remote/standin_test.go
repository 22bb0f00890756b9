package remote

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/continuo-tui/continuo/sessions/keeper"
)

// standIn is a client in this process. A script plays each client.
type standIn struct {
	script func(c *client)

	mu      sync.Mutex
	pid     int
	environ []string // environment of the last client
}

// Start implements keeper.Starter.
func (s *standIn) Start(c keeper.Command) (keeper.Process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pid++
	s.environ = c.Environ
	in, stdin := io.Pipe()
	p := &process{pid: s.pid, stdin: stdin, in: in, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		s.script(&client{in: bufio.NewScanner(in), out: c.Stdout})
		_ = in.Close()
	}()
	return p, nil
}

type process struct {
	pid   int
	stdin io.WriteCloser
	in    *io.PipeReader
	done  chan struct{}
}

func (p *process) PID() int              { return p.pid }
func (p *process) Stdin() io.WriteCloser { return p.stdin }
func (p *process) Terminate()            { _ = p.in.CloseWithError(errors.New("terminated")) }
func (p *process) Kill()                 { p.Terminate() }
func (p *process) Wait() error           { <-p.done; return nil }

// client lets a script read and write like a client.
type client struct {
	in  *bufio.Scanner
	out io.Writer
	n   int
}

func (c *client) say(line string) { _, _ = io.WriteString(c.out, line+"\n") }

// next reads a line of the Keeper. At the end, it returns nil.
func (c *client) next() (m map[string]any) {
	if c.in.Scan() && json.Unmarshal(c.in.Bytes(), &m) != nil {
		panic("not JSON: " + c.in.Text())
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

// answer streams an answer to a prompt.
func (c *client) answer(prompt, uuid, text string) {
	c.say(fmt.Sprintf(`{"type":"user","message":{"role":"user","content":%q},"uuid":%q,"isReplay":true}`, prompt, uuid))
	for _, part := range strings.SplitAfter(text, " ") {
		c.say(fmt.Sprintf(`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":%q}}}`, part))
	}
	c.n++
	c.say(fmt.Sprintf(`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":%q}]},"uuid":"%s-%d"}`, text, uuid, c.n))
	c.say(`{"type":"result","subtype":"success","result":"ok","terminal_reason":"completed"}`)
}

func echo(c *client) {
	for prompt, uuid, ok := c.prompt(); ok; prompt, uuid, ok = c.prompt() {
		c.answer(prompt, uuid, "I heard: "+prompt)
	}
}
