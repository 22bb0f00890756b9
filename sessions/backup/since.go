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

// The functions below find the first backup of a project, and list backups without opening them.

// since sets Found.Since to the time of the memory's .gitignore, which the first writer creates. An older backup with
// a sum shows that the .gitignore was rewritten, so its time is used. Backups without a sum are from other programs
// and don't count.
func (f *finder) since(p *openDir) {
	info, err := p.root.Stat(".gitignore")
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	f.found.Since = info.ModTime()
	var head [sumLine]byte
	line, _, whole := strings.Cut(string(p.peek(filepath.Join(rawDir, sumsName), head[:]).head), "\n")
	if name, ok := sumName(line); whole && ok {
		if made, _, ok := parseBackupName(name, f.zone); ok && made.Before(f.found.Since) {
			f.found.Since = made
		}
	}
}

// sumLine is more than the longest line of the file of sums in bytes: a sum, two characters, a name of 255 bytes, a
// newline.
const sumLine = 512

// sumName returns the backup name in a line of the file of sums.
func sumName(line string) (name string, ok bool) {
	_, name, ok = strings.Cut(line, " ")
	if !ok || name == "" {
		return "", false
	}
	return name[1:], true // the name follows the mode flag of sha256sum
}

// discarded adds the backups in the trash to Found.Discarded.
func (f *finder) discarded(ctx context.Context, p *openDir) error {
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
				if g := p.peek(name, f.buf); g.info != nil {
					f.found.Discarded = append(f.found.Discarded, newBackup(f.project, filepath.Join(p.path, name), g, f.zone))
				}
			}
		}
	}
	return ctx.Err()
}

// made sets Found.Since and Found.Discarded.
func (f *finder) made(ctx context.Context, p *openDir) error {
	if f.since(p); f.found.Since.IsZero() {
		return nil
	}
	return f.discarded(ctx, p)
}

// isBackupName reports whether a file name is that of a backup. Unfinished backups and macOS metadata files begin
// with a dot.
func isBackupName(name string) bool {
	return !strings.HasPrefix(name, ".") && strings.HasSuffix(name, backupSuffix)
}

// Stock is a fast Find that doesn't open backups. It sets Since, Backups without session IDs, and Discarded. Owner
// reads a session ID. If Since is zero, the lists are empty.
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

// stock lists the backups in a directory, with one stat each. An unreadable directory counts as empty.
func (f *finder) stock(ctx context.Context, p *openDir, dir string, to *[]Backup) error {
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
			info, err = p.root.Stat(name) // fails if a link leads out of the memory
		}
		if err == nil && info.Mode().IsRegular() {
			*to = append(*to, newBackup(f.project, filepath.Join(p.path, name), fileHead{info: info}, f.zone))
		}
	}
	return ctx.Err()
}

// Owner reads the session ID of a backup from Stock. It returns "" if the first 64 KB have none. Most backups have
// the ID in their first 4 KB.
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
