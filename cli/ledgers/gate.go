package ledgers

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// GateFlags has the flags of continuo gate.
type GateFlags struct {
	ask            GateAsk
	project        string
	record, dryRun bool
}

// NewGateCmd returns the command continuo gate.
func NewGateCmd(env *place.Env, o *out.Output) *cobra.Command {
	f := GateFlags{}
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "Check that /compact or /clear would lose nothing",
		Long: `Check that nothing is lost when a context is wiped (spec 002). Before /compact: claims in
the trajectory cite a source, each claim that something is missing rests on two searches,
and the evidence of decisions is in the code. --full adds the checks before /clear.

If step 1 or 2 fails, the gate rejects if grounding.enforcement is strict, and else warns.
If a step in gate.block fails, the gate rejects. Other steps only warn. Each run is
recorded in the trajectory.

Exit codes: 1 rejected, 2 something couldn't be checked or written, or there is nothing
to check, 3 no such folder or session.`,
		Example: `  continuo gate
  continuo gate --full --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args, env.Now()); err != nil {
				return err
			}
			var err error
			if f.ask.Dir, err = find.FolderAsked(env, f.project); err != nil {
				return err
			}
			return gateCommand(cmd.Context(), env, o, &f)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.ask.Full, "full", false, "check before /clear: also the bead, the handoff, the identifiers and the test scenarios")
	flags.StringVar(&f.ask.Agent, "agent", "", "check only the claims of the agent `NAME` (default all)")
	flags.StringVar(&f.ask.Day, "date", "", "check this `DAY`: yesterday or 2026-11-22 (default today)")
	flags.StringVar(&f.ask.Session, "session", "", "hand off this `SESSION` (default the newest of the project)")
	flags.BoolVar(&f.record, "record", false, "write the checkpoint to NOTES.md if the gate is passed")
	flags.BoolVar(&f.dryRun, "dry-run", false, "write nothing")
	find.AddProject(cmd, &f.project)
	return cmd
}

// check returns a usage error if the command line is wrong.
func (f *GateFlags) check(cmd *cobra.Command, args []string, now time.Time) error {
	const hint = "continuo gate --help"
	if len(args) > 0 {
		return out.Usage("gate takes no argument "+out.Quoted(args[0])+". Name a project with --project PATH, a session with --session.", hint)
	}
	for _, name := range []string{"agent", "date", "session", "project"} {
		if flag := cmd.Flags().Lookup(name); flag.Changed && flag.Value.String() == "" {
			return out.Usage("--"+name+" is empty. Is a variable unset?", hint)
		}
	}
	if f.ask.Agent != "" {
		if err := entries.CheckAgent(f.ask.Agent, hint); err != nil {
			return err
		}
	}
	if f.ask.Session != "" && !f.ask.Full {
		return out.Usage("--session needs --full, which writes the handoff.", hint)
	}
	if f.record && f.dryRun {
		return out.Usage("--record writes NOTES.md, and --dry-run writes nothing. Use one of them.", hint)
	}
	if day := f.ask.Day; day != "" {
		at, err := find.ParseDay("date", day, now)
		if err != nil {
			return err
		}
		f.ask.Day = at.Format(time.DateOnly)
	}
	return nil
}

// GateRun is a run of the gate and the records that it wrote.
type GateRun struct {
	*GateLook
	Written  []gateWritten
	recorded string   // the undo command of the new checkpoint in NOTES.md, or ""
	But      []string // messages about what was not written
}

// gateWritten is a written record or checkpoint.
type gateWritten struct {
	Phase string // grounding_check, session_handoff or, for NOTES.md, checkpoint
	Path  string
}

// gateCommand runs the gate, writes the records, and prints the result.
func gateCommand(ctx context.Context, env *place.Env, o *out.Output, f *GateFlags) error {
	look, err := LookGate(ctx, env, f.ask)
	if err != nil {
		return err
	}
	run := &GateRun{GateLook: &look}
	if !f.dryRun {
		writeGate(ctx, env, run, f.record)
	}
	message := run.Said(f)
	if err := run.Record(f.dryRun).Print(o, func() string { return gateText(env, o, run, message) }); err != nil {
		return err
	}
	return gateEnd(env, o, run, message)
}

// writeGate appends the records to the trajectory. If record is set, it also writes the checkpoint to NOTES.md.
// run.But gets the problems.
func writeGate(ctx context.Context, env *place.Env, run *GateRun, record bool) {
	r := &run.Report
	for _, x := range run.Records() {
		AppendRecord(ctx, env, run, x)
	}
	if !record {
		return
	}
	if r.Verdict != gate.Passed {
		run.But = append(run.But, "The gate was not passed, so the checkpoint was not written to NOTES.md.")
		return
	}
	id, but, err := entries.RecordCheckpoint(ctx, env, &run.Project, r.At)
	if but != "" {
		run.But = append(run.But, but)
	}
	if err != nil {
		run.But = append(run.But, err.Error())
		return
	}
	run.recorded = env.Command("undo", id)
	run.Written = append(run.Written, gateWritten{"checkpoint", run.Project.Notes})
}

// gateRecord is a record for the trajectory.
type gateRecord struct {
	Phase string
	Value any
}

// Records returns the records of a run. Without a count of the claims, there is none of the grounding check.
func (l *GateLook) Records() []gateRecord {
	var all []gateRecord
	if l.Report.Steps[0].Status != gate.Unknown {
		all = append(all, gateRecord{trajectory.PhaseGrounding, l.Report.Check()})
	}
	if l.LogsHandoff() {
		all = append(all, gateRecord{trajectory.PhaseHandoff, l.Handoff})
	}
	return all
}

// LogsHandoff reports whether a run logs a handoff. A full run does if the gate passed. With an unchecked step,
// it does unless the enforcement is strict.
func (l *GateLook) LogsHandoff() bool {
	r := &l.Report
	return r.Mode == gate.Full && (r.Verdict == gate.Passed || r.Verdict == gate.Unsure && r.Enforcement != ledger.Strict)
}

// AppendRecord appends a record to the trajectory. run.But gets a problem.
func AppendRecord(ctx context.Context, env *place.Env, run *GateRun, x gateRecord) {
	if err := trajectory.Append(ctx, run.Project.Root, run.File, x.Value); err != nil {
		run.But = append(run.But, "The record "+x.Phase+" was not written to "+env.Tilde(run.File)+": "+trajectory.Reason(err)+".")
		return
	}
	run.Written = append(run.Written, gateWritten{x.Phase, run.File})
}

// Said describes the files that a run has written.
func (run *GateRun) Said(f *GateFlags) string {
	if len(run.Written) == 0 {
		if f.dryRun && run.LogsHandoff() {
			return "A run without --dry-run appends the handoff to " + place.BaseName(run.File) + "."
		}
		return "Nothing was written."
	}
	var parts []string
	for _, w := range run.Written {
		switch w.Phase {
		case trajectory.PhaseGrounding:
			parts = append(parts, "the result")
		case trajectory.PhaseHandoff:
			parts = append(parts, "the handoff")
		}
	}
	message := ""
	if len(parts) > 0 {
		are := " is in "
		if len(parts) > 1 {
			are = " are in "
		}
		message = out.UpperFirst(words.AndList(parts)) + are + place.BaseName(run.File) + "."
	}
	if run.recorded != "" {
		message += " The checkpoint is in NOTES.md; " + run.recorded + " removes it."
	}
	return strings.TrimSpace(message)
}

// gateText formats a run for a terminal. It omits a verdict that gateEnd returns.
func gateText(env *place.Env, std *out.Output, run *GateRun, message string) string {
	o := gateOptions(env, std)
	lines := ledgerlines.GateLines(&run.Report, message, o)
	verdict := len(lines) - len(ledgerlines.GateVerdictLines(&run.Report, message, o))
	text := out.Page(lines[:verdict])
	for _, s := range run.Report.Remarks {
		text += std.Out.Styles.Paint(render.Warn, "△") + " " + std.Out.Wrapped(transcript.CleanLine(s))
	}
	if run.Report.Verdict == gate.Passed && len(run.But) == 0 {
		text += out.Page(lines[verdict:])
	}
	return text
}

func gateOptions(env *place.Env, o *out.Output) ledgerlines.GateOptions {
	return ledgerlines.GateOptions{Width: o.Out.Page(), Styles: o.Out.Styles, Now: env.Now()}
}

// gateEnd returns an error if the run hasn't passed.
func gateEnd(env *place.Env, o *out.Output, run *GateRun, message string) error {
	r := &run.Report
	if r.Verdict == gate.Passed && len(run.But) == 0 {
		return nil
	}
	const wide = 10_000 // prevents wrapping
	verdict := strings.Join(ledgerlines.GateVerdictLines(r, message, ledgerlines.GateOptions{Width: wide, Styles: render.NewStyles(render.None), Now: env.Now()}), " ")
	_, verdict, _ = strings.Cut(strings.TrimSpace(verdict), " ") // removes the glyph
	f := &out.Failure{Code: r.Exit(), What: strings.TrimSpace(verdict), Facts: append([]string{}, run.But...)}
	if r.Verdict == gate.Passed {
		f = &out.Failure{Code: out.ExitFailed, What: "The gate passed, but not everything could be written. " + strings.Join(append(run.But, message), " ")}
	}
	if !o.Out.Terminal || o.JSON {
		f.Facts = append(f.Facts, r.Reasons()...)
	}
	return f
}
