// Package handing implements the commands handover and save. handover writes the state of the work into all
// stores of a project.
package handing

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/sessions/stores"
)

// asked has the arguments of continuo handover.
type asked struct {
	project, session, from string
	to                     []string
	line                   string // the command line
}

const hint = "continuo handover --help"

// NewCmd returns the command continuo handover.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask asked
	var w writing.Flags
	cmd := &cobra.Command{
		Use:   "handover",
		Short: "Write the state of the work into all stores of a project",
		Long: `Write the state of the work for the next session: into active-context.md, NOTES.md, a
session document, a checkpoint of the active task, session-protocol.json and the
trajectory, which is the log of agents. Only the stores that the project uses are
written, in one step that continuo undo takes back.

The handover says what the newest session did and decided, and lists the open items of
all stores. It quotes and counts; no model is used. --from - reads the handover as JSON
instead, in the form that --dry-run --json prints as handover.value.

Exit codes: 1 you said no, 2 an error or there is no terminal to ask in, 3 no such
session.`,
		Example: `  continuo handover --dry-run
  continuo handover --to notes,document`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return out.Usage("handover takes no argument "+out.Quoted(args[0])+". Name the session with --session.", hint)
			}
			for _, name := range []string{"from", "project", "session", "to"} {
				if f := cmd.Flags().Lookup(name); f.Changed && (f.Value.String() == "" || f.Value.String() == "[]") {
					return out.Usage("--"+name+" needs a value. Is a variable unset?", hint)
				}
			}
			if ask.from != "" && ask.from != "-" {
				return out.Usage("--from takes only -, which reads the handover from a pipe.", hint)
			}
			for _, name := range ask.to {
				if !slices.Contains(stores.Names(), stores.Name(name)) {
					return out.Usage("--to takes active-context, notes, document, task, snapshot and trajectory, not "+out.Quoted(name)+".", hint)
				}
			}
			ask.line = writing.CommandLine(cmd, args)
			return run(cmd.Context(), env, o, &ask, w)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&ask.to, "to", nil, "write only to these `STORES`: active-context, notes, document, task, snapshot, trajectory")
	f.StringVar(&ask.from, "from", "", "read the handover as JSON from a pipe: `-`")
	f.StringVar(&ask.session, "session", "", "hand over this `SESSION` (default the newest of the project)")
	find.AddProject(cmd, &ask.project)
	writing.AddFlags(cmd, &w)
	find.CompleteFlag(cmd, "to", stores.Names()...)
	find.CompleteFlag(cmd, "from", "-")
	return cmd
}

func run(ctx context.Context, env *place.Env, o *out.Output, ask *asked, w writing.Flags) error {
	w.FinishInterrupted(ctx, env)
	dir, err := find.FolderAsked(env, ask.project)
	if err != nil {
		return err
	}
	l, err := LookIn(ctx, env, dir, ask.session)
	if err != nil {
		return err
	}
	if ask.from != "" {
		if err := l.read(o); err != nil {
			return err
		}
	}
	which, err := l.chosen(ask.to)
	if err != nil {
		return err
	}
	planned, err := l.Plan(ctx, env, l.Value, which)
	if err != nil {
		return err
	}
	p := planned.Plan(env, env.UndoLater(), true)
	p.Line, p.Report = ask.line, writing.Report{Action: "handover", Handover: planned.report()}
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		said, but, err := planned.Write(ctx, env)
		if but != "" {
			p.Report.Problems = append(p.Report.Problems, but)
		}
		if err != nil {
			return nil, err
		}
		p.Report.Handover = planned.report()
		for _, is := range planned.Writes {
			if is.New {
				p.Report.Made = append(p.Report.Made, is.Path)
			}
		}
		return []string{said, "To undo: " + env.Command("undo", planned.ID)}, nil
	})
}

// chosen returns the named stores, or all that the project uses.
func (l *Look) chosen(to []string) ([]stores.Name, error) {
	used := stores.Used(l.Stores)
	if len(to) == 0 {
		if len(used) == 0 {
			f := &out.Failure{What: "The project uses no store for a handover, so nothing was written. Set one up.", Hints: []string{"continuo init   sets up .claude/memory", "continuo note next --help   creates NOTES.md"}}
			for _, s := range l.Stores {
				f.Facts = append(f.Facts, s.File+": "+s.Off)
			}
			return nil, f
		}
		return used, nil
	}
	if i := slices.IndexFunc(to, func(name string) bool {
		return !slices.ContainsFunc(l.Stores, func(s stores.Store) bool { return string(s.Name) == name })
	}); i >= 0 {
		return nil, &out.Failure{What: "The handover can't be written to a " + to[i] + ": the project has none. Leave it out of --to."}
	}
	var which []stores.Name
	for _, s := range l.Stores {
		if !slices.Contains(to, string(s.Name)) {
			continue
		}
		if s.Off != "" {
			return nil, &out.Failure{What: "The handover can't be written to " + s.File + ": " + s.Off + ". Leave it out of --to."}
		}
		which = append(which, s.Name)
	}
	return which, nil
}
