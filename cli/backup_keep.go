package cli

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui"
)

const helpBackupKeep = `
continuo backup keep NAME… keeps pending backups: the markers that name them are removed, and the copies stay.

  --project PATH            look among the backups of one project
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object (its fields: continuo help backup)

Claude no longer offers a kept backup at its start. continuo undo makes it pending again: its markers come back, byte
for byte. A backup that is not pending is left alone, and the plan says so.

Exit: 0 also when none is pending · 1 when you said no · 2 when it could not be done, or nobody could be asked · 3 when
there is no such backup.
`

func newBackupKeepCmd(env *Env, o *out.Output) *cobra.Command {
	var ask backupAsk
	var w writeFlags
	cmd := &cobra.Command{
		Use:  "keep",
		Long: helpBackupKeep,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return out.Usage("keep takes a backup: the name of its file or its start, a path, or a session id.",
					"continuo backup list   shows what is pending", cmd.CommandPath()+" --help")
			}
			ask.words, ask.line = backupWords(args, env.now()), commandLine(cmd, args)
			return keepBackups(cmd.Context(), env, o, &ask, w)
		},
	}
	addProject(cmd, &ask)
	addWriteFlags(cmd, &w)
	return cmd
}

// keepBackups keeps the backups that are named.
func keepBackups(ctx context.Context, env *Env, o *out.Output, ask *backupAsk, w writeFlags) error {
	l, err := readBackups(ctx, env, ask)
	if err != nil {
		return err
	}
	list, err := allBackups(env, l, askedBackups(ctx, env, l, ask), ask.words)
	if err != nil {
		return err
	}
	x, err := planKeep(ctx, env, list)
	if err != nil {
		return err
	}
	p := keepPlan(env, x)
	p.line = ask.line
	if len(x.rows) == 0 {
		return nothingToDo(o, p, "There is nothing to do.")
	}
	p.add("Undo", change.Line{Text: env.undoLater() + " brings back " + bothOf(x.markers(), "marker") + ", byte for byte."})
	return proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		done, err := keepAll(ctx, env, x)
		if err != nil {
			return nil, err
		}
		if lost := lostBy(&done); lost != "" {
			p.report.Problems = append(p.report.Problems, lost)
		}
		return []string{done.What + ". To make " + them(len(x.rows)) + " pending again: " + env.command("undo", done.ID)}, nil
	})
}

// planKeep plans for the browser to keep backups.
func (c browserChanges) planKeep(ctx context.Context, plan *tui.Plan) (*deedPlan, error) {
	plan.Title = "Keep"
	_, list, gone, err := c.asked(ctx, plan.Change.Rows)
	if err != nil {
		return nil, err
	}
	x, err := planKeep(ctx, c.env, list)
	if err != nil {
		return nil, err
	}
	p := keepPlan(c.env, x)
	p.insert("But", goneLines(gone))
	plan.About = about(len(x.rows), "backup", len(x.plans))
	if len(x.rows) == 0 {
		p.insert("Stays", []change.Line{{Text: "everything: there is nothing to do"}})
		return p, nil
	}
	p.add("Undo", change.Line{Text: c.undoKey() + " brings back " + bothOf(x.markers(), "marker") + ", byte for byte."},
		change.Line{Tone: change.Muted, Text: "Kept for your last 20 actions."})
	command := []string{"backup", "keep"}
	for _, b := range x.rows {
		command = append(command, b.row.Path)
	}
	plan.Verb, plan.Command = "keep "+words.Count(len(x.rows)), c.env.command(command...)
	plan.Held = doing(func(ctx context.Context) (tui.Done, error) {
		done, err := keepAll(ctx, c.env, x)
		if err != nil {
			return tui.Done{}, err
		}
		return tui.Done{Said: done.What + ". " + c.undoKey() + " makes " + them(len(x.rows)) + " pending again.", But: lostBy(&done)}, nil
	})
	return p, nil
}

// keptBackups is what is kept, project by project.
type keptBackups struct {
	plans []backup.KeepPlan // those with something to do
	rows  []*backupRow      // that are pending
	not   []*backupRow      // that are not
}

// markers counts those that are removed.
func (x *keptBackups) markers() int {
	n := 0
	for i := range x.plans {
		n += len(x.plans[i].Markers)
	}
	return n
}

// planKeep looks up which of some backups are pending.
func planKeep(ctx context.Context, env *Env, list []*backupRow) (*keptBackups, error) {
	paths := map[string][]string{}
	for _, b := range list {
		paths[b.row.Workdir] = append(paths[b.row.Workdir], b.row.Path)
	}
	x, pending := &keptBackups{}, map[string]bool{}
	for _, b := range list {
		project := b.row.Workdir
		if paths[project] == nil { // it was planned for the first of its backups
			continue
		}
		m, err := openMemory(env, project)
		if err != nil {
			return nil, err
		}
		plan, err := m.PlanKeep(ctx, paths[project])
		_ = m.Close() // it was only read
		if err != nil {
			return nil, memoryFailure(env, project, err)
		}
		delete(paths, project)
		if len(plan.Markers) > 0 {
			x.plans = append(x.plans, plan)
		}
		for i := range plan.Backups {
			pending[plan.Backups[i].Path] = true
		}
	}
	for _, b := range list {
		if pending[b.row.Path] {
			x.rows = append(x.rows, b)
		} else {
			x.not = append(x.not, b)
		}
	}
	return x, nil
}

// keepPlan draws what is kept, but for the way back.
func keepPlan(env *Env, x *keptBackups) *deedPlan {
	p := &deedPlan{report: deedJSON{Action: "keep"}}
	var names []string
	for i := range x.plans {
		for _, m := range x.plans[i].Markers {
			names = append(names, out.CleanPath(m.Name)+" in "+baseName(x.plans[i].Project))
			p.report.Markers = append(p.report.Markers, filepath.Join(x.plans[i].Project, ".claude", "memory", m.Name))
		}
	}
	these, stays := "this backup", "the backup, where it is"
	if len(x.rows) > 1 {
		these, stays = "these backups", "the backups, where they are"
	}
	if n := len(names); n > 0 {
		p.add("Touched", change.Line{Text: words.Counted(n, "marker is", "markers are") + " removed, so that Claude no longer offers " + these + " at its start"},
			change.Line{Tone: change.Faint, Text: words.AndList(names)})
		p.add("Stays", change.Line{Mark: change.Good, Text: stays})
	}
	for _, b := range x.rows {
		p.insert("Stays", []change.Line{{Tone: change.Faint, Text: env.tilde(b.row.Path), Right: words.Size(b.row.Bytes), Whole: true}})
		p.report.Backups = append(p.report.Backups, deedBackup{b.row.Path, b.live, b.row.Of, b.row.Bytes, b.relation})
	}
	var not []string
	for _, b := range x.not {
		not = append(not, b.name())
		p.report.Kept = append(p.report.Kept, deedKept{b.row.Path, "not pending"})
	}
	if n := len(not); n > 0 {
		p.insert("Stays", []change.Line{{Mark: change.Note, Text: words.Counted(n, "backup is", "backups are") + " not pending: " + firstOf(not)}})
	}
	return p
}

// keepAll carries a plan out as one action: all backups or none.
func keepAll(ctx context.Context, env *Env, x *keptBackups) (act.Done, error) {
	c := change.Change{Kind: "keep", What: "Kept " + out.Count(len(x.rows), "backup")}
	for i := range x.plans {
		c.Where = append(c.Where, x.plans[i].Project)
	}
	project := ""
	done, err := planOnly(ctx, env, func(ctx context.Context) (change.Change, error) {
		now := c
		for i := range x.plans {
			project = x.plans[i].Project
			ops, err := keepOps(ctx, &x.plans[i])
			if err != nil {
				return now, err
			}
			now.Ops = slices.Concat(now.Ops, ops)
		}
		return now, nil
	})
	if err != nil {
		return done, actFailure(env, err, "a keep", func(err error) error { return memoryFailure(env, project, err) })
	}
	if len(done.Ops) == 0 {
		return done, &out.Failure{What: "Somebody has removed the markers since the plan was made. There is nothing to do any more."}
	}
	var paths []string
	for _, b := range x.rows {
		paths = append(paths, b.row.Path)
	}
	markAllSeen(env, paths) // they are dealt with
	return done, nil
}

func keepOps(ctx context.Context, plan *backup.KeepPlan) ([]change.Op, error) {
	m, err := backup.OpenMemory(plan.Project)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // it is only read
	return m.KeepOps(ctx, plan)
}
