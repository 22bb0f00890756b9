package entries

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// deltaAsk has the arguments of continuo delta.
type deltaAsk struct {
	dir, session     string
	findings         []string
	title, rationale string
	evidence         []string
	bead, agent      string
	br               bool
	line, undo       string // the command line, and the undo command
}

// NewDeltaCmd returns the command continuo delta.
func NewDeltaCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask deltaAsk
	var w writing.Flags
	var project string
	cmd := &cobra.Command{
		Use:   "delta",
		Short: "Write the findings of a live session into the ledger",
		Long: `Write the findings of a live session into the ledger (spec 002, delta-synthesis): into
the Decision Log of NOTES.md, on request to a bead, and as a record to the trajectory.

Without --finding it takes the decisions that the session has written since its last
delta, in lines that begin with DECISION: or **Decision**:, and that the ledger doesn't
have. A finding that contradicts the ledger is left out and named. If TEXT is -, it is
read from a pipe. continuo undo removes the lines from NOTES.md, but neither the record
nor a comment on a bead.

Exit codes: 1 you said no, or evidence is wrong; 2 an error, or there is no terminal to
ask in; 3 no such session or bead.`,
		Example: `  continuo delta --dry-run
  continuo delta --finding "Leeway: 30 s are enough" --evidence "src/a.go:12 | func Expired("`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readDelta(env, o, cmd, args, &ask, project); err != nil {
				return err
			}
			ask.line, ask.undo = writing.CommandLine(cmd, args), env.UndoLater()
			return runDelta(cmd.Context(), env, o, &ask, w)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&ask.findings, "finding", nil, "a finding, `TEXT` or \"Title: text\"; repeat for several")
	f.StringVar(&ask.title, "title", "", "`TITLE` of the finding; only with a single --finding")
	f.StringVar(&ask.rationale, "rationale", "", "why, as `TEXT`")
	f.StringArrayVar(&ask.evidence, "evidence", nil, "`PLACE` in the code that backs the finding, as for note decision; repeat for several")
	f.StringVar(&ask.session, "session", "", "findings of this `SESSION` (default the session that runs this command, or else the newest)")
	f.StringVar(&ask.bead, "bead", "", "`ID` of the bead that the findings are about")
	f.BoolVar(&ask.br, "br", false, "add the findings with br or bd as comments to the bead of --bead, or to the bead in progress")
	f.StringVar(&ask.agent, "agent", survey.GateAgent, "record in the trajectory of the agent `NAME`")
	find.AddProject(cmd, &project)
	writing.AddFlags(cmd, &w)
	return cmd
}

// readDelta checks the command line.
func readDelta(env *place.Env, o *out.Output, cmd *cobra.Command, args []string, ask *deltaAsk, project string) error {
	const hint = "continuo delta --help"
	for _, name := range []string{"session", "bead", "agent", "project", "title"} {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return out.Usage("--"+name+" needs a value. Is a variable unset?", hint)
		}
	}
	of := ""
	switch {
	case ask.title != "":
		of = "--title"
	case ask.rationale != "":
		of = "--rationale"
	case len(ask.evidence) > 0:
		of = "--evidence"
	}
	switch {
	case len(args) > 0:
		return out.Usage("delta takes no argument "+out.Quoted(args[0])+". Write --finding "+out.Quoted(args[0])+".", hint)
	case of != "" && len(ask.findings) != 1:
		return out.Usage(of+" applies to one finding. Pass one --finding per run.", hint)
	case len(ask.findings) > DeltaMost:
		return out.Usage("A delta has "+words.Count(DeltaMost)+" findings at most. Split them.", hint)
	}
	if err := CheckAgent(ask.agent, hint); err != nil {
		return err
	}
	texts := []*string{&ask.rationale}
	for i := range ask.findings {
		texts = append(texts, &ask.findings[i])
	}
	if err := PipedText(o, texts...); err != nil {
		return err
	}
	for _, text := range ask.findings {
		if strings.TrimSpace(text) == "" {
			return out.Usage("A finding is empty. Pass its text.", hint)
		}
	}
	var err error
	ask.dir, err = find.FolderAsked(env, project)
	return err
}

// runDelta adds the findings to the ledger if the user confirms the plan.
func runDelta(ctx context.Context, env *place.Env, o *out.Output, ask *deltaAsk, w writing.Flags) error {
	k, err := lookDelta(ctx, env, ask)
	if err != nil {
		return err
	}
	p := &writing.Plan{Line: ask.line, Parts: deltaPlan(env, k), Report: writing.Report{Action: "delta", Delta: k.report()}}
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		err := writeDelta(ctx, env, k)
		p.Report.Delta = k.report()
		p.Report.Problems = append(p.Report.Problems, k.problems...)
		if k.wrote {
			p.Report.Made = []string{k.Ledger.Project.Notes}
		}
		messages := k.said()
		if k.id != "" && k.wrote {
			messages = append(messages, "To remove it from NOTES.md: "+env.Command("undo", k.id))
		}
		return messages, err
	})
}
