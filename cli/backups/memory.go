package backups

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// MemoryFolders returns the sorted folders with a memory in the scope.
func MemoryFolders(ctx context.Context, env *place.Env, l *Rows, s find.Scope) []string {
	folders := map[string]bool{}
	add := func(dir string) {
		if sessions.IsPlainPath(dir) {
			folders[dir] = true
		}
	}
	for i := range l.Rows {
		if r := &l.Rows[i]; s.Holds(r) {
			add(r.Workdir) // a worktree may have a memory
			add(r.Project)
		}
	}
	for _, dir := range append(place.KnownProjects(env.KnownPath()), s.Below) {
		if s == (find.Scope{}) || place.Within(dir, s.Project) || place.Within(dir, s.Below) {
			add(dir)
		}
	}
	add(survey.MemoryOf(ctx, s.Project, env.Home))
	all := make([]string, 0, len(folders))
	for dir := range folders {
		all = append(all, dir)
	}
	slices.Sort(all)
	found := sessions.AskAll(ctx, time.Now().Add(knownFolderLimit), all, func(_ context.Context, dir string) bool {
		info, err := os.Stat(filepath.Join(dir, ".claude", "memory"))
		return err == nil && info.IsDir()
	})
	return slices.DeleteFunc(all, func(dir string) bool { return !found[dir] })
}

// checkProject checks that --project is a folder with a memory in it or below it.
func checkProject(ctx context.Context, env *place.Env, l *Rows, project string) error {
	if project == "" {
		return nil
	}
	path := place.RealPath(env.Abs(project))
	switch sessions.ProbeFolder(ctx, path).State {
	case sessions.FolderGone:
		return &out.Failure{Code: out.ExitNone, What: "There is no folder " + env.Tilde(path) + ". Check --project."}
	case sessions.FolderFile:
		return &out.Failure{What: env.Tilde(path) + " isn't a folder. Check --project."}
	default:
	}
	if len(MemoryFolders(ctx, env, l, find.ScopeOf(ctx, env, l.Rows, find.Options{Project: project}))) > 0 {
		return nil
	}
	return MemoryFailure(env, path, backup.ErrNoMemory)
}

// openMemory opens the memory of a folder for writing.
func openMemory(env *place.Env, project string) (*backup.Memory, error) {
	m, err := backup.OpenMemory(project)
	if err != nil {
		return nil, MemoryFailure(env, project, err)
	}
	return m, nil
}

// MemoryFailure returns the message for an error of a project's memory. The message says that nothing was
// changed.
func MemoryFailure(env *place.Env, project string, err error) error {
	where := env.Tilde(filepath.Join(project, ".claude", "memory"))
	f := &out.Failure{What: "In " + where + " nothing was changed: " + out.Reason(err) + ".", Cause: err}
	taken, isTaken := errors.AsType[*backup.TakenError](err)
	unlisted, isUnlisted := errors.AsType[*sessions.UnlistedError](err)
	switch {
	case errors.Is(err, backup.ErrNoMemory):
		f.What = "The project " + env.Tilde(project) + " has no .claude/memory. Create it."
		f.Hints = []string{"continuo init   in the project"}
	case errors.Is(err, backup.ErrLinkedOut):
		f.What = where + " is a link that leads out of the project. Nothing is written there."
	case errors.Is(err, backup.ErrMisplaced):
		f.What = where + " is a link to a folder with other contents. Nothing is written there."
	case errors.Is(err, backup.ErrLocked):
		f.What = "Another program holds the lock of " + where + " and doesn't respond. End that program, then try again."
	case errors.Is(err, backup.ErrChanged):
		f.What = "A file changed since the plan was made, so nothing was done. Try again."
		f.Facts = []string{err.Error()}
	case errors.Is(err, backup.ErrNoPlace):
		f.What = "The created file isn't in a known projects directory. Name its config directory with --claude-dir PATH."
		f.Facts = []string{err.Error()}
	case errors.Is(err, backup.ErrLive):
		f.What = "The session is live, so its file stays. Close the session first."
	case errors.Is(err, backup.ErrNoEntry):
		f.Code, f.What = out.ExitNone, "Nothing to undo. List the trash."
		f.Hints = []string{"continuo backup list --trash"}
	case errors.Is(err, backup.ErrBadEntry):
		f.What = "That entry of the trash is damaged or was not made by continuo. Nothing was done."
		f.Facts = []string{err.Error()}
	case isUnlisted:
		f.What = "Nothing was changed: " + env.Tilde(unlisted.Path) + " cannot be read. Make it readable, then run the command again."
	case isTaken:
		f.What = "Another file exists at the path below, so nothing was done. Move that file first."
		f.Facts = taken.Paths
	case errors.Is(err, backup.ErrNotBackup):
		f.What = "The file isn't a backup of this project. Nothing was done."
		f.Facts = []string{err.Error()}
	case errors.Is(err, fs.ErrNotExist):
		f.Code, f.What = out.ExitNone, "A backup no longer exists. Try again."
		f.Facts = []string{err.Error()}
	case errors.Is(err, context.Canceled):
		return err
	}
	return f
}

// RecordedSums reads each list of checksums once.
type RecordedSums struct{ of map[string]map[string]string }

// Sum returns the checksum recorded when the backup was made. It returns "" if the checksum is missing or
// unreadable.
func (s *RecordedSums) Sum(b *Row) string {
	if b.Row.Workdir == "" || filepath.Dir(b.Row.Path) != filepath.Join(b.Row.Workdir, ".claude", "memory", "raw") {
		return "" // only the memory of a project has a list of checksums
	}
	sums, ok := s.of[b.Row.Workdir]
	if !ok {
		if m, err := backup.OpenMemory(b.Row.Workdir); err == nil {
			sums, _ = m.Sums()
			_ = m.Close() // nothing was written
		}
		if s.of == nil {
			s.of = map[string]map[string]string{}
		}
		s.of[b.Row.Workdir] = sums
	}
	return sums[filepath.Base(b.Row.Path)]
}

// IsKept reports whether a backup contains every byte of the session.
func IsKept(ctx context.Context, row *sessions.Row, among []backup.Backup) bool {
	for i := range among {
		if b := &among[i]; b.Bytes == row.Bytes && b.Problem == "" {
			// An unreadable backup doesn't count.
			if r, _ := backup.Compare(ctx, b.Path, row.Path, true); r == sessions.RelationSame {
				return true
			}
		}
	}
	return false
}

// MemoryOf returns the folder whose memory has the backups of a session, or "". It searches the session's
// folder, the session's project, and the parents of both.
func MemoryOf(ctx context.Context, env *place.Env, row *sessions.Row) string {
	if above := survey.MemoryOf(ctx, row.Workdir, env.Home); above != "" || row.Project == row.Workdir {
		return above
	}
	return survey.MemoryOf(ctx, row.Project, env.Home)
}

// WhyNotKept says in a few words why a project's memory can't be written; "" if it can.
func WhyNotKept(project string) string {
	m, err := backup.OpenMemory(project)
	switch {
	case errors.Is(err, backup.ErrLinkedOut):
		return ".claude/memory is a link that leads out of the project"
	case err != nil:
		return out.Reason(err)
	}
	_ = m.Close() // nothing was written
	return ""
}

// reasonFor returns the reason in the name of a requested backup.
func reasonFor(row *sessions.Row) string {
	if row.Has(sessions.FlagNoBackup) {
		return ReasonMissed
	}
	return reasonManual
}
