package ledgers

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// beadsAsk has the arguments of continuo beads.
type beadsAsk struct {
	id                  string
	ready, blocked, all bool
	check               bool
	project             string
	minScenarios        int // the minimum in the config
	ratio               float64
}

// NewBeadsCmd returns the command continuo beads.
func NewBeadsCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask beadsAsk
	cmd := &cobra.Command{
		Use:   "beads [ID]",
		Short: "Show the beads of this project: in progress, ready or blocked",
		Long: `Show the task graph of a project: what is in progress, ready, and blocked by what. With
ID, show one bead with its description, dependencies, decisions, handoffs, test
scenarios, steps and questions.

The beads come from .beads/issues.jsonl, which br and bd write, and from .beads/ID.yaml.
If the database of br or bd is newer, or if bd uses Dolt, continuo runs the program with
commands that only read.

Exit codes: 1 --check found something that blocks, 2 a part couldn't be read, 3 no such
bead, or the project has no beads.`,
		Example: `  continuo beads --ready
  continuo beads tea-41 --check`,
		ValidArgsFunction: completeBead(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := ask.take(cmd, args); err != nil {
				return err
			}
			dir := env.Dir
			if ask.project != "" {
				dir = env.TypedPath(ask.project)
			}
			if dir == "" {
				return out.Usage("The current folder was removed. Name a project with --project PATH.", "continuo beads --help")
			}
			return runBeads(cmd.Context(), env, o, dir, &ask)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&ask.ready, "ready", false, "show only beads that can be started, as br ready does")
	f.BoolVar(&ask.blocked, "blocked", false, "show only blocked beads")
	f.BoolVar(&ask.all, "all", false, "show deferred and closed beads too")
	f.BoolVar(&ask.check, "check", false, "check the beads in progress against spec 002; with ID, check whether that bead can be closed")
	find.AddProject(cmd, &ask.project)
	return cmd
}

// take stores the arguments. It returns an error if the flags can't be combined.
func (a *beadsAsk) take(cmd *cobra.Command, args []string) error {
	const hint = "continuo beads --help"
	var given []string
	for _, f := range []struct {
		on   bool
		name string
	}{{a.ready, "--ready"}, {a.blocked, "--blocked"}, {a.all, "--all"}, {a.check, "--check"}} {
		if f.on {
			given = append(given, f.name)
		}
	}
	switch {
	case len(args) > 1:
		return out.Usage("beads takes one ID, not "+out.Count(len(args), "word")+".", hint)
	case len(args) == 1 && args[0] == "":
		return out.Usage("beads takes an ID, but it is empty. Is a variable unset?", hint)
	case cmd.Flags().Changed("project") && a.project == "":
		return out.Usage("--project takes a folder, but it is empty. Is a variable unset?", hint)
	case len(given) > 1:
		return out.Usage(strings.Join(given, " and ")+" can't be combined. Choose one.", hint)
	case len(args) == 1 && len(given) == 1 && !a.check:
		return out.Usage(given[0]+" lists several beads, and "+out.Quoted(args[0])+" names one. Use one of the two.", hint)
	case len(args) == 1:
		a.id = args[0]
	}
	return nil
}

// beadsLook has the task graph of a project.
type beadsLook struct {
	*beads.Graph
	project ledger.Project
	program *place.Beads
}

// runBeads prints the task graph or one bead.
func runBeads(ctx context.Context, env *place.Env, o *out.Output, dir string, ask *beadsAsk) error {
	l, err := lookBeads(ctx, env, o, dir)
	if err != nil {
		return err
	}
	conf := &l.project.Config
	ask.ratio = conf.Grounding.Threshold
	if conf.Checkpoint.EDD {
		ask.minScenarios = conf.Checkpoint.MinTestScenarios
	}
	var b *beads.Bead
	if ask.id != "" {
		if b, err = beadByID(l, ask.id); err != nil {
			return err
		}
	}
	switch {
	case ask.check:
		return checkBeads(o, l, b, ask)
	case b != nil:
		if err := printBead(env, o, l, b); err != nil {
			return err
		}
		sayBeadProblems(o, l)
		return nil
	}
	if err := printBeads(env, o, l, ask); err != nil {
		return err
	}
	return unreadBeads(l)
}

// lookBeads reads the beads of a project. Without beads, the error has ExitNone.
func lookBeads(ctx context.Context, env *place.Env, o *out.Output, dir string) (*beadsLook, error) {
	p, err := survey.FindLedger(ctx, env.LookFrom(dir))
	if err != nil {
		return nil, place.LookFailure(env, dir, err)
	}
	l := &beadsLook{project: p, program: place.BeadsOf(env.Host, &p)}
	l.Graph, err = beads.Read(ctx, p.Beads, l.program)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	file := filepath.Join(p.Beads, "issues.jsonl")
	switch {
	case errors.Is(err, ledger.ErrOutside):
		return nil, &out.Failure{What: env.Tilde(file) + " leads out of the project, so it isn't read. Replace it with a file in the project.", Cause: err}
	case errors.Is(err, ledger.ErrTooLong):
		return nil, &out.Failure{What: env.Tilde(file) + " is longer than " + words.Size(beads.MaxFile) + ", so it isn't read. Check that " + l.program.Advised() + " wrote it.", Cause: err}
	case err != nil:
		return nil, &out.Failure{What: "The beads of " + env.Tilde(p.Root) + " cannot be read: " + beadsReason(err) + ". Check " + env.Tilde(p.Beads) + ".", Cause: err}
	}
	if p.Problem != nil {
		o.Err.Print(transcript.CleanLine(out.Sentence(p.Problem.Error())) + "\n")
	}
	switch note := transcript.CleanLine(l.Note); {
	case note != "" && l.Shape == "":
		return nil, &out.Failure{What: note}
	case note != "":
		o.Err.Print(note + "\n")
	}
	if l.Shape == "" && len(l.Problems) == 0 {
		if _, err := os.Stat(p.Beads); errors.Is(err, fs.ErrNotExist) {
			return nil, &out.Failure{
				Code: out.ExitNone, What: "There are no beads in " + env.Tilde(p.Root) + ". Create .beads, or name another project.",
				Hints: []string{l.program.Advised() + " init   creates .beads", "continuo beads --project PATH"},
			}
		}
	}
	return l, nil
}

// beadsReason says why beads can't be read, without the path.
func beadsReason(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return out.Reason(err)
}

// beadByID returns the bead with an ID. For an unknown ID, the error has ExitNone and similar IDs.
func beadByID(l *beadsLook, id string) (*beads.Bead, error) {
	if b, ok := l.Find(id); ok {
		return b, nil
	}
	f := &out.Failure{Code: out.ExitNone, What: "There is no bead " + out.Quoted(id) + ". List all beads.", Hints: []string{"continuo beads --all"}}
	near := nearBeads(l.IDs(), id)
	for _, id := range near {
		fact := out.CleanPath(id)
		if b, ok := l.Find(id); ok {
			fact += "  " + words.Cut(transcript.CleanLine(b.Title), find.AboutMax)
		}
		f.Facts = append(f.Facts, fact)
	}
	if len(near) > 0 {
		f.What = "There is no bead " + out.Quoted(id) + ". Did you mean one of these?"
		if len(near) == 1 {
			f.What = "There is no bead " + out.Quoted(id) + ". Did you mean this one?"
		}
	}
	return nil, f
}

// completeBead completes open beads, those in progress first.
func completeBead(env *place.Env) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		dir := env.Dir
		if f := cmd.Flag("project"); f.Changed {
			dir = env.TypedPath(f.Value.String())
		}
		if dir == "" || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		p, err := ledger.Find(place.RealPath(dir), env.LedgerEnv())
		if err != nil {
			return nil, find.CandidatesOnly
		}
		graph, err := beads.Read(cmd.Context(), p.Beads, place.BeadsOf(env.Host, &p))
		if err != nil {
			return nil, find.CandidatesOnly
		}
		var all []find.Candidate
		for _, group := range beadGroups(env, &beadsLook{Graph: graph}, &beadsAsk{}) {
			for _, b := range group.beads {
				all = append(all, find.Candidate{Word: b.ID, About: b.Title})
			}
		}
		return find.Completions(all, typed), find.CandidatesOnly
	}
}

// nearMax is the maximum number of suggested IDs.
const nearMax = 3

// nearBeads returns up to nearMax similar IDs, most similar first. An ID is similar if its start or the start of
// its suffix is typed, if its letters are reordered, or if the edit distance is small.
func nearBeads(ids []string, typed string) []string {
	typed = strings.ToLower(typed)
	if len(typed) > 64 { // an ID has about 12 letters
		return nil
	}
	type near struct {
		id  string
		far int
	}
	var list []near
	for _, id := range ids {
		lower := strings.ToLower(id)
		_, short, _ := strings.Cut(lower, "-")
		switch {
		case len(lower) > 64:
		case lower == typed || short == typed:
			list = append(list, near{id, 0})
		case len(typed) > 1 && strings.HasPrefix(lower, typed), len(typed) > 1 && strings.HasPrefix(short, typed):
			list = append(list, near{id, 1})
		default:
			_, end, _ := strings.Cut(typed, "-")
			if end == "" {
				end = typed
			}
			if n := place.Distance(lower, typed); n <= 2 && n < len(end) || sameLetters(lower, typed) {
				list = append(list, near{id, n + 1})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	var names []string
	for _, n := range list[:min(len(list), nearMax)] {
		names = append(names, n.id)
	}
	return names
}

// sameLetters reports whether a and b have the same letters in any order.
func sameLetters(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// sayBeadProblems prints the unreadable lines to stderr.
func sayBeadProblems(s *out.Output, l *beadsLook) {
	for _, p := range l.Problems {
		s.Err.Print(beadProblem(l, p) + "\n")
	}
}

func beadProblem(l *beadsLook, p beads.Problem) string {
	where := p.File
	if rel, err := filepath.Rel(l.project.Root, p.File); err == nil && filepath.IsLocal(rel) {
		where = rel
	}
	where = out.CleanPath(where)
	if p.Line > 0 {
		where += ":" + strconv.Itoa(p.Line)
	}
	return where + ": " + transcript.CleanLine(p.What)
}

// unreadBeads returns an error if lines are unreadable.
func unreadBeads(l *beadsLook) error {
	if len(l.Problems) == 0 {
		return nil
	}
	f := &out.Failure{What: "Some beads could not be read. The others are printed above."}
	for _, p := range l.Problems[:min(len(l.Problems), find.CandidatesMax)] {
		f.Facts = append(f.Facts, beadProblem(l, p))
	}
	if n := len(l.Problems) - len(f.Facts); n > 0 {
		f.Facts = append(f.Facts, "and "+out.Count(n, "more line"))
	}
	return f
}

// checkBeads prints the fields that b lacks for a close (spec 002). If b is nil, it checks all beads in
// progress.
func checkBeads(o *out.Output, l *beadsLook, b *beads.Bead, ask *beadsAsk) error {
	checked, findings, blocking := []string{}, []beads.Finding{}, 0
	if b != nil {
		checked, findings = append(checked, b.ID), b.CheckToClose(ask.minScenarios, ask.ratio)
	} else {
		for _, b := range l.InProgress() {
			checked, findings = append(checked, b.ID), append(findings, b.Check(ask.minScenarios, ask.ratio)...)
		}
	}
	for _, f := range findings {
		if f.Block {
			blocking++
		}
	}
	sum := ""
	if blocking == 0 {
		sum = checkedWords(len(checked), len(findings))
	}
	if o.JSON {
		r := out.NewRecord().Set("checked", checked)
		findingsTable().Put(r, "findings", "", findings)
		if err := o.PrintJSON(r.Set("blocking", blocking)); err != nil {
			return err
		}
		if sum != "" {
			o.Err.Print(sum + "\n")
		}
	} else if err := findingsTable().Print(o, findings, sum); err != nil {
		return err
	}
	sayBeadProblems(o, l)
	if blocking > 0 {
		what := out.Count(blocking, "finding") + " block closing. Fix them."
		if blocking == 1 {
			what = "1 finding blocks closing. Fix it."
		}
		return &out.Failure{Code: out.ExitNo, What: what}
	}
	return nil
}

// checkedWords summarises a check that found nothing to block closing.
func checkedWords(checked, remarks int) string {
	switch {
	case checked == 0:
		return "No bead is in progress. Name the bead to check."
	case remarks == 0:
		return out.Count(checked, "bead") + " checked, nothing is missing."
	default:
		return out.Count(checked, "bead") + " checked, " + out.Count(remarks, "remark") + ", nothing blocks closing."
	}
}
