package ledgers

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// StartAsk has the arguments of continuo start.
type StartAsk struct {
	Level recovery.Level
	Dir   string
}

// NewStartCmd returns the command continuo start.
func NewStartCmd(env *place.Env, o *out.Output) *cobra.Command {
	var level int
	var project string
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Print the ready beads and the notes for a new session",
		Long: `Print what a new session needs to know (spec 002): ready beads, the bead in progress, a
recovery of the ledger, its identifiers, and the reasoning state. Each step names its
source, or says why it has none.

continuo runs br ready and br show. If br is missing or fails, continuo reads .beads.

Exit codes: 1 there is nothing to start from, 2 an error, 3 no such folder.`,
		Example: `  continuo start --level 2`,
		Args:    find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			const hint = "continuo start --help"
			ask := StartAsk{recovery.Level(level), env.Dir}
			switch {
			case ask.Level < recovery.Where || ask.Level > recovery.All:
				return out.Usage("--level takes 1, 2 or 3, not "+strconv.Itoa(level)+".", hint)
			case cmd.Flags().Changed("project") && strings.TrimSpace(project) == "":
				return out.Usage("--project takes a folder, but it is empty. Is a variable unset?", hint)
			case project != "":
				ask.Dir = env.TypedPath(project)
			case env.Dir == "":
				return out.Usage("The current folder was removed. Name a project with --project PATH.", hint)
			}
			return RunStart(cmd.Context(), env, o, ask)
		},
	}
	cmd.Flags().IntVar(&level, "level", int(recovery.Where), "recovery `LEVEL`: 1 where you were, 2 the topic of the last prompt, 3 everything")
	find.AddProject(cmd, &project)
	find.CompleteFlag(cmd, "level", "1", "2", "3")
	return cmd
}

// RunStart prints the start page.
func RunStart(ctx context.Context, env *place.Env, o *out.Output, ask StartAsk) error {
	p, err := LookStart(ctx, env, ask)
	if err != nil {
		return err
	}
	if p.Some() || o.JSON {
		err = StartRecord(p).Print(o, func() string { return StartText(env, o, p) })
	}
	if err != nil || p.Some() {
		return err
	}
	f := &out.Failure{
		Code: out.ExitNo, What: "There is nothing to start from in " + env.Tilde(p.Ledger.Project.Root) + ". Note a decision or a next step.",
		Hints: []string{"continuo note --help", "continuo project   shows the state of the project"},
	}
	if len(p.Ledger.Missing) > 0 {
		f.Facts, f.Hints = p.Ledger.Missing, append([]string{healHint}, f.Hints...)
	}
	for i := range p.Steps {
		f.Facts = append(f.Facts, p.Steps[i].Name+": "+p.Steps[i].Why)
	}
	return f
}

// LookStart runs the steps of a start. The error is about the folder, or ctx.Err().
func LookStart(ctx context.Context, env *place.Env, ask StartAsk) (*survey.Start, error) {
	p, err := survey.StartOf(ctx, env.LookFrom(ask.Dir), ask.Level, place.Recoverer(env, false), startBr(env))
	if err == nil {
		p.Ledger.Missing = entries.Missing(ctx, env, &p.Ledger)
	}
	return p, place.LookFailure(env, ask.Dir, err)
}

// healHint is the hint if parts are missing.
const healHint = "continuo heal   restores the missing parts of the ledger"

// startBr returns a function that looks up br or bd for a project.
func startBr(env *place.Env) func(p *ledger.Project) survey.Br {
	return func(p *ledger.Project) survey.Br {
		program := place.BeadsOf(env.Host, p)
		br := survey.Br{Name: program.Name}
		if br.Name == "" {
			br.Missing = program.Missing()
		}
		br.Ready = func(ctx context.Context) ([]beads.Bead, error) {
			list, err := program.Ready(ctx)
			return list, place.WithinSentence(err)
		}
		br.Show = func(ctx context.Context, id string) (*beads.Bead, error) {
			b, err := program.Show(ctx, id)
			if err != nil && out.AsFailure(err).ExitCode() == out.ExitNone {
				return nil, nil
			}
			return &b, place.WithinSentence(err)
		}
		return br
	}
}
