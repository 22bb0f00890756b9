package backups

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

// NewDiscardCmd returns the command continuo backup discard.
func NewDiscardCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask Ask
	var w writing.Flags
	cmd := &cobra.Command{
		Use:   "discard [NAME...]",
		Short: "Move backups to the trash of their project", Long: `Move backups to the trash of their project and remove their markers. Without NAME, all
pending backups of this project are moved. The plan compares every byte with the live
transcript and names the only copies. To restore the backups: continuo backup undo.

Exit codes: 0 done, or nothing is pending; 1 you said no; 2 an error, or there is no
terminal to ask in; 3 no such backup.`,
		Example:           `  continuo backup discard --dry-run`,
		ValidArgsFunction: completeNames(env, manyNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.Words, ask.Line = backupWords(args, env.Now()), writing.CommandLine(cmd, args)
			return discardBackups(cmd.Context(), env, o, &ask, w)
		},
	}
	find.AddProject(cmd, &ask.Project)
	writing.AddFlags(cmd, &w)
	return cmd
}

// Discarding is a plan to move backups to the trash, by project.
type Discarding struct {
	Plans  []backup.DiscardPlan
	Rows   map[string]*Row // the backups to move, by path
	Others []*Row          // other pending backups of these projects
}

// discardBackups runs continuo backup discard.
func discardBackups(ctx context.Context, env *place.Env, o *out.Output, ask *Ask, w writing.Flags) error {
	l, err := Read(ctx, env, ask)
	if err != nil {
		return err
	}
	paths := map[string][]string{} // by project; nil means all pending backups
	if len(ask.Words) == 0 {
		s, err := ScopeOf(ctx, env, l, ask)
		if err != nil {
			return err
		}
		for _, project := range MemoryFolders(ctx, env, l, s) {
			paths[project] = nil
		}
	} else {
		found, err := All(env, l, askedBackups(ctx, env, l, ask), ask.Words)
		if err != nil {
			return err
		}
		for _, b := range found {
			paths[b.Row.Workdir] = append(paths[b.Row.Workdir], b.Row.Path)
		}
	}
	x, err := PlanEach(ctx, env, l, paths, func(m *backup.Memory) (backup.DiscardPlan, error) {
		return m.PlanDiscard(ctx, paths[m.Project()])
	})
	if err != nil {
		return err
	}
	p := DiscardPlan(env, x)
	p.Line, p.Report.Action = ask.Line, "discard"
	p.Add("Undo", undoByCommand(x)...)
	if !slices.ContainsFunc(x.Plans, func(plan backup.DiscardPlan) bool { return !plan.Empty() }) {
		return nothingToDo(o, p, "No backup is pending here.")
	}
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) { return discardAndReport(ctx, env, x, p) })
}

// nothingToDo prints an empty plan and a message. The command then succeeds.
func nothingToDo(o *out.Output, p *writing.Plan, message string) error {
	if o.JSON {
		return writing.PrintReport(o, p)
	}
	if text := p.Text(o.Out); text != "" {
		o.Out.Print(text + "\n")
	}
	o.Out.Print(o.Out.Wrapped(message))
	return nil
}

// PlanEach calls plan for each project. It compares every byte of the backups with their transcripts.
func PlanEach(ctx context.Context, env *place.Env, l *Rows, projects map[string][]string, plan func(*backup.Memory) (backup.DiscardPlan, error)) (*Discarding, error) {
	x := &Discarding{Rows: map[string]*Row{}}
	byPath := l.ByPath()
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
			return nil, MemoryFailure(env, project, err)
		}
		if next.Empty() && len(next.Problems)+len(next.Kept) == 0 {
			continue
		}
		x.Plans = append(x.Plans, next)
		for _, move := range next.Moves {
			b := byPath[move.Path]
			if b == nil { // the backup was created after the listing
				b = &Row{}
				b.Row.Path, b.Row.Workdir, b.Row.Bytes, b.Row.Modified = move.Path, project, move.Bytes, move.Modified
				b.Row.ID = strings.TrimSuffix(filepath.Base(move.Path), ".jsonl")
			}
			if err := b.Compare(ctx, true); err != nil {
				return nil, err
			}
			x.Rows[move.Path] = b
		}
	}
	ReadTitles(ctx, env, x.moved())
	for i := range l.List {
		b := &l.List[i]
		if _, in := projects[b.Row.Workdir]; in && b.Group == backupPending && x.Rows[b.Row.Path] == nil {
			x.Others = append(x.Others, b)
		}
	}
	return x, nil
}

// discarded is the result of a discard.
type discarded struct {
	act.Done
	entries map[string]string // IDs of the trash entries, by project
}

// Backups returns how many backups were moved to the trash.
func (x *discarded) Backups() int {
	return OpsThat(x.Ops, func(o *change.Op) bool { return o.Verb == change.Move })
}

// DiscardAll carries out the plan in all projects, or in none. c has the kind of the change. For an undo, c has
// the ID of the undone journal entry.
func DiscardAll(ctx context.Context, env *place.Env, x *Discarding, c change.Change) (done discarded, err error) {
	for i := range x.Plans {
		if plan := &x.Plans[i]; !plan.Empty() {
			c.Where = append(c.Where, plan.Project)
			if err := guardTrash(env, plan.Project); err != nil {
				return done, err
			}
		}
	}
	if c.What == "" {
		c.What = x.what(c.Of != "")
	}
	c.Unkept = true // the trash keeps every byte
	project, at := "", env.Now()
	plan := func(ctx context.Context) (change.Change, error) {
		now := c
		now.Ops = nil
		for i := range x.Plans {
			project = x.Plans[i].Project
			ops, err := discardOps(ctx, &x.Plans[i], at)
			if err != nil {
				return now, err
			}
			now.Ops = append(now.Ops, ops...)
		}
		return now, nil
	}
	done.Done, err = writing.Do(ctx, env, plan)
	if err != nil {
		return done, writing.Failure(env, err, "a discard", func(err error) error { return MemoryFailure(env, project, err) })
	}
	done.entries = map[string]string{}
	var paths []string
	for i := range done.Ops {
		if o := &done.Ops[i]; o.Quiet {
			done.entries[ProjectOf(o)] = backup.EntryOf(o.Name)
		} else if o.Verb == change.Move {
			paths = append(paths, o.Path())
		}
	}
	if c.Kind == string(journal.Discard) { // after an undo, the backup counts as reviewed
		place.MarkAllSeen(env, paths)
	}
	return done, nil
}

// guardTrash adds the trash of a project to .gitignore.
func guardTrash(env *place.Env, project string) error {
	m, err := openMemory(env, project)
	if err != nil {
		return err
	}
	defer func() { _ = m.Close() }() // all is synced
	if err := m.Guard(); err != nil {
		return MemoryFailure(env, project, err)
	}
	return nil
}

func discardOps(ctx context.Context, plan *backup.DiscardPlan, at time.Time) ([]change.Op, error) {
	m, err := backup.OpenMemory(plan.Project)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing was written
	return m.DiscardOps(ctx, plan, at)
}

// DiscardPending discards for the hook of a session.
func DiscardPending(ctx context.Context, env *place.Env, m *backup.Memory, plan *backup.DiscardPlan) error {
	x := &Discarding{Plans: []backup.DiscardPlan{*plan}, Rows: map[string]*Row{}}
	for _, v := range plan.Moves {
		x.Rows[v.Path] = nil
	}
	_, err := DiscardAll(ctx, env, x, change.Change{Kind: string(journal.Discard)})
	return err
}

// what describes the discard for the journal. If again is set, it ends with "again".
func (x *Discarding) what(again bool) string {
	what := "Discarded " + out.Count(len(x.Rows), "backup")
	switch {
	case x.Plans[0].Kind == backup.TrashPrune:
		what = "Pruned " + out.Count(len(x.Rows), "backup")
	case len(x.Rows) == 0:
		n := 0
		for i := range x.Plans {
			n += len(x.Plans[i].Markers) + len(x.Plans[i].Cleaned)
		}
		what = "Removed " + out.Count(n, "marker")
	}
	if again {
		what += " again"
	}
	return what
}

// discardAndReport carries out a discard, and returns messages about the result.
func discardAndReport(ctx context.Context, env *place.Env, x *Discarding, p *writing.Plan) (messages []string, err error) {
	done, err := DiscardAll(ctx, env, x, change.Change{Kind: string(x.Plans[0].Kind)})
	if err != nil {
		return nil, err
	}
	for i := range x.Plans {
		plan := &x.Plans[i]
		if id := done.entries[plan.Project]; id != "" {
			p.Report.Entries = append(p.Report.Entries, id)
			messages = append(messages, discardedText(env, plan, id, len(x.Plans) > 1))
		}
	}
	if lost := writing.LostBy(&done.Done); lost != "" {
		p.Report.Problems = append(p.Report.Problems, lost)
	} else if len(messages) > 1 {
		messages = append(messages, "To undo all: "+env.Command("undo", done.ID))
	}
	return messages, nil
}

// discardedText describes the result for one project, with the undo command. Entries of two projects may have
// the same ID: if several is set, the command names the project.
func discardedText(env *place.Env, plan *backup.DiscardPlan, id string, several bool) string {
	what := out.Count(len(plan.Moves), "backup") + " of " + place.BaseName(plan.Project)
	if len(plan.Moves) == 0 {
		what = out.Count(len(plan.Markers)+len(plan.Cleaned), "marker") + " of " + place.BaseName(plan.Project)
	}
	are := " are in the trash. To undo: "
	if strings.HasPrefix(what, "1 ") {
		are = " is in the trash. To undo: "
	}
	words := []string{"backup", "undo", id}
	if several {
		words = append(words, "--project", plan.Project)
	}
	return what + are + env.Command(words...)
}

// DiscardPlan returns the plan of a discard without the part Undo.
func DiscardPlan(env *place.Env, x *Discarding) *writing.Plan {
	p := &writing.Plan{}
	touchedParts(env, p, x)
	removedParts(p, x)
	p.Add("But", butLines(x)...)
	p.Add("Stays", append(stayingLines(x), keptLines(p, x)...)...)
	return p
}

// undoByCommand returns the part Undo for the command line.
func undoByCommand(x *Discarding) []change.Line {
	if !slices.ContainsFunc(x.Plans, func(plan backup.DiscardPlan) bool { return !plan.Empty() }) {
		return nil
	}
	what := "continuo backup undo restores everything, byte for byte."
	if len(x.Plans) > 1 {
		what = "continuo undo ID restores everything, byte for byte. The ID is printed after the discard. continuo backup undo restores one project."
	}
	return []change.Line{{Text: what}, {Tone: change.Muted, Text: "continuo never empties the trash by itself."}}
}

// touchedParts adds the section Touched: the backups that go to the trash.
func touchedParts(env *place.Env, p *writing.Plan, x *Discarding) {
	var lines []change.Line
	var bytes int64
	projects := map[string]bool{}
	project := 0 // width in cells
	for _, b := range x.Rows {
		project = max(project, min(ansi.StringWidth(place.ProjectName(&b.Row)), writing.PlanName)+2)
	}
	for _, b := range x.moved() {
		bytes += b.Row.Bytes
		projects[b.Row.Workdir] = true
		mark, _ := b.relationText()
		lines = append(lines, change.Line{
			Text:  render.Pad(words.Moment(env.Now(), b.Row.When()), 17) + render.Pad(words.Cut(place.ProjectName(&b.Row), writing.PlanName), project) + mark.Text + " " + b.against(),
			Right: words.Size(b.Row.Bytes),
		}, change.Line{Tone: change.Faint, Text: b.titled(b.below()), Whole: true})
		p.Report.Backups = append(p.Report.Backups, writing.ReportedBackup{Path: b.Row.Path, Transcript: b.Live, Session: b.Row.Of, Bytes: b.Row.Bytes, Relation: b.relation})
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
	p.Add("Touched", append([]change.Line{{Text: out.Count(n, "file") + ", " + words.Size(bytes) + goes}}, lines...)...)
}

// titled returns the title of the session, if known, and a path. A short path fits on the same line.
func (b *Row) titled(path string) string {
	if b.Row.OfTitle == "" {
		return path
	}
	const room, least, between = 72, 22, " · "
	return words.Cut(render.Title(&b.Row), max(room-ansi.StringWidth(path+between), least)) + between + path
}

// below returns the path of the backup relative to its memory.
func (b *Row) below() string {
	rel, err := filepath.Rel(filepath.Join(b.Row.Workdir, ".claude", "memory"), b.Row.Path)
	if err != nil {
		rel = filepath.Base(b.Row.Path)
	}
	return out.CleanPath(filepath.ToSlash(rel))
}

// against says how the backup compares with its live transcript.
func (b *Row) against() string {
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
	case b.Row.Of != "":
		return "could not be compared"
	}
	return "unknown session"
}
