package browse

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui"
)

// Backup implements tui.Actions.
func (a Actions) Backup(ctx context.Context, rows []sessions.Row, write bool) (tui.Outcome, error) {
	goes := BackupsTo(ctx, a.Env, rows)
	if ctx.Err() != nil {
		return tui.Outcome{}, ctx.Err()
	}
	if !write {
		return tui.Outcome{Goes: goes}, nil
	}
	defer a.Catalog.LookAgain()
	return BackUp(ctx, a.Env, goes)
}

// BackupsTo returns for each session the memory that gets its backup, or why there is none. It also reports
// identical backups.
func BackupsTo(ctx context.Context, env *place.Env, rows []sessions.Row) []tui.BackupTo {
	projects := map[string]string{}
	found := map[string][]backup.Backup{} // by the path of the project
	goes := make([]tui.BackupTo, len(rows))
	for i, row := range rows {
		t := &goes[i]
		t.Row = row
		key := row.Workdir + "\x00" + row.Project
		project, ok := projects[key]
		if !ok {
			project = backups.MemoryOf(ctx, env, &row)
			projects[key] = project
		}
		info, err := os.Stat(row.Path)
		switch {
		case err != nil:
			t.Off = out.Reason(err)
		case !info.Mode().IsRegular():
			t.Off = "not a regular file"
		case info.Size() == 0:
			t.Off = "the session is empty"
		case project == "":
			t.Off = "no .claude/memory; continuo init creates it"
		default:
			t.Row.Bytes, t.Dir, t.Off = info.Size(), filepath.Join(project, ".claude", "memory"), backups.WhyNotKept(project)
			if t.Off != "" {
				break
			}
			if _, ok := found[project]; !ok {
				// An unreadable backup doesn't prevent a new one.
				f, _ := backup.Find(ctx, project, env.Now().Location())
				found[project] = f.Backups
			}
			t.Kept = backups.IsKept(ctx, &t.Row, found[project])
		}
	}
	return goes
}

// backupsMade is the result of backing up several sessions.
type backupsMade struct {
	made        []backup.Saved
	bytes       int64
	kept        int    // number of sessions with an identical backup
	missed, but string // the first failure, and the first warning
}

// backUpEach creates the backups and adds them to the journal. It continues after a failure.
func backUpEach(ctx context.Context, env *place.Env, goes []tui.BackupTo) (x backupsMade, err error) {
	var list []backups.ToCreate
	for i := range goes {
		switch t := &goes[i]; {
		case t.Kept:
			x.kept++
		case t.Off != "":
			x.missed = cmp.Or(x.missed, t.Off)
		default:
			list = append(list, backups.ToCreate{Row: t.Row, Project: filepath.Dir(filepath.Dir(t.Dir))})
		}
	}
	if len(list) == 0 {
		return x, nil
	}
	err = saveEach(ctx, env, list, &x)
	x.but = cmp.Or(x.but, backups.Record(context.WithoutCancel(ctx), env, list, x.made))
	return x, err
}

func saveEach(ctx context.Context, env *place.Env, list []backups.ToCreate, x *backupsMade) error {
	for i := range list {
		c := &list[i]
		saved, err := backups.SaveOne(ctx, env, c)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, backup.ErrNothing):
			x.missed = cmp.Or(x.missed, "the session is empty")
			continue
		case err != nil:
			x.missed = cmp.Or(x.missed, strings.TrimSuffix(out.AsFailure(backups.MemoryFailure(env, c.Project, err)).What, "."))
			continue
		}
		x.made = append(x.made, saved)
		x.bytes += saved.Bytes
		for _, problem := range saved.Problems {
			x.but = cmp.Or(x.but, out.Sentence(problem.Error()))
		}
	}
	return nil
}

// BackUp creates the backups and describes the result.
func BackUp(ctx context.Context, env *place.Env, goes []tui.BackupTo) (tui.Outcome, error) {
	x, err := backUpEach(ctx, env, goes)
	if err != nil {
		return tui.Outcome{}, err
	}
	message := "Backed up " + out.Count(len(x.made), "session") + ", " + words.Size(x.bytes) + "."
	if len(x.made) == 1 {
		message = "Backed up as " + out.CleanPath(x.made[0].Name) + ", " + words.Size(x.bytes) + "."
	}
	switch {
	case x.kept == len(goes) && x.kept == 1: // created after the plan
		return tui.Outcome{Said: "An identical backup exists."}, nil
	case x.kept == len(goes):
		return tui.Outcome{Said: "Identical backups exist."}, nil
	case len(x.made) == 0:
		return tui.Outcome{}, &out.Failure{What: "Nothing was backed up: " + x.missed + "."}
	case x.missed != "":
		return tui.Outcome{}, &out.Failure{What: message + " " + out.Count(len(goes)-len(x.made)-x.kept, "session") + " failed: " + x.missed + "."}
	case x.but != "":
		return tui.Outcome{}, &out.Failure{What: message + " " + x.but}
	}
	return tui.Outcome{Said: message}, nil
}
