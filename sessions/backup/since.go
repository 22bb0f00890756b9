package backup

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// This file tells which sessions ended without a backup: since when a project has them made, and of which sessions
// some were.

// Missed reports whether a session that ended had no backup made: its last message is of after since, when backups
// began to be made, and newest, when the newest of its backups was, is before that. A zero since is that of a project
// where none are made. The names of backups have whole seconds, so one of the same second counts.
func Missed(since, last, newest time.Time) bool {
	return !since.IsZero() && last.After(since) && !newest.Add(time.Second).After(last)
}

// since finds out since when backups are made here: whoever writes into a memory first makes its .gitignore, so the
// time of that, or of the oldest backup where that file was written anew. A file that no hook named says nothing.
func (f *finder) since(p *place) {
	info, err := p.root.Stat(".gitignore")
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	f.found.Since = info.ModTime()
	for i := range f.found.Backups {
		made, _, ok := parseBackupName(filepath.Base(f.found.Backups[i].Path), f.zone)
		if ok && made.Before(f.found.Since) {
			f.found.Since = made
		}
	}
}

// discarded lists the backups in the trash: they were made, whatever became of them.
func (f *finder) discarded(ctx context.Context, p *place, look func(name string) (Backup, bool)) error {
	deeds, _, _ := p.list("trash") // without it none were discarded, or nobody can tell
	for _, deed := range deeds {
		for _, dir := range []string{filepath.Join("trash", deed), filepath.Join("trash", deed, "raw")} {
			names, _, _ := p.list(dir)
			for _, name := range names {
				if err := ctx.Err(); err != nil {
					return err
				}
				if !isBackupName(name) {
					continue
				}
				if b, ok := look(filepath.Join(dir, name)); ok {
					f.found.Discarded = append(f.found.Discarded, b)
				}
			}
		}
	}
	return ctx.Err()
}

// made fills in what Find says of backups that were ever made.
func (f *finder) made(ctx context.Context, p *place) error {
	if f.since(p); f.found.Since.IsZero() {
		return nil
	}
	return f.discarded(ctx, p, func(name string) (Backup, bool) {
		g := p.look(name, f.buf)
		if g.info == nil {
			return Backup{}, false
		}
		return newBackup(f.project, filepath.Join(p.path, name), g, f.zone), true
	})
}

// isBackupName leaves out files in the making, and the shadows that macOS keeps of files.
func isBackupName(name string) bool {
	return !strings.HasPrefix(name, ".") && strings.HasSuffix(name, backupSuffix)
}

// Stock is Find without a look into any file: Since, Backups and Discarded, without the ids of their sessions, which
// Owner reads. The memory of a project with 200 backups costs half a millisecond.
func Stock(ctx context.Context, project string, zone *time.Location) (Found, error) {
	if !filepath.IsAbs(project) {
		return Found{}, fmt.Errorf("project %q: not an absolute path", project)
	}
	if zone == nil {
		zone = time.Local
	}
	f := &finder{project: filepath.Clean(project), zone: zone}
	p, err := enter(filepath.Join(f.project, ".claude", "memory"))
	if p == nil {
		return Found{}, err
	}
	defer p.root.Close()
	if f.since(p); f.found.Since.IsZero() { // nobody asks for more
		return Found{}, nil
	}
	look := func(name string) (Backup, bool) {
		info, err := p.root.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return Backup{}, false
		}
		return newBackup(f.project, filepath.Join(p.path, name), glance{info: info}, f.zone), true
	}
	for _, dir := range rawDirs() {
		for _, name := range f.names(p, dir, &f.seen.raw) {
			if err := ctx.Err(); err != nil {
				return f.found, fmt.Errorf("backups of %s: %w", project, err)
			}
			if !isBackupName(name) {
				continue
			}
			if b, ok := look(filepath.Join(dir, name)); ok {
				f.found.Backups = append(f.found.Backups, b)
			}
		}
	}
	f.since(p)
	slices.SortFunc(f.found.Backups, func(a, b Backup) int { return newer(a.Made, b.Made, a.Path, b.Path) })
	return f.found, f.discarded(ctx, p, look)
}

// Owner reads which session a backup is of, as Find does: "" where its first 64 KB do not say. Most say it in the first
// record.
func Owner(b *Backup) string {
	src, _, err := transcript.OpenFile(b.Path)
	if err != nil {
		return ""
	}
	defer src.Close()
	buf := make([]byte, headBytes)
	for _, n := range []int{headBytes / 16, headBytes} {
		read, err := src.ReadAt(buf[:n], 0)
		if id := sessionID(buf[:read]); id != "" || err != nil {
			return id
		}
	}
	return ""
}
