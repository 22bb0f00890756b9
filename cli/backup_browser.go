package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// Backup implements tui.Actions.
func (a browserActions) Backup(ctx context.Context, rows []sessions.Row, do bool) (tui.Outcome, error) {
	goes := a.d.backupsTo(ctx, rows)
	if ctx.Err() != nil {
		return tui.Outcome{}, ctx.Err()
	}
	if !do {
		return tui.Outcome{Goes: goes}, nil
	}
	defer a.catalog.LookAgain()
	return a.d.backUp(ctx, goes)
}

// backupsTo finds out where the backups of sessions would go, what stands in the way, and which of them are there.
func (d *deps) backupsTo(ctx context.Context, rows []sessions.Row) []tui.BackupTo {
	projects := map[string]string{}
	found := map[string][]backup.Backup{} // in the memory of a project
	goes := make([]tui.BackupTo, len(rows))
	for i, row := range rows {
		t := &goes[i]
		t.Row = row
		key := row.Workdir + "\x00" + row.Project
		project, ok := projects[key]
		if !ok {
			project = d.memoryOf(ctx, &row)
			projects[key] = project
		}
		info, err := os.Stat(row.Path)
		switch {
		case err != nil:
			t.Off = reason(err)
		case !info.Mode().IsRegular():
			t.Off = "not a regular file"
		case info.Size() == 0:
			t.Off = "nothing in it"
		case project == "":
			t.Off = "no .claude/memory, continuo init makes one"
		default:
			t.Row.Bytes, t.Dir, t.Off = info.Size(), filepath.Join(project, ".claude", "memory"), d.whyNotKept(project)
			if t.Off != "" {
				break
			}
			if _, ok := found[project]; !ok {
				f, _ := backup.Find(ctx, project, d.now().Location()) // what cannot be read keeps no backup from being made
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
func (d *deps) memoryOf(ctx context.Context, row *sessions.Row) string {
	if above := d.memoryAbove(ctx, row.Workdir); above != "" || row.Project == row.Workdir {
		return above
	}
	return d.memoryAbove(ctx, row.Project)
}

// whyNotKept is why nothing can be written into a memory, in a few words; "" it can.
func (d *deps) whyNotKept(project string) string {
	m, err := backup.OpenMemory(project)
	switch {
	case errors.Is(err, backup.ErrLinkedOut):
		return ".claude/memory is a link that leads out of the project"
	case err != nil:
		return reason(err)
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

// backUp makes the backups. What cannot be made leaves the others as they are.
func (d *deps) backUp(ctx context.Context, goes []tui.BackupTo) (tui.Outcome, error) {
	var made []backup.Saved
	var bytes int64
	var missed, but string
	kept := 0
	for i := range goes {
		t := &goes[i]
		switch {
		case t.Kept:
			kept++
			continue
		case t.Off != "":
			missed = cmp.Or(missed, t.Off)
			continue
		}
		c := toCreate{row: t.Row, project: filepath.Dir(filepath.Dir(t.Dir))}
		saved, err := d.save(ctx, &c, reasonFor(&t.Row))
		switch {
		case ctx.Err() != nil:
			return tui.Outcome{}, ctx.Err()
		case errors.Is(err, backup.ErrNothing):
			missed = cmp.Or(missed, "nothing in it")
			continue
		case err != nil:
			missed = cmp.Or(missed, strings.TrimSuffix(asFailure(d.memoryFailure(c.project, err)).what, "."))
			continue
		}
		made = append(made, saved)
		bytes += saved.Bytes
		for _, problem := range saved.Problems {
			but = cmp.Or(but, sentence(problem.Error()))
		}
	}
	said := "Backed up " + count(len(made), "session") + ", " + render.Size(bytes) + "."
	if len(made) == 1 {
		said = "Backed up as " + cleanPath(made[0].Name) + ", " + render.Size(bytes) + "."
	}
	switch {
	case kept == len(goes) && kept == 1: // since the plan
		return tui.Outcome{Said: "It is backed up already, every byte."}, nil
	case kept == len(goes):
		return tui.Outcome{Said: "They are backed up already, every byte."}, nil
	case len(made) == 0:
		return tui.Outcome{}, &failure{what: "Nothing was backed up: " + missed + "."}
	case missed != "":
		return tui.Outcome{}, &failure{what: said + " " + count(len(goes)-len(made)-kept, "session") + " could not be: " + missed + "."}
	case but != "":
		return tui.Outcome{}, &failure{what: said + " " + but}
	}
	return tui.Outcome{Said: said}, nil
}
