// Package mcp implements the command mcp, a server of the Model Context Protocol on stdin and stdout. Each tool
// runs a command in this process, and returns its --json values.
package mcp

import (
	"context"
	"errors"
	"io"
	"runtime/debug"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// NewCmd returns the command continuo mcp.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Let Claude list, search and read sessions (an MCP server)",
		Long: `Run an MCP server on stdin and stdout, until stdin ends. Its tools change nothing and
return the JSON of these commands:

  list     continuo list
  search   continuo search
  read     continuo show
  recover  continuo recover

docs/mcp.md describes the tools.`,
		Example: `  continuo mcp`,
		Args:    find.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), env, o) },
	}
}

// serve answers requests until stdin ends or a signal arrives. Then it returns nil.
func serve(ctx context.Context, env *place.Env, o *out.Output) error {
	debug.SetGCPercent(100) // the default; main sets more, for short commands
	if o.Typing {
		o.Err.Print(o.Err.Wrapped("Waiting for an MCP client on stdin. To add this server to Claude Code: claude mcp add continuo -- continuo mcp"))
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "continuo", Version: place.NewBuild(env.Version).Version}, &sdk.ServerOptions{
		Instructions: "Finds and reads the Claude Code sessions on this machine: list and search find sessions, read returns the messages of one, and recover returns the state of a project's work.",
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	c := &caller{env: env}
	for _, t := range tools() {
		server.AddTool(t.describe(env), c.handle(t))
	}
	err := server.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(o.Stdin), Writer: unclosed{o.Out.W}})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		env.Signals.Expect()
		return nil
	}
	if err != nil {
		return &out.Failure{What: "The connection to the MCP client failed: " + out.Reason(err) + ".", Cause: err}
	}
	return nil
}

// unclosed prevents the server from closing a writer.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
