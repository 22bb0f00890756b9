package backup

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// This file determines when the backups of a project began, and lists its backups.

// since sets Found.Since, the time at which continuo began to make backups in a project. The first writer creates the
// .gitignore of the memory, so since takes the time of this file. But the .gitignore may have been rewritten later: if
// the first backup with a sum is older, since takes the time of that backup. It ignores backups without a sum. They are
// from other programs, which may not back up every session.
func (f *finder) since(p *place) {
	info, err := p.root.Stat(".gitignore")
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	f.found.Since = info.ModTime()
	var head [sumLine]byte
	line, _, whole := strings.Cut(string(p.look(filepath.Join(rawDir, sumsName), head[:]).head), "\n")
	if name, ok := sumName(line); whole && ok {
		if made, _, ok := parseBackupName(name, f.zone); ok && made.Before(f.found.Since) {
			f.found.Since = made
		}
	}
}

// sumLine is an upper limit in bytes for a line of the file of sums. A line has a sum, two characters, a name of at
// most 255 bytes, and a line break.
const sumLine = 512

// sumName returns the name of the backup in a line of the file of sums.
func sumName(line string) (name string, ok bool) {
	_, name, ok = strings.Cut(line, " ")
	if !ok || name == "" {
		return "", false
	}
	return name[1:], true // the first character is the mode flag of sha256sum
}

// discarded adds the backups in the trash to Found.Discarded.
func (f *finder) discarded(ctx context.Context, p *place) error {
	entries, _, _ := p.list(trashDir) // an unreadable trash counts as empty
	for _, entry := range entries {
		for _, dir := range rawDirs() {
			dir = filepath.Join(trashDir, entry, dir)
			names, _, _ := p.list(dir)
			for _, name := range names {
				if err := ctx.Err(); err != nil {
					return err
				}
				if !isBackupName(name) {
					continue
				}
				name = filepath.Join(dir, name)
				if g := p.look(name, f.buf); g.info != nil {
					f.found.Discarded = append(f.found.Discarded, newBackup(f.project, filepath.Join(p.path, name), g, f.zone))
				}
			}
		}
	}
	return ctx.Err()
}

// made sets Found.Since and Found.Discarded.
func (f *finder) made(ctx context.Context, p *place) error {
	if f.since(p); f.found.Since.IsZero() {
		return nil
	}
	return f.discarded(ctx, p)
}

// isBackupName reports whether a file name is the name of a backup. isBackupName returns false for names that begin
// with a dot, because these are unfinished files and metadata files of macOS.
func isBackupName(name string) bool {
	return !strings.HasPrefix(name, ".") && strings.HasSuffix(name, backupSuffix)
}

// Stock works like Find, but doesn't open the backups, and sets only Since, Backups and Discarded. It doesn't set the
// session IDs of the backups; Owner reads them. If Since is zero, the lists are empty. For a .claude/memory with 200
// backups, Stock takes half a millisecond.
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
	if f.since(p); f.found.Since.IsZero() { // without Since, the caller doesn't need the lists
		return Found{}, nil
	}
	for _, dir := range rawDirs() {
		if err := f.stock(ctx, p, dir, &f.found.Backups); err != nil {
			return f.found, fmt.Errorf("backups of %s: %w", project, err)
		}
	}
	slices.SortFunc(f.found.Backups, func(a, b Backup) int { return newer(a.Made, b.Made, a.Path, b.Path) })
	entries, _, _ := p.list(trashDir)
	for _, entry := range entries {
		for _, dir := range rawDirs() {
			if err := f.stock(ctx, p, filepath.Join(trashDir, entry, dir), &f.found.Discarded); err != nil {
				return f.found, fmt.Errorf("backups of %s: %w", project, err)
			}
		}
	}
	return f.found, nil
}

// stock lists the backups in a directory with one stat each. An unreadable directory counts as empty.
func (f *finder) stock(ctx context.Context, p *place, dir string, to *[]Backup) error {
	d, fi, err := p.open(dir, fs.FileMode.IsDir, errNotDirectory)
	if err != nil || slices.ContainsFunc(f.seen.raw, func(other fs.FileInfo) bool { return os.SameFile(fi, other) }) {
		return ctx.Err()
	}
	f.seen.raw = append(f.seen.raw, fi)
	defer d.Close()
	entries, _ := d.ReadDir(-1)
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !isBackupName(e.Name()) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err == nil && e.Type()&fs.ModeSymlink != 0 {
			info, err = p.root.Stat(name) // returns an error if the link leads out of the memory
		}
		if err == nil && info.Mode().IsRegular() {
			*to = append(*to, newBackup(f.project, filepath.Join(p.path, name), glance{info: info}, f.zone))
		}
	}
	return ctx.Err()
}

// Owner reads the session ID of a backup that Stock returned. It returns "" if the first 64 KB of the backup contain
// none. Owner reads 4 KB first, because the first record of most backups contains the ID.
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
