// Package writing has the common code of commands that write: --dry-run and --yes, the plan, the question, and
// the report.
package writing

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
)

// The layout of a plan.
const (
	PlanAt    = 11  // column of the facts
	PlanWidth = 100 // maximum width of a line, in cells
	PlanName  = 24  // maximum width of a project's name, in cells
)

// Flags decide what happens to a plan.
type Flags struct{ DryRun, Yes bool }

// AddFlags adds --dry-run and --yes to a command.
func AddFlags(cmd *cobra.Command, w *Flags) {
	cmd.Flags().BoolVar(&w.DryRun, "dry-run", false, "print the plan and change nothing")
	cmd.Flags().BoolVar(&w.Yes, "yes", false, "don't ask for confirmation")
}

// Plan describes what a command will do. Its parts are, in this order: Touched, Removed, But, Stays, Undo.
type Plan struct {
	Parts  []change.Part
	Report Report
	Line   string // the command line without --yes
}

// Add appends a part, unless there are no lines.
func (p *Plan) Add(name string, lines ...change.Line) {
	if len(lines) > 0 {
		p.Parts = append(p.Parts, change.Part{Name: name, Lines: lines})
	}
}

// Proceed shows a plan, asks the user, and calls act. act carries out the plan, and returns messages. With
// --json, Proceed prints the report, to which act may add. Signals are ignored while act runs, which is quick.
func Proceed(ctx context.Context, o *out.Output, w Flags, p *Plan, act func(context.Context) (messages []string, err error)) error {
	if !o.JSON {
		o.Out.Print(p.Text(o.Out))
	}
	switch {
	case w.DryRun:
		return PrintReport(o, p)
	case w.Yes:
	case !o.JSON && o.Typing && o.Out.Terminal && o.Err.Terminal:
		o.Out.Print("\nNothing has changed yet.\n")
		if yes, err := o.Agreed(ctx); !yes {
			return &out.Failure{Code: out.ExitNo, What: "Nothing was done.", Cause: err, Plain: true}
		}
	default:
		if err := PrintReport(o, p); err != nil {
			return err
		}
		return &out.Failure{
			What:  "Nothing was done: the question needs a terminal. Check the plan, then pass --yes.",
			Hints: []string{p.Line + " --yes"},
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	known := len(p.Report.Problems)
	messages, err := act(context.WithoutCancel(ctx))
	p.Report.Done = err == nil
	if o.JSON {
		err = errors.Join(PrintReport(o, p), err)
	} else if len(messages) > 0 {
		o.Out.Print("\n")
		for _, s := range messages {
			o.Out.Print(o.Out.Wrapped(out.OneLine(s)))
		}
	}
	for _, problem := range p.Report.Problems[known:] {
		o.Err.Print(o.Err.Styles.Paint(render.Warn, "△") + " " + o.Err.Wrapped(out.OneLine(out.Sentence(problem))))
	}
	return err
}

// PrintReport prints the report of a plan as JSON.
func PrintReport(o *out.Output, p *Plan) error {
	if !o.JSON {
		return nil
	}
	r := p.Report
	r.Backups, r.Markers, r.Kept, r.Made = out.OrEmpty(r.Backups), out.OrEmpty(r.Markers), out.OrEmpty(r.Kept), out.OrEmpty(r.Made)
	r.Deleted, r.Entries, r.Problems = out.OrEmpty(r.Deleted), out.OrEmpty(r.Entries), out.OrEmpty(r.Problems)
	return o.PrintJSON(r)
}

// Text returns the plan as text.
func (p *Plan) Text(o *out.Stream) string {
	width := PlanWidth
	if o.Terminal {
		width = max(min(o.Width-out.ListMargin, PlanWidth), PlanAt+20)
	}
	return render.PlanText(p.AllParts(), o.Styles, width, o.Terminal)
}

// CommandLine returns the command line without --dry-run and --yes.
func CommandLine(cmd *cobra.Command, args []string) string {
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
	return place.ShellLine(append(words, args...))
}

// AllParts returns the parts of a plan, with the part for problems.
func (p *Plan) AllParts() []change.Part {
	if len(p.Report.Problems) == 0 {
		return p.Parts
	}
	besides := change.Part{Name: "Besides"}
	for _, problem := range p.Report.Problems {
		besides.Lines = append(besides.Lines, change.Line{Mark: change.Warn, Text: out.Sentence(problem)})
	}
	return append(p.Parts[:len(p.Parts):len(p.Parts)], besides)
}

// Insert adds lines to a part. It inserts a new part before Stays.
func (p *Plan) Insert(name string, lines []change.Line) {
	if len(lines) == 0 {
		return
	}
	for i := range p.Parts {
		if p.Parts[i].Name == name {
			p.Parts[i].Lines = append(p.Parts[i].Lines, lines...)
			return
		}
	}
	at := slices.IndexFunc(p.Parts, func(part change.Part) bool { return part.Name == "Stays" || part.Name == "Undo" })
	if at < 0 {
		at = len(p.Parts)
	}
	p.Parts = slices.Insert(p.Parts, at, change.Part{Name: name, Lines: lines})
}

// Warning returns a line for the part But.
func Warning(text string) change.Line {
	return change.Line{Mark: change.Warn, Text: text}
}

// FirstOf joins up to three names: "a, b, c and 2 more".
func FirstOf(names []string) string {
	const most = 3
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], words.Count(more)+" more")
	}
	return words.AndList(names)
}
