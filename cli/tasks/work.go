package tasks

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// Work is a planned change of tasks.
type Work struct {
	env     *place.Env
	root    string
	action  string // the action in reports
	foreign bool   // another program has created tasks/, and continuo hasn't written there yet
	plan    act.Planner
	change  change.Change
	reports []*task.Report // one for each task
	slugs   []string       // the tasks

	before []change.Part         // first parts of the plan
	from   []change.Line         // the continued checkpoint, and its unmet preconditions
	first  func() (*Work, error) // runs before the change, and replaces it; may be nil
	then   func() (*Work, error) // runs after the change, and returns a second one; may be nil
}

// planner plans a change of a task.
type planner func(ctx context.Context, t *task.Task) (change.Change, error)

// plan plans a change of tasks. The plan function of the result reads the tasks again, under the locks.
func plan(ctx context.Context, env *place.Env, t *survey.Tasks, tasks []*task.Task, action, what string, one planner) (*Work, error) {
	conf, err := place.LoadConfig(env)
	if err != nil {
		return nil, err
	}
	w := &Work{env: env, root: t.Root, action: action, foreign: t.Foreign}
	for _, k := range tasks {
		w.slugs = append(w.slugs, k.Slug)
	}
	w.plan = func(ctx context.Context) (change.Change, error) {
		c := change.Change{Kind: task.Kind, What: what, Where: []string{t.Root}}
		var reports []*task.Report
		for _, slug := range w.slugs {
			k, err := task.Read(ctx, t.Root, slug)
			if err != nil && (action != startAction || !errors.Is(err, task.ErrNone)) {
				return c, err
			}
			k.Prefix = conf.TaskPrefix
			part, err := one(ctx, k)
			if err != nil {
				return c, err
			}
			c.Ops = append(c.Ops, part.Ops...)
			if len(tasks) == 1 {
				c.What = part.What
			}
			report, _ := part.Report.(*task.Report) // package task has set the report
			reports = append(reports, report)
		}
		c.Report = reports
		return c, nil
	}
	c, err := w.plan(ctx)
	if err != nil {
		return nil, w.failure(err)
	}
	w.take(&c)
	return w, nil
}

func (w *Work) take(c *change.Change) {
	w.change = *c
	w.reports, _ = c.Report.([]*task.Report)
}

// Empty reports whether there is nothing to write.
func (w *Work) Empty() bool { return len(w.change.Ops) == 0 }

// Write carries out the change. It returns the ID of the journal entry, and a warning or "".
func (w *Work) Write(ctx context.Context) (id, but string, err error) {
	done, err := writing.Store(w.env).Do(ctx, &w.change, w.plan)
	if err != nil {
		return "", "", writing.Failure(w.env, err, "a change of "+words.AndList(w.slugs), w.failure)
	}
	w.take(&done.Change)
	return done.ID, writing.LostBy(&done), nil
}

// Parts formats the plan for the user. undo is the undo command.
func (w *Work) Parts(undo string) []change.Part {
	p := &writing.Plan{Parts: slices.Clone(w.before)}
	p.Add("From", w.from...)
	var touched, text, but []change.Line
	for i, r := range w.reports {
		for _, s := range w.said(i) {
			touched = append(touched, change.Line{Text: s})
		}
		for _, c := range r.Checkpoints {
			text = append(text, textOf(c)...)
		}
		for _, lack := range r.Lacks {
			but = append(but, writing.Warning(lack.Name+": "+lack.Field+" is missing (spec 003)"))
		}
	}
	for i := range w.change.Ops {
		if o := &w.change.Ops[i]; !o.Quiet {
			touched = append(touched, change.Line{Tone: change.Muted, Text: w.env.Tilde(o.Path()), Whole: true})
		}
	}
	if w.foreign {
		but = append(but, writing.Warning("tasks/ was not created by continuo, which now writes into it for the first time"))
	}
	p.Add("Touched", touched...)
	p.Add("Text", text...)
	p.Add("But", but...)
	if !w.Empty() {
		p.Add("Stays", change.Line{Mark: change.Good, Text: "every other file of the task, and all fields that continuo doesn't know"})
		p.Add("Undo", change.Line{Text: undo + " restores the files, if no other checkpoint follows."})
	}
	return p.Parts
}

// textMost is the maximum number of a checkpoint's lines in a plan.
const textMost = 40

// textOf formats a checkpoint for a plan.
func textOf(c *task.Checkpoint) []change.Line {
	all := strings.Split(strings.Trim(transcript.Clean(c.Text()), "\n"), "\n")
	var lines []change.Line
	for _, s := range all[:min(len(all), textMost)] {
		lines = append(lines, change.Line{Tone: change.Code, Text: s})
	}
	if more := len(all) - textMost; more > 0 {
		lines = append(lines, change.Line{Tone: change.Faint, Text: "… " + words.Counted(more, "more line", "more lines")})
	}
	return lines
}

// said describes the change of task i, without full stops.
func (w *Work) said(i int) []string {
	r, slug := w.reports[i], w.slugs[i]
	var all []string
	for _, c := range r.Checkpoints {
		all = append(all, "Checkpoint "+c.ID+" of "+slug+": "+string(c.Type)+" at "+string(c.Gate))
	}
	if s := r.Session; s != nil && s.State != r.From {
		from := string(r.From) + " → "
		if r.From == "" {
			from = "new, "
		}
		all = append(all, "Session "+transcript.CleanLine(s.ID)+" of "+slug+": "+from+string(s.State))
	}
	for _, id := range r.Incidents {
		all = append(all, "Session "+transcript.CleanLine(id)+" of "+slug+" was interrupted: it is suspended, and an incident is logged")
	}
	if r.Brief != "" {
		all = append(all, "Brief for a fixer of "+slug+": "+r.Brief)
	}
	if len(r.Repaired) > 0 {
		all = append(all, "Completes "+words.Counted(len(r.Repaired), "file", "files")+" of "+slug+" that are incomplete after an interrupted write")
	}
	return all
}

// report describes the change for programs.
func (w *Work) report() *writing.Tasked {
	v := &writing.Tasked{Root: w.root, Tasks: w.slugs, Checkpoints: []writing.ReportedCheckpoint{}, Lacks: []string{}, Interrupted: []string{}, Repaired: []string{}, Evidence: []string{}}
	for i, r := range w.reports {
		if r.Session != nil {
			v.Session, v.From, v.State = r.Session.ID, string(r.From), string(r.Session.State)
		}
		for _, c := range r.Checkpoints {
			v.Checkpoints = append(v.Checkpoints, writing.ReportedCheckpoint{
				ID: c.ID, Task: w.slugs[i], Session: c.Session, At: out.Time(c.At), Gate: string(c.Gate), Type: string(c.Type), Summary: c.Summary,
				Path: filepath.Join(w.root, "tasks", w.slugs[i], filepath.FromSlash(c.Path())),
			})
		}
		for _, lack := range r.Lacks {
			v.Lacks = append(v.Lacks, lack.Field)
		}
		v.Interrupted = append(v.Interrupted, r.Incidents...)
		v.Evidence = append(v.Evidence, r.Evidence...)
		for _, file := range r.Repaired {
			v.Repaired = append(v.Repaired, "tasks/"+w.slugs[i]+"/"+file)
		}
	}
	return v
}

// proceed shows the plan, and carries it out after the user confirms.
func (w *Work) proceed(cmd *cobra.Command, o *out.Output, flags writing.Flags) error {
	if w.Empty() {
		if o.JSON {
			return writing.PrintReport(o, &writing.Plan{Report: writing.Report{Action: w.action, Task: w.report()}})
		}
		o.Out.Print("Nothing to do.\n")
		return nil
	}
	p := &writing.Plan{Line: writing.CommandLine(cmd, nil), Parts: w.Parts(w.env.UndoLater()), Report: writing.Report{Action: w.action, Task: w.report()}}
	return writing.Proceed(cmd.Context(), o, flags, p, func(ctx context.Context) ([]string, error) {
		if w.first != nil {
			next, err := w.first()
			if err != nil {
				return nil, err
			}
			w = next
		}
		messages, err := w.carryOut(ctx, p, nil)
		if err != nil || w.then == nil {
			return messages, err
		}
		next, err := w.then()
		if err != nil {
			return messages, err
		}
		more, err := next.carryOut(ctx, p, p.Report.Task.Evidence)
		return append(messages, more...), err
	})
}

// carryOut carries out the change, and returns messages. said is the evidence of an earlier change; the report
// lists it first.
func (w *Work) carryOut(ctx context.Context, p *writing.Plan, said []string) (messages []string, err error) {
	id, but, err := w.Write(ctx)
	if err != nil {
		return nil, err
	}
	p.Report.Task = w.report()
	p.Report.Task.Evidence = append(slices.Clone(said), p.Report.Task.Evidence...)
	for _, c := range p.Report.Task.Checkpoints {
		p.Report.Made = append(p.Report.Made, c.Path)
	}
	if but != "" {
		p.Report.Problems = append(p.Report.Problems, but)
	}
	for i, r := range w.reports {
		messages = append(messages, r.Evidence...)
		for _, s := range w.said(i) {
			messages = append(messages, out.Sentence(s))
		}
	}
	if id != "" {
		messages = append(messages, "To undo this: "+w.env.Command("undo", id))
	}
	return messages, nil
}

// failure converts an error of a plan into a message.
func (w *Work) failure(err error) error {
	if move, ok := errors.AsType[*task.MoveError](err); ok {
		return w.moveFailure(move)
	}
	if gate, ok := errors.AsType[*task.GateError](err); ok {
		return &out.Failure{Code: out.ExitNo, What: out.Sentence("the task has reached " + string(gate.Reached) + ", so " + string(gate.Gate) + " is not allowed. Only an error_recovery goes back"), Cause: err}
	}
	if damaged, ok := errors.AsType[*task.DamagedError](err); ok {
		return &out.Failure{What: "A file is damaged, so nothing was written. Restore it first.", Facts: []string{damaged.Error()}, Hints: []string{"continuo task verify"}, Cause: err}
	}
	switch {
	case errors.Is(err, task.ErrActive):
		return &out.Failure{Code: out.ExitNo, What: out.Sentence(out.Reason(err)) + " End or suspend it first.", Hints: []string{"continuo task suspend --task " + w.slugs[0]}, Cause: err}
	case errors.Is(err, task.ErrUnhealthy):
		return &out.Failure{Code: out.ExitNo, What: "The health check failed, so the task takes no checkpoint at a higher gate.", Hints: []string{"continuo task health --task " + w.slugs[0] + " --health"}, Cause: err}
	case errors.Is(err, task.ErrNoSession):
		return &out.Failure{Code: out.ExitNo, What: "The task " + words.AndList(w.slugs) + " has no session. Start one.", Cause: err}
	case errors.Is(err, task.ErrNone):
		return &out.Failure{Code: out.ExitNone, What: "The task " + words.AndList(w.slugs) + " was removed. Nothing was written.", Cause: err}
	case errors.Is(err, change.ErrChanged):
		return &out.Failure{What: "Another program is writing the task. Nothing was written; try again.", Cause: err}
	}
	var facts []string
	for _, part := range ledger.Parts(err) {
		facts = append(facts, out.Sentence(out.Reason(part)))
	}
	return &out.Failure{What: "The task could not be written. Nothing was changed.", Facts: facts, Cause: err}
}

// moveFailure returns the error for a forbidden change of state, with the allowed states.
func (w *Work) moveFailure(e *task.MoveError) error {
	f := &out.Failure{Code: out.ExitNo, Cause: e}
	f.What = "Session " + transcript.CleanLine(e.Session) + " is " + string(e.From) + ": " + string(e.From) + " → " + string(e.To) + " is not allowed."
	if w.action == "task checkpoint" {
		f.What = "Session " + transcript.CleanLine(e.Session) + " is " + string(e.From) + ". Only an active session takes checkpoints."
		if slices.Contains(e.From.To(), task.Active) {
			f.Hints = []string{"continuo task resume --task " + w.slugs[0]}
		}
		return f
	}
	var to []string
	for _, s := range e.From.To() {
		to = append(to, string(s))
	}
	if len(to) > 0 {
		f.What += " It can become " + strings.Join(to, " or ") + "."
	} else {
		f.What += " This state is final."
	}
	return f
}
