package cli

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

// browserChanges implements tui.Changes with what the commands are made of.
type browserChanges struct {
	env   *Env
	o     *out.Output
	dirs  []string // Claude config dirs
	again func()   // has the list looked at again
}

// doing is what a plan of the browser holds: it carries it out.
type doing func(ctx context.Context) (tui.Done, error)

// Plan implements tui.Changes.
func (c browserChanges) Plan(ctx context.Context, ask tui.Change) (plan tui.Plan, err error) {
	plan = tui.Plan{Change: ask}
	var p *deedPlan
	switch ask.Kind {
	case tui.ChangeUndo:
		p, err = c.planUndo(ctx, &plan)
	case tui.ChangeSave:
		p, err = c.planSave(ctx, &plan)
	case tui.ChangeStage:
		p, err = c.planStage(ctx, &plan)
	case tui.ChangeNote:
		p, err = c.planNote(ctx, &plan)
	case tui.ChangeHandoff:
		p, err = c.planHandoff(ctx, &plan)
	case tui.ChangeEvidence:
		p, err = c.planEvidence(ctx, &plan)
	default:
		p, err = backupCommandOf(string(ask.Kind)).plan(c, ctx, &plan)
	}
	if ctx.Err() != nil {
		return tui.Plan{}, ctx.Err()
	}
	if err != nil {
		return tui.Plan{}, inBrowser(err)
	}
	plan.Parts = p.allParts()
	return plan, nil
}

// Do implements tui.Changes. What was begun is finished, whatever becomes of the program.
func (c browserChanges) Do(ctx context.Context, plan tui.Plan) (done tui.Done, err error) {
	do, ok := plan.Held.(doing)
	if !ok {
		return tui.Done{}, &out.Failure{What: "There is nothing to do."}
	}
	defer c.again()
	defer func() {
		if v := recover(); v != nil { // the journal knows how far it went
			f := writePanic(c.env, v, debug.Stack())
			f.What += " continuo undo --list has what was done before."
			done, err = tui.Done{}, f
		}
	}()
	done, err = do(context.WithoutCancel(ctx))
	return done, inBrowser(err)
}

// Past implements tui.Changes.
func (c browserChanges) Past(ctx context.Context) ([]tui.PastAction, error) {
	actStore(c.env).Recover(ctx) // the browser asks at its start
	l, err := lookPast(ctx, c.env, c.o, c.dirs)
	if err != nil {
		return nil, err
	}
	list, err := l.all(ctx)
	if err != nil {
		return nil, err
	}
	past := make([]tui.PastAction, len(list))
	here := scopeOfUndo(ctx, c.env, c.env.dir)
	for i, w := range list {
		past[i] = tui.PastAction{
			ID: w.entry.ID, When: w.when(c.env.now()), What: w.entry.What, Where: w.where(), Can: w.can(l), Off: w.off != "", Back: w.back,
			Step: w.entry.Kind == journal.Undo, Elsewhere: !here.has(&w.entry), Parts: w.plan.allParts(),
		}
	}
	if len(past) == 0 && len(l.problems) > 0 {
		return nil, &out.Failure{What: l.problems[0]}
	}
	return past, nil
}

// undoKey is what takes back the last action: a key of the browser, or a command where it has none.
func (c browserChanges) undoKey() string {
	conf, err := loadConfig(c.env)
	if err != nil {
		return "u"
	}
	keys, set := conf.Keys["undo"]
	switch {
	case !set:
		return "u"
	case len(keys) == 0:
		return "continuo undo"
	}
	return out.CleanPath(keys[0])
}

// checkPath ends what is said of a path that is not there. In the browser nobody has typed it.
const checkPath = " Check the path."

// inBrowser is an error as the browser shows it, on one line: with the first of its facts.
func inBrowser(err error) error {
	if err == nil {
		return nil
	}
	f := *out.AsFailure(err)
	f.What = strings.TrimSuffix(f.What, checkPath)
	if len(f.Facts) > 0 {
		f.What = strings.TrimSpace(f.What + " " + out.Sentence(f.Facts[0]))
	}
	return &f
}

// allParts are the parts of a plan, with what there is to know besides.
func (p *deedPlan) allParts() []change.Part {
	if len(p.report.Problems) == 0 {
		return p.parts
	}
	besides := change.Part{Name: "Besides"}
	for _, problem := range p.report.Problems {
		besides.Lines = append(besides.Lines, change.Line{Mark: change.Warn, Text: out.Sentence(problem)})
	}
	return append(p.parts[:len(p.parts):len(p.parts)], besides)
}

// asked are the backups that a change is about, looked at now, and what is not there any more, by name.
func (c browserChanges) asked(ctx context.Context, rows []sessions.Row) (l *backupRows, list []*backupRow, gone []string, err error) {
	folders := map[string][]string{}
	for i := range rows {
		if rows[i].Kind == sessions.KindBackup && filepath.IsAbs(rows[i].Workdir) {
			folders[rows[i].Workdir] = nil
		}
	}
	if l, err = lookShelf(c.env, c.dirs).in(ctx, folders); err != nil {
		return nil, nil, nil, err
	}
	byPath := l.byPath()
	for i := range rows {
		switch b := byPath[rows[i].Path]; {
		case b == nil:
			gone = append(gone, out.CleanPath(rows[i].ID)+" of "+projectName(&rows[i]))
		case !slices.Contains(list, b):
			list = append(list, b)
		}
	}
	return l, list, gone, nil
}

// goneLines warns of what is not there any more.
func goneLines(names []string) []change.Line {
	switch len(names) {
	case 0:
		return nil
	case 1:
		return []change.Line{warning(names[0] + " is not there any more")}
	}
	return []change.Line{warning(firstOf(names) + " are not there any more")}
}

// about says how many of a thing there are, and in how many projects when it is several.
func about(n int, thing string, projects int) string {
	if projects < 2 {
		return out.Count(n, thing)
	}
	return out.Count(n, thing) + " in " + out.Count(projects, "project")
}
