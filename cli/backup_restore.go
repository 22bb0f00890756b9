package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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

const helpBackupRestore = `
continuo backup restore NAME makes a session of a backup again, byte for byte, where the client looks for it.

  --new-id                  under a new id: one that exists is never written over
  --project PATH            look among the backups of one project
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object (its fields: continuo help backup)

It goes to the project of the folder that its records name, in the config directory that has that project. The file
keeps the time of the original, unless Claude Code would delete it within 7 days: then it is now. The backup stays, and
is no longer pending. continuo backup undo takes it back, as long as nobody has gone on with the session.

Exit: 1 when you said no · 2 when it could not be done (the id exists, or may exist where a project directory cannot be
read), or nobody could be asked · 3 when there is no such backup.
`

func newBackupRestoreCmd(env *Env, o *out.Output) *cobra.Command {
	var ask backupAsk
	var w writeFlags
	var newID bool
	cmd := &cobra.Command{
		Use:  "restore",
		Long: helpBackupRestore,
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.words, ask.line = backupWords(args, env.now()), commandLine(cmd, args)
			if err := oneName(cmd, ask.words); err != nil {
				return err
			}
			return restoreBackup(cmd.Context(), env, o, &ask, w, newID)
		},
	}
	addProject(cmd, &ask)
	addWriteFlags(cmd, &w)
	cmd.Flags().BoolVar(&newID, "new-id", false, "")
	return cmd
}

// restoreBackup restores a backup.
func restoreBackup(ctx context.Context, env *Env, o *out.Output, ask *backupAsk, w writeFlags, newID bool) error {
	b, l, err := namedBackup(ctx, env, ask, false)
	if err != nil {
		return err
	}
	if err := b.compare(ctx, true); err != nil {
		return err
	}
	as := ""
	if newID {
		as = unusedID(l.dirs)
	}
	r, err := planRestore(ctx, env, b, l.dirs, as)
	if err != nil {
		return restoreRefused(env, err, b, ask)
	}
	p := restorePlan(env, r)
	p.line = ask.line
	p.add("Undo", change.Line{Text: "continuo backup undo takes it back, as long as nobody has gone on with the session."})
	return proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		done, err := restoreAll(ctx, env, []*restoring{r})
		if err != nil {
			return nil, restoreRefused(env, err, b, ask)
		}
		p.report.Entries = []string{done.ID}
		if lost := lostBy(&done); lost != "" {
			p.report.Problems = append(p.report.Problems, lost)
		}
		return []string{"The session is there again. To go on with it: " + env.command("resume", r.plan.ID)}, nil
	})
}

// restoring is a backup that is to be a session again.
type restoring struct {
	b       *backupRow
	dirs    []string // Claude config dirs
	as      string   // the id that was asked for; "" its own
	plan    backup.RestorePlan
	session sessions.Session // as the backup has it
}

// planRestore plans a restore. The error is a *backup.RestoreRefusal where it is refused.
func planRestore(ctx context.Context, env *Env, b *backupRow, dirs []string, as string) (*restoring, error) {
	m, err := openMemory(env, b.row.Workdir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // it is only read
	return planRestoreIn(ctx, env, m, b, dirs, as)
}

func planRestoreIn(ctx context.Context, env *Env, m *backup.Memory, b *backupRow, dirs []string, as string) (*restoring, error) {
	facts, ses, err := restoreFacts(ctx, env, m, b, dirs, as)
	if err != nil {
		return nil, err
	}
	plan, err := backup.PlanRestore(facts)
	if err != nil {
		return nil, err
	}
	plan.Project = b.row.Workdir
	return &restoring{b, dirs, as, plan, ses}, nil
}

// title is what the session is called.
func (r *restoring) title() string {
	return render.Title(&sessions.Row{Kind: sessions.KindSession, Session: r.session})
}

// restoreAll carries restores out as one action, all or none.
func restoreAll(ctx context.Context, env *Env, list []*restoring) (act.Done, error) {
	c := change.Change{Kind: string(journal.Restore), What: restoredWhat(list), Unkept: true}
	for _, r := range list {
		c.Where = append(c.Where, r.b.row.Workdir)
	}
	project := ""
	done, err := planOnly(ctx, env, func(ctx context.Context) (change.Change, error) {
		now := c
		now.Ops = nil
		for _, r := range list {
			project = r.b.row.Workdir
			ops, err := restoreOps(ctx, env, r)
			if err != nil {
				return now, err
			}
			now.Ops = append(now.Ops, ops...)
		}
		return now, nil
	})
	if err != nil {
		return done, actFailure(env, err, "a restore", func(err error) error {
			if _, ok := errors.AsType[*backup.RestoreRefusal](err); ok {
				return err
			}
			return memoryFailure(env, project, err)
		})
	}
	for _, r := range list {
		markSeen(env, r.b.row.Path) // it is dealt with
	}
	return done, nil
}

// restoredWhat says what is restored.
func restoredWhat(list []*restoring) string {
	if len(list) == 1 {
		return "Restored " + words.Cut(list[0].title(), titleCells)
	}
	return "Restored " + out.Count(len(list), "session")
}

// restoreOps plans anew what was shown: while somebody was asked a client may have opened the session, and where the answer is
// another one nothing is done.
func restoreOps(ctx context.Context, env *Env, r *restoring) ([]change.Op, error) {
	m, err := openMemory(env, r.b.row.Workdir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // it is only read
	now, err := planRestoreIn(ctx, env, m, r.b, r.dirs, r.as)
	if err != nil {
		return nil, err
	}
	was, is := &r.plan, &now.plan
	same := is.To == was.To && is.Fresh == was.Fresh && is.Backup.Bytes == was.Backup.Bytes && is.Backup.Modified.Equal(was.Backup.Modified)
	if !same {
		return nil, fmt.Errorf("backup %s: %w", r.b.row.Path, backup.ErrChanged)
	}
	return m.RestoreOps(ctx, is)
}

// titleCells is how much of a title the journal keeps.
const titleCells = 60

// restoreFacts looks up all that decides about a restore, now. as is the id that is asked for; "" the backup's own.
func restoreFacts(ctx context.Context, env *Env, m *backup.Memory, b *backupRow, dirs []string, as string) (f backup.RestoreFacts, ses sessions.Session, err error) {
	ses = sessions.Read(ctx, b.row.Path, env.now())
	if ctx.Err() != nil {
		return f, ses, ctx.Err()
	}
	workdir := ses.Workdir
	if !filepath.IsAbs(workdir) {
		return f, ses, &out.Failure{What: "No record of this backup says in which folder its session ran, so its place is not known."}
	}
	if f, err = m.LookRestore(ctx, b.row.Path); err != nil {
		return f, ses, memoryFailure(env, b.row.Workdir, err)
	}
	dir := projectsDirFor(dirs, workdir)
	f.Dir, f.Now, f.Retention = filepath.Join(dir, "projects", sessions.Slug(workdir)), env.now(), sessions.Retention(dir)
	f.New, f.As = unusedID(dirs), as
	id := cmp.Or(f.As, f.SessionID)
	f.Existing, f.Unlisted = filesOf(dirs, id)
	f.Live = isOpen(ctx, env, dirs, id)
	return f, ses, nil
}

// projectsDirFor is the config directory that has the project of a folder, else the first.
func projectsDirFor(dirs []string, workdir string) string {
	for _, dir := range dirs {
		if info, err := os.Stat(filepath.Join(dir, "projects", sessions.Slug(workdir))); err == nil && info.IsDir() {
			return dir
		}
	}
	return dirs[0]
}

// filesOf returns the transcripts of an id in every project of some config directories, and the project directories that
// could not be listed.
func filesOf(dirs []string, id string) (list, unlisted []string) {
	list, errs := sessions.FilesOf(dirs, id)
	for _, err := range errs {
		unlisted = append(unlisted, err.Path)
	}
	return list, unlisted
}

// unusedID makes up an id that no session has.
func unusedID(dirs []string) string {
	for {
		id := newUUID()
		if files, _ := filesOf(dirs, id); len(files) == 0 {
			return id
		}
	}
}

// newUUID makes up an id as the client does: of random bits (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// restoreRefused says why a backup is not restored as it was asked for.
func restoreRefused(env *Env, err error, b *backupRow, ask *backupAsk) error {
	r, ok := errors.AsType[*backup.RestoreRefusal](err)
	if !ok {
		return err
	}
	f := &out.Failure{Cause: err}
	switch {
	case errors.Is(r, backup.ErrTaken) && b.held():
		f.What = "The session is still there, and has every byte of this backup. To have both, restore it under a new id."
	case errors.Is(r, backup.ErrTaken):
		f.What = "A session of this id exists already, and two of one id confuse the client. Restore it under a new id."
	case errors.Is(r, backup.ErrUnlisted):
		f.What = "A project directory cannot be read, and may have a session of this id. Make it readable and run it again."
	case errors.Is(r, backup.ErrLive):
		f.What = "A session of this id is live. Close it, or restore the backup under a new id."
	case errors.Is(r, backup.ErrNoID):
		f.What = "This backup does not say which session it is of. Restore it under a new id."
	default:
		f.What = "The place of the session is in no projects directory of the client: " + r.Err.Error() + "."
	}
	for _, path := range r.Paths {
		f.Facts = append(f.Facts, env.tilde(path))
	}
	if r.Offer != "" {
		f.Hints = []string{ask.line + " --new-id"}
	}
	return f
}

// restorePlan draws what a restore does, but for the way back.
func restorePlan(env *Env, r *restoring) *deedPlan {
	b, plan := r.b, &r.plan
	p := &deedPlan{report: deedJSON{Action: "restore", Made: []string{plan.To}}}
	p.report.Backups = []deedBackup{{b.row.Path, b.live, b.row.Of, plan.Backup.Bytes, b.relation}}
	when := "its time is that of the original, " + words.Moment(env.now(), plan.ModTime)
	if plan.Fresh {
		when = "its time is now: with that of the original Claude Code would delete it within 7 days"
	}
	touched := []change.Line{
		{Text: "1 new file: the session of " + words.Moment(env.now(), b.row.When()), Right: words.Size(plan.Backup.Bytes)},
		{Tone: change.Faint, Text: env.tilde(plan.To), Whole: true},
		{Tone: change.Muted, Text: "its folder is " + env.tilde(r.session.Workdir), Whole: true},
		{Tone: change.Muted, Text: when},
	}
	if !plan.Sweep.IsZero() {
		touched = append(touched, change.Line{Tone: change.Muted, Text: "Claude Code deletes it after " + words.Moment(env.now(), plan.Sweep)})
	}
	p.add("Touched", touched...)
	var names []string
	for _, m := range plan.Markers {
		names = append(names, out.CleanPath(m.Name))
		p.report.Markers = append(p.report.Markers, filepath.Join(plan.Project, ".claude", "memory", m.Name))
	}
	if n := len(names); n > 0 {
		p.add("Removed", change.Line{Text: out.Count(n, "marker") + ", because the backup is dealt with: " + words.AndList(names)})
	}
	p.add("Stays", change.Line{Mark: change.Good, Text: "the backup, in " + env.tilde(filepath.Dir(b.row.Path)), Whole: true})
	return p
}
