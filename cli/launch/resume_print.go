package launch

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// planFailure makes an error from a plan, with a command for each choice.
func planFailure(plan *resume.Plan, o *resumeOptions) *out.Failure {
	f := &out.Failure{Code: out.ExitNo, What: plan.Findings[0].What + " " + plan.Findings[0].Detail}
	for _, more := range plan.Findings[1:] {
		f.Facts = append(f.Facts, more.What+" "+more.Detail)
	}
	for _, c := range plan.Choices {
		if c.Off == "" {
			f.Hints = append(f.Hints, resumeHint(o, choiceFlags(c))+"   "+c.Note)
		}
	}
	return f
}

func choiceFlags(c resume.Choice) string {
	var flags []string
	add := func(on bool, flag string) {
		if on {
			flags = append(flags, flag)
		}
	}
	a := c.Ask
	if a.Pane != "" {
		return "--attach"
	}
	add(a.Fork, "--fork")
	if a.At != "" {
		flags = append(flags, "--at "+place.ShellWord(a.At))
	}
	add(a.New, "--new")
	if a.Take != "" {
		flags = append(flags, "--take "+string(a.Take))
	}
	if c.Path {
		flags = append(flags, "--folder PATH")
	} else if a.Folder != "" {
		flags = append(flags, "--folder "+place.ShellWord(a.Folder))
	}
	add(a.Make, "--make")
	add(a.Known, "--accept")
	add(a.Other, "--other-file")
	add(a.Second, "--second-writer")
	if a.In != "" {
		flags = append(flags, "--in "+string(a.In))
	}
	return strings.Join(flags, " ")
}

// resumePlanText formats a plan for a terminal.
func resumePlanText(plan *resume.Plan, o *out.Stream) string {
	var b strings.Builder
	st := o.Styles
	width := max(min(o.Width, 100), 20)
	put := func(indent int, ink render.Ink, text string) {
		for _, s := range render.Wrap(transcript.CleanLine(text), width-indent) {
			b.WriteString(strings.Repeat(" ", indent) + st.Paint(ink, s) + "\n")
		}
	}
	for _, f := range plan.Findings {
		glyph := render.FindingGlyph(f.Kind)
		b.WriteString(st.Paint(glyph.Ink, glyph.Text) + " " + st.Paint(render.Strong, transcript.CleanLine(f.What)) + "\n")
		put(2, render.Muted, f.Detail)
	}
	b.WriteString("\n")
	column := 0
	for _, c := range plan.Choices {
		column = max(column, ansi.StringWidth(c.Name))
	}
	for _, c := range plan.Choices {
		note := c.Note
		if c.Off != "" {
			note = "not now: " + c.Off
		}
		b.WriteString("  " + st.Paint(render.Strong, c.Key) + "  " + render.Pad(c.Name, column) + "  " + transcript.CleanLine(note) + "\n")
		if c.Line != "" && c.Off == "" {
			put(column+7, render.Faint, c.Line)
		}
	}
	return b.String()
}

// PlanJSON describes a plan for programs.
type PlanJSON struct {
	ID       string        `json:"id"`
	Action   string        `json:"action"`
	Ran      bool          `json:"ran"`
	Findings []findingJSON `json:"findings"`
	Choices  []choiceJSON  `json:"choices"`
	Launch   *launchJSON   `json:"launch"`
}

type findingJSON struct {
	Kind   resume.FindingKind `json:"kind"`
	What   string             `json:"what"`
	Detail string             `json:"detail"`
}

type choiceJSON struct {
	Key   string `json:"key"`
	Name  string `json:"name"`
	Note  string `json:"note"`
	Off   string `json:"off,omitempty"`
	Flags string `json:"flags"`
	Line  string `json:"line,omitempty"` // POSIX shell
}

type launchJSON struct {
	Line string       `json:"line"` // POSIX shell
	Argv []string     `json:"argv"`
	Dir  string       `json:"dir"`
	In   resume.Where `json:"in"`
	Make []string     `json:"make,omitempty"`
	Pane string       `json:"pane,omitempty"`
}

// printPlan prints a plan. ran: the plan was carried out.
func printPlan(env *place.Env, o *out.Output, plan *resume.Plan, ran bool) error {
	if o.JSON {
		printed := PlanJSON{ID: plan.ID, Action: plan.Title, Ran: ran, Findings: []findingJSON{}, Choices: []choiceJSON{}}
		for _, f := range plan.Findings {
			printed.Findings = append(printed.Findings, findingJSON(f))
		}
		for _, c := range plan.Choices {
			printed.Choices = append(printed.Choices, choiceJSON{c.Key, c.Name, c.Note, c.Off, choiceFlags(c), c.Line})
		}
		if l := plan.Launch; l != nil {
			printed.Launch = &launchJSON{Line(env, l), l.Argv, l.Dir, l.In, l.Make, l.Pane}
		}
		return o.PrintJSON(printed)
	}
	if plan.Launch == nil {
		o.Out.Print(resumePlanText(plan, o.Out))
		return nil
	}
	o.Out.Print(out.OneLine(Line(env, plan.Launch)) + "\n")
	return nil
}
