package mcp

import (
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/searching"
	"github.com/continuo-tui/continuo/cli/show"
)

// tool is a command that the server offers.
type tool struct {
	name, title, about string
	command            func(*place.Env, *out.Output) *cobra.Command
	word               argument // positional argument; its name is "" if there is none
	flags              []string // flags that a call may set; they never make the command write or ask
	pages              string   // key of the array of values; "" for a single value
}

// argument is an argument of a tool in its schema.
type argument struct{ name, kind, about string }

func tools() []tool {
	return []tool{
		{
			name: "list", title: "List sessions", command: find.NewListCmd, pages: "sessions",
			about: "List sessions, backups and documents of the current project, newest first.",
			flags: []string{"project", "all", "since", "kind", "state", "hidden-from-picker"},
		},
		{
			name: "search", title: "Search sessions", command: searching.NewSearchCmd, pages: "results",
			about: "Find what was said in any session, document or ledger, best match first.",
			word:  argument{"query", "string", `words that must occur in one message; "words in quotes" for a phrase, -word to exclude, /regexp/, and fields such as project:NAME, role:you, after:7d`},
			flags: []string{"project", "scope", "context"},
		},
		{
			name: "read", title: "Read a session", command: show.NewCmd, pages: "messages",
			about: "Read the messages of a session, backup or document. The main thread comes first.",
			word:  argument{"session", "string", "ID, beginning of an ID, title, or path of a .jsonl or .md file"},
			flags: []string{"latest"},
		},
		{
			name: "recover", title: "Recover the state of a project", command: ledgers.NewRecoverCmd,
			about: "Read what a project knew before its context was cleared: from NOTES.md, beads, snapshots and session documents.",
			word:  argument{"level", "integer", "1: where you were, about 200 tokens (default); 2: entries that match query, about 500 tokens; 3: the whole NOTES.md"},
			flags: []string{"query", "max-tokens", "project"},
		},
	}
}

// describe returns the description for the client. Flags are described as in the help.
func (t *tool) describe(env *place.Env) *sdk.Tool {
	args := map[string]any{}
	add := func(a argument) { args[a.name] = map[string]any{"type": a.kind, "description": a.about} }
	if t.word.name != "" {
		add(t.word)
	}
	flags := t.command(env, &out.Output{}).Flags()
	for _, name := range t.flags {
		f := flags.Lookup(name)
		kind := "string"
		switch f.Value.Type() {
		case "bool":
			kind = "boolean"
		case "int":
			kind = "integer"
		}
		add(argument{name, kind, strings.ReplaceAll(f.Usage, "`", "")})
	}
	if t.pages != "" {
		add(argument{"limit", "integer", "return at most this many " + t.pages + ", 1 to 100 (default 20)"})
		add(argument{"from", "integer", "skip this many " + t.pages + "; a result that isn't complete has the number in next"})
	}
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about,
		InputSchema: map[string]any{"type": "object", "properties": args, "additionalProperties": false},
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)},
	}
}
