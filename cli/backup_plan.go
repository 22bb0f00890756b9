package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	planAt    = 11  // column of the facts of a plan, behind its labels
	planWidth = 100 // cells of its lines, at most
	planName  = 24  // cells of a project in it, at most
)

// writeFlags say what a command that writes does with its plan.
type writeFlags struct{ dryRun, yes bool }

// addWriteFlags adds --dry-run and --yes.
func addWriteFlags(cmd *cobra.Command, w *writeFlags) {
	cmd.Flags().BoolVar(&w.dryRun, "dry-run", false, "")
	cmd.Flags().BoolVar(&w.yes, "yes", false, "")
}

// deedPlan is what a command is about to do, drawn in the order of the screens: Touched, Removed, But, Stays, Undo.
type deedPlan struct {
	parts  []change.Part
	report deedJSON
	line   string // the command line that made it, without --yes
}

// deedJSON is a plan, and what has become of it, for programs.
type deedJSON struct {
	Action   string       `json:"action"`
	Done     bool         `json:"done"`
	Backups  []deedBackup `json:"backups"`  // that it is about
	Markers  []string     `json:"markers"`  // paths of those that are removed, come back, or are made
	Kept     []deedKept   `json:"kept"`     // backups that stay although they are old, or because they are the same
	Made     []string     `json:"made"`     // paths of new files
	Deleted  []string     `json:"deleted"`  // paths of what is gone for good
	Entries  []string     `json:"entries"`  // of the trash: what backup undo takes
	Problems []string     `json:"problems"` // besides

	Document *savedJSON  `json:"document,omitempty"` // of save
	Staged   *stagedJSON `json:"staged,omitempty"`   // of a recovery that is staged or taken away
	Note     *notedJSON  `json:"note,omitempty"`     // of note
	Lint     *lintJSON   `json:"lint,omitempty"`     // of notes lint --fix
	Delta    *deltaJSON  `json:"delta,omitempty"`    // of delta
	Heal     *healJSON   `json:"heal,omitempty"`     // of heal
}

type deedBackup struct {
	Path       string            `json:"path"`       // "" it is not made yet
	Transcript string            `json:"transcript"` // "" none, or not known
	Session    string            `json:"session"`
	Bytes      int64             `json:"bytes"`
	Relation   sessions.Relation `json:"relation"` // of the transcript to it, every byte compared; "" unknown
}

type deedKept struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// add appends a part, if it has something to say.
func (p *deedPlan) add(name string, lines ...change.Line) {
	if len(lines) > 0 {
		p.parts = append(p.parts, change.Part{Name: name, Lines: lines})
	}
}

// proceed shows a plan and does it, if that is wanted. act says in sentences what it did; what it adds to the report
// is printed with --json. From then on a signal does not stop it: it is quick, and half of it is nothing to leave.
func proceed(ctx context.Context, o *out.Output, w writeFlags, p *deedPlan, act func(context.Context) (said []string, err error)) error {
	if !o.JSON {
		o.Out.Print(p.text(o.Out))
	}
	switch {
	case w.dryRun:
		return printDeed(o, p)
	case w.yes:
	case !o.JSON && o.Typing && o.Out.Terminal && o.Err.Terminal:
		o.Out.Print("\nNothing has been touched yet.\n")
		if yes, err := o.Agreed(ctx); !yes {
			return &out.Failure{Code: out.ExitNo, What: "Nothing was done.", Cause: err, Plain: true}
		}
	default:
		if err := printDeed(o, p); err != nil {
			return err
		}
		return &out.Failure{
			What:  "Nothing was done: there is no terminal to ask in. Look at the plan, then say --yes.",
			Hints: []string{p.line + " --yes"},
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	known := len(p.report.Problems)
	said, err := act(context.WithoutCancel(ctx))
	p.report.Done = err == nil
	if o.JSON {
		err = errors.Join(printDeed(o, p), err)
	} else if len(said) > 0 {
		o.Out.Print("\n")
		for _, s := range said {
			o.Out.Print(o.Out.Wrapped(out.OneLine(s)))
		}
	}
	for _, problem := range p.report.Problems[known:] {
		o.Err.Print(o.Err.Styles.Paint(render.Warn, "△") + " " + o.Err.Wrapped(out.OneLine(out.Sentence(problem))))
	}
	return err
}

// printDeed prints the report with --json.
func printDeed(o *out.Output, p *deedPlan) error {
	if !o.JSON {
		return nil
	}
	r := p.report
	r.Backups, r.Markers, r.Kept, r.Made = out.OrEmpty(r.Backups), out.OrEmpty(r.Markers), out.OrEmpty(r.Kept), out.OrEmpty(r.Made)
	r.Deleted, r.Entries, r.Problems = out.OrEmpty(r.Deleted), out.OrEmpty(r.Entries), out.OrEmpty(r.Problems)
	return o.PrintJSON(r)
}

// text is the plan for a person.
func (p *deedPlan) text(o *out.Stream) string {
	width := planWidth
	if o.Terminal {
		width = max(min(o.Width-out.ListMargin, planWidth), planAt+20)
	}
	return render.PlanText(p.allParts(), o.Styles, width, o.Terminal)
}

// command is a command line that goes on from this one: it looks in the same config directories.
func (e *Env) command(words ...string) string {
	for _, dir := range e.claudeDirs {
		words = append(words, "--claude-dir", dir)
	}
	return shellLine(append([]string{"continuo"}, words...))
}

// undoLater names the command that takes back a plan that is only shown yet: its id is known when it is done, and without
// the id undo takes the last action of this folder's project, which may be another one.
func (e *Env) undoLater() string {
	return e.command("undo") + " with the id that is printed then"
}

// commandLine is the command line of this run without the flags that say what becomes of its plan.
func commandLine(cmd *cobra.Command, args []string) string {
	words := strings.Fields(cmd.CommandPath())
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == "yes", f.Name == "dry-run", f.Name == "json":
		case f.Value.Type() == "stringArray":
			values, _ := cmd.Flags().GetStringArray(f.Name)
			for _, v := range values {
				words = append(words, "--"+f.Name, v)
			}
		case f.NoOptDefVal != "":
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	return shellLine(append(words, args...))
}
