package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

// Backup implements tui.Actions.
func (a browserActions) Backup(ctx context.Context, rows []sessions.Row, do bool) (tui.Outcome, error) {
	goes := backupsTo(ctx, a.env, rows)
	if ctx.Err() != nil {
		return tui.Outcome{}, ctx.Err()
	}
	if !do {
		return tui.Outcome{Goes: goes}, nil
	}
	defer a.catalog.LookAgain()
	return backUp(ctx, a.env, goes)
}

// backupsTo finds out where the backups of sessions would go, what stands in the way, and which of them are there.
func backupsTo(ctx context.Context, env *Env, rows []sessions.Row) []tui.BackupTo {
	projects := map[string]string{}
	found := map[string][]backup.Backup{} // in the memory of a project
	goes := make([]tui.BackupTo, len(rows))
	for i, row := range rows {
		t := &goes[i]
		t.Row = row
		key := row.Workdir + "\x00" + row.Project
		project, ok := projects[key]
		if !ok {
			project = memoryOf(ctx, env, &row)
			projects[key] = project
		}
		info, err := os.Stat(row.Path)
		switch {
		case err != nil:
			t.Off = out.Reason(err)
		case !info.Mode().IsRegular():
			t.Off = "not a regular file"
		case info.Size() == 0:
			t.Off = "nothing in it"
		case project == "":
			t.Off = "no .claude/memory, continuo init makes one"
		default:
			t.Row.Bytes, t.Dir, t.Off = info.Size(), filepath.Join(project, ".claude", "memory"), whyNotKept(project)
			if t.Off != "" {
				break
			}
			if _, ok := found[project]; !ok {
				f, _ := backup.Find(ctx, project, env.now().Location()) // what cannot be read keeps no backup from being made
				found[project] = f.Backups
			}
			t.Kept = isKept(ctx, &t.Row, found[project])
		}
	}
	return goes
}

// isKept reports whether one of some backups has every byte of a session.
func isKept(ctx context.Context, row *sessions.Row, among []backup.Backup) bool {
	for i := range among {
		if b := &among[i]; b.Bytes == row.Bytes && b.Problem == "" {
			if r, _ := backup.Compare(ctx, b.Path, row.Path, true); r == sessions.RelationSame { // one that cannot be read is none
				return true
			}
		}
	}
	return false
}

// memoryOf is the folder whose memory has the backups of a session, "" for none: that above the folder it ran in, or
// above its project, which a linked worktree has elsewhere.
func memoryOf(ctx context.Context, env *Env, row *sessions.Row) string {
	if above := survey.MemoryOf(ctx, row.Workdir, env.home); above != "" || row.Project == row.Workdir {
		return above
	}
	return survey.MemoryOf(ctx, row.Project, env.home)
}

// whyNotKept is why nothing can be written into a memory, in a few words; "" it can.
func whyNotKept(project string) string {
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

// reasonFor is why a person has a session backed up, as the name of the backup says it.
func reasonFor(row *sessions.Row) string {
	if row.Has(sessions.FlagNoBackup) {
		return reasonMissed
	}
	return reasonManual
}

// backingUp is what has become of the backups that the browser asks for.
type backingUp struct {
	made        []backup.Saved
	bytes       int64
	kept        int    // sessions that are backed up as they are
	missed, but string // why one could not be, and what went wrong besides: the first of each
}

// backUpEach makes the backups, and writes it down. What cannot be made leaves the others as they are.
func backUpEach(ctx context.Context, env *Env, goes []tui.BackupTo) (x backingUp, err error) {
	var list []toCreate
	for i := range goes {
		switch t := &goes[i]; {
		case t.Kept:
			x.kept++
		case t.Off != "":
			x.missed = cmp.Or(x.missed, t.Off)
		default:
			list = append(list, toCreate{row: t.Row, project: filepath.Dir(filepath.Dir(t.Dir))})
		}
	}
	if len(list) == 0 {
		return x, nil
	}
	err = saveEach(ctx, env, list, &x)
	x.but = cmp.Or(x.but, recordBackups(context.WithoutCancel(ctx), env, list, x.made))
	return x, err
}

func saveEach(ctx context.Context, env *Env, list []toCreate, x *backingUp) error {
	for i := range list {
		c := &list[i]
		saved, err := saveOne(ctx, env, c)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, backup.ErrNothing):
			x.missed = cmp.Or(x.missed, "nothing in it")
			continue
		case err != nil:
			x.missed = cmp.Or(x.missed, strings.TrimSuffix(out.AsFailure(memoryFailure(env, c.project, err)).What, "."))
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

// backUp makes the backups, and says so.
func backUp(ctx context.Context, env *Env, goes []tui.BackupTo) (tui.Outcome, error) {
	x, err := backUpEach(ctx, env, goes)
	if err != nil {
		return tui.Outcome{}, err
	}
	said := "Backed up " + out.Count(len(x.made), "session") + ", " + words.Size(x.bytes) + "."
	if len(x.made) == 1 {
		said = "Backed up as " + out.CleanPath(x.made[0].Name) + ", " + words.Size(x.bytes) + "."
	}
	switch {
	case x.kept == len(goes) && x.kept == 1: // since the plan
		return tui.Outcome{Said: "It is backed up already, every byte."}, nil
	case x.kept == len(goes):
		return tui.Outcome{Said: "They are backed up already, every byte."}, nil
	case len(x.made) == 0:
		return tui.Outcome{}, &out.Failure{What: "Nothing was backed up: " + x.missed + "."}
	case x.missed != "":
		return tui.Outcome{}, &out.Failure{What: said + " " + out.Count(len(goes)-len(x.made)-x.kept, "session") + " could not be: " + x.missed + "."}
	case x.but != "":
		return tui.Outcome{}, &out.Failure{What: said + " " + x.but}
	}
	return tui.Outcome{Said: said}, nil
}
