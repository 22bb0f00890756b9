package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/continuo-tui/continuo/sessions/demo"
)

// mcpWorld is a demo project with a ledger, a server and its MCP client.
type mcpWorld struct {
	home, project string
	backup        string // a backup in the project
	client        *sdk.ClientSession
	ended         chan int // receives the server's exit code
}

func newMCPWorld(t *testing.T) *mcpWorld {
	t.Helper()
	w := &mcpWorld{home: t.TempDir(), ended: make(chan int, 1)}
	stats, err := demo.Write(t.Context(), filepath.Join(w.home, ".claude"), demo.Options{Now: now(), Root: w.home})
	if err != nil {
		t.Fatal(err)
	}
	w.project = stats.List[0].Workdir
	w.backup = filepath.Join(w.project, ".claude", "memory", "raw", "20261120_110000Z_exit.jsonl")
	for path, text := range map[string]string{
		w.backup: `{"type":"user","uuid":"u","message":{"role":"user","content":"hello"}}` + "\n",
		filepath.Join(w.project, "grimoires", "loa", "NOTES.md"): "# Notes\n\n## Decision Log\n\n### 2026-11-20T10:00:00Z - Leeway is 30 s\n\n" +
			strings.Repeat("A long line of notes.\n", 5000),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stdin, requests := io.Pipe()
	answers, stdout := io.Pipe()
	go func() {
		w.ended <- Run(context.Background(), w.run(stdin, stdout, io.Discard, "mcp"))
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	w.client, err = client.Connect(t.Context(), &sdk.IOTransport{Reader: answers, Writer: requests}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *mcpWorld) run(stdin io.Reader, stdout, stderr io.Writer, args ...string) Program {
	return Program{
		Args: args, Env: []string{"HOME=" + w.home}, Dir: w.project, Version: "1.2.3", Now: now,
		Stdin: stdin, Stdout: stdout, Stderr: stderr,
	}
}

func (w *mcpWorld) call(t *testing.T, tool string, args map[string]any) (texts []string, failed bool) {
	t.Helper()
	res, err := w.client.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, args, err)
	}
	for _, c := range res.Content {
		texts = append(texts, c.(*sdk.TextContent).Text)
	}
	return texts, res.IsError
}

// mcpPage is one page of a result.
type mcpPage struct {
	Sessions, Results, Messages []any
	Next                        int
	Counts                      any
}

func (p *mcpPage) values() []any { return append(append(p.Sessions, p.Results...), p.Messages...) }

// pages returns the values of all pages.
func (w *mcpWorld) pages(t *testing.T, tool string, args map[string]any) (values []any) {
	t.Helper()
	for {
		texts, failed := w.call(t, tool, args)
		var p mcpPage
		if len(texts) != 1 || failed || json.Unmarshal([]byte(texts[0]), &p) != nil {
			t.Fatalf("%s %v: %q", tool, args, texts)
		}
		values = append(values, p.values()...)
		if p.Counts != nil && p.Next == 0 {
			values = append(values, p.Counts)
		}
		if p.Next == 0 {
			return values
		}
		if len(values) != p.Next {
			t.Fatalf("%s %v: next is %d after %d values", tool, args, p.Next, len(values))
		}
		args["from"] = p.Next
	}
}

// printed returns what a command prints with --json, as array elements.
func (w *mcpWorld) printed(t *testing.T, args ...string) (values []any) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	Run(t.Context(), w.run(strings.NewReader(""), &stdout, &stderr, append([]string{"--json"}, args...)...))
	for dec := json.NewDecoder(&stdout); ; {
		var v any
		if err := dec.Decode(&v); err == io.EOF {
			return values
		} else if err != nil {
			t.Fatalf("%v: %v %s", args, err, stderr.String())
		}
		if list, ok := v.([]any); ok {
			values = append(values, list...)
		} else {
			values = append(values, v)
		}
	}
}

func TestMCP(t *testing.T) {
	t.Parallel()
	w := newMCPWorld(t)
	tools, err := w.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s isn't marked as read-only", tool.Name)
		}
	}
	if got := fmt.Sprint(names); got != "[list read recover search]" {
		t.Errorf("the tools are %s", got)
	}
	id := w.printed(t, "list")[0].(map[string]any)["id"].(string)
	for _, c := range []struct {
		tool    string
		args    map[string]any
		command []string
	}{
		{"list", nil, []string{"list"}},
		{"list", map[string]any{"all": true, "limit": 7, "kind": "session,backup"}, []string{"list", "--all", "--kind", "session,backup"}},
		{"list", map[string]any{"kind": "document", "all": true, "from": 0}, []string{"list", "--all", "--kind", "document"}},
		{"search", map[string]any{"query": "leeway", "limit": 3, "context": 1}, []string{"search", "leeway", "-C1"}},
		{"search", map[string]any{"query": "-x token role:you"}, []string{"search", "--", "-x", "token", "role:you"}},
		{"search", map[string]any{"query": "nosuchword"}, []string{"search", "nosuchword"}},
		{"read", map[string]any{"latest": true, "limit": 5}, []string{"show", "--latest"}},
		{"read", map[string]any{"session": id}, []string{"show", id}},
	} {
		args := c.args
		if args == nil {
			args = map[string]any{}
		}
		got, want := w.pages(t, c.tool, args), w.printed(t, c.command...)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %v: %d values differ from those of %v, %d values", c.tool, args, len(got), c.command, len(want))
		}
	}
	for _, args := range []map[string]any{{}, {"level": 2, "query": "leeway"}, {"level": 3, "max-tokens": 500}} {
		command := []string{"recover"}
		for _, name := range []string{"level", "query", "max-tokens"} {
			if v, ok := args[name]; ok && name == "level" {
				command = append(command, fmt.Sprint(v))
			} else if ok {
				command = append(command, "--"+name, fmt.Sprint(v))
			}
		}
		texts, failed := w.call(t, "recover", args)
		var got any
		if len(texts) != 1 || failed || json.Unmarshal([]byte(texts[0]), &got) != nil {
			t.Fatalf("recover %v: %q", args, texts)
		}
		if want := w.printed(t, command...); len(want) != 1 || !reflect.DeepEqual(got, want[0]) {
			t.Errorf("recover %v: %v, want %v", args, got, want)
		}
	}
	if texts, _ := w.call(t, "recover", map[string]any{"level": 3}); len(texts[0]) > 50_000 || !strings.Contains(texts[0], "kB more") {
		t.Errorf("a long NOTES.md isn't cut: %d bytes", len(texts[0]))
	}
	w.pages(t, "read", map[string]any{"session": w.backup})
	if _, err := os.Stat(filepath.Join(w.home, ".local", "state", "continuo", "seen")); !os.IsNotExist(err) {
		t.Errorf("a read marks backups as reviewed: %v", err)
	}
	w.badInput(t)
	w.ends(t)
}

func (w *mcpWorld) badInput(t *testing.T) {
	t.Helper()
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"list", map[string]any{"kind": "tea"}, "--kind takes session, backup or document, not tea."},
		{"list", map[string]any{"limit": 500}, "limit takes a number from 1 to 100, not 500."},
		{"list", map[string]any{"from": "x\x1b"}, `from takes a number from 0 to 1073741824, not "x".`},
		{"search", nil, "search needs words to look for."},
		{"search", map[string]any{"query": "/a(/"}, "The regular expression is wrong"},
		{"search", map[string]any{"query": "a", "context": "many"}, "--context takes a number, not many."},
		{"read", nil, "show takes a session: an ID or ID prefix, a title, a path, or --latest."},
		{"read", map[string]any{"session": "nosuch"}, "No session has the ID or title nosuch. List all sessions."},
		{"recover", map[string]any{"level": 4}, "recover takes level 1, 2 or 3, not 4."},
		{"recover", map[string]any{"stage": true}, "recover has no argument stage."},
	} {
		texts, failed := w.call(t, c.tool, c.args)
		if !failed || len(texts) != 1 || !strings.HasPrefix(texts[0], c.want) {
			t.Errorf("%s %v: %q, want %q", c.tool, c.args, texts, c.want)
		}
	}
	if _, err := w.client.CallTool(t.Context(), &sdk.CallToolParams{Name: "delete"}); err == nil {
		t.Error("there is a tool called delete")
	}
}

func (w *mcpWorld) ends(t *testing.T) {
	t.Helper()
	if err := w.client.Close(); err != nil {
		t.Error(err)
	}
	if code := <-w.ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
}
