package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/recovery"
)

const helpStart = `
continuo start prints what a session begins with, on one page (spec 002): the beads that are ready, the one that is
worked on, a recovery of the ledger, whether its identifiers lead where they say, and the reasoning state.

  --level N                 of the recovery: 1 where I was, 2 the topic of the last prompt, 3 everything; 1 unless you say so
  --project PATH            another project than that of this folder
  --json                    {"project","steps":[{"name","ok","why","source"}],"ready":[…],"bead":{…},"recovery":{…},
                            "identifiers":[{"ref","status","at","to","purpose","line"}],"state","disagreements"}

br ready and br show are run where there are beads; without br, or when it fails, they are read from .beads. Each step
says from where it has what it says, or why it has nothing. Nothing of the ledger is written.
Into a pipe a fact is one line with tabs between: ready, bead, recovery, identifier, state, disagreement or step, then its values.

Exit: 1 when there is nothing to start from · 2 when it could not be done · 3 when there is no such folder.
`

// startAsk is what a person asks for.
type startAsk struct {
	level recovery.Level
	dir   string
}

func newStartCmd(env *Env, o *out.Output) *cobra.Command {
	var level int
	var project string
	cmd := &cobra.Command{
		Use:  "start",
		Long: helpStart,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			const hint = "continuo start --help"
			ask := startAsk{recovery.Level(level), env.dir}
			switch {
			case ask.level < recovery.Where || ask.level > recovery.All:
				return out.Usage("--level takes 1, 2 or 3, not "+strconv.Itoa(level)+".", hint)
			case cmd.Flags().Changed("project") && strings.TrimSpace(project) == "":
				return out.Usage("--project takes a folder, and this one is empty. Is a variable not set?", hint)
			case project != "":
				ask.dir = env.typedPath(project)
			case env.dir == "":
				return out.Usage("The current folder is gone. Name that of a project with --project.", hint)
			}
			return runStart(cmd.Context(), env, o, ask)
		},
	}
	cmd.Flags().IntVar(&level, "level", int(recovery.Where), "")
	cmd.Flags().StringVar(&project, "project", "", "")
	return cmd
}

// runStart prints the page.
func runStart(ctx context.Context, env *Env, o *out.Output, ask startAsk) error {
	p, err := lookStart(ctx, env, ask)
	if err != nil {
		return err
	}
	switch {
	case o.JSON:
		err = o.PrintJSON(newStartJSON(p))
	case !p.Some():
	case o.Out.Terminal:
		o.Out.Print(startText(env, o, p))
	default:
		o.Out.Print(startPiped(p))
	}
	if err != nil || p.Some() {
		return err
	}
	f := &out.Failure{
		Code: out.ExitNo, What: "There is nothing to start from in " + env.tilde(p.Ledger.Project.Root) + ". Note what is decided and what is next.",
		Hints: []string{"continuo note --help", "continuo project   says what else is known of it"},
	}
	for i := range p.Steps {
		f.Facts = append(f.Facts, p.Steps[i].Name+": "+p.Steps[i].Why)
	}
	return f
}
