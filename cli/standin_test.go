package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// standIn is a stand-in for the client in stream-json mode (see TestMain). It answers each prompt with "I heard:
// PROMPT". It asks for permission first if the prompt begins with "ask". It writes a transcript and an entry in
// the live registry.
type standIn struct {
	id, cwd, config string
	parent          string // UUID of the last record
	in              *bufio.Scanner
	transcript      *os.File
	n               int
}

func runStandIn() error {
	s := &standIn{config: os.Getenv("CLAUDE_CONFIG_DIR"), in: bufio.NewScanner(os.Stdin)}
	s.in.Buffer(nil, 1<<20)
	for i, word := range os.Args {
		switch word {
		case "--version":
			fmt.Println("2.1.330 (Claude Code)")
			return nil
		case "--resume", "--session-id":
			s.id = os.Args[i+1]
		}
	}
	var err error
	if s.cwd, err = os.Getwd(); err != nil {
		return err
	}
	if s.config == "" {
		s.config = filepath.Join(os.Getenv("HOME"), ".claude")
	}
	entry := filepath.Join(s.config, "sessions", strconv.Itoa(os.Getpid())+".json")
	project := filepath.Join(s.config, "projects", sessions.Slug(s.cwd))
	for _, dir := range []string{filepath.Dir(entry), project} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	s.status("idle")
	defer func() { _ = os.Remove(entry) }()
	s.transcript, err = os.OpenFile(filepath.Join(project, s.id+".jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = s.transcript.Close() }()
	for m := s.next(); m != nil; m = s.next() {
		if err := s.handle(m); err != nil {
			return err
		}
	}
	return nil
}

// status writes the entry in the live registry.
func (s *standIn) status(status string) {
	pid := os.Getpid()
	start, _, _ := sessions.SystemProbe().Start(context.Background(), pid)
	text, err := json.Marshal(map[string]any{
		"pid": pid, "sessionId": s.id, "cwd": s.cwd, "procStart": start, "entrypoint": os.Getenv("CLAUDE_CODE_ENTRYPOINT"),
		"status": status, "updatedAt": now().UnixMilli(),
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(s.config, "sessions", strconv.Itoa(pid)+".json"), text, 0o600)
	}
	if err != nil {
		panic(err)
	}
}

// next reads a line from the keeper; nil at the end.
func (s *standIn) next() (m map[string]any) {
	if s.in.Scan() && json.Unmarshal(s.in.Bytes(), &m) != nil {
		panic("not JSON: " + s.in.Text())
	}
	return m
}

func (s *standIn) say(m map[string]any) {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

func (s *standIn) handle(m map[string]any) error {
	switch m["type"] {
	case "control_request":
		s.say(map[string]any{"type": "control_response", "response": map[string]any{"subtype": "success", "request_id": m["request_id"], "response": map[string]any{}}})
		return nil
	case "user":
	default:
		return nil
	}
	prompt, _ := m["message"].(map[string]any)["content"].(string)
	s.say(map[string]any{"type": "system", "subtype": "init", "session_id": s.id, "model": "opus", "permissionMode": "default"})
	if err := s.record("user", m["uuid"].(string), prompt); err != nil {
		return err
	}
	s.status("busy")
	answer := "I heard: " + prompt
	if len(prompt) > 3 && prompt[:3] == "ask" {
		s.n++
		s.say(map[string]any{"type": "control_request", "request_id": fmt.Sprintf("%s-q%d", s.id, s.n), "request": map[string]any{"subtype": "can_use_tool", "tool_name": "Bash", "input": map[string]any{"command": "touch made"}}})
		s.status("waiting")
		for reply := s.next(); reply != nil && reply["type"] != "control_response"; {
			reply = s.next()
		}
		var reply struct {
			Response struct {
				Response struct{ Behavior, Message string }
			}
		}
		if json.Unmarshal(s.in.Bytes(), &reply) == nil {
			answer += " (" + reply.Response.Response.Behavior + " " + reply.Response.Response.Message + ")"
		}
	}
	s.n++
	if err := s.record("assistant", fmt.Sprintf("%08d-0000-4000-8000-%012d", os.Getpid(), s.n), []any{map[string]any{"type": "text", "text": answer}}); err != nil {
		return err
	}
	s.status("idle")
	s.say(map[string]any{"type": "result", "subtype": "success", "result": "ok", "terminal_reason": "completed"})
	return nil
}

// record writes a message to the transcript and to the stream.
func (s *standIn) record(role, uuid string, content any) error {
	message := map[string]any{"role": role, "content": content}
	if role == "assistant" {
		message["id"], message["model"] = "msg-"+uuid, "opus"
	}
	m := map[string]any{"type": role, "uuid": uuid, "message": message, "isReplay": role == "user"}
	s.say(m)
	delete(m, "isReplay")
	m["parentUuid"], m["sessionId"], m["cwd"], m["timestamp"], m["version"] = nil, s.id, s.cwd, now().Format(time.RFC3339), "2.1.330"
	if s.parent != "" {
		m["parentUuid"] = s.parent
	}
	s.parent = uuid
	line, err := json.Marshal(m)
	if err == nil {
		_, err = s.transcript.Write(slices.Concat(line, []byte("\n")))
	}
	return err
}
