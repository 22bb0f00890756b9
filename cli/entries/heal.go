package entries

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/transcript"
)

// healAsk has the arguments of continuo heal.
type healAsk struct {
	dir            string
	check, verbose bool
	write          writing.Flags
	line, undo     string // the command line of this run, and the command that undoes it
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
else the project doesn't use it. Each comes from HEAD, else from the index of git; else
NOTES.md is created from a template, and a folder is made.

An existing file is never overwritten, except a NOTES.md without content. git is only
read. Where only git can restore a part, the git command is printed. A run that finds
something missing is one line in the trajectory, if there is one. continuo undo removes
the files.

Exit codes: 0 complete, or restored; 1 something is still wrong (with --check-only: at
all); 2 it couldn't be done.`,
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

// healCommand checks the ledger, and repairs it if the user confirms the plan.
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

// healLeft returns a message that says that n parts aren't healed.
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

// healNothing ends a run that can't repair anything. It prints the plan and, except for a dry run, records the missing
// parts.
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

// mends reports whether a part is broken and can be repaired.
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

func newHealJSON(h *HealLook) *writing.Heal {
	j := &writing.Heal{Root: h.ledger.Project.Root, Issues: heal.Issues(h.Steps), Git: h.noGit, Parts: []writing.HealPart{}, Disagreements: NewDisagreementsJSON(&h.ledger.Truth)}
	for i := range h.Steps {
		s := &h.Steps[i]
		part := writing.HealPart{Part: s.Part, Path: s.Path, State: s.State, Do: s.Do, From: "", With: s.With, Files: []string{}, Named: out.OrEmpty(s.Named), Why: []string{}}
		for _, f := range s.Files {
			part.From, part.Files = f.From, append(part.Files, f.Path)
		}
		if s.Why != "" {
			part.Why = append(part.Why, s.Why)
		}
		part.Why = append(part.Why, s.Left...)
		if s.Held != "" {
			part.Why = append(part.Why, "git restores it: "+s.Held)
		}
		j.Parts = append(j.Parts, part)
	}
	return j
}

// healPlan returns the plan of a heal.
func healPlan(env *place.Env, h *HealLook, ask *healAsk) *writing.Plan {
	p := &writing.Plan{Report: writing.Report{Action: "heal", Heal: newHealJSON(h)}}
	var found, but, held []change.Line
	var reasons []string
	used := false
	for i := range h.Steps {
		s := &h.Steps[i]
		mark := change.Good
		switch {
		case s.Issue():
			mark = change.Bad
		case s.State != heal.There:
			mark = change.Note
		}
		if s.Part == heal.Index && s.State == heal.Unused && !ask.verbose {
			continue
		}
		line := change.Line{Mark: mark, Text: healWords(s)}
		if used = used || s.State != heal.Unused; s.State != heal.Unused {
			line.Right = healPlace(env, h, s)
		}
		found = append(found, line)
		for _, why := range s.Left {
			if !slices.Contains(reasons, why) { // the grimoire, and NOTES.md inside it, can have the same reason
				reasons, but = append(reasons, why), append(but, writing.Warning(transcript.CleanLine(why)))
			}
		}
		if s.Held != "" {
			held = append(held, change.Line{Text: transcript.CleanLine(s.Held), Whole: true})
		}
	}
	if !used {
		found = append(found, change.Line{Mark: change.Note, Text: "This project has no ledger. continuo note creates one."})
	}
	p.Add("Found", found...)
	if ask.check {
		p.Add("Disagree", truthPlan(&h.ledger.Truth)...)
	}
	if !ask.check {
		p.Add("Touched", healTouched(env, h, ask)...)
	}
	if h.noGit != "" && heal.Issues(h.Steps) > 0 {
		but = append(but, writing.Warning("git was not asked: "+h.noGit))
	}
	for _, problem := range h.ledger.Problems {
		but = append(but, writing.Warning(problem))
	}
	if !isProject(&h.ledger.Project) {
		but = append(but, writing.Warning("no .git, .beads or grimoire is above this folder, so it counts as the root of its project"))
	}
	p.Add("But", but...)
	p.Add("By git", held...)
	if ask.check || !h.mends() {
		return p
	}
	p.Add("Stays", change.Line{Mark: change.Good, Text: "existing files, the index and the commits of git"})
	p.Add("Undo", change.Line{Text: ask.undo + " removes the files and the folders made for them, unless they were changed since."})
	return p
}

// healPlace returns the path of a part. The path is relative to the root.
func healPlace(env *place.Env, h *HealLook, s *heal.Step) string {
	below, err := filepath.Rel(h.ledger.Project.Root, s.Path)
	if err != nil || !filepath.IsLocal(below) {
		return transcript.CleanLine(env.Tilde(s.Path))
	}
	return transcript.CleanLine(filepath.ToSlash(below))
}

// healWords describes a part: present, missing and what names it, or not used.
func healWords(s *heal.Step) string {
	name := string(s.Part)
	switch {
	case s.State == heal.Wrong:
		return name + " cannot be healed here. " + transcript.CleanLine(s.Why)
	case s.State == heal.Unused:
		return name + " is not used"
	case s.State == heal.There:
		return name + " is present"
	case s.Do == heal.Nothing:
		return name + " is present, without files"
	}
	text := name + " is " + string(s.State)
	if len(s.Named) == 0 { // an empty NOTES.md
		return text
	}
	return text + ": " + strings.Join(s.Named, ", ")
}
