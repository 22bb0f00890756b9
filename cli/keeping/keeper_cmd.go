package keeping

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/tui/render"
)

// NewCmd returns the command continuo keeper.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	return find.NewGroupCmd(&cobra.Command{
		Use:   "keeper",
		Short: "Keep sessions running without the browser, and serve them on a page",
		Long: `Keep sessions running without the browser. While a keeper runs, the sessions that you
start in the browser run in it, so you can close the browser and open it again. A page
and an API show the sessions, and answer questions of Claude.

The keeper listens on 127.0.0.1 only. The page and the API need the token. continuo
keeper status prints the path of the file with the token. The page and the API show
sessions whose folder is in keeper.roots of the config file, $ALLOWED_ROOTS or, by
default, the home directory.`,
		Example: `  continuo keeper start
  continuo keeper status --json
  continuo keeper stop`,
	}, newStartCmd(env, o), newStopCmd(env, o), newStatusCmd(env, o))
}

func newStartCmd(env *place.Env, o *out.Output) *cobra.Command {
	var install bool
	var flags writing.Flags
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Run the keeper until ctrl+c, and print the link of its page",
		Long: `Run the keeper until ctrl+c, and print the link of its page. The link has the token. When
the keeper ends, its sessions end; their transcripts stay.

With --install, the keeper doesn't start. Instead, continuo writes a service that starts
the keeper when you log in: a systemd user unit or, on macOS, a launchd agent (not
tested). continuo doesn't enable the service, but prints the command for that.

Exit codes: 1 a keeper is already running, or you said no; 2 an error.`,
		Example: `  continuo keeper start
  continuo keeper start --install --dry-run`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if install {
				return installService(cmd, env, o, flags)
			}
			if flags.DryRun || flags.Yes {
				return out.Usage("--dry-run and --yes need --install.", "continuo keeper start --help")
			}
			return start(cmd.Context(), env, o, func(r *Running) error {
				link := r.URL() + "/#token=" + r.token(tokenFile)
				facts := factsOf(r).Set("link", link)
				facts.Line("link", "link")
				return facts.Print(o, func() string {
					s := o.Out.Styles
					return out.Page([]string{
						s.Paint(render.Heading, "The keeper is running"), "  " + s.Paint(render.Faint, "page  ") + link,
						"", s.Paint(render.Faint, "ctrl+c ends it and its sessions."),
					})
				})
			})
		},
	}
	cmd.Flags().BoolVar(&install, "install", false, "write a service that starts the keeper when you log in")
	writing.AddFlags(cmd, &flags)
	return cmd
}

func newStopCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "End the keeper and its sessions",
		Long: `End the keeper and its sessions. Running turns are interrupted, and open questions are
denied. The transcripts stay, and you can resume the sessions.

Exit codes: 1 no keeper is running; 2 it hasn't ended in time.`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r := Find(cmd.Context(), env)
			if r == nil {
				return noKeeper()
			}
			if err := stop(cmd.Context(), env, r); err != nil {
				return err
			}
			o.Err.Print("The keeper has ended.\n")
			return nil
		},
	}
}

func newStatusCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Print the address, the process and the token file of the keeper",
		Long: `Print the address, the process and the token file of the keeper.

Exit code 1: no keeper is running.`,
		Example: `  curl -H "Authorization: Bearer $(cat "$(continuo keeper status --json | jq -r .tokenFile)")" \
    "$(continuo keeper status --json | jq -r .url)/sessions"`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r := Find(cmd.Context(), env)
			if r == nil {
				return noKeeper()
			}
			return factsOf(r).Print(o, func() string {
				s := o.Out.Styles
				fact := func(name, text string) string { return "  " + s.Paint(render.Faint, render.Pad(name, 12)) + text }
				return out.Page([]string{
					s.Paint(render.Heading, "The keeper is running"), fact("address", r.URL()), fact("process", strconv.Itoa(r.PID)),
					fact("token file", env.Tilde(r.TokenFile())),
				})
			})
		},
	}
}

// factsOf returns the facts about a keeper, for --json and for pipes.
func factsOf(r *Running) *out.Record {
	facts := out.NewRecord().Set("url", r.URL()).Set("pid", r.PID).Set("tokenFile", out.Path(r.TokenFile()))
	for _, key := range []string{"url", "pid", "tokenFile"} {
		facts.Line(key, key)
	}
	return facts
}
