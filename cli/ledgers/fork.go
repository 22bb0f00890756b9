package ledgers

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// forkAsk has the arguments of continuo fork-check.
type forkAsk struct {
	dir, session          string
	decision, title, bead string
	agent                 string
	copy, dryRun          bool
}

// NewForkCmd returns the command continuo fork-check.
func NewForkCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask forkAsk
	var project string
	cmd := &cobra.Command{
		Use:   "fork-check [SESSION]",
		Short: "Compare the decisions of a session with the ledger",
		Long: `Compare the decisions of a session with the ledger of the project (spec 002). A fork is a
different decision for the same bead or title. The ledger wins: each fork is recorded once
in the trajectory, and continuo prints a prompt that corrects the session.

Decisions are lines that begin with DECISION: or **Decision**: outside of code. The
default SESSION is the one that runs this command, or else the newest of the project.

Exit codes: 0 no fork, 1 forks, 2 it couldn't be checked, 3 no such session.`,
		Example: `  continuo fork-check --dry-run
  continuo fork-check --decision "Leeway is 60 s" --bead tea-41`,
		ValidArgsFunction: find.CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo fork-check --help"
			for _, name := range []string{"decision", "bead", "title", "project", "agent"} {
				if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
					return out.Usage("--"+name+" is empty. Is a variable unset?", hint)
				}
			}
			switch {
			case len(args) > 1:
				return out.Usage("fork-check takes one session, not "+out.Count(len(args), "word")+". Put a title in quotes.", hint)
			case len(args) > 0 && ask.decision != "":
				return out.Usage("--decision can't be combined with a session. Use one of the two.", hint)
			case ask.title != "" && ask.decision == "":
				return out.Usage("--title needs --decision.", hint)
			}
			ask.session = strings.Join(args, "")
			if err := entries.CheckAgent(ask.agent, hint); err != nil {
				return err
			}
			var err error
			if ask.dir, err = find.FolderAsked(env, project); err != nil {
				return err
			}
			if err := entries.PipedText(o, &ask.decision); err != nil {
				return err
			}
			return forkCheck(cmd.Context(), env, o, &ask)
		},
	}
	f := cmd.Flags()
	f.StringVar(&ask.decision, "decision", "", "compare this `TEXT` instead of a session")
	f.StringVar(&ask.title, "title", "", "compare --decision with the decision of this `TITLE` in NOTES.md")
	f.StringVar(&ask.bead, "bead", "", "compare decisions that name no bead with those of the bead `ID` (default the current bead)")
	f.StringVar(&ask.agent, "agent", survey.GateAgent, "record in the trajectory of the agent `NAME`")
	find.AddProject(cmd, &project)
	f.BoolVar(&ask.copy, "copy", false, "copy the prompt to the clipboard of the terminal")
	f.BoolVar(&ask.dryRun, "dry-run", false, "write nothing")
	return cmd
}

// forkLook compares a session or a decision with the ledger.
type forkLook struct {
	ledger   survey.Ledger
	session  *survey.Said // nil with --decision
	checked  int          // number of compared decisions
	forks    []gate.Fork
	recorded []bool // for each fork, whether the trajectory has it
	file     string // the trajectory
	problems []string
	unsure   bool // a part of the ledger is unreadable
}

// lookForks compares a session or a decision with the ledger, without writing.
func lookForks(ctx context.Context, env *place.Env, ask *forkAsk) (*forkLook, error) {
	l, err := place.LookLedger(ctx, env, ask.dir, survey.LedgerHow{})
	if err != nil {
		return nil, err
	}
	k := &forkLook{ledger: l, file: trajectory.LogFile(&l.Project, ask.agent, env.Now())}
	held, troubles := l.Held(ask.bead)
	others := slices.DeleteFunc(slices.Clone(l.Problems), func(s string) bool { return slices.Contains(troubles, s) })
	k.problems, k.unsure = append(troubles, others...), len(troubles) > 0
	if held.Notes == nil && (held.Beads == nil || held.Beads.Shape == "") {
		if k.unsure {
			return nil, &out.Failure{What: strings.Join(troubles, " ")}
		}
		return nil, &out.Failure{
			What:  "There is nothing to compare with: " + env.Tilde(l.Project.Root) + " has no NOTES.md and no beads.",
			Hints: []string{"continuo note decision   writes the first decision", "continuo fork-check --project PATH"},
		}
	}
	if ask.bead != "" {
		known := false
		if held.Beads != nil {
			_, known = held.Beads.Find(ask.bead)
		}
		if !known {
			return nil, &out.Failure{Code: out.ExitNone, What: "There is no bead " + out.Quoted(ask.bead) + ". List all beads.", Hints: []string{"continuo beads --all"}}
		}
	}
	if ask.title != "" && ask.bead == "" {
		if near, known := gate.Titled(held, ask.title); !known {
			f := &out.Failure{Code: out.ExitNone, What: "There is no decision " + out.Quoted(ask.title) + " in " + env.Tilde(l.Project.Notes) + " to compare with. Name a decision that is in the file."}
			for _, title := range near {
				f.Facts = append(f.Facts, transcript.CleanLine(title))
			}
			return nil, f
		}
	}
	var decisions []gate.Statement
	if ask.decision != "" {
		decisions = []gate.Statement{{At: env.Now(), Title: ask.title, Text: strings.Join(strings.Fields(ask.decision), " "), Bead: ask.bead}}
	} else {
		row, err := entries.SessionOf(ctx, env, l.Project.Root, ask.session)
		if err != nil {
			return nil, err
		}
		if row == nil {
			return nil, &out.Failure{Code: out.ExitNone, What: "There is no session of " + env.Tilde(l.Project.Root) + " yet. Name a session or a decision.", Hints: []string{"continuo fork-check --decision TEXT"}}
		}
		if k.session, err = entries.ReadSaid(ctx, env, row, true, time.Time{}); err != nil {
			return nil, err
		}
		decisions = k.session.List
		if left := k.session.LeftOut(); left != "" {
			k.problems = append(k.problems, left)
		}
	}
	k.checked = len(decisions)
	k.forks = gate.Forks(ctx, decisions, held)
	k.recorded = make([]bool, len(k.forks))
	if len(k.forks) > 0 {
		k.known(ctx, env)
	}
	return k, ctx.Err()
}

// forkLog is how many bytes of the trajectory are searched for recorded forks.
const forkLog = 256 << 20

// known sets recorded.
func (k *forkLook) known(ctx context.Context, env *place.Env) {
	whole := trajectory.Since(ctx, &k.ledger.Project, time.Time{}, forkLog, func(r *trajectory.Record) {
		for i := range k.forks {
			k.recorded[i] = k.recorded[i] || k.forks[i].Recorded(r)
		}
	})
	if !whole && ctx.Err() == nil && slices.Contains(k.recorded, false) {
		k.problems = append(k.problems, entries.LogPart(env, &k.ledger.Project, forkLog)+". A fork may be recorded twice")
	}
}

// forkCheck prints all forks, and records the new ones.
func forkCheck(ctx context.Context, env *place.Env, o *out.Output, ask *forkAsk) error {
	k, err := lookForks(ctx, env, ask)
	if err != nil {
		return err
	}
	wrote := 0
	if !ask.dryRun {
		if wrote, err = k.write(ctx, env, ask.agent); err != nil {
			k.problems = append(k.problems, err.Error())
		}
	}
	prompt := k.prompt(k.ledger.Project.NotesName())
	if ask.copy && prompt != "" {
		note, err := launch.CopyBeside(ctx, env, o, prompt, "--json prints the prompt.", "fork-check")
		if err != nil {
			return err
		}
		if note != "" {
			k.problems = append(k.problems, note)
		}
	}
	if err := k.record(prompt).Print(o, func() string { return forksText(env, o, k, prompt, ask, wrote) }); err != nil {
		return err
	}
	if !o.JSON {
		if !o.Out.Terminal && len(k.forks) == 0 {
			o.Err.Print(k.noFork() + "\n")
		}
		for _, s := range k.problems {
			o.Err.Print(o.Err.Styles.Paint(render.Warn, "△") + " " + o.Err.Wrapped(out.OneLine(out.Sentence(s))))
		}
	}
	switch {
	case len(k.forks) > 0:
		return &out.Failure{
			Code: out.ExitNo, What: words.Counted(len(k.forks), "decision contradicts", "decisions contradict") + " the ledger, which takes precedence.",
			Hints: hintsOf(!ask.copy && o.Out.Terminal, env.Command(ask.words("--copy")...)+"   the prompt that resyncs the session"),
		}
	case k.unsure:
		return &out.Failure{What: "Nothing contradicts the readable part of the ledger. Another part could not be read."}
	}
	return nil
}

// write records the new forks, and returns their number.
func (k *forkLook) write(ctx context.Context, env *place.Env, agent string) (wrote int, err error) {
	for i := range k.forks {
		if k.recorded[i] {
			continue
		}
		if err := trajectory.Append(ctx, k.ledger.Project.Root, k.file, k.forks[i].Record(env.Now(), agent)); err != nil {
			return wrote, entries.LogFailure(env, k.file, err)
		}
		k.recorded[i] = true
		wrote++
	}
	return wrote, nil
}

func hintsOf(some bool, hint string) []string {
	if some {
		return []string{hint}
	}
	return nil
}

// words returns the arguments of this run and one more flag.
func (a *forkAsk) words(flag string) []string {
	words := []string{"fork-check", flag}
	for _, f := range [][2]string{{"--decision", a.decision}, {"--title", a.title}, {"--bead", a.bead}} {
		if f[1] != "" {
			words = append(words, f[0], f[1])
		}
	}
	if a.session != "" {
		words = append(words, a.session)
	}
	return words
}

// prompt returns a prompt that resyncs a session with the ledger; "" without forks. From the session, it quotes
// the decisions to discard.
func (k *forkLook) prompt(notesName string) string {
	if len(k.forks) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Fork detected: the ledger of this project is authoritative, and this session contradicts it. Resync the session from the ledger.\n")
	for i := range k.forks {
		f := &k.forks[i]
		where := "bead " + f.Bead
		if f.Bead == "" {
			where = notesName + ", “" + transcript.CleanLine(f.Title) + "”"
		}
		b.WriteString("\n- The ledger (" + where + ") has decided: " + transcript.CleanLine(f.Decision) + "\n")
		if why := transcript.CleanLine(f.Rationale); why != "" {
			b.WriteString("  Because: " + why + "\n")
		}
		b.WriteString("  Discard: " + transcript.CleanLine(f.Statement.Text) + "\n")
	}
	b.WriteString("\nRead these entries of the ledger again, discard everything that contradicts them, and continue from there.\nIf the ledger is wrong, say so and change it first.\n")
	return b.String()
}

// record describes the forks for programs. In a pipe, a line has the winning source, the bead, the session's
// decision and the ledger's.
func (k *forkLook) record(prompt string) *out.Record {
	r := out.NewRecord()
	forks := r.List("forks")
	for i := range k.forks {
		f := &k.forks[i]
		forks.Add().Set("context", f.Statement.Text).Set("ledger", f.Decision).Set("resolution", f.Resolution).Set("bead", f.Bead).Set("title", f.Title).
			Set("rationale", f.Rationale).Set("line", f.Line).Set("said", out.Time(f.Statement.At)).Set("when", out.Time(f.When)).
			Set("recorded", k.recorded[i]).Line("", "resolution bead context ledger")
	}
	r.Set("said", k.checked).Set("left", 0).Set("session", "")
	if k.session != nil {
		r.Set("left", k.session.Left).Set("session", k.session.Row.ID)
	}
	return r.Set("prompt", prompt).Set("file", k.file).Set("problems", out.OrEmpty(k.problems))
}
