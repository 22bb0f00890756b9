package page

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/continuo-tui/continuo/sessions/keeper"
)

// client is a stand-in for Claude Code in this process. Prompts and calls of a test drive it.
type client struct {
	world   *world
	id, dir string
	stdin   io.WriteCloser
	pipe    *io.PipeReader
	out     io.Writer
	orders  chan func()
	done    chan struct{}
	err     error
}

// Start implements keeper.Starter.
func (w *world) Start(c keeper.Command) (keeper.Process, error) {
	in, stdin := io.Pipe()
	p := &client{world: w, id: c.Args[len(c.Args)-1], dir: c.Dir, stdin: stdin, pipe: in, out: c.Stdout, orders: make(chan func()), done: make(chan struct{})}
	for i, arg := range c.Args {
		if arg == "--resume" || arg == "--session-id" {
			p.id = c.Args[i+1]
		}
	}
	w.mu.Lock()
	w.clients[p.id] = p
	w.mu.Unlock()
	go p.run()
	return p, nil
}

func (c *client) PID() int              { return 1 }
func (c *client) Stdin() io.WriteCloser { return c.stdin }
func (c *client) Terminate()            { _ = c.pipe.CloseWithError(errors.New("terminated")) }
func (c *client) Kill()                 { c.Terminate() }
func (c *client) Wait() error           { <-c.done; return c.err }

func (c *client) run() {
	defer close(c.done)
	defer c.pipe.Close()
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(c.pipe)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			lines <- []byte(strings.Clone(in.Text()))
		}
	}()
	for c.err == nil {
		select {
		case line, ok := <-lines:
			if !ok {
				return
			}
			c.handle(line)
		case do := <-c.orders:
			do()
		}
	}
}

// handle handles a line of the keeper.
func (c *client) handle(line []byte) {
	var m struct {
		Type, UUID string
		Message    struct{ Content string }
		RequestID  string `json:"request_id"`
		Response   struct {
			Response json.RawMessage
		}
	}
	if err := json.Unmarshal(line, &m); err != nil {
		panic(err)
	}
	switch m.Type {
	case "user":
		c.line(object{"type": "system", "subtype": "init", "model": "opus", "permissionMode": "default"})
		c.record(m.UUID, "user", m.Message.Content)
		c.prompt(m.Message.Content)
	case "control_request": // interrupt
		c.line(object{"type": "control_response", "response": object{"subtype": "success", "request_id": m.RequestID, "response": object{}}},
			object{"type": "result", "subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_streaming"})
	case "control_response":
		var answer struct{ Behavior string }
		_ = json.Unmarshal(m.Response.Response, &answer)
		c.world.mu.Lock()
		c.world.answer = string(m.Response.Response)
		c.world.mu.Unlock()
		c.say("Answered: " + answer.Behavior)
		c.finish()
	}
}

func (c *client) prompt(text string) {
	switch word, rest, _ := strings.Cut(text, " "); word {
	case "hold":
		c.partial("Half an **ans")
	case "run":
		c.ask("Bash", object{"command": rest, "description": "Runs it"})
	case "edit":
		c.ask("Edit", object{"file_path": c.dir + "/a.go", "old_string": "one\ntwo\nthree", "new_string": "one\n2\nthree"})
	case "plan":
		c.ask("ExitPlanMode", object{"plan": "# Plan\n\n1. Read\n2. Write"})
	case "question":
		c.ask("AskUserQuestion", object{"questions": []object{
			{"question": "Which store?", "options": []object{{"label": "Postgres"}, {"label": "SQLite", "description": "One writer"}}},
			{"question": "Which parts?", "multiSelect": true, "options": []object{{"label": "Read"}, {"label": "Write"}, {"label": "Delete"}}},
		}})
	case "fail":
		c.err = errors.New("exit status 1")
	default:
		c.say("Answer to " + text)
		c.finish()
	}
}

func (c *client) finish() {
	c.line(object{"type": "result", "subtype": "success", "is_error": false, "terminal_reason": "completed"})
}

func (c *client) partial(text string) {
	c.line(object{"type": "stream_event", "event": object{"type": "content_block_delta", "delta": object{"type": "text_delta", "text": text}}, "parent_tool_use_id": nil})
}

func (c *client) ask(tool string, input object) {
	c.line(object{"type": "control_request", "request_id": c.world.uuid(), "request": object{
		"subtype": "can_use_tool", "tool_name": tool, "display_name": tool, "input": input, "tool_use_id": "t1",
		"permission_suggestions": []object{
			{"type": "addRules", "rules": []object{{"toolName": "Bash", "ruleContent": "go test *"}}, "behavior": "allow", "destination": "localSettings"},
			{"type": "setMode", "mode": "acceptEdits", "destination": "session"},
		},
	}})
}

// say prints an answer: a text or an array of blocks.
func (c *client) say(content any) { c.record(c.world.uuid(), "assistant", content) }

func (c *client) line(lines ...object) {
	for _, l := range lines {
		text, _ := json.Marshal(l)
		_, _ = fmt.Fprintf(c.out, "%s\n", text)
	}
}

// record prints a message and writes it to the transcript.
func (c *client) record(uuid, role string, content any) {
	c.line(c.world.write(c.id, c.dir, uuid, role, content))
}

// transcripts are the files of a directory.
type transcripts struct {
	dir string

	mu      sync.Mutex
	ids     int
	parents map[string]string // UUID of the last record, by session
}

func (t *transcripts) path(id string) string { return filepath.Join(t.dir, id+".jsonl") }

func (t *transcripts) uuid() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ids++
	return fmt.Sprintf("%08x-0000-4000-8000-000000000000", t.ids)
}

// write appends a record and returns the line that the client prints.
func (t *transcripts) write(id, dir, uuid, role string, content any) object {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text, ok := content.(string); ok && role == "assistant" {
		content = []object{{"type": "text", "text": text}}
	}
	record := object{
		"type": role, "message": object{"role": role, "id": "msg_" + uuid, "content": content}, "uuid": uuid, "parentUuid": nil, "sessionId": id,
		"cwd": dir, "timestamp": clock(), "gitBranch": "main",
	}
	if parent := t.parents[id]; parent != "" {
		record["parentUuid"] = parent
	}
	t.parents[id] = uuid
	text, _ := json.Marshal(record)
	f, err := os.OpenFile(t.path(id), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(append(text, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		panic(err)
	}
	return object{"type": role, "message": record["message"], "uuid": uuid, "parent_tool_use_id": nil, "timestamp": record["timestamp"]}
}
