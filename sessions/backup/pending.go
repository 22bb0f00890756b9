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

// Pending returns the number of pending backups of a project, that is, the number of backups that valid markers name.
// It doesn't access other backups. In a project without a memory it needs one stat, and in a memory without markers one
// directory listing. It lists the backups only if a marker contains a path in a form that isn't known.
//
// The project must be an absolute path. If Pending returns an error, the number covers the markers that could be read.
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

// resolve reads a marker before the backups are listed. It lists the backups only if the marker contains an unknown
// path to its backup.
func (f *finder) resolve(p *place, name markerName) (Marker, os.FileInfo) {
	marker, target := f.readMarker(p, name)
	if marker.State == MarkerOutside {
		f.nameBackups(p)
		target, marker.State = f.judge(p, &marker)
	}
	return marker, target
}

// nameBackups lists the backups and sets only their paths, because judge needs no other fields.
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

// reader returns a finder that reads the markers of the memory.
func (m *Memory) reader() (*finder, *place) {
	return &finder{project: m.project, zone: time.UTC, buf: make([]byte, maxTarget+1)}, m.place
}

// Pending returns the markers to report at the start of a session, in the order of Found.Markers. Their state may be
// any. Pending accesses only the backups that the markers name.
//
// If Pending returns an error, the result contains the markers that could be read.
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

// CleanMarkers removes the stale and empty markers (spec 000), including markers with a number, and returns them. It
// takes the lock only if there are such markers, and then checks them again. The error is ErrLocked, or an error that
// names the markers that couldn't be removed.
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

// meaningless returns the stale and empty markers.
func (m *Memory) meaningless() []Marker {
	f, p := m.reader()
	names, _ := markerNames(p) // an unreadable marker isn't removed, so its error doesn't matter
	var found []Marker
	for _, name := range names {
		if marker, _ := f.resolve(p, name); marker.State == MarkerStale || marker.State == MarkerEmpty {
			found = append(found, marker)
		}
	}
	return found
}

// KeepPlan lists backups that are to be kept and are no longer pending afterwards. Building it has no side effects.
type KeepPlan struct {
	Project string
	Backups []Move       // pending backups; they aren't moved
	Markers []KeptMarker // markers that name these backups; these markers are removed
}

// PlanKeep finds the pending backups among the given ones, and the markers that name them. Paths are absolute or
// relative to the project.
//
// The error is ErrNotBackup for a path that isn't a raw backup, or fs.ErrNotExist for a path that doesn't exist. Its
// text contains the path.
func (m *Memory) PlanKeep(ctx context.Context, paths []string) (KeepPlan, error) {
	plan := KeepPlan{Project: m.project}
	l, err := m.lookMarkers(ctx)
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

// KeepOps returns the ops of a plan. The ops remove every marker that names one of the backups of the plan now. The
// error is ErrChanged if a backup changed since the plan was made, or a system error.
func (m *Memory) KeepOps(ctx context.Context, plan *KeepPlan) ([]change.Op, error) {
	if plan.Project != m.project {
		return nil, fmt.Errorf("project %s: %w: %s", m.project, errForeignPlan, plan.Project)
	}
	infos, err := m.unchanged(plan.Backups)
	if err != nil {
		return nil, err
	}
	l, err := m.lookMarkers(ctx)
	if err != nil {
		return nil, err
	}
	return m.unmarkOps(l.naming(infos)), nil
}
