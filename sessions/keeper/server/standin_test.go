package server

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/continuo-tui/continuo/sessions/keeper"
)

// standIn is a client in this process. It answers prompts and writes transcripts.
type standIn struct {
	dir string

	late atomic.Int64 // number of last records that the transcript lacks
}

// newUUID returns a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return fmt.Sprintf("%x-%x-4%.3s-8%.3s-%x", b[:4], b[4:6], fmt.Sprintf("%x", b[6:8]), fmt.Sprintf("%x", b[8:10]), b[10:])
}

// Start implements keeper.Starter.
func (s *standIn) Start(c keeper.Command) (keeper.Process, error) {
	in, stdin := io.Pipe()
	i := max(slices.Index(c.Args, "--session-id"), slices.Index(c.Args, "--resume"))
	p := &client{standIn: s, id: c.Args[i+1], dir: c.Dir, stdin: stdin, pipe: in, in: bufio.NewScanner(in), out: c.Stdout, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.err = p.run()
		_ = in.Close()
		p.flush(0)
	}()
	return p, nil
}

// client is a running stand-in. Its methods implement keeper.Process.
type client struct {
	*standIn
	id, dir string
	stdin   io.WriteCloser
	pipe    *io.PipeReader
	in      *bufio.Scanner
	out     io.Writer
	done    chan struct{}
	err     error

	parent  string
	pending []string // records that aren't in the transcript yet
}

func (c *client) PID() int              { return 1 }
func (c *client) Stdin() io.WriteCloser { return c.stdin }
func (c *client) Terminate()            { _ = c.pipe.CloseWithError(errors.New("terminated")) }
func (c *client) Kill()                 { c.Terminate() }
func (c *client) Wait() error           { <-c.done; return c.err }

// run repeats each prompt as its answer. Some prompts make the client end, ask or wait.
func (c *client) run() error {
	for m := c.read("user"); m != nil; m = c.read("user") {
		prompt, uuid := m["message"].(map[string]any)["content"].(string), m["uuid"].(string)
		if prompt == "die" {
			return errors.New("exit status 1")
		}
		c.say(`{"type":"system","subtype":"init","model":"opus","permissionMode":"default"}`)
		c.record(uuid, fmt.Sprintf(`"type":"user","message":{"role":"user","content":%q}`, prompt))
		switch prompt {
		case "Heat the water.", "bypass":
			mode := "acceptEdits"
			if prompt == "bypass" {
				mode = "bypassPermissions"
			}
			c.say(question(newUUID(), mode))
			c.read("control_response")
		case "hold":
			m := c.read("control_request")
			c.say(fmt.Sprintf(`{"type":"control_response","response":{"subtype":"success","request_id":%q,"response":{}}}`, m["request_id"]),
				`{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools"}`)
			continue
		}
		c.say(fmt.Sprintf(`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":%q}},"parent_tool_use_id":null}`, prompt))
		answer := newUUID()
		c.record(answer, fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","id":"m%s","content":[{"type":"text","text":%q}]}`, answer, prompt))
		c.say(`{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed"}`)
	}
	return nil
}

func question(id, mode string) string {
	return fmt.Sprintf(`{"type":"control_request","request_id":%q,"request":{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Bash",`+
		`"description":"Heat water","input":{"command":"kettle on"},"tool_use_id":"t1","permission_suggestions":`+
		`[{"type":"setMode","mode":%q,"destination":"session"}]}}`, id, mode)
}

// read returns the next line of a type, or nil at the end.
func (c *client) read(kind string) map[string]any {
	for c.in.Scan() {
		var m map[string]any
		if json.Unmarshal(c.in.Bytes(), &m) == nil && m["type"] == kind {
			return m
		}
	}
	return nil
}

func (c *client) say(lines ...string) { _, _ = io.WriteString(c.out, strings.Join(lines, "\n")+"\n") }

// record prints a record and writes it to the transcript, perhaps later.
func (c *client) record(uuid, fields string) {
	parent, _ := json.Marshal(c.parent)
	if c.parent == "" {
		parent = []byte("null")
	}
	c.parent = uuid
	c.pending = append(c.pending, fmt.Sprintf(`{%s,"uuid":%q,"parentUuid":%s,"sessionId":%q,"cwd":%q,"timestamp":"2026-11-28T09:00:00.000Z"}`, fields, uuid, parent, c.id, c.dir))
	c.flush(int(c.late.Load()))
	c.say(fmt.Sprintf(`{%s,"uuid":%q,"parent_tool_use_id":null,"timestamp":"2026-11-28T09:00:00.000Z"}`, fields, uuid))
}

// flush writes the pending records, except the last late ones.
func (c *client) flush(late int) {
	n := max(0, len(c.pending)-late)
	if n == 0 {
		return
	}
	f, err := os.OpenFile(filepath.Join(c.standIn.dir, c.id+".jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(f, strings.Join(c.pending[:n], "\n")+"\n")
	_ = f.Close()
	c.pending = c.pending[n:]
}
