package browse

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/undoing"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

// Changes implements tui.Changes. It calls the functions of the commands.
type Changes struct {
	Env   *place.Env
	O     *out.Output
	Dirs  []string // Claude config directories
	Again func()   // reads the list again
}

// Doing carries out a plan.
type Doing func(ctx context.Context) (tui.Done, error)

// Plan implements tui.Changes.
func (c Changes) Plan(ctx context.Context, ask tui.Change) (plan tui.Plan, err error) {
	plan = tui.Plan{Change: ask}
	var p *writing.Plan
	switch ask.Kind {
	case tui.ChangeUndo:
		p, err = c.planUndo(ctx, &plan)
	case tui.ChangeSave:
		p, err = c.planSave(ctx, &plan)
	case tui.ChangeExport:
		p, err = c.planExport(ctx, &plan)
	case tui.ChangeStage:
		p, err = c.planStage(ctx, &plan)
	case tui.ChangeNote:
		p, err = c.planNote(ctx, &plan)
	case tui.ChangeHandover:
		p, err = c.planHandover(ctx, &plan)
	case tui.ChangeEvidence:
		p, err = c.planEvidence(ctx, &plan)
	case tui.ChangeDelta, tui.ChangeForks, tui.ChangeHeal, tui.ChangeLint:
		p, err = c.planLedger(ctx, &plan)
	case tui.ChangeDelete:
		p, err = c.planDelete(ctx, &plan)
	case tui.ChangeDiscard:
		p, err = c.planDiscard(ctx, &plan)
	case "keep":
		p, err = c.planKeep(ctx, &plan)
	case tui.ChangeRestore:
		p, err = c.planRestore(ctx, &plan)
	case tui.ChangeVerify:
		p, err = c.planVerify(ctx, &plan)
	}
	if ctx.Err() != nil {
		return tui.Plan{}, ctx.Err()
	}
	if err != nil {
		return tui.Plan{}, inBrowser(err)
	}
	plan.Parts = p.AllParts()
	return plan, nil
}

// Do implements tui.Changes. It completes the change even if the browser is closed.
func (c Changes) Do(ctx context.Context, plan tui.Plan) (done tui.Done, err error) {
	do, ok := plan.Held.(Doing)
	if !ok {
		return tui.Done{}, &out.Failure{What: "Nothing to do."}
	}
	defer c.Again()
	defer func() {
		if v := recover(); v != nil { // the journal has the completed steps
			f := place.WritePanic(c.Env, v, debug.Stack())
			f.What += " continuo undo --list shows earlier actions."
			done, err = tui.Done{}, f
		}
	}()
	done, err = do(context.WithoutCancel(ctx))
	return done, inBrowser(err)
}

// Past implements tui.Changes.
func (c Changes) Past(ctx context.Context) ([]tui.PastAction, error) {
	writing.Store(c.Env).FinishInterrupted(ctx) // Past is called when the browser starts
	l, err := undoing.ReadJournal(ctx, c.Env, c.O, c.Dirs)
	if err != nil {
		return nil, err
	}
	list, err := l.All(ctx)
	if err != nil {
		return nil, err
	}
	past := make([]tui.PastAction, len(list))
	here := undoing.ScopeOf(ctx, c.Env, c.Env.Dir)
	for i, w := range list {
		past[i] = tui.PastAction{
			ID: w.Entry.ID, When: w.When(c.Env.Now()), What: w.Entry.What, Where: w.Where(), Can: w.Can(l), Off: w.Off != "", Back: w.Back,
			Step: w.Entry.Kind == journal.Undo, Elsewhere: !here.Has(&w.Entry), Parts: w.Plan.AllParts(),
		}
	}
	if len(past) == 0 && len(l.Problems) > 0 {
		return nil, &out.Failure{What: l.Problems[0]}
	}
	return past, nil
}

// undoKey returns the undo key or, without a key, the command.
func (c Changes) undoKey() string {
	conf, err := place.LoadConfig(c.Env)
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

// inBrowser returns an error on one line, with its first detail.
func inBrowser(err error) error {
	if err == nil {
		return nil
	}
	f := *out.AsFailure(err)
	f.What = strings.TrimSuffix(f.What, place.CheckPath)
	if len(f.Facts) > 0 {
		f.What = strings.TrimSpace(f.What + " " + out.Sentence(f.Facts[0]))
	}
	return &f
}

// asked returns the backups of a change. The result gone has the names of missing backups.
func (c Changes) asked(ctx context.Context, rows []sessions.Row) (l *backups.Rows, list []*backups.Row, gone []string, err error) {
	folders := map[string][]string{}
	for i := range rows {
		if rows[i].Kind == sessions.KindBackup && filepath.IsAbs(rows[i].Workdir) {
			folders[rows[i].Workdir] = nil
		}
	}
	if l, err = backups.LookShelf(c.Env, c.Dirs).In(ctx, folders); err != nil {
		return nil, nil, nil, err
	}
	byPath := l.ByPath()
	for i := range rows {
		switch b := byPath[rows[i].Path]; {
		case b == nil:
			gone = append(gone, out.CleanPath(rows[i].ID)+" of "+place.ProjectName(&rows[i]))
		case !slices.Contains(list, b):
			if b.Row.OfTitle = rows[i].OfTitle; b.Row.OfTitle == "" && rows[i].Saved != nil {
				b.Row.OfTitle = rows[i].Title()
			}
			list = append(list, b)
		}
	}
	return l, list, gone, nil
}
