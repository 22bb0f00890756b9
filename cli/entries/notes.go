package entries

import (
	"bytes"
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// NewNotesCmd returns the command continuo notes.
func NewNotesCmd(env *place.Env, o *out.Output) *cobra.Command {
	return find.NewGroupCmd(&cobra.Command{Use: "notes", Short: "Check the NOTES.md of a project"}, newNotesLintCmd(env, o))
}

func newNotesLintCmd(env *place.Env, o *out.Output) *cobra.Command {
	var w writing.Flags
	var fix bool
	var project string
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Check the path identifiers of NOTES.md",
		Long: `Check that the path identifiers of NOTES.md are ${PROJECT_ROOT}/path:line, as spec 002
requires. Fenced code and comments are skipped. A correct identifier of a missing file or
line is a remark, not a finding.

Exit codes: 0 no finding, or none is left; 1 there are findings, or there is no
NOTES.md; 2 an error, or there is no terminal to ask in.`,
		Example: `  continuo notes lint
  continuo notes lint --fix --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo notes lint --help"
			switch {
			case len(args) > 0:
				return out.Usage("lint takes no argument "+out.Quoted(args[0])+": it reads the NOTES.md of the project.", hint)
			case !fix && (w.DryRun || w.Yes):
				return out.Usage("--dry-run and --yes need --fix: without --fix nothing is written.", hint)
			case cmd.Flags().Changed("project") && project == "":
				return out.Usage("--project is empty. Is a variable unset?", hint)
			}
			dir, err := find.FolderAsked(env, project)
			if err != nil {
				return err
			}
			l, err := lookLint(cmd.Context(), env, dir)
			if err != nil {
				return err
			}
			l.undo = env.UndoLater()
			if fix {
				return lintFix(cmd.Context(), env, o, l, w, writing.CommandLine(cmd, args))
			}
			return lintNotes(env, o, l, writing.CommandLine(cmd, args))
		},
	}
	writing.AddFlags(cmd, &w)
	cmd.Flags().BoolVar(&fix, "fix", false, "correct the identifiers whose path is known; shows the diff first")
	find.AddProject(cmd, &project)
	return cmd
}

// linted is a NOTES.md with its findings.
type linted struct {
	project ledger.Project
	parsed  *notes.Notes
	found   []notes.Finding
	remarks []recovery.Checked // broken identifiers
	undo    string
	id      string // ID of the journal entry; set after writing
}

// lookLint reads NOTES.md and checks its identifiers.
func lookLint(ctx context.Context, env *place.Env, dir string) (*linted, error) {
	look, err := place.LookLedger(ctx, env, dir, survey.LedgerHow{Identifiers: true})
	if err != nil {
		return nil, err
	}
	l := &linted{project: look.Project, parsed: look.Notes}
	switch {
	case look.Notes != nil:
	case look.Trouble != "":
		return nil, &out.Failure{What: look.Trouble}
	default:
		return nil, place.NoLedger(env, &look)
	}
	exists, done, err := l.project.IsFile(ctx)
	if err != nil {
		return nil, NotesFailure(env, &l.project, err)
	}
	defer done()
	l.found = l.parsed.Lint(l.project.Root, exists)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for _, c := range look.Checked {
		if c.Bad() {
			l.remarks = append(l.remarks, c)
		}
	}
	return l, nil
}

// able returns the number of correctable findings.
func (l *linted) able() int {
	n := 0
	for i := range l.found {
		if l.found[i].Right != "" {
			n++
		}
	}
	return n
}

// record describes the findings for programs. shouldBe is "" if unknown. column is in bytes, from 1.
func (l *linted) record() *out.Record {
	r := out.NewRecord().Set("path", l.project.Notes)
	findings, remarks := r.List("findings"), r.List("remarks")
	for i := range l.found {
		f := &l.found[i]
		findings.Add().Set("line", f.Line).Set("column", f.Col).Set("is", f.Ref.Raw).Set("why", f.Why).Set("shouldBe", f.Right).
			Line("", "line column why is shouldBe")
	}
	for i := range l.remarks {
		c := &l.remarks[i]
		_, words := ledgerlines.CheckSpans(c.Check)
		remarks.Add().Set("line", c.Line).Set("is", c.Ref.Raw).Set("status", c.Status).Set("about", words.Text)
	}
	return r
}

// lintNotes prints the findings.
func lintNotes(env *place.Env, o *out.Output, l *linted, line string) error {
	if err := l.record().Print(o, func() string { return lintReport(env, l).Text(o.Out) }); err != nil {
		return err
	}
	if len(l.found) == 0 {
		return nil
	}
	fail := &out.Failure{Code: out.ExitNo, What: words.Counted(len(l.found), "path identifier is", "path identifiers are") + " not as spec 002 requires."}
	if n := l.able(); n > 0 {
		fail.Hints = []string{line + " --fix   corrects " + words.Count(n)}
	}
	return fail
}

// lintReport lists the findings.
func lintReport(env *place.Env, l *linted) *writing.Plan {
	p := &writing.Plan{}
	var found, remarks []change.Line
	for i := range l.found {
		f := &l.found[i]
		found = append(found, change.Line{
			Mark: change.Bad, Text: strconv.Itoa(f.Line) + ":" + strconv.Itoa(f.Col) + "  " + transcript.CleanLine(f.Ref.Raw), Right: transcript.CleanLine(f.Why), Cut: true,
		})
		if f.Right != "" {
			found = append(found, change.Line{Mark: " ", Tone: change.Muted, Text: f.Right, Whole: true})
		}
	}
	if len(found) == 0 {
		found = append(found, change.Line{Mark: change.Good, Text: "every path identifier is as spec 002 requires"})
	}
	for i := range l.remarks {
		c := &l.remarks[i]
		glyph, words := ledgerlines.CheckSpans(c.Check)
		remarks = append(remarks, change.Line{Mark: change.Mark(glyph.Text), Text: strconv.Itoa(c.Line) + "  " + ledgerlines.RefText(c.Ref), Right: words.Text, Cut: true})
	}
	p.Add("NOTES.md", append([]change.Line{{Tone: change.Muted, Text: env.Tilde(l.project.Notes), Whole: true}}, found...)...)
	p.Add("Remarks", remarks...)
	return p
}

// lintFix shows a diff, and corrects the findings after the user confirms.
func lintFix(ctx context.Context, env *place.Env, o *out.Output, l *linted, w writing.Flags, line string) error {
	rest := len(l.found) - l.able()
	left := func() error {
		if rest == 0 {
			return nil
		}
		return &out.Failure{
			Code: out.ExitNo, What: words.Counted(rest, "path identifier is", "path identifiers are") + " not as spec 002 requires, and the right form is unknown. Fix it yourself.",
			Hints: []string{"continuo notes lint   lists every problem"},
		}
	}
	p := &writing.Plan{Line: line, Report: writing.Report{Action: "lint", Lint: l.record()}}
	switch {
	case l.able() == 0 && o.JSON:
		p.Report.Done = rest == 0
		return errors.Join(writing.PrintReport(o, p), left())
	case l.able() == 0 && rest == 0:
		o.Out.Print(o.Out.Wrapped("There is nothing to correct: every path identifier is as spec 002 requires."))
		return nil
	case l.able() == 0:
		return left()
	case len(l.parsed.Text) > journal.MaxBefore:
		return &out.Failure{What: env.Tilde(l.project.Notes) + " is larger than 1 MB (limit of undo). Edit it yourself.", Hints: []string{"continuo notes lint   lists every problem"}}
	}
	now := l.parsed.Fix(l.found)
	lintPlan(env, p, l, now, rest)
	err := writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		but, err := writeLint(ctx, env, l, now)
		if but != "" {
			p.Report.Problems = append(p.Report.Problems, but)
		}
		if err != nil {
			return nil, err
		}
		p.Report.Made = []string{l.project.Notes}
		return []string{"Corrected " + out.Count(l.able(), "path identifier") + ".", "To undo: " + env.Command("undo", l.id)}, nil
	})
	if err != nil || w.DryRun {
		return err
	}
	return left()
}

// lintPlan draws the change.
func lintPlan(env *place.Env, p *writing.Plan, l *linted, now []byte, rest int) {
	p.Add("Touched", change.Line{Text: out.Count(l.able(), "path identifier") + " of NOTES.md, written as ${PROJECT_ROOT}/path:line"},
		change.Line{Tone: change.Muted, Text: env.Tilde(l.project.Notes), Whole: true})
	var lines []change.Line
	all := change.Diff(l.parsed.Text, now)
	lines = append(lines, all[:min(len(all), diffMost)]...)
	if more := len(all) - diffMost; more > 0 {
		lines = append(lines, change.Line{Tone: change.Faint, Text: "… " + words.Counted(more, "more line", "more lines")})
	}
	p.Add("Diff", lines...)
	if rest > 0 {
		p.Add("But", writing.Warning(words.Counted(rest, "more identifier is", "more identifiers are")+" wrong, and the right form is unknown"))
	}
	p.Add("Stays", change.Line{Mark: change.Good, Text: "every other byte"})
	p.Add("Undo", change.Line{Text: l.undo + " restores the file unless it is changed later."})
}

// diffMost is the maximum number of diff lines in a plan.
const diffMost = 200

// writeLint writes the corrected text. It returns an error if NOTES.md was modified since it was read.
func writeLint(ctx context.Context, env *place.Env, l *linted, now []byte) (but string, err error) {
	l.id, but, err = RewriteNotes(ctx, env, &l.project, "Corrected "+out.Count(l.able(), "path identifier")+" of NOTES.md", func(was []byte) ([]byte, error) {
		if !bytes.Equal(was, l.parsed.Text) {
			return nil, &out.Failure{What: env.Tilde(l.project.Notes) + " was changed in the meantime, so nothing was written. Run the command again."}
		}
		return now, nil
	})
	return but, err
}
