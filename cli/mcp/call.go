package mcp

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// caller runs one call at a time, because commands share an Env.
type caller struct {
	mu  sync.Mutex
	env *place.Env
}

// handle returns the handler of a tool. The model gets errors of the command as results.
func (c *caller) handle(t tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		value, err := c.call(ctx, &t, req.Params.Arguments)
		res := &sdk.CallToolResult{}
		if value != nil {
			text, encoding := out.EncodeJSON(value)
			if encoding != nil {
				return nil, encoding
			}
			res.Content = append(res.Content, &sdk.TextContent{Text: text})
		}
		if err != nil {
			res.IsError = true
			res.Content = append(res.Content, &sdk.TextContent{Text: sentences(out.AsFailure(err))})
		}
		return res, nil
	}
}

// call runs the command of a tool. After a partial answer, it returns both a value and an error.
func (c *caller) call(ctx context.Context, t *tool, input json.RawMessage) (value any, err error) {
	defer func() {
		if v := recover(); v != nil {
			value, err = nil, place.WritePanic(c.env, v, debug.Stack())
		}
	}()
	args, p, err := t.read(input)
	if err != nil {
		return nil, err
	}
	o := out.New(strings.NewReader(""), p, p, func(string) string { return "" })
	o.JSON, o.Take = true, func(v any) error { return p.take(o, v) }
	cmd := t.command(c.env, o)
	root := &cobra.Command{Use: "continuo", SilenceUsage: true, SilenceErrors: true}
	root.SetFlagErrorFunc(find.FlagError)
	root.AddCommand(cmd)
	root.SetOut(p)
	root.SetErr(p)
	if t.pages != "" && cmd.Flags().Lookup("limit") != nil {
		args = append([]string{"--limit=" + strconv.Itoa(p.from+p.limit+1)}, args...)
	}
	root.SetArgs(append([]string{cmd.Name()}, args...))
	err = root.ExecuteContext(ctx)
	if err != nil {
		if f := out.AsFailure(err); f.Plain && f.What == "" {
			err = nil // the value says why
		}
	}
	if err != nil && len(p.values) == 0 {
		return nil, err
	}
	return p.value(t.pages), err
}

// read converts the input of a call to the command's arguments and the requested page.
func (t *tool) read(input json.RawMessage) (args []string, p *page, err error) {
	in := map[string]json.RawMessage{}
	if len(input) > 0 {
		if err := json.Unmarshal(input, &in); err != nil {
			return nil, nil, out.Usage("The arguments of " + t.name + " aren't a JSON object.")
		}
	}
	p = &page{limit: limitDefault}
	var words []string
	for name, raw := range in {
		text := string(raw)
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw) // a number or a boolean
		}
		switch {
		case text == "null" && string(raw) == text:
		case name == t.word.name:
			words = []string{"--", text}
		case t.pages != "" && name == "limit":
			p.limit, err = number(name, text, 1, limitMost)
		case t.pages != "" && name == "from":
			p.from, err = number(name, text, 0, 1<<30)
		case slices.Contains(t.flags, name):
			args = append(args, "--"+name+"="+text)
		default:
			err = out.Usage(t.name + " has no argument " + out.Quoted(name) + ".")
		}
		if err != nil {
			return nil, nil, err
		}
	}
	slices.Sort(args)
	return append(args, words...), p, nil
}

func number(name, text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, out.Usage(name + " takes a number from " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + ", not " + out.Quoted(text) + ".")
	}
	return n, nil
}

// sentences returns an error as text with details and commands.
func sentences(f *out.Failure) string {
	lines := []string{f.What}
	lines = append(lines, f.Facts...)
	lines = append(lines, f.Hints...)
	for i := range lines {
		lines[i] = out.OneLine(lines[i])
	}
	return strings.Join(lines, "\n")
}
