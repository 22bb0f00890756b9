package backups

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// NewPruneCmd returns the command continuo backup prune.
func NewPruneCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask Ask
	var w writing.Flags
	keep, empty, older := 5, false, ""
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Move old backups to the trash", Long: `Move old backups of this project to its trash. Pending backups, the newest ones and only
copies stay; the plan lists them. continuo backup undo restores the moved backups, but
not after --empty-trash.

Exit codes: 0 done, or nothing is old enough; 1 you said no; 2 an error, or there is no
terminal to ask in.`,
		Example: `  continuo backup prune --keep 3 --older-than 14d --dry-run`,
		Args:    find.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo backup prune --help"
			ask.Line = writing.CommandLine(cmd, args)
			set := cmd.Flags().Changed
			switch {
			case empty && (set("keep") || set("older-than")):
				return out.Usage("--empty-trash deletes the whole trash. It can't be combined with --keep or --older-than.", hint)
			case empty:
				return emptyTrash(cmd.Context(), env, o, &ask, w)
			case keep < 1:
				return out.Usage("--keep takes 1 or more: the newest backup always stays.", hint)
			}
			before := env.Now().AddDate(0, 0, -30)
			if set("older-than") {
				var err error
				if before, err = find.ParseSince(older, env.Now()); err != nil {
					return out.Usage("--older-than takes an age (30m 12h 7d 2w 3mo 1y) or a date (2026-11-21), not "+out.Quoted(older)+".", hint)
				}
				if before.After(env.Now()) {
					return out.Usage("--older-than takes an age or a date in the past, not "+out.Quoted(older)+".", hint)
				}
			}
			return pruneBackups(cmd.Context(), env, o, &ask, w, backup.PruneRule{Keep: keep, Before: before, Now: env.Now()})
		},
	}
	find.AddProject(cmd, &ask.Project)
	writing.AddFlags(cmd, &w)
	f := cmd.Flags()
	f.IntVar(&keep, "keep", keep, "keep the newest `N` backups")
	f.BoolVar(&empty, "empty-trash", false, "delete everything in the trash instead; this can't be undone")
	f.StringVar(&older, "older-than", "", "move backups older than `WHEN`: an age (30m 12h 7d 2w 3mo 1y) or a date (default 30d)")
	return cmd
}

// pruneBackups runs continuo backup prune.
func pruneBackups(ctx context.Context, env *place.Env, o *out.Output, ask *Ask, w writing.Flags, rule backup.PruneRule) error {
	l, err := Read(ctx, env, ask)
	if err != nil {
		return err
	}
	s, err := ScopeOf(ctx, env, l, ask)
	if err != nil {
		return err
	}
	byPath := l.ByPath()
	rule.Relation = func(ctx context.Context, b *backup.Backup) (sessions.Relation, error) {
		row := byPath[b.Path]
		if row == nil { // created after the listing
			return "", nil
		}
		err := row.Compare(ctx, true)
		return row.relation, err
	}
	paths := map[string][]string{}
	for _, project := range MemoryFolders(ctx, env, l, s) {
		paths[project] = nil
	}
	x, err := PlanEach(ctx, env, l, paths, func(m *backup.Memory) (backup.DiscardPlan, error) { return m.PlanPrune(ctx, rule) })
	if err != nil {
		return err
	}
	x.Others = nil // a prune moves only old backups
	p := DiscardPlan(env, x)
	p.Line, p.Report.Action = ask.Line, "prune"
	p.Add("Undo", undoByCommand(x)...)
	if len(x.Rows) > 0 {
		return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) { return discardAndReport(ctx, env, x, p) })
	}
	message := "No backup here is old enough to prune."
	if n := len(p.Report.Kept); n > 0 {
		message = words.Counted(n, "backup is old enough to prune, but stays.", "backups are old enough to prune, but stay.")
	}
	return nothingToDo(o, p, message)
}

// emptyTrash deletes everything in the trash of this project.
func emptyTrash(ctx context.Context, env *place.Env, o *out.Output, ask *Ask, w writing.Flags) error {
	l, err := Read(ctx, env, ask)
	if err != nil {
		return err
	}
	s, err := ScopeOf(ctx, env, l, ask)
	if err != nil {
		return err
	}
	var plans []emptying
	p := &writing.Plan{Line: ask.Line, Report: writing.Report{Action: "empty-trash"}}
	var lines []change.Line
	var all backup.Emptied
	only, unknown := 0, 0
	for _, project := range MemoryFolders(ctx, env, l, s) {
		m, err := openMemory(env, project)
		if err != nil {
			return err
		}
		plan, err := m.Trash().PlanEmpty(ctx)
		_ = m.Close() // nothing was written
		if err != nil {
			p.Report.Problems = append(p.Report.Problems, survey.Sentences(err)...)
		}
		if len(plan.Entries) == 0 {
			continue
		}
		plans = append(plans, emptying{project, plan})
		all.Files, all.Bytes, all.Entries = all.Files+plan.Files, all.Bytes+plan.Bytes, append(all.Entries, plan.Entries...)
		for i := range plan.Entries {
			e := TrashEntry{project, plan.Entries[i]}
			line := change.Line{Text: render.Pad(words.Moment(env.Now(), e.Entry.At), 17) + e.What() + " of " + place.BaseName(project)}
			if len(e.Entry.Moves) > 0 {
				line.Right = words.Size(e.Entry.Bytes())
			}
			lines = append(lines, line)
			p.Report.Deleted = append(p.Report.Deleted, e.Entry.Path)
			n, may, err := l.onlyCopies(ctx, &e.Entry)
			if err != nil {
				return err
			}
			only, unknown = only+n, unknown+may
		}
	}
	if len(plans) == 0 {
		return nothingToDo(o, p, "The trash of this project is empty.")
	}
	p.Add("Deletes", append([]change.Line{{Text: emptied(&all) + ", for good"}}, lines...)...)
	var but []change.Line
	if only > 0 {
		but = append(but, writing.Warning(words.Counted(only, "of them is the only copy of its content", "of them are the only copies of their content")))
	}
	if unknown > 0 {
		but = append(but, writing.Warning(words.Counted(unknown, "of them could not be compared, and may be the only copy", "of them could not be compared, and may be the only copies")))
	}
	p.Add("But", but...)
	stays := heldLines(all.Files-only-unknown, all.Files)
	if all.Files == 0 {
		stays = []change.Line{{Mark: change.Good, Text: "every backup and session outside of the trash"}}
	}
	p.Add("Stays", stays...)
	p.Add("Undo", change.Line{Text: "this can't be undone"})
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		messages, lost, err := emptyAll(ctx, env, plans)
		if lost != "" {
			p.Report.Problems = append(p.Report.Problems, lost)
		}
		return messages, err
	})
}

// emptied describes the deleted backups, and the markers without a backup.
func emptied(e *backup.Emptied) string {
	var parts []string
	if e.Files > 0 {
		parts = append(parts, out.Count(e.Files, "backup")+", "+words.Size(e.Bytes))
	}
	markers := 0
	for i := range e.Entries {
		if d := &e.Entries[i]; len(d.Moves) == 0 {
			markers += len(d.Markers)
		}
	}
	if markers > 0 {
		parts = append(parts, out.Count(markers, "marker"))
	}
	if len(parts) == 0 {
		return words.Counted(len(e.Entries), "entry", "entries")
	}
	return words.AndList(parts)
}

// emptying is a project's trash as shown in the plan. No other files are deleted.
type emptying struct {
	project string
	plan    backup.Emptied
}

// emptyAll empties all given trashes, or none.
func emptyAll(ctx context.Context, env *place.Env, plans []emptying) (messages []string, lost string, err error) {
	c := change.Change{Kind: string(journal.EmptyTrash), What: "Emptied the trash"}
	for i := range plans {
		c.Where = append(c.Where, plans[i].project)
		messages = append(messages, "Deleted from the trash of "+place.BaseName(plans[i].project)+": "+emptied(&plans[i].plan)+".")
	}
	project := ""
	done, err := writing.Do(ctx, env, func(ctx context.Context) (change.Change, error) {
		now := c
		now.Ops = nil
		for i := range plans {
			project = plans[i].project
			m, err := backup.OpenMemory(project)
			if err != nil {
				return now, err
			}
			ops, err := m.Trash().EmptyOps(ctx, &plans[i].plan)
			_ = m.Close() // nothing was written
			if err != nil {
				return now, err
			}
			now.Ops = append(now.Ops, ops...)
		}
		return now, nil
	})
	if err != nil {
		return nil, "", writing.Failure(env, err, "emptying the trash", func(err error) error { return MemoryFailure(env, project, err) })
	}
	return messages, writing.LostBy(&done), nil
}
