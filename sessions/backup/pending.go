package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Pending counts the backups of a project that a valid marker names: the ones that Find calls pending, without looking
// at any of the others. Where there is no memory it costs one look, without markers a few; the directories of backups are
// listed only for a marker that names its backup by another path.
//
// The project has to be absolute. The error says what could not be read; what was counted besides is right.
func Pending(ctx context.Context, project string) (int, error) {
	if !filepath.IsAbs(project) {
		return 0, fmt.Errorf("project %q: not an absolute path", project)
	}
	p, err := enter(filepath.Join(project, ".claude", "memory"))
	if p == nil {
		return 0, err
	}
	defer p.root.Close()
	f := &finder{project: filepath.Clean(project), zone: time.UTC, buf: make([]byte, maxTarget+1)}
	var targets []os.FileInfo
	for _, m := range markerNames() {
		if err := ctx.Err(); err != nil {
			return len(targets), fmt.Errorf("pending backups of %s: %w", project, err)
		}
		marker, target := f.readMarker(p, m.name, m.kind)
		if marker.State == MarkerOutside {
			f.nameBackups(p)
			target, marker.State = f.judge(p, &marker)
		}
		if marker.State != MarkerValid {
			continue
		}
		known := false
		for _, t := range targets {
			known = known || os.SameFile(t, target)
		}
		if !known {
			targets = append(targets, target)
		}
	}
	return len(targets), errors.Join(f.found.Problems...)
}

// nameBackups lists the backups by their names alone, which is all that judge asks of them.
func (f *finder) nameBackups(p *place) {
	if f.found.Backups != nil {
		return
	}
	f.found.Backups = []Backup{}
	for _, dir := range rawDirs() {
		for _, name := range f.names(p, dir, &f.seen.raw) {
			if !strings.HasPrefix(name, ".") && strings.HasSuffix(name, backupSuffix) {
				f.found.Backups = append(f.found.Backups, Backup{Path: filepath.Join(p.path, dir, name)})
			}
		}
	}
}
