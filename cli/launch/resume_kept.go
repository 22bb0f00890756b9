package launch

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// decideResume asks the guard of what the row is. A new session in its folder needs nothing of it.
func decideResume(ctx context.Context, env *place.Env, conf *place.Config, row sessions.Row, ask resume.Ask) (resume.Plan, error) {
	start := newStarter(ctx, env, conf)
	if row.Kind == sessions.KindSession || ask.New {
		facts, err := ResumeFacts(ctx, env, start, row, ask)
		if err != nil {
			return resume.Plan{}, err
		}
		return resume.PlanSession(facts, ask), nil
	}
	facts, err := keptFacts(ctx, env, start, row, ask)
	if err != nil {
		return resume.Plan{}, err
	}
	return resume.PlanKept(facts, ask), nil
}

// keptFacts looks at all that decides about a backup or a document, right now.
func keptFacts(ctx context.Context, env *place.Env, start Starter, row sessions.Row, ask resume.Ask) (resume.KeptFacts, error) {
	row.Workdir = memoryFolder(ctx, env, &row)
	place := sessions.ProbeFolder(ctx, row.Workdir)
	if place.State == sessions.FolderSilent {
		return resume.KeptFacts{}, &out.Failure{What: "The folder " + env.Tilde(row.Workdir) + " does not answer. It may be on a disk that is not mounted."}
	}
	_, err := os.Stat(row.Path)
	f := resume.KeptFacts{Missing: errors.Is(err, fs.ErrNotExist)}
	if f.Start, err = ResumeFacts(ctx, env, start, row, ask); err != nil {
		return f, err
	}
	if place.State == sessions.FolderThere {
		found, _ := backup.Find(ctx, row.Workdir, env.Now().Location()) // what cannot be read is not pending
		for i := range found.Backups {
			if b := &found.Backups[i]; b.Pending {
				if f.Newest == "" {
					f.Newest = words.Moment(env.Now(), sessions.Plausible(b.Made, env.Now()))
				}
				f.Pending = append(f.Pending, filepath.Base(b.Path))
			}
		}
	}
	folder := f.Start.Folder.Path
	f.Latest, f.From = hasSlashCommand(ctx, env, folder, "resume-latest"), hasSlashCommand(ctx, env, folder, "resume-from")
	if row.Kind == sessions.KindBackup && !f.Missing {
		err = keptSession(ctx, env, start, &f, &row, ask)
	}
	f.Row = row
	return f, cmp.Or(err, ctx.Err())
}

// memoryFolder is the folder in whose memory a backup or a document is; for one that is in none, the project around it.
func memoryFolder(ctx context.Context, env *place.Env, row *sessions.Row) string {
	return cmp.Or(row.Workdir, place.MemoryProject(row.Path), documentProject(row.Path), survey.MemoryOf(ctx, filepath.Dir(row.Path), env.Home), row.Project)
}

// documentProject is the project in whose memory, or planning, a document is (spec 000); "" none.
func documentProject(path string) string {
	dir := filepath.Dir(path)
	if filepath.Base(dir) == "sessions" {
		dir = filepath.Dir(dir)
		if filepath.Base(dir) == "planning" {
			return filepath.Dir(dir)
		}
	}
	if claude := filepath.Dir(dir); filepath.Base(dir) == "memory" && filepath.Base(claude) == ".claude" {
		return filepath.Dir(claude)
	}
	return ""
}

// keptSession looks at the session that a backup is of, as it is, and as a restore would make it. It fills in what the
// row says of it.
func keptSession(ctx context.Context, env *place.Env, start Starter, f *resume.KeptFacts, row *sessions.Row, ask resume.Ask) error {
	dirs := place.ConfigDirs(env, start.Conf)
	ses := sessions.Read(ctx, row.Path, env.Now())
	files, unlisted := backups.FilesOf(dirs, row.Of)
	f.Taken, f.Unlisted, f.Live, f.New = len(files) > 0, unlisted, writing.IsOpen(ctx, env, dirs, row.Of), backups.UnusedID(dirs)
	if len(files) > 0 && !slices.Contains(files, row.Original) {
		own := func(path string) bool { return filepath.Base(filepath.Dir(path)) == sessions.Slug(ses.Workdir) }
		row.Original = files[max(slices.IndexFunc(files, own), 0)]
	} else if len(files) == 0 {
		row.Original = ""
	}
	row.Unsearched = len(files) == 0 && len(unlisted) > 0
	if row.Relation = ""; row.Of != "" && !row.Unsearched {
		row.Relation, _ = backup.Compare(ctx, row.Path, row.Original, true) // what cannot be read is not known
	}
	var err error
	if row.Relation.Held() {
		live := sessions.Row{Kind: sessions.KindSession, Session: sessions.Read(ctx, row.Original, env.Now())}
		live.Dir = place.ConfigDirOf(&live)
		if f.Session, err = ResumeFacts(ctx, env, start, live, ask); err != nil {
			return err
		}
	}
	if !filepath.IsAbs(ses.Workdir) || len(dirs) == 0 {
		return nil
	}
	dir := backups.ProjectsDirFor(dirs, ses.Workdir)
	made := sessions.Row{Kind: sessions.KindSession, Session: ses}
	made.ID, made.Dir, made.Flags, made.Live = row.Of, dir, nil, nil
	made.Path = filepath.Join(dir, "projects", sessions.Slug(ses.Workdir), row.Of+".jsonl")
	ask.New = true // nothing of it is there yet
	f.Made, err = ResumeFacts(ctx, env, start, made, ask)
	f.Made.Clients, f.Made.Unsure, f.Made.Twins = nil, "", nil
	return err
}

// restoreFirst makes the session of a backup that a launch goes on with, as continuo backup restore does. lost is a
// sentence where the journal does not know of it.
func restoreFirst(ctx context.Context, env *place.Env, l *resume.Launch) (lost string, err error) {
	if l.Restore == "" {
		return "", nil
	}
	conf, err := place.LoadConfig(env)
	if err != nil {
		return "", err
	}
	b := &backups.Row{}
	b.Row.Path, b.Row.Workdir = l.Restore, place.MemoryProject(l.Restore)
	as := ""
	if l.Fresh {
		as = l.Row.ID
	}
	r, err := backups.PlanRestore(ctx, env, b, place.ConfigDirs(env, conf), as)
	switch {
	case err != nil:
	case r.Plan.To != l.Row.Path:
		err = backups.MemoryFailure(env, b.Row.Workdir, backup.ErrChanged)
	default:
		var done act.Done
		done, err = backups.RestoreAll(ctx, env, []*backups.Restoring{r})
		lost = writing.LostBy(&done)
	}
	if err != nil {
		return "", backups.RestoreRefused(env, err, b, &backups.Ask{Line: "continuo backup restore " + place.ShellWord(l.Restore)})
	}
	return lost, nil
}

// restoreLine is what restoreFirst does, for a shell. Only this command knows the new id that it makes up.
func restoreLine(env *place.Env, l *resume.Launch) string {
	if l.Fresh {
		return place.ShellLine([]string{"continuo", "resume", l.Restore, "--take", string(resume.TakeNew)})
	}
	words := []string{"continuo", "backup", "restore", l.Restore, "--yes"}
	for _, dir := range env.Dirs {
		words = append(words, "--claude-dir", dir)
	}
	return place.ShellLine(words)
}
