package backups

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"

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

// NewRestoreCmd returns the command continuo backup restore.
func NewRestoreCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask Ask
	var w writing.Flags
	var newID bool
	cmd := &cobra.Command{
		Use:   "restore NAME",
		Short: "Create a session from a backup",
		Long: `Create a session from a backup, byte for byte, in the project of its recorded folder.
The file keeps its original time, unless Claude Code would delete it within 7 days. The
backup stays and is no longer pending. continuo backup undo removes the session, unless
it has grown.

Exit codes: 1 you said no, 2 an error (the ID exists, or may exist) or there is no
terminal to ask in, 3 no such backup.`,
		Example:           `  continuo backup restore 3f9ac1e0 --dry-run`,
		ValidArgsFunction: completeNames(env, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.Words, ask.Line = backupWords(args, env.Now()), writing.CommandLine(cmd, args)
			if err := oneName(cmd, ask.Words); err != nil {
				return err
			}
			return restoreBackup(cmd.Context(), env, o, &ask, w, newID)
		},
	}
	find.AddProject(cmd, &ask.Project)
	writing.AddFlags(cmd, &w)
	cmd.Flags().BoolVar(&newID, "new-id", false, "create the session under a new ID; no session is ever overwritten")
	return cmd
}

// restoreBackup runs continuo backup restore.
func restoreBackup(ctx context.Context, env *place.Env, o *out.Output, ask *Ask, w writing.Flags, newID bool) error {
	b, l, err := namedBackup(ctx, env, ask, false)
	if err != nil {
		return err
	}
	if err := b.Compare(ctx, true); err != nil {
		return err
	}
	as := ""
	if newID {
		as = UnusedID(l.Dirs)
	}
	r, err := PlanRestore(ctx, env, b, l.Dirs, as)
	if err != nil {
		return RestoreRefused(env, err, b, ask)
	}
	p := RestorePlan(env, r)
	p.Line = ask.Line
	p.Add("Undo", change.Line{Text: "continuo backup undo removes the session again until it is resumed."})
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		done, err := RestoreAll(ctx, env, []*Restoring{r})
		if err != nil {
			return nil, RestoreRefused(env, err, b, ask)
		}
		p.Report.Entries = []string{done.ID}
		if lost := writing.LostBy(&done); lost != "" {
			p.Report.Problems = append(p.Report.Problems, lost)
		}
		return []string{"Session restored. To resume it: " + env.Command("resume", r.Plan.ID)}, nil
	})
}

// Restoring is the plan to restore a backup.
type Restoring struct {
	B       *Row
	dirs    []string // Claude config directories
	As      string   // the requested session ID; "" means the original ID
	Plan    backup.RestorePlan
	session sessions.Session // read from the backup
}

// PlanRestore plans a restore. A *backup.RestoreRefusal says why it isn't possible.
func PlanRestore(ctx context.Context, env *place.Env, b *Row, dirs []string, as string) (*Restoring, error) {
	m, err := openMemory(env, b.Row.Workdir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing was written
	return planRestoreIn(ctx, env, m, b, dirs, as)
}

func planRestoreIn(ctx context.Context, env *place.Env, m *backup.Memory, b *Row, dirs []string, as string) (*Restoring, error) {
	facts, ses, err := restoreFacts(ctx, env, m, b, dirs, as)
	if err != nil {
		return nil, err
	}
	plan, err := backup.PlanRestore(facts)
	if err != nil {
		return nil, err
	}
	plan.Project = b.Row.Workdir
	return &Restoring{b, dirs, as, plan, ses}, nil
}

// Title returns the title of the session.
func (r *Restoring) Title() string {
	return render.Title(&sessions.Row{Kind: sessions.KindSession, Session: r.session})
}

// RestoreAll carries out all restores as one action, or none.
func RestoreAll(ctx context.Context, env *place.Env, list []*Restoring) (act.Done, error) {
	c := change.Change{Kind: string(journal.Restore), What: RestoredWhat(list), Unkept: true}
	for _, r := range list {
		c.Where = append(c.Where, r.B.Row.Workdir)
	}
	project := ""
	done, err := writing.Do(ctx, env, func(ctx context.Context) (change.Change, error) {
		now := c
		now.Ops = nil
		for _, r := range list {
			project = r.B.Row.Workdir
			ops, err := restoreOps(ctx, env, r)
			if err != nil {
				return now, err
			}
			now.Ops = append(now.Ops, ops...)
		}
		return now, nil
	})
	if err != nil {
		return done, writing.Failure(env, err, "a restore", func(err error) error {
			if _, ok := errors.AsType[*backup.RestoreRefusal](err); ok {
				return err
			}
			return MemoryFailure(env, project, err)
		})
	}
	for _, r := range list {
		place.MarkSeen(env, r.B.Row.Path) // a restored backup counts as reviewed
	}
	return done, nil
}

// RestoredWhat describes the restored backups.
func RestoredWhat(list []*Restoring) string {
	if len(list) == 1 {
		return "Restored " + words.Cut(list[0].Title(), titleCells)
	}
	return "Restored " + out.Count(len(list), "session")
}

// restoreOps plans the restore again. It fails if the confirmed plan was different.
func restoreOps(ctx context.Context, env *place.Env, r *Restoring) ([]change.Op, error) {
	m, err := openMemory(env, r.B.Row.Workdir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing was written
	now, err := planRestoreIn(ctx, env, m, r.B, r.dirs, r.As)
	if err != nil {
		return nil, err
	}
	was, is := &r.Plan, &now.Plan
	same := is.To == was.To && is.Fresh == was.Fresh && is.Backup.Bytes == was.Backup.Bytes && is.Backup.Modified.Equal(was.Backup.Modified)
	if !same {
		return nil, fmt.Errorf("backup %s: %w", r.B.Row.Path, backup.ErrChanged)
	}
	return m.RestoreOps(ctx, is)
}

// titleCells is the maximum width of a title in the journal, in cells.
const titleCells = 60

// restoreFacts collects the facts for a restore. The argument as is the requested session ID; "" means the
// original ID.
func restoreFacts(ctx context.Context, env *place.Env, m *backup.Memory, b *Row, dirs []string, as string) (f backup.RestoreFacts, ses sessions.Session, err error) {
	ses = sessions.Read(ctx, b.Row.Path, env.Now())
	if ctx.Err() != nil {
		return f, ses, ctx.Err()
	}
	workdir := ses.Workdir
	if !filepath.IsAbs(workdir) {
		return f, ses, &out.Failure{What: "This backup doesn't record the folder of its session, so its location is unknown."}
	}
	if f, err = m.LookRestore(ctx, b.Row.Path); err != nil {
		return f, ses, MemoryFailure(env, b.Row.Workdir, err)
	}
	dir := sessions.ConfigDirFor(dirs, workdir)
	f.Dir, f.Now, f.Retention = filepath.Join(dir, "projects", sessions.Slug(workdir)), env.Now(), sessions.Retention(dir)
	f.New, f.As = UnusedID(dirs), as
	id := cmp.Or(f.As, f.SessionID)
	f.Existing, f.Unlisted = FilesOf(dirs, id)
	f.Live = writing.IsOpen(ctx, env, dirs, id)
	return f, ses, nil
}

// FilesOf returns the transcripts with a session ID, and the project directories that couldn't be listed.
func FilesOf(dirs []string, id string) (list, unlisted []string) {
	list, errs := sessions.FilesOf(dirs, id)
	for _, err := range errs {
		unlisted = append(unlisted, err.Path)
	}
	return list, unlisted
}

// UnusedID returns a session ID that no transcript has.
func UnusedID(dirs []string) string {
	for {
		id := newUUID()
		if files, _ := FilesOf(dirs, id); len(files) == 0 {
			return id
		}
	}
}

// newUUID returns a random UUID (RFC 9562, version 4), as the client uses.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // this never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// RestoreRefused returns the message for a restore that isn't possible.
func RestoreRefused(env *place.Env, err error, b *Row, ask *Ask) error {
	r, ok := errors.AsType[*backup.RestoreRefusal](err)
	if !ok {
		return err
	}
	f := &out.Failure{Cause: err}
	switch {
	case errors.Is(r, backup.ErrTaken) && b.Held():
		f.What = "The session still exists and contains the whole backup. To have both, restore the backup under a new ID."
	case errors.Is(r, backup.ErrTaken):
		f.What = "A session with this ID already exists. Restore the backup under a new ID."
	case errors.Is(r, backup.ErrUnlisted):
		f.What = "A project directory can't be read and may contain a session with this ID. Make it readable, then run the command again."
	case errors.Is(r, backup.ErrLive):
		f.What = "A session with this ID is live. Close it, or restore the backup under a new ID."
	case errors.Is(r, backup.ErrNoID):
		f.What = "This backup doesn't record its session ID. Restore the backup under a new ID."
	default:
		f.What = "The location of the session isn't in a projects directory of Claude Code: " + r.Err.Error() + "."
	}
	for _, path := range r.Paths {
		f.Facts = append(f.Facts, env.Tilde(path))
	}
	if r.Offer != "" {
		f.Hints = []string{ask.Line + " --new-id"}
	}
	return f
}

// RestorePlan returns the plan of a restore without the part Undo.
func RestorePlan(env *place.Env, r *Restoring) *writing.Plan {
	b, plan := r.B, &r.Plan
	p := &writing.Plan{Report: writing.Report{Action: "restore", Made: []string{plan.To}}}
	p.Report.Backups = []writing.ReportedBackup{{Path: b.Row.Path, Transcript: b.Live, Session: b.Row.Of, Bytes: plan.Backup.Bytes, Relation: b.relation}}
	when := "it keeps the original time, " + words.Moment(env.Now(), plan.ModTime)
	if plan.Fresh {
		when = "it gets the current time, because Claude Code would delete a file with the original time within 7 days"
	}
	touched := []change.Line{
		{Text: "1 new file: the session of " + words.Moment(env.Now(), b.Row.When()), Right: words.Size(plan.Backup.Bytes)},
		{Text: r.Title()},
		{Tone: change.Faint, Text: env.Tilde(plan.To), Whole: true},
		{Tone: change.Muted, Text: "its folder is " + env.Tilde(r.session.Workdir), Whole: true},
		{Tone: change.Muted, Text: when},
	}
	if !plan.Sweep.IsZero() {
		touched = append(touched, change.Line{Tone: change.Muted, Text: "Claude Code deletes it after " + words.Moment(env.Now(), plan.Sweep)})
	}
	p.Add("Touched", touched...)
	var names []string
	for _, m := range plan.Markers {
		names = append(names, out.CleanPath(m.Name))
		p.Report.Markers = append(p.Report.Markers, filepath.Join(plan.Project, ".claude", "memory", m.Name))
	}
	if n := len(names); n > 0 {
		p.Add("Removed", change.Line{Text: out.Count(n, "marker") + ", because the backup is no longer pending: " + words.AndList(names)})
	}
	p.Add("Stays", change.Line{Mark: change.Good, Text: "the backup, in " + env.Tilde(filepath.Dir(b.Row.Path)), Whole: true})
	return p
}
