package backups

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// NewKeepCmd returns the command continuo backup keep.
func NewKeepCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask Ask
	var w writing.Flags
	cmd := &cobra.Command{
		Use:   "keep NAME...",
		Short: "Keep pending backups: remove their markers",
		Long: `Keep pending backups: remove their markers, so that Claude no longer offers them. The
copies stay. continuo undo makes them pending again.

Exit codes: 0 done, or none is pending; 1 you said no; 2 an error, or there is no
terminal to ask in; 3 no such backup.`,
		Example:           `  continuo backup keep 11:02`,
		ValidArgsFunction: completeNames(env, manyNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return out.Usage("keep takes a backup: a file name or its first characters, a path, or a session ID.",
					"continuo backup list   shows what is pending", cmd.CommandPath()+" --help")
			}
			ask.Words, ask.Line = backupWords(args, env.Now()), writing.CommandLine(cmd, args)
			return keepBackups(cmd.Context(), env, o, &ask, w)
		},
	}
	find.AddProject(cmd, &ask.Project)
	writing.AddFlags(cmd, &w)
	return cmd
}

// keepBackups runs continuo backup keep.
func keepBackups(ctx context.Context, env *place.Env, o *out.Output, ask *Ask, w writing.Flags) error {
	l, err := Read(ctx, env, ask)
	if err != nil {
		return err
	}
	list, err := All(env, l, askedBackups(ctx, env, l, ask), ask.Words)
	if err != nil {
		return err
	}
	x, err := PlanKeep(ctx, env, list)
	if err != nil {
		return err
	}
	p := KeepPlan(env, x)
	p.Line = ask.Line
	if len(x.Rows) == 0 {
		return nothingToDo(o, p, "Nothing to do.")
	}
	p.Add("Undo", change.Line{Text: env.UndoLater() + " restores " + BothOf(x.Markers(), "marker") + ", byte for byte."})
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		done, err := KeepAll(ctx, env, x)
		if err != nil {
			return nil, err
		}
		if lost := writing.LostBy(&done); lost != "" {
			p.Report.Problems = append(p.Report.Problems, lost)
		}
		return []string{done.What + ". To make " + words.Them(len(x.Rows)) + " pending again: " + env.Command("undo", done.ID)}, nil
	})
}

// keptBackups is the plan to keep backups, by project.
type keptBackups struct {
	Plans []backup.KeepPlan // plans that remove a marker
	Rows  []*Row
	not   []*Row // backups that aren't pending
}

// Markers returns the number of markers to remove.
func (x *keptBackups) Markers() int {
	n := 0
	for i := range x.Plans {
		n += len(x.Plans[i].Markers)
	}
	return n
}

// PlanKeep plans to keep the pending backups of list.
func PlanKeep(ctx context.Context, env *place.Env, list []*Row) (*keptBackups, error) {
	paths := map[string][]string{}
	for _, b := range list {
		paths[b.Row.Workdir] = append(paths[b.Row.Workdir], b.Row.Path)
	}
	x, pending := &keptBackups{}, map[string]bool{}
	for _, b := range list {
		project := b.Row.Workdir
		if paths[project] == nil { // the first backup of this project
			continue
		}
		m, err := openMemory(env, project)
		if err != nil {
			return nil, err
		}
		plan, err := m.PlanKeep(ctx, paths[project])
		_ = m.Close() // nothing was written
		if err != nil {
			return nil, MemoryFailure(env, project, err)
		}
		delete(paths, project)
		if len(plan.Markers) > 0 {
			x.Plans = append(x.Plans, plan)
		}
		for i := range plan.Backups {
			pending[plan.Backups[i].Path] = true
		}
	}
	for _, b := range list {
		if pending[b.Row.Path] {
			x.Rows = append(x.Rows, b)
		} else {
			x.not = append(x.not, b)
		}
	}
	ReadTitles(ctx, env, x.Rows)
	return x, nil
}

// KeepPlan returns the plan of a keep without the part Undo.
func KeepPlan(env *place.Env, x *keptBackups) *writing.Plan {
	p := &writing.Plan{Report: writing.Report{Action: "keep"}}
	var names []string
	for i := range x.Plans {
		for _, m := range x.Plans[i].Markers {
			names = append(names, out.CleanPath(m.Name)+" in "+place.BaseName(x.Plans[i].Project))
			p.Report.Markers = append(p.Report.Markers, filepath.Join(x.Plans[i].Project, ".claude", "memory", m.Name))
		}
	}
	these, stays := "this backup", "the backup, where it is"
	if len(x.Rows) > 1 {
		these, stays = "these backups", "the backups, where they are"
	}
	if n := len(names); n > 0 {
		p.Add("Touched", change.Line{Text: words.Counted(n, "marker is", "markers are") + " removed, so that Claude no longer offers " + these + " at its start"},
			change.Line{Tone: change.Faint, Text: words.AndList(names)})
		p.Add("Stays", change.Line{Mark: change.Good, Text: stays})
	}
	for _, b := range x.Rows {
		p.Insert("Stays", []change.Line{{Tone: change.Faint, Text: b.titled(b.below()), Right: words.Size(b.Row.Bytes), Whole: true}})
		p.Report.Backups = append(p.Report.Backups, writing.ReportedBackup{Path: b.Row.Path, Transcript: b.Live, Session: b.Row.Of, Bytes: b.Row.Bytes, Relation: b.relation})
	}
	var not []string
	for _, b := range x.not {
		not = append(not, b.Name())
		p.Report.Kept = append(p.Report.Kept, writing.ReportedKept{Path: b.Row.Path, Reason: "not pending"})
	}
	if n := len(not); n > 0 {
		p.Insert("Stays", []change.Line{{Mark: change.Note, Text: words.Counted(n, "backup is", "backups are") + " not pending: " + writing.FirstOf(not)}})
	}
	return p
}

// KeepAll carries out the plan for all backups or none.
func KeepAll(ctx context.Context, env *place.Env, x *keptBackups) (act.Done, error) {
	c := change.Change{Kind: "keep", What: "Kept " + out.Count(len(x.Rows), "backup")}
	for i := range x.Plans {
		c.Where = append(c.Where, x.Plans[i].Project)
	}
	project := ""
	done, err := writing.Do(ctx, env, func(ctx context.Context) (change.Change, error) {
		now := c
		for i := range x.Plans {
			project = x.Plans[i].Project
			ops, err := keepOps(ctx, &x.Plans[i])
			if err != nil {
				return now, err
			}
			now.Ops = slices.Concat(now.Ops, ops)
		}
		return now, nil
	})
	if err != nil {
		return done, writing.Failure(env, err, "a keep", func(err error) error { return MemoryFailure(env, project, err) })
	}
	if len(done.Ops) == 0 {
		return done, &out.Failure{What: "The markers were removed since the plan was made. Nothing to do."}
	}
	var paths []string
	for _, b := range x.Rows {
		paths = append(paths, b.Row.Path)
	}
	place.MarkAllSeen(env, paths) // a kept backup counts as reviewed
	return done, nil
}

func keepOps(ctx context.Context, plan *backup.KeepPlan) ([]change.Op, error) {
	m, err := backup.OpenMemory(plan.Project)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing was written
	return m.KeepOps(ctx, plan)
}
