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
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// decideResume plans the resume of a session, a backup or a document.
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
		// Unreadable memory has no pending backups.
		found, _ := backup.Find(ctx, row.Workdir, env.Now().Location())
		for i := range found.Backups {
			if b := &found.Backups[i]; b.Pending {
				f.Pending = append(f.Pending, filepath.Base(b.Path))
			}
		}
	}
	folder := f.Start.Folder.Path
	from := "resume-from"
	if row.IsSnapshot() {
		from = "load-session-protocol"
	}
	f.Latest, f.From = hasSlashCommand(ctx, env, folder, "resume-latest"), hasSlashCommand(ctx, env, folder, from)
	if row.Kind == sessions.KindBackup && !f.Missing {
		err = keptSession(ctx, env, start, &f, &row, ask)
	}
	f.Row = row
	return f, cmp.Or(err, ctx.Err())
}

// memoryFolder returns the folder whose .claude/memory has a backup or document. The fallback is the project of the
// row.
func memoryFolder(ctx context.Context, env *place.Env, row *sessions.Row) string {
	return cmp.Or(row.Workdir, place.MemoryProject(row.Path), documentProject(row.Path), survey.MemoryOf(ctx, filepath.Dir(row.Path), env.Home), row.Project)
}

// documentProject returns the project of a document (spec 000); "" for a document elsewhere.
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

// keptSession completes a backup's row. It collects facts about the existing and the restored session.
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
		// If a file can't be read, the relation is unknown.
		row.Relation, _ = backup.Compare(ctx, row.Path, row.Original, true)
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
	dir := sessions.ConfigDirFor(dirs, ses.Workdir)
	made := sessions.Row{Kind: sessions.KindSession, Session: ses}
	made.ID, made.Dir, made.Flags, made.Live = row.Of, dir, nil, nil
	made.Path = filepath.Join(dir, "projects", sessions.Slug(ses.Workdir), row.Of+".jsonl")
	ask.New = true // nothing exists
	f.Made, err = ResumeFacts(ctx, env, start, made, ask)
	f.Made.Clients, f.Made.Unsure, f.Made.Twins = nil, "", nil
	return err
}

// restoreFirst restores the session of a backup before a launch. lost is a warning if the journal has no entry for the
// restore, or "".
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

// restoreLine returns a shell line that does the same as restoreFirst. A new ID is known only here, so that line is
// continuo resume --take new-id.
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
