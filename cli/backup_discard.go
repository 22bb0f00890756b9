package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

const helpBackupDiscard = `
continuo backup discard [NAME…] moves backups to the trash of their project, and removes the markers that name them;
without NAME everything that is pending in this project.

  --project PATH            in another project
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object (its fields: continuo help backup)

Each backup is compared with its live transcript just then, every byte: the plan says which of them is the only copy.
continuo backup undo brings back what was discarded, byte for byte.

Exit: 0 also when nothing is pending · 1 when you said no · 2 when it could not be done, or nobody could be asked · 3
when there is no such backup.
`

func newBackupDiscardCmd(env *Env, o *out.Output) *cobra.Command {
	var ask backupAsk
	var w writeFlags
	cmd := &cobra.Command{
		Use:  "discard",
		Long: helpBackupDiscard,
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.words, ask.line = backupWords(args, env.now()), commandLine(cmd, args)
			return discardBackups(cmd.Context(), env, o, &ask, w)
		},
	}
	addProject(cmd, &ask)
	addWriteFlags(cmd, &w)
	return cmd
}

// discarding is what goes to the trash, project by project.
type discarding struct {
	plans  []backup.DiscardPlan
	rows   map[string]*backupRow // by path: those that a plan moves
	others []*backupRow          // pending ones of the same projects that stay
}

// discardBackups discards.
func discardBackups(ctx context.Context, env *Env, o *out.Output, ask *backupAsk, w writeFlags) error {
	l, err := readBackups(ctx, env, ask)
	if err != nil {
		return err
	}
	paths := map[string][]string{} // by project; nil for all that is pending
	if len(ask.words) == 0 {
		s, err := backupScope(ctx, env, l, ask)
		if err != nil {
			return err
		}
		for _, project := range memoryFolders(ctx, env, l, s) {
			paths[project] = nil
		}
	} else {
		found, err := allBackups(env, l, askedBackups(ctx, env, l, ask), ask.words)
		if err != nil {
			return err
		}
		for _, b := range found {
			paths[b.row.Workdir] = append(paths[b.row.Workdir], b.row.Path)
		}
	}
	x, err := planEach(ctx, env, l, paths, func(m *backup.Memory) (backup.DiscardPlan, error) {
		return m.PlanDiscard(ctx, paths[m.Project()])
	})
	if err != nil {
		return err
	}
	p := discardPlan(env, x)
	p.line, p.report.Action = ask.line, "discard"
	p.add("Undo", undoByCommand(x)...)
	if !slices.ContainsFunc(x.plans, func(plan backup.DiscardPlan) bool { return !plan.Empty() }) {
		return nothingToDo(o, p, "No backup is pending here.")
	}
	return proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) { return discardSaying(ctx, env, x, p) })
}

// nothingToDo says so: that is an answer, too.
func nothingToDo(o *out.Output, p *deedPlan, said string) error {
	if o.JSON {
		return printDeed(o, p)
	}
	if text := p.text(o.Out); text != "" {
		o.Out.Print(text + "\n")
	}
	o.Out.Print(o.Out.Wrapped(said))
	return nil
}

// planEach plans for each project, and compares what is to be moved with its live transcripts, whole.
func planEach(ctx context.Context, env *Env, l *backupRows, projects map[string][]string, plan func(*backup.Memory) (backup.DiscardPlan, error)) (*discarding, error) {
	x := &discarding{rows: map[string]*backupRow{}}
	byPath := l.byPath()
	var names []string
	for project := range projects {
		names = append(names, project)
	}
	slices.Sort(names)
	for _, project := range names {
		m, err := openMemory(env, project)
		if err != nil {
			return nil, err
		}
		next, err := plan(m)
		_ = m.Close() // nothing was written
		if err != nil {
			return nil, memoryFailure(env, project, err)
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

// discarded is what was done of a discarding.
type discarded struct {
	act.Done
	entries map[string]string // of the trash, by project
}

// backups counts those that are in the trash.
func (x *discarded) backups() int {
	return opsThat(x.Ops, func(o *change.Op) bool { return o.Verb == change.Move })
}

// discardAll carries a plan out, in all projects or in none. c says of which kind it is, and what it takes back.
func discardAll(ctx context.Context, env *Env, x *discarding, c change.Change) (done discarded, err error) {
	for i := range x.plans {
		if plan := &x.plans[i]; !plan.Empty() {
			c.Where = append(c.Where, plan.Project)
			if err := guardTrash(env, plan.Project); err != nil {
				return done, err
			}
		}
	}
	if c.What == "" {
		c.What = x.what(c.Of != "")
	}
	c.Unkept = true // the trash has all of it
	project, at := "", env.now()
	plan := func(ctx context.Context) (change.Change, error) {
		now := c
		now.Ops = nil
		for i := range x.plans {
			project = x.plans[i].Project
			ops, err := discardOps(ctx, &x.plans[i], at)
			if err != nil {
				return now, err
			}
			now.Ops = append(now.Ops, ops...)
		}
		return now, nil
	}
	done.Done, err = planOnly(ctx, env, plan)
	if err != nil {
		return done, actFailure(env, err, "a discard", func(err error) error { return memoryFailure(env, project, err) })
	}
	done.entries = map[string]string{}
	var paths []string
	for i := range done.Ops {
		if o := &done.Ops[i]; o.Quiet {
			done.entries[projectOf(o)] = backup.EntryOf(o.Name)
		} else if o.Verb == change.Move {
			paths = append(paths, o.Path())
		}
	}
	if c.Kind == string(journal.Discard) { // by name: when one of these comes back, it was dealt with
		markAllSeen(env, paths)
	}
	return done, nil
}

// guardTrash keeps git away from the trash of a project.
func guardTrash(env *Env, project string) error {
	m, err := openMemory(env, project)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }() // what is written is synced
	if err := m.Guard(); err != nil {
		return memoryFailure(env, project, err)
	}
	return nil
}

func discardOps(ctx context.Context, plan *backup.DiscardPlan, at time.Time) ([]change.Op, error) {
	m, err := backup.OpenMemory(plan.Project)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // it is only read
	return m.DiscardOps(ctx, plan, at)
}

// discardPending carries out a discard that a session asked for.
func discardPending(ctx context.Context, env *Env, m *backup.Memory, plan *backup.DiscardPlan) error {
	x := &discarding{plans: []backup.DiscardPlan{*plan}, rows: map[string]*backupRow{}}
	for _, v := range plan.Moves {
		x.rows[v.Path] = nil
	}
	_, err := discardAll(ctx, env, x, change.Change{Kind: string(journal.Discard)})
	return err
}

// what says in the past tense what becomes of its backups.
func (x *discarding) what(again bool) string {
	what := "Discarded " + out.Count(len(x.rows), "backup")
	switch {
	case x.plans[0].Kind == backup.DeedPrune:
		what = "Pruned " + out.Count(len(x.rows), "backup")
	case len(x.rows) == 0:
		n := 0
		for i := range x.plans {
			n += len(x.plans[i].Markers) + len(x.plans[i].Cleaned)
		}
		what = "Removed " + out.Count(n, "marker")
	}
	if again {
		what += " again"
	}
	return what
}

// discardSaying does so for a command.
func discardSaying(ctx context.Context, env *Env, x *discarding, p *deedPlan) (said []string, err error) {
	done, err := discardAll(ctx, env, x, change.Change{Kind: string(x.plans[0].Kind)})
	if err != nil {
		return nil, err
	}
	for i := range x.plans {
		plan := &x.plans[i]
		if id := done.entries[plan.Project]; id != "" {
			p.report.Entries = append(p.report.Entries, id)
			said = append(said, env.discardSaid(plan, id, len(x.plans) > 1))
		}
	}
	if lost := lostBy(&done.Done); lost != "" {
		p.report.Problems = append(p.report.Problems, lost)
	} else if len(said) > 1 {
		said = append(said, "To take all of it back: "+env.command("undo", done.ID))
	}
	return said, nil
}

// discardSaid says what was done in one project, and the command that takes it back: with the project, where another one
// has an entry of the same second.
func (e *Env) discardSaid(plan *backup.DiscardPlan, id string, several bool) string {
	what := out.Count(len(plan.Moves), "backup") + " of " + baseName(plan.Project)
	if len(plan.Moves) == 0 {
		what = out.Count(len(plan.Markers)+len(plan.Cleaned), "marker") + " of " + baseName(plan.Project)
	}
	are := " are in the trash. To take them back: "
	if strings.HasPrefix(what, "1 ") {
		are = " is in the trash. To take it back: "
	}
	words := []string{"backup", "undo", id}
	if several {
		words = append(words, "--project", plan.Project)
	}
	return what + are + e.command(words...)
}

// discardPlan draws what is going to the trash, but for the way back.
func discardPlan(env *Env, x *discarding) *deedPlan {
	p := &deedPlan{}
	touchedParts(env, p, x)
	removedParts(p, x)
	p.add("But", butLines(x)...)
	p.add("Stays", append(stayingLines(x), keptLines(p, x)...)...)
	return p
}

// undoByCommand says how to take it back.
func undoByCommand(x *discarding) []change.Line {
	if !slices.ContainsFunc(x.plans, func(plan backup.DiscardPlan) bool { return !plan.Empty() }) {
		return nil
	}
	what := "continuo backup undo brings everything back, byte for byte."
	if len(x.plans) > 1 {
		what = "continuo undo ID restores everything, byte for byte. The id is printed after the discard. continuo backup undo restores one project."
	}
	return []change.Line{{Text: what}, {Tone: change.Muted, Text: "The trash itself is emptied only by you."}}
}

// touchedParts are the backups.
func touchedParts(env *Env, p *deedPlan, x *discarding) {
	var lines []change.Line
	var bytes int64
	projects := map[string]bool{}
	project := 0 // cells
	for _, b := range x.rows {
		project = max(project, min(ansi.StringWidth(projectName(&b.row)), planName)+2)
	}
	for _, b := range x.moved() {
		bytes += b.row.Bytes
		projects[b.row.Workdir] = true
		mark, _ := b.relationText()
		lines = append(lines, change.Line{
			Text:  render.Pad(words.Moment(env.now(), b.row.When()), 17) + render.Pad(words.Cut(projectName(&b.row), planName), project) + mark.Text + " " + b.against(),
			Right: words.Size(b.row.Bytes),
		}, change.Line{Tone: change.Faint, Text: b.below(), Whole: true})
		p.report.Backups = append(p.report.Backups, deedBackup{b.row.Path, b.live, b.row.Of, b.row.Bytes, b.relation})
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
	p.add("Touched", append([]change.Line{{Text: out.Count(n, "file") + ", " + words.Size(bytes) + goes}}, lines...)...)
}

// below is where a backup lies in the memory of its project.
func (b *backupRow) below() string {
	rel, err := filepath.Rel(filepath.Join(b.row.Workdir, ".claude", "memory"), b.row.Path)
	if err != nil {
		rel = filepath.Base(b.row.Path)
	}
	return out.CleanPath(filepath.ToSlash(rel))
}

// against is what a backup is beside its live file, in a plan.
func (b *backupRow) against() string {
	switch {
	case b.fault != "":
		return b.fault
	case b.relation == sessions.RelationSame:
		return "same as the live file"
	case b.relation == sessions.RelationGrown:
		return "live file has grown since"
	case b.relation == sessions.RelationRewritten:
		return "live file was rewritten since"
	case b.relation == sessions.RelationGone:
		return "gone, the only copy"
	case b.row.Of != "":
		return "could not be compared"
	}
	return "not known whose it is"
}
