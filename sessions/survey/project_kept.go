package survey

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// kept counts the backups, documents and trash of a project.
func (l *Look) kept(ctx context.Context, p *Project, mine []*sessions.Row) {
	backups, documents := Kept{Name: "Backups"}, Kept{Name: "Documents"}
	folders := []string{p.Dir}
	for _, r := range mine {
		k := &backups
		switch r.Kind {
		case sessions.KindSession:
			continue
		case sessions.KindDocument:
			if k = &documents; r.Kind == sessions.KindDocument && !r.IsSessionDocument() {
				k = new(Kept) // without the size, which the page shows elsewhere
			}
		case sessions.KindBackup:
		}
		k.Files++
		k.Bytes += r.Bytes
		if r.When().After(k.Newest) {
			k.Newest = r.When()
		}
		if sessions.IsPlainPath(r.Workdir) && !slices.Contains(folders, r.Workdir) {
			folders = append(folders, r.Workdir)
		}
	}
	type answer struct {
		trash Kept
		err   error
	}
	trash := Kept{Name: "Trash"}
	for folder, a := range sessions.AskAll(ctx, time.Now().Add(pageLimit), folders, func(ctx context.Context, folder string) answer {
		k, err := trashOf(ctx, folder)
		return answer{k, err}
	}) {
		trash.Files += a.trash.Files
		trash.Bytes += a.trash.Bytes
		if a.trash.Newest.After(trash.Newest) {
			trash.Newest = a.trash.Newest
		}
		if folder == p.Dir {
			l.unread(p, a.err)
		}
	}
	for _, k := range []Kept{backups, documents, trash} {
		if cmp.Or(backups.Files, documents.Files, trash.Files) > 0 {
			p.Kept = append(p.Kept, k)
		}
	}
}

// trashOf counts the backups in the trash of a folder.
func trashOf(ctx context.Context, folder string) (Kept, error) {
	var k Kept
	m, err := backup.OpenMemory(folder)
	if errors.Is(err, backup.ErrNoMemory) {
		return k, nil
	}
	if err != nil {
		return k, err
	}
	defer func() { _ = m.Close() }() // an error of Close doesn't matter after reading
	e, err := m.Trash().PlanEmpty(ctx)
	k.Files, k.Bytes = e.Files, e.Bytes
	if len(e.Entries) > 0 && e.Files > 0 {
		k.Newest = e.Entries[0].At
	}
	return k, err
}
