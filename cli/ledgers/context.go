package ledgers

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// ContextAsk has the arguments of a context command.
type ContextAsk struct {
	args    []string
	Project string
	query   string
	dry     bool
}

// contextUsage returns a usage error. Its exit code is 1, as in context-manager.sh (fact sheet 002).
func contextUsage(name, what string, facts ...string) error {
	return &out.Failure{Code: out.ExitNo, What: what, Facts: facts, Hints: []string{strings.TrimSpace("continuo context "+name) + " --help"}}
}

// NewContextCmd returns the command continuo context.
func NewContextCmd(env *place.Env, o *out.Output) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "context",
		Short: "Show what survives a compaction, as context-manager.sh does",
		Long: `Show which parts of a project survive a compaction, as context-manager.sh of spec 002
does. The output, exit codes and JSON keys are those of the script, which isn't needed.
Nothing is written. continuo gate checks more, and can reject.

Exit codes: 1 also for a missing or unknown command, flag or level; 2 an error;
3 --project isn't a folder.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return answersNo(find.UnknownCommand(cmd, args[0]))
			}
			if o.JSON {
				return contextUsage("", "context takes a command. See the help.")
			}
			_ = cmd.Help() // prints to o
			return &out.Failure{Code: out.ExitNo, What: "context takes a command. Choose one of these."}
		},
		SuggestionsMinimumDistance: 2,
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return answersNo(find.FlagError(cmd, err)) })
	for _, c := range []struct {
		name, short string
		words       []cobra.Completion // values of the argument
		dry, ask    bool
		run         func(context.Context, *place.Env, *out.Output, *ContextAsk) error
	}{
		{"status", "Show the compaction settings and what a session can continue from", nil, false, false, contextStatus},
		{"rules", "Show what a compaction always keeps and what it may drop", nil, false, false, contextRules},
		{"preserve", "Check that NOTES.md has the sections that must survive", []cobra.Completion{"all", "critical"}, false, false, contextPreserve},
		{"compact", "Show what a compaction would keep and drop, without compacting", nil, true, false, contextCompact},
		{"checkpoint", "Run four checks and list three manual steps before /compact", nil, true, false, contextCheckpoint},
		{"recover", "Print a recovery of 100, 500 or 2000 tokens for level 1, 2 or 3", []cobra.Completion{"1", "2", "3"}, false, true, contextRecover},
	} {
		var ask ContextAsk
		sub := &cobra.Command{Use: c.name, Short: c.short, ValidArgs: c.words, RunE: func(cmd *cobra.Command, args []string) error {
			if most := min(len(c.words), 1); len(args) > most {
				return contextUsage(c.name, "context "+c.name+" takes no "+out.Quoted(args[most])+".")
			}
			for _, flag := range []string{"project", "query"} {
				if f := cmd.Flags().Lookup(flag); f != nil && f.Changed && strings.TrimSpace(f.Value.String()) == "" {
					return contextUsage(c.name, "--"+flag+" is empty. Is a variable unset?")
				}
			}
			ask.args = args
			return c.run(cmd.Context(), env, o, &ask)
		}}
		if len(c.words) > 0 {
			sub.Use += " [" + strings.Join(c.words, "|") + "]"
		}
		find.AddProject(sub, &ask.Project)
		if c.dry {
			sub.Flags().BoolVar(&ask.dry, "dry-run", false, "print that this is a dry run; the command never writes")
		}
		if c.ask {
			sub.Flags().StringVar(&ask.query, "query", "", "print entries that match these `WORDS`, within the limit of the level")
		}
		cmd.AddCommand(sub)
	}
	return cmd
}

// answersNo sets the exit code of an error to 1.
func answersNo(err error) error {
	f, ok := errors.AsType[*out.Failure](err)
	if !ok {
		return err
	}
	no := *f
	no.Code = out.ExitNo
	return &no
}

// contextBudget returns the maximum number of tokens for a level (fact sheet 002, context-manager.sh).
func contextBudget(level recovery.Level) int {
	return map[recovery.Level]int{recovery.Where: 100, recovery.Topic: 500, recovery.All: 2000}[level]
}

// contextRecover prints a recovery within the budget of a level. With a query, it prints the matching entries.
func contextRecover(ctx context.Context, env *place.Env, std *out.Output, ask *ContextAsk) error {
	level := "1"
	if len(ask.args) == 1 {
		level = ask.args[0]
	}
	if level != "1" && level != "2" && level != "3" {
		return contextUsage("recover", "Invalid level: "+transcript.CleanLine(level)+" (use 1, 2, or 3).")
	}
	dir, err := find.FolderAsked(env, ask.Project)
	if err != nil {
		return err
	}
	at := recovery.Level(level[0] - '0')
	how := RecoverAsk{Ask: recovery.Ask{Level: at, Query: ask.query, Max: contextBudget(at)}, Dir: dir}
	if ask.query != "" {
		how.Level = recovery.Topic
	}
	r, _, err := Recover(ctx, env, &how)
	switch {
	case err != nil:
		return err
	case std.JSON:
		return std.PrintJSON(recoveredRecord(&r))
	}
	o := contextPage(std, "Context Recovery - Level "+level)
	if ask.query != "" {
		o.line("Query: " + transcript.CleanLine(ask.query))
	}
	o.line("")
	o.line("Level " + level + ": " + []string{"Minimal", "Standard", "Full"}[at-1] + " Recovery (~" + words.Count(contextBudget(at)) + " tokens)")
	o.line("")
	if strings.TrimSpace(r.Text) == "" {
		o.warn("There is nothing to recover from.")
	} else {
		o.b.WriteString(strings.TrimRight(transcript.Clean(r.Text), "\n") + "\n")
	}
	o.end()
	sayRecovered(std, &r, "")
	return nil
}

// contextOut prints a page like the script: an underlined title, headings and lines.
type contextOut struct {
	o *out.Output
	b strings.Builder
}

func contextPage(std *out.Output, title string) *contextOut {
	o := &contextOut{o: std}
	if title != "" {
		o.b.WriteString("\n" + std.Out.Styles.Paint(render.Strong, title) + "\n" + strings.Repeat("=", len(title)) + "\n")
	}
	return o
}

func (o *contextOut) head(text string) { o.line("\n" + o.o.Out.Styles.Paint(render.Strong, text)) }
func (o *contextOut) line(text string) { o.b.WriteString(text + "\n") }
func (o *contextOut) good(text string) {
	o.line(o.o.Out.Styles.Paint(render.Good, "✓") + " " + text)
}

func (o *contextOut) warn(text string) {
	o.line(o.o.Out.Styles.Paint(render.Warn, "△") + " " + text)
}

// mark adds the line good or bad.
func (o *contextOut) mark(ok bool, good, bad string) {
	if ok {
		o.good(good)
		return
	}
	o.warn(bad)
}

func (o *contextOut) info(text string) { o.line(o.o.Out.Styles.Paint(render.Faint, "·") + " " + text) }
func (o *contextOut) end()             { o.o.Out.Print(o.b.String() + "\n") }
