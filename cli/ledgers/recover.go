package ledgers

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/ledger/recovery"
)

// recoverLevels returns the completions of LEVEL.
func recoverLevels() []cobra.Completion {
	return []cobra.Completion{
		cobra.CompletionWithDesc("1", "where you were"),
		cobra.CompletionWithDesc("2", "this topic"),
		cobra.CompletionWithDesc("3", "everything"),
	}
}

// RecoverAsk has the arguments of continuo recover.
type RecoverAsk struct {
	recovery.Ask
	Dir                    string // "" means the current folder
	ck                     bool
	copy, fresh            bool
	to                     string
	stage, staged, unstage bool
	write                  writing.Flags
	line                   string // the command line
}

// NewRecoverCmd returns the command continuo recover.
func NewRecoverCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask RecoverAsk
	cmd := &cobra.Command{
		Use:   "recover [LEVEL]",
		Short: "Print what to read first after /clear",
		Long: `Print what a project knew before the context was cleared, from NOTES.md, the beads,
the snapshot and the session documents. LEVEL is one of these:

  1  where you were: state, bead, three decisions, next items; about 200 tokens
  2  this topic: the entries of all stores that match a query; about 500 tokens
  3  everything: the whole NOTES.md

Each line ends with its stores: N NOTES.md, B bead, S snapshot, D document. If two
disagree, beads win over NOTES.md, then snapshots, then documents; the other line is
shown as superseded.
Lines are never cut; what doesn't fit is counted on stderr. Without NOTES.md, the last
session is used, too.

Exit codes: 2 an error, 3 there is nothing to recover from.`,
		Example: `  continuo recover
  continuo recover 2 --query "token race"
  continuo recover --stage`,
		ValidArgs: recoverLevels(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := ask.read(cmd.Flags(), args); err != nil {
				return err
			}
			ask.line = writing.CommandLine(cmd, args)
			switch {
			case ask.Dir != "":
				ask.Dir = env.TypedPath(ask.Dir)
			case env.Dir == "":
				return out.Usage("The current folder was removed. Name a project with --project PATH.", "continuo recover --help")
			default:
				ask.Dir = env.Dir
			}
			return recoverCommand(cmd.Context(), env, o, &ask)
		},
	}
	f := cmd.Flags()
	f.StringVar(&ask.Query, "query", "", "search for `WORDS` at level 2, \"in quotes\" for a phrase (default the last prompt)")
	f.IntVar(&ask.Max, "max-tokens", 0, "print at most `N` tokens of 4 characters")
	find.AddProject(cmd, &ask.Dir)
	f.BoolVar(&ask.ck, "ck", false, "search with ck, if installed; it may build an index")
	f.BoolVar(&ask.copy, "copy", false, "copy the recovery to the clipboard of the terminal")
	f.StringVar(&ask.to, "to", "", "write the recovery to a new `FILE`")
	f.BoolVar(&ask.fresh, "new", false, "start claude in the project with the recovered text")
	f.BoolVar(&ask.stage, "stage", false, "let the next session in the project print the recovery once, within 24 hours")
	f.BoolVar(&ask.staged, "staged", false, "print the staged recovery")
	f.BoolVar(&ask.unstage, "unstage", false, "remove the staged recovery")
	writing.AddFlags(cmd, &ask.write)
	return cmd
}

// read parses LEVEL and checks the combination of flags.
func (a *RecoverAsk) read(f *pflag.FlagSet, args []string) error {
	const hint = "continuo recover --help"
	if err := a.readLevel(f, args, hint); err != nil {
		return err
	}
	for _, name := range []string{"query", "to", "project"} {
		if f.Changed(name) && strings.TrimSpace(f.Lookup(name).Value.String()) == "" {
			return out.Usage("--"+name+" is empty. Is a variable unset?", hint)
		}
	}
	if f.Changed("max-tokens") && a.Max < 1 {
		return out.Usage("--max-tokens takes a number from 1, not "+strconv.Itoa(a.Max)+".", hint)
	}
	var ways []string
	for _, name := range []string{"copy", "to", "new", "stage", "staged", "unstage"} {
		if f.Changed(name) && f.Lookup(name).Value.String() != "false" {
			ways = append(ways, "--"+name)
		}
	}
	if len(ways) > 1 {
		return out.Usage(strings.Join(ways, " and ")+" can't be combined. Choose one.", hint)
	}
	if (a.write.DryRun || a.write.Yes) && !a.stage && !a.unstage {
		return out.Usage("--dry-run and --yes need --stage or --unstage.", hint)
	}
	return nil
}

// readLevel parses LEVEL. The default is 1, or 2 with a flag for level 2.
func (a *RecoverAsk) readLevel(f *pflag.FlagSet, args []string, hint string) error {
	of2 := ""
	for _, name := range []string{"query", "ck"} {
		if f.Changed(name) {
			of2 = "--" + name
		}
	}
	switch {
	case len(args) > 1:
		return out.Usage("recover takes one level, not "+out.Count(len(args), "word")+". Pass a query with --query.", hint)
	case len(args) == 1:
		n, err := strconv.Atoi(args[0])
		if a.Level = recovery.Level(n); err != nil || a.Level < recovery.Where || a.Level > recovery.All {
			return out.Usage("recover takes level 1, 2 or 3, not "+out.Quoted(args[0])+".", hint)
		}
		if of2 != "" && a.Level != recovery.Topic {
			return out.Usage(of2+" is for level 2. Omit the level, or pass 2.", hint)
		}
	case of2 != "":
		a.Level = recovery.Topic
	default:
		a.Level = recovery.Where
	}
	return nil
}

// recoverCommand makes a recovery, and prints, copies, saves, stages or starts it.
func recoverCommand(ctx context.Context, env *place.Env, o *out.Output, ask *RecoverAsk) error {
	if ask.staged || ask.unstage {
		return stagedCommand(ctx, env, o, ask)
	}
	r, l, err := Recover(ctx, env, ask)
	if err != nil {
		return err
	}
	if r.Text == "" && len(r.LeftOut) == 0 {
		return NothingRecovered(env, o, &r, &l)
	}
	switch {
	case ask.copy:
		return CopyRecovered(ctx, env, o, &r)
	case ask.to != "":
		return saveRecovered(env, o, &r, env.TypedPath(ask.to))
	case ask.stage:
		return backups.StageCommand(ctx, env, o, ask.write, l.Project.Root, r.Text, ask.line)
	case ask.fresh:
		return startRecovered(ctx, env, o, &r, l.Project.Root)
	}
	return printRecovered(o, &r)
}

// LevelName returns a level as typed, such as "2".
func LevelName(l recovery.Level) string { return string(rune('0' + l)) }
