package cli

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/transcript"
)

const helpHeal = `
continuo heal brings back what is missing of a ledger (spec 002): the grimoire, NOTES.md, .beads, the trajectory, in this
order. What git has at HEAD comes back, else what is staged; else NOTES.md is begun anew, and a folder is made.

  --check-only              say what is wrong, and touch nothing
  --verbose                 every file, and what git was asked
  --project PATH            another project
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    {"action":"heal","done",
                            "made":[path],"problems",
                            "heal":{"root","issues",
                            "git","parts":[{"part",
                            "path","state","do","from",
                            "with","files","why"}],
                            "disagreements",
                            "recorded"}}

A file that is there is never written over, but a NOTES.md in which nothing stands. git is only read: no checkout, no
filter, no hook. What git has and continuo cannot bring back gets nothing in its place: the command of git that does is
printed. What cannot be healed is said, and the rest is done. A run is one line in the trajectory,
system-DATE.jsonl. continuo undo takes the files away again. .ck is the index of ck, which is not run.
--check-only also says where code, beads, NOTES.md and trajectory disagree, and who wins; that alone is no issue.

Exit: 0 well, or healed · 1 something is wrong still, with --check-only: at all · 2 when it could not be done.
`

// healAsk is what a person asks for.
type healAsk struct {
	dir            string
	check, verbose bool
	write          writeFlags
	line           string // the command line of this run
}

func newHealCmd(env *Env, o *out.Output) *cobra.Command {
	var ask healAsk
	var project string
	cmd := &cobra.Command{
		Use:  "heal",
		Long: helpHeal,
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo heal --help"
			switch {
			case len(args) > 0:
				return out.Usage("heal takes no "+out.Quoted(args[0])+" alone. Name another project with --project PATH.", hint)
			case ask.check && (ask.write.dryRun || ask.write.yes):
				return out.Usage("--check-only writes nothing, so it goes without --dry-run and --yes.", hint)
			case cmd.Flags().Changed("project") && project == "":
				return out.Usage("--project takes a folder, and this one is empty. Is a variable not set?", hint)
			}
			var err error
			if ask.dir, err = folderAsked(env, project); err != nil {
				return err
			}
			ask.line = commandLine(cmd, args)
			return healCommand(cmd.Context(), env, o, &ask)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&ask.check, "check-only", false, "")
	f.BoolVar(&ask.verbose, "verbose", false, "")
	f.StringVar(&project, "project", "", "")
	addWriteFlags(cmd, &ask.write)
	return cmd
}

// healCommand looks, and heals what is agreed to.
func healCommand(ctx context.Context, env *Env, o *out.Output, ask *healAsk) error {
	h, err := lookHeal(ctx, env, ask.dir)
	if err != nil {
		return err
	}
	p := healPlan(env, h, ask)
	p.line = ask.line
	issues := heal.Issues(h.steps)
	switch {
	case ask.check:
		return healChecked(o, h, p)
	case !h.mends():
		return healNothing(ctx, env, o, ask, h, p)
	}
	return proceed(ctx, o, ask.write, p, func(ctx context.Context) ([]string, error) {
		done, err := runHeal(ctx, env, h)
		if err != nil {
			return nil, err
		}
		p.report.Made, p.report.Problems = done.made, append(p.report.Problems, done.problems...)
		p.report.Heal.Recorded = done.recorded
		healed := issues - h.stuck() - done.failed
		said := []string{"Healed: " + words.Counted(healed, "part", "parts") + " of the ledger."}
		if done.id != "" {
			said = append(said, "To take it back: "+env.command("undo", done.id))
		}
		if left := issues - healed; left > 0 {
			return said, &out.Failure{Code: out.ExitNo, What: healLeft(left), Hints: []string{"continuo heal --check-only   says what"}}
		}
		return said, nil
	})
}

// healLeft says that something is wrong still.
func healLeft(n int) string {
	return words.Counted(n, "part of the ledger is", "parts of the ledger are") + " not healed. What is wrong is above."
}

// healChecked prints what was found, and touches nothing.
func healChecked(o *out.Output, h *healLook, p *deedPlan) error {
	if o.JSON {
		if err := printDeed(o, p); err != nil {
			return err
		}
	} else {
		o.Out.Print(p.text(o.Out))
	}
	n := heal.Issues(h.steps)
	if n == 0 {
		return nil
	}
	f := &out.Failure{Code: out.ExitNo, What: words.Counted(n, "part of the ledger is", "parts of the ledger are") + " not as it has to be."}
	if h.mends() {
		f.Hints = []string{"continuo heal   shows what it would do, and asks"}
	}
	return f
}

// healNothing is the end of a run in which there is nothing to write but its record.
func healNothing(ctx context.Context, env *Env, o *out.Output, ask *healAsk, h *healLook, p *deedPlan) error {
	if !ask.write.dryRun {
		var problem string
		if p.report.Heal.Recorded, problem = recordHeal(ctx, env, h, 0); problem != "" {
			p.report.Problems = append(p.report.Problems, problem)
		}
		p.report.Done = h.stuck() == 0
	}
	if o.JSON {
		if err := printDeed(o, p); err != nil {
			return err
		}
	} else {
		o.Out.Print(p.text(o.Out))
	}
	if n := h.stuck(); n > 0 {
		return &out.Failure{Code: out.ExitNo, What: healLeft(n)}
	}
	return nil
}

// mends reports whether anything can be healed.
func (h *healLook) mends() bool {
	return slices.ContainsFunc(h.steps, func(s heal.Step) bool { return s.Issue() && s.Do != heal.Leave })
}

// stuck counts the parts that cannot be healed here.
func (h *healLook) stuck() int {
	n := 0
	for i := range h.steps {
		if h.steps[i].Do == heal.Leave {
			n++
		}
	}
	return n
}

// healJSON is what was found of a ledger, and what is done about it.
type healJSON struct {
	Root   string     `json:"root"`
	Issues int        `json:"issues"`
	Git    string     `json:"git"` // why git was not asked; "" it was, or nothing was missing
	Parts  []healPart `json:"parts"`
	// Disagreements are no issues: nothing is missing.
	Disagreements []disagreementJSON `json:"disagreements"`
	Recorded      string             `json:"recorded"` // the trajectory that was written to; "" none
}

type healPart struct {
	Part  heal.Part   `json:"part"`
	Path  string      `json:"path"`
	State heal.State  `json:"state"`
	Do    heal.Do     `json:"do"`   // restore, template, make, mention, leave; "" nothing
	From  heal.Source `json:"from"` // HEAD, index, template; "" nowhere
	With  heal.Part   `json:"with"` // the part with which it comes back; ""
	Files []string    `json:"files"`
	Why   []string    `json:"why"`
}

func newHealJSON(h *healLook) *healJSON {
	j := &healJSON{Root: h.ledger.Project.Root, Issues: heal.Issues(h.steps), Git: h.noGit, Parts: []healPart{}, Disagreements: newDisagreementsJSON(&h.ledger.Truth)}
	for i := range h.steps {
		s := &h.steps[i]
		part := healPart{s.Part, s.Path, s.State, s.Do, "", s.With, []string{}, []string{}}
		for _, f := range s.Files {
			part.From, part.Files = f.From, append(part.Files, f.Path)
		}
		if s.Why != "" {
			part.Why = append(part.Why, s.Why)
		}
		part.Why = append(part.Why, s.Left...)
		if s.Held != "" {
			part.Why = append(part.Why, "git brings it back: "+s.Held)
		}
		j.Parts = append(j.Parts, part)
	}
	return j
}

// healPlan draws what was found, and what is done about it.
func healPlan(env *Env, h *healLook, ask *healAsk) *deedPlan {
	p := &deedPlan{report: deedJSON{Action: "heal", Heal: newHealJSON(h)}}
	var found, but, held []change.Line
	var said []string
	for i := range h.steps {
		s := &h.steps[i]
		mark := change.Good
		switch {
		case s.Issue():
			mark = change.Bad
		case s.Do == heal.Mention, s.State != heal.There:
			mark = change.Note
		}
		if s.Do == heal.Mention && !ask.verbose {
			if _, err := env.host.LookPath("ck"); err != nil {
				continue // there is no ck, and so no index
			}
		}
		found = append(found, change.Line{Mark: mark, Text: healWords(s, h.noGit == ""), Right: healPlace(env, h, s)})
		for _, why := range s.Left {
			if !slices.Contains(said, why) { // of a grimoire, and of NOTES.md in it
				said, but = append(said, why), append(but, warning(transcript.CleanLine(why)))
			}
		}
		if s.Held != "" {
			held = append(held, change.Line{Text: transcript.CleanLine(s.Held), Whole: true})
		}
	}
	p.add("Found", found...)
	if ask.check {
		p.add("Disagree", truthPlan(&h.ledger.Truth)...)
	}
	if !ask.check {
		p.add("Touched", healTouched(env, h, ask)...)
	}
	if h.noGit != "" {
		but = append(but, warning("git was not asked: "+h.noGit))
	}
	for _, problem := range h.ledger.Problems {
		but = append(but, warning(problem))
	}
	if !isProject(&h.ledger.Project) {
		but = append(but, warning("no .git, .beads or grimoire is above this folder, so it counts as the root of its project"))
	}
	p.add("But", but...)
	p.add("By git", held...)
	if ask.check || !h.mends() {
		return p
	}
	p.add("Stays", change.Line{Mark: change.Good, Text: "every file that is there, the index and the commits of git"})
	p.add("Undo", change.Line{Text: "continuo undo removes the files and the folders made for them, unless written to since."})
	return p
}

// healPlace is where a part is, below the root.
func healPlace(env *Env, h *healLook, s *heal.Step) string {
	below, err := filepath.Rel(h.ledger.Project.Root, s.Path)
	if err != nil || !filepath.IsLocal(below) {
		return transcript.CleanLine(env.tilde(s.Path))
	}
	return transcript.CleanLine(filepath.ToSlash(below))
}

// healWords say what was found of a part, and what is done about it. asked reports whether git was.
func healWords(s *heal.Step, asked bool) string {
	name := string(s.Part)
	switch s.Do {
	case heal.Nothing:
		if s.State == heal.Empty {
			return name + " is there, and nothing is in it"
		}
		return name + " is there"
	case heal.Leave:
		if s.Held != "" {
			return name + " is " + string(s.State) + ", and stays so: git has it, or may have it, and continuo cannot bring it back"
		}
		return name + " cannot be healed here. " + transcript.CleanLine(s.Why)
	case heal.Mention:
		return name + " is missing: the index of ck, which ck makes when it searches. It is no part of the ledger"
	case heal.Restore, heal.Fill, heal.Make:
	}
	text := name + " is " + string(s.State)
	gitHas := func(nothing string) string {
		switch {
		case !asked:
			return ""
		case len(s.Left) > 0:
			return ", and git has " + nothing + " that may come back"
		}
		return ", and git has " + nothing
	}
	switch {
	case s.With != "":
		return text + ", and comes back with " + string(s.With)
	case s.Do == heal.Make:
		return text + gitHas("nothing of it") + ": the folder is made"
	case s.Do == heal.Fill:
		return text + gitHas("none") + ": it is begun anew"
	case len(s.Files) == 1:
		return text + ", and git has it (" + string(s.Files[0].From) + ")"
	}
	return text + ", and git has " + out.Count(len(s.Files), "file") + " of it (" + string(s.Files[0].From) + ")"
}
