package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui/render"
)

const helpBackupDiscard = `
continuo backup discard [NAME…] moves backups to the trash of their project, and removes the markers that name them;
without NAME everything that is pending in this project.

  --project PATH            in another project
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object

Each backup is compared with its live transcript just then, every byte: the plan says which of them is the only copy.
continuo backup undo brings back what was discarded, byte for byte.

Exit: 0 also when nothing is pending · 1 when you said no · 2 when it could not be done, or nobody could be asked · 3
when there is no such backup.
`

const helpBackupPrune = `
continuo backup prune moves old backups of this project to its trash. The newest ones stay, and so does whatever is
pending or the only copy of a session.

  --keep N                  so many of the newest stay (5)
  --older-than WHEN         only what is older goes: an age (30m 12h 7d 2w 3mo 1y) or a date (30d)
  --empty-trash             delete what is in the trash instead, for good; with --older-than what is older there
  --project PATH            in another project
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object

continuo backup undo brings back what was pruned. Nothing brings back what was in a trash that was emptied.

Exit: 0 also when nothing is old enough · 1 when you said no · 2 when it could not be done, or nobody could be asked.
`

func newBackupDiscardCmd(d *deps, g *globals) *cobra.Command {
	var ask backupAsk
	var w writeFlags
	cmd := &cobra.Command{
		Use: "discard",
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.words, ask.line = args, commandLine(cmd, args)
			return d.discardBackups(cmd.Context(), g, &ask, w)
		},
	}
	addProject(cmd, &ask)
	addWriteFlags(cmd, &w)
	return cmd
}

func newBackupPruneCmd(d *deps, g *globals) *cobra.Command {
	var ask backupAsk
	var w writeFlags
	keep, empty, older := 5, false, ""
	cmd := &cobra.Command{
		Use:  "prune",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.line = commandLine(cmd, args)
			if keep < 1 {
				return usage("--keep takes 1 or more: the newest backup always stays.", "continuo backup prune --help")
			}
			before := d.now().AddDate(0, 0, -30)
			if empty {
				before = d.now().Add(time.Second) // what was done in this very second too
			}
			if cmd.Flags().Changed("older-than") {
				var err error
				if before, err = parseSince(older, d.now()); err != nil {
					return usage("--older-than takes an age (30m 12h 7d 2w 3mo 1y) or a date (2026-11-21), not "+quoted(older)+".", "continuo backup prune --help")
				}
			}
			if empty {
				return d.emptyTrash(cmd.Context(), g, &ask, w, before)
			}
			return d.pruneBackups(cmd.Context(), g, &ask, w, backup.PruneRule{Keep: keep, Before: before})
		},
	}
	addProject(cmd, &ask)
	addWriteFlags(cmd, &w)
	f := cmd.Flags()
	f.IntVar(&keep, "keep", keep, "")
	f.BoolVar(&empty, "empty-trash", false, "")
	f.StringVar(&older, "older-than", "", "")
	return cmd
}

// discarding is what goes to the trash, project by project.
type discarding struct {
	plans  []backup.DiscardPlan
	rows   map[string]*backupRow // by path: those that a plan moves
	others []*backupRow          // pending ones of the same projects that stay
}

// discardBackups discards.
func (d *deps) discardBackups(ctx context.Context, g *globals, ask *backupAsk, w writeFlags) error {
	l, err := d.backups(ctx, g, d.folders(ask)...)
	if err != nil {
		return err
	}
	paths := map[string][]string{} // by project; nil for all that is pending
	if len(ask.words) == 0 {
		s, err := d.here(ctx, l, ask)
		if err != nil {
			return err
		}
		for _, project := range d.memoryFolders(ctx, l, s) {
			paths[project] = nil
		}
	} else {
		found, err := d.all(l, d.asked(ctx, l, ask), ask.words)
		if err != nil {
			return err
		}
		for _, b := range found {
			paths[b.row.Workdir] = append(paths[b.row.Workdir], b.row.Path)
		}
	}
	x, err := d.planEach(ctx, l, paths, func(m *backup.Memory) (backup.DiscardPlan, error) {
		return m.PlanDiscard(ctx, paths[m.Project()])
	})
	if err != nil {
		return err
	}
	p := d.discardPlan(x)
	p.line, p.report.Action = ask.line, "discard"
	if !slices.ContainsFunc(x.plans, func(plan backup.DiscardPlan) bool { return !plan.Empty() }) {
		return d.nothingToDo(g, p, "No backup is pending here.")
	}
	return d.proceed(ctx, g, w, p, func(ctx context.Context) ([]string, error) { return d.discard(ctx, g, x, p) })
}

// pruneBackups prunes.
func (d *deps) pruneBackups(ctx context.Context, g *globals, ask *backupAsk, w writeFlags, rule backup.PruneRule) error {
	l, err := d.backups(ctx, g, d.folders(ask)...)
	if err != nil {
		return err
	}
	s, err := d.here(ctx, l, ask)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for i := range l.rows {
		if r := &l.rows[i]; r.Kind == sessions.KindSession && !r.Deleted {
			there[r.ID] = true
		}
	}
	// A transcript that could not be seen counts as gone, and then its backups stay.
	rule.There = func(id string) bool { return there[id] }
	paths := map[string][]string{}
	for _, project := range d.memoryFolders(ctx, l, s) {
		paths[project] = nil
	}
	x, err := d.planEach(ctx, l, paths, func(m *backup.Memory) (backup.DiscardPlan, error) { return m.PlanPrune(ctx, rule) })
	if err != nil {
		return err
	}
	x.others = nil // it goes without saying: only old ones do
	p := d.discardPlan(x)
	p.line, p.report.Action = ask.line, "prune"
	if len(x.rows) == 0 {
		return d.nothingToDo(g, p, "No backup here is old enough to go.")
	}
	return d.proceed(ctx, g, w, p, func(ctx context.Context) ([]string, error) { return d.discard(ctx, g, x, p) })
}

// nothingToDo says so: that is an answer, too.
func (d *deps) nothingToDo(g *globals, p *deedPlan, said string) error {
	if g.json {
		return d.printDeed(g, p)
	}
	if text := p.text(d.out); text != "" {
		d.out.print(text + "\n")
	}
	d.out.print(said + "\n")
	return nil
}

// planEach plans for each project, and compares what is to be moved with its live transcripts, whole.
func (d *deps) planEach(ctx context.Context, l *backupRows, projects map[string][]string, plan func(*backup.Memory) (backup.DiscardPlan, error)) (*discarding, error) {
	x := &discarding{rows: map[string]*backupRow{}}
	byPath := map[string]*backupRow{}
	for i := range l.list {
		byPath[l.list[i].row.Path] = &l.list[i]
	}
	var names []string
	for project := range projects {
		names = append(names, project)
	}
	slices.Sort(names)
	for _, project := range names {
		m, err := d.openMemory(project)
		if err != nil {
			return nil, err
		}
		next, err := plan(m)
		_ = m.Close() // nothing was written
		if err != nil {
			return nil, d.memoryFailure(project, err)
		}
		if next.Empty() && len(next.Problems)+len(next.Kept) == 0 {
			continue
		}
		x.plans = append(x.plans, next)
		for _, move := range next.Moves {
			b := byPath[move.Path]
			if b == nil { // made since the list was
				b = &backupRow{}
				b.row.Path, b.row.Workdir, b.row.Bytes, b.row.Modified = move.Path, project, move.Bytes, move.Modified
				b.row.ID = strings.TrimSuffix(filepath.Base(move.Path), ".jsonl")
			}
			if err := b.compare(ctx, true); err != nil {
				return nil, err
			}
			x.rows[move.Path] = b
		}
	}
	for i := range l.list {
		b := &l.list[i]
		if _, in := projects[b.row.Workdir]; in && b.group == backupPending && x.rows[b.row.Path] == nil {
			x.others = append(x.others, b)
		}
	}
	return x, nil
}

// discard carries a plan out, project by project.
func (d *deps) discard(ctx context.Context, g *globals, x *discarding, p *deedPlan) (said []string, err error) {
	for i := range x.plans {
		plan := &x.plans[i]
		if plan.Empty() {
			continue
		}
		m, err := d.openMemory(plan.Project)
		if err != nil {
			return said, after(err, said)
		}
		deed, err := m.Discard(ctx, *plan, d.now())
		_ = m.Close() // what was written was synced
		if deed.ID != "" {
			p.report.Entries = append(p.report.Entries, deed.ID)
		}
		if err != nil {
			return said, after(d.memoryFailure(plan.Project, err), said)
		}
		said = append(said, discardSaid(g, plan, &deed))
	}
	return said, nil
}

// discardSaid says what was done in one project, and the command that takes it back.
func discardSaid(g *globals, plan *backup.DiscardPlan, deed *backup.Deed) string {
	what := count(len(plan.Moves), "backup") + " of " + baseName(plan.Project)
	if len(plan.Moves) == 0 {
		what = count(len(plan.Markers)+len(plan.Cleaned), "marker") + " of " + baseName(plan.Project)
	}
	are := " are"
	if strings.HasPrefix(what, "1 ") {
		are = " is"
	}
	return what + are + " in the trash. To take it back: " + g.command("backup", "undo", deed.ID)
}

// after adds to a failure what was done before it.
func after(err error, said []string) error {
	f := asFailure(err)
	if len(said) > 0 {
		f.facts = append(append(f.facts, "What was done before that:"), said...)
	}
	return f
}

// discardPlan draws what is going to the trash.
func (d *deps) discardPlan(x *discarding) *deedPlan {
	p := &deedPlan{}
	d.touched(p, x)
	d.removed(p, x)
	p.add("Stays", append(d.staying(x), d.keptLines(p, x)...)...)
	if len(p.report.Backups)+len(p.report.Markers) > 0 {
		what := "continuo backup undo brings everything back, byte for byte."
		if len(x.plans) > 1 {
			what = "continuo backup undo brings everything back, byte for byte: an entry of the trash for each project."
		}
		p.add("Undo", planLine{text: what}, planLine{ink: render.Muted, text: "The trash itself is emptied only by you."})
	}
	return p
}

// touched are the backups.
func (d *deps) touched(p *deedPlan, x *discarding) {
	var lines []planLine
	var bytes int64
	projects := map[string]bool{}
	project := 0 // cells
	for _, b := range x.rows {
		project = max(project, min(ansi.StringWidth(projectName(&b.row)), planName)+2)
	}
	for i := range x.plans {
		moves := slices.Clone(x.plans[i].Moves)
		slices.SortStableFunc(moves, func(a, b backup.Move) int { return x.rows[a.Path].row.Compare(&x.rows[b.Path].row) })
		for _, move := range moves {
			b := x.rows[move.Path]
			bytes += move.Bytes
			projects[b.row.Workdir] = true
			mark, _ := b.relationText()
			lines = append(lines, planLine{
				text:  render.Pad(render.Moment(d.now(), b.row.When()), 17) + render.Pad(projectName(&b.row), project) + mark.Text + " " + b.against(),
				right: render.Size(move.Bytes),
			}, planLine{ink: render.Faint, text: cleanPath(move.Name), whole: true})
			p.report.Backups = append(p.report.Backups, deedBackup{b.row.Path, b.row.Of, move.Bytes, b.relation})
		}
	}
	if len(lines) == 0 {
		return
	}
	n := len(lines) / 2
	goes := ", go to the trash of their project"
	if n == 1 {
		goes = ", goes to the trash of its project"
	}
	if len(projects) > 1 {
		goes += "s"
	}
	p.add("Touched", append([]planLine{{text: count(n, "file") + ", " + render.Size(bytes) + goes}}, lines...)...)
}

// against is what a backup is beside its live file, in a plan.
func (b *backupRow) against() string {
	switch {
	case b.fault != "":
		return b.fault
	case b.relation == backup.RelationSame:
		return "same as the live file"
	case b.relation == backup.RelationGrown:
		return "live file has grown since"
	case b.relation == backup.RelationRewritten:
		return "live file was rewritten since"
	case b.relation == backup.RelationGone:
		return "gone, the only copy"
	}
	return "not known whose it is"
}
