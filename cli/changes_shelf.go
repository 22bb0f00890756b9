package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// backupsIn looks up the backups of some folders, anew and without the catalogue: what is asked about is known by its
// path, and a list of 5,000 sessions would take a second.
func (d *deps) backupsIn(ctx context.Context, dirs []string, folders map[string][]string) (*backupRows, error) {
	l := &backupRows{dirs: dirs}
	for folder := range folders {
		found, err := backup.Find(ctx, folder, d.now().Location())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, &failure{what: "The backups of " + d.tilde(folder) + " cannot be read: " + reason(err) + ". Look there yourself.", cause: err}
		}
		_, project, _ := d.placeOf(ctx, folder)
		for i := range found.Backups {
			l.list = append(l.list, newBackupRow(&found.Backups[i], project, dirs))
		}
	}
	slices.SortStableFunc(l.list, func(a, b backupRow) int { return a.row.Compare(&b.row) })
	return l, nil
}

// newBackupRow makes the row of a backup as the catalogue does.
func newBackupRow(found *backup.Backup, project string, dirs []string) backupRow {
	b := backupRow{group: backupSeen}
	r := &b.row
	r.Kind, r.Path, r.Workdir, r.Project = sessions.KindBackup, found.Path, found.Project, project
	r.ID = strings.TrimSuffix(filepath.Base(found.Path), ".jsonl")
	r.Of, r.Name, r.Bytes, r.Modified, r.Created, r.Pending = found.SessionID, found.Reason, found.Bytes, found.Modified, found.Made, found.Pending
	if found.Problem != "" {
		r.State = sessions.StateUnreadable
	}
	if r.Pending {
		b.group = backupPending
	}
	slug := sessions.Slug(project)
	for _, path := range filesOf(dirs, r.Of) {
		if fi, err := os.Lstat(path); err != nil || fi.IsDir() {
			continue
		}
		if b.live == "" || filepath.Base(filepath.Dir(path)) == slug {
			b.live = path
		}
	}
	return b
}
