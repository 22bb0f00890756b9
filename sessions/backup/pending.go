package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

// Pending returns the number of pending backups, which valid markers name. It is fast: without markers, it lists one
// directory.
//
// project must be an absolute path. After an error, the number covers the readable markers.
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
	names, err := markerNames(p)
	f.problem(err)
	var targets []os.FileInfo
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return len(targets), fmt.Errorf("pending backups of %s: %w", project, err)
		}
		marker, target := f.resolve(p, name)
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

// resolve reads a marker. It lists the backups if the marker has an unknown path.
func (f *finder) resolve(p *openDir, name markerName) (Marker, os.FileInfo) {
	marker, target := f.readMarker(p, name)
	if marker.State == MarkerOutside {
		f.nameBackups(p)
		target, marker.State = f.checkTarget(p, &marker)
	}
	return marker, target
}

// nameBackups lists the paths of the backups, which checkTarget needs.
func (f *finder) nameBackups(p *openDir) {
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

// reader returns a finder for the markers of the memory.
func (m *Memory) reader() (*finder, *openDir) {
	return &finder{project: m.project, zone: time.UTC, buf: make([]byte, maxTarget+1)}, m.openDir
}

// Pending returns the markers to report at the start of a session, in any state and in the order of Found.Markers.
// After an error, the result has the readable markers.
func (m *Memory) Pending(ctx context.Context) ([]Marker, error) {
	f, p := m.reader()
	var markers []Marker
	names, err := markerNames(p)
	f.problem(err)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return markers, fmt.Errorf("pending backups of %s: %w", m.project, err)
		}
		if marker, _ := f.resolve(p, name); marker.State != "" {
			markers = append(markers, marker)
		}
	}
	return markers, errors.Join(f.found.Problems...)
}

// CleanMarkers removes the stale and empty markers (spec 000) and returns them. The error is ErrLocked, or names the
// markers that couldn't be removed.
func (m *Memory) CleanMarkers(ctx context.Context) ([]Marker, error) {
	if len(m.meaningless()) == 0 {
		return nil, nil
	}
	unlock, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	var gone []Marker
	var errs []error
	for _, marker := range m.meaningless() {
		if err := m.root.Remove(filepath.Base(marker.Path)); err != nil && !isAbsent(err) {
			errs = append(errs, fmt.Errorf("remove %s: %w", marker.Path, cause(err)))
			continue
		}
		gone = append(gone, marker)
	}
	return gone, errors.Join(errs...)
}

func (m *Memory) meaningless() []Marker {
	f, p := m.reader()
	names, _ := markerNames(p) // unreadable markers stay, so the error doesn't matter
	var found []Marker
	for _, name := range names {
		if marker, _ := f.resolve(p, name); marker.State == MarkerStale || marker.State == MarkerEmpty {
			found = append(found, marker)
		}
	}
	return found
}

// KeepPlan lists backups that stay in raw but are no longer pending.
type KeepPlan struct {
	Project string
	Backups []Move       // the pending backups
	Markers []KeptMarker // their markers, to remove
}

// PlanKeep plans to make backups no longer pending. It skips backups that aren't pending. Paths are absolute or
// relative to the project.
//
// The error is ErrNotBackup or fs.ErrNotExist, with the path in its text.
func (m *Memory) PlanKeep(ctx context.Context, paths []string) (KeepPlan, error) {
	plan := KeepPlan{Project: m.project}
	l, err := m.readMarkers(ctx)
	if err != nil {
		return plan, err
	}
	var infos []fs.FileInfo
	for _, p := range paths {
		name, err := l.nameOf(p)
		if err != nil {
			return plan, err
		}
		v, info, err := m.move(name)
		if err != nil {
			return plan, err
		}
		if len(l.naming([]fs.FileInfo{info})) > 0 {
			plan.Backups, infos = append(plan.Backups, v), append(infos, info)
		}
	}
	plan.Markers = l.naming(infos)
	return plan, nil
}

// KeepOps returns the ops of a plan. They remove all markers that name one of the backups now. The error is
// ErrChanged if a backup changed after the plan, or a system error.
func (m *Memory) KeepOps(ctx context.Context, plan *KeepPlan) ([]change.Op, error) {
	if plan.Project != m.project {
		return nil, fmt.Errorf("project %s: %w: %s", m.project, errForeignPlan, plan.Project)
	}
	infos, err := m.unchanged(plan.Backups)
	if err != nil {
		return nil, err
	}
	l, err := m.readMarkers(ctx)
	if err != nil {
		return nil, err
	}
	return m.unmarkOps(l.naming(infos)), nil
}
