package entries

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/heal"
)

// healAsk has the arguments of continuo heal.
type healAsk struct {
	dir            string
	check, verbose bool
	write          writing.Flags
	line, undo     string // the command line, and the undo command
}

// NewHealCmd returns the command continuo heal.
func NewHealCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask healAsk
	var project string
	cmd := &cobra.Command{
		Use:   "heal",
		Short: "Restore missing parts of the ledger",
		Long: `Restore missing parts of a ledger (spec 002) in this order: the grimoire, NOTES.md,
.beads, the trajectory. A part is missing if git, the config or another part names it;
otherwise the project doesn't use it. A missing part is restored from HEAD, or else from
the index of git. Without git, NOTES.md is created from a template, and folders are
created empty.

An existing file is never overwritten, except a NOTES.md without content. git is only
read. Where only git can restore a part, the git command is printed. A run that finds
something missing adds one line to the trajectory, if there is one. continuo undo removes
the files.

Exit codes: 0 nothing is wrong, or all of it was restored; 1 something is wrong; 2 an
error.`,
		Example: `  continuo heal --check-only
  continuo heal --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo heal --help"
			switch {
			case len(args) > 0:
				return out.Usage("heal takes no argument "+out.Quoted(args[0])+". Name another project with --project PATH.", hint)
			case ask.check && (ask.write.DryRun || ask.write.Yes):
				return out.Usage("--check-only writes nothing. Remove --dry-run and --yes.", hint)
			case cmd.Flags().Changed("project") && project == "":
				return out.Usage("--project is empty. Is a variable unset?", hint)
			}
			var err error
			if ask.dir, err = find.FolderAsked(env, project); err != nil {
				return err
			}
			ask.line, ask.undo = writing.CommandLine(cmd, args), "continuo undo"
			return healCommand(cmd.Context(), env, o, &ask)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&ask.check, "check-only", false, "show what is wrong and where sources disagree; change nothing")
	f.BoolVar(&ask.verbose, "verbose", false, "show every file and every git command")
	find.AddProject(cmd, &project)
	writing.AddFlags(cmd, &ask.write)
	return cmd
}

// healCommand checks the ledger, and repairs it after the user confirms.
func healCommand(ctx context.Context, env *place.Env, o *out.Output, ask *healAsk) error {
	h, err := LookHeal(ctx, env, ask.dir)
	if err != nil {
		return err
	}
	p := healPlan(env, h, ask)
	p.Line = ask.line
	switch {
	case ask.check:
		return healChecked(o, h, p)
	case !h.mends():
		return healNothing(ctx, env, o, ask, h, p)
	}
	return writing.Proceed(ctx, o, ask.write, p, func(ctx context.Context) ([]string, error) {
		done, err := RunHeal(ctx, env, h)
		if err != nil {
			return nil, err
		}
		p.Report.Made, p.Report.Problems = done.Made, append(p.Report.Problems, done.Problems...)
		p.Report.Heal.Recorded = done.Recorded
		messages := []string{healedWords(h, &done)}
		if done.ID != "" {
			messages = append(messages, "To undo: "+env.Command("undo", done.ID))
		}
		if left := h.Stuck() + done.Failed; left > 0 {
			return messages, &out.Failure{Code: out.ExitNo, What: healLeft(left), Hints: []string{"continuo heal --check-only   lists them"}}
		}
		return messages, nil
	})
}

// healLeft says that n parts aren't healed.
func healLeft(n int) string {
	return words.Counted(n, "part of the ledger is", "parts of the ledger are") + " not healed. The reasons are above."
}

// healChecked prints the result of --check-only.
func healChecked(o *out.Output, h *HealLook, p *writing.Plan) error {
	if o.JSON {
		if err := writing.PrintReport(o, p); err != nil {
			return err
		}
	} else {
		o.Out.Print(p.Text(o.Out))
	}
	n := heal.Issues(h.Steps)
	if n == 0 {
		return nil
	}
	f := &out.Failure{Code: out.ExitNo, What: words.Counted(n, "part of the ledger is", "parts of the ledger are") + " missing or wrong."}
	if h.mends() {
		f.Hints = []string{"continuo heal   shows the plan and asks"}
	}
	return f
}

// healNothing ends a run without repairs. Except in a dry run, it records the missing parts.
func healNothing(ctx context.Context, env *place.Env, o *out.Output, ask *healAsk, h *HealLook, p *writing.Plan) error {
	if !ask.write.DryRun {
		var problem string
		if p.Report.Heal.Recorded, problem = recordHeal(ctx, env, h, 0); problem != "" {
			p.Report.Problems = append(p.Report.Problems, problem)
		}
		p.Report.Done = h.Stuck() == 0
	}
	if o.JSON {
		if err := writing.PrintReport(o, p); err != nil {
			return err
		}
	} else {
		o.Out.Print(p.Text(o.Out))
	}
	if n := h.Stuck(); n > 0 {
		return &out.Failure{Code: out.ExitNo, What: healLeft(n)}
	}
	return nil
}

// mends reports whether a broken part can be repaired.
func (h *HealLook) mends() bool {
	return slices.ContainsFunc(h.Steps, func(s heal.Step) bool { return s.Issue() && s.Do != heal.Leave })
}

// Stuck returns the number of parts that can't be repaired.
func (h *HealLook) Stuck() int {
	n := 0
	for i := range h.Steps {
		if h.Steps[i].Do == heal.Leave {
			n++
		}
	}
	return n
}
