package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

// DiscardPlan lists the files that a discard moves to the trash.
type DiscardPlan struct {
	Project string
	Kind    TrashKind // TrashDiscard or TrashPrune
	Moves   []Move
	Markers []KeptMarker // valid markers of the moved backups, to remove
	Cleaned []KeptMarker // empty and stale markers to remove if all pending backups are discarded
	Kept    []Kept       // old backups that a prune doesn't move
	// Problems has an error for each marker that can't be read or doesn't name a raw backup. These markers stay.
	Problems []error
}

// Empty reports whether the plan changes no files.
func (p *DiscardPlan) Empty() bool { return len(p.Moves)+len(p.Markers)+len(p.Cleaned) == 0 }

// PlanDiscard plans to discard backups. Paths are absolute or relative to the project. nil means all pending backups,
// and removes empty and stale markers, too.
//
// The error is ErrNotBackup or fs.ErrNotExist, with the path in its text.
func (m *Memory) PlanDiscard(ctx context.Context, paths []string) (DiscardPlan, error) {
	plan := DiscardPlan{Project: m.project, Kind: TrashDiscard}
	l, err := m.readMarkers(ctx)
	if err != nil {
		return plan, err
	}
	plan.Problems = l.problems
	var infos []fs.FileInfo
	add := func(name string) error {
		v, info, err := m.move(name)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(infos, func(fi fs.FileInfo) bool { return os.SameFile(fi, info) }) {
			plan.Moves, infos = append(plan.Moves, v), append(infos, info)
		}
		return nil
	}
	for _, p := range paths {
		name, err := l.nameOf(p)
		if err == nil {
			err = add(name)
		}
		if err != nil {
			return DiscardPlan{Project: m.project, Kind: TrashDiscard}, err
		}
	}
	for i := range l.markers {
		k := &l.markers[i]
		switch {
		case paths != nil && k.State != MarkerValid:
			continue
		case k.State != MarkerValid:
			plan.Cleaned = append(plan.Cleaned, k.KeptMarker)
			continue
		case paths == nil:
			if err := add(k.backup); err != nil {
				plan.Problems = append(plan.Problems, fmt.Errorf("marker %s: %w", m.at(k.Name), err))
				continue
			}
		}
		if slices.ContainsFunc(infos, func(fi fs.FileInfo) bool { return os.SameFile(fi, k.info) }) {
			plan.Markers = append(plan.Markers, k.KeptMarker)
		}
	}
	return plan, nil
}

// move returns the Move and the file info of a backup.
func (m *Memory) move(name string) (Move, fs.FileInfo, error) {
	v := Move{Path: m.at(name), Name: name}
	if !backupName(name) {
		return v, nil, fmt.Errorf("file %s: %w", v.Path, ErrNotBackup)
	}
	fi, err := m.plain(name)
	if err != nil {
		return v, nil, fmt.Errorf("backup %s: %w", v.Path, cause(err))
	}
	v.Bytes, v.Modified = fi.Size(), fi.ModTime()
	return v, fi, nil
}

// markerSet has the markers of a memory directory.
type markerSet struct {
	m        *Memory
	f        *finder
	markers  []namedMarker // valid, stale and empty ones
	problems []error
}

// namedMarker is a marker and its backup.
type namedMarker struct {
	KeptMarker
	backup string      // path of a valid marker's backup, relative to the memory directory, with slashes
	info   fs.FileInfo // file info of the backup
}

// readMarkers reads all markers. The error wraps ctx.Err().
func (m *Memory) readMarkers(ctx context.Context) (*markerSet, error) {
	f, p := m.reader()
	f.nameBackups(p)
	if err := f.markers(ctx, p); err != nil {
		return nil, fmt.Errorf("markers of %s: %w", m.project, err)
	}
	l := &markerSet{m: m, f: f}
	for _, found := range f.found.Markers {
		k, err := l.keep(found)
		switch {
		case err != nil:
			l.problems = append(l.problems, err)
		case k.State != MarkerUnreadable: // MarkerUnreadable: the finder has reported the error
			l.markers = append(l.markers, k)
		}
	}
	l.problems = append(l.problems, f.found.Problems...)
	return l, nil
}

// keep reads the data that can restore a marker.
func (l *markerSet) keep(found Marker) (namedMarker, error) {
	name := filepath.Base(found.Path)
	k := namedMarker{KeptMarker: KeptMarker{Name: name, Kind: found.Kind, State: found.State, Target: found.Target}}
	if found.State == MarkerUnreadable {
		return k, nil
	}
	if found.State == MarkerOutside {
		return k, fmt.Errorf("marker %s: points to %s: %w", found.Path, found.Target, ErrNotBackup)
	}
	text, _, err := l.m.read(name, maxTarget)
	if err != nil {
		return k, err
	}
	k.Text = string(text)
	if markerTarget(l.m.project, k.Text) != cmp.Or(found.written, found.Target) {
		return k, fmt.Errorf("marker %s: %w", found.Path, ErrChanged)
	}
	if found.State == MarkerValid {
		backup, _ := l.f.inRaw(l.m.openDir, found.Target)
		k.backup = filepath.ToSlash(backup)
		if k.info, err = l.m.root.Stat(backup); err != nil {
			return k, fmt.Errorf("marker %s: its backup %s: %w", found.Path, found.Target, cause(err))
		}
	}
	return k, nil
}

// nameOf returns the path of a backup relative to the memory directory, with slashes. The error is ErrNotBackup.
func (l *markerSet) nameOf(file string) (string, error) {
	target := markerTarget(l.m.project, file)
	name, ok := l.f.inRaw(l.m.openDir, target)
	if name = filepath.ToSlash(name); !ok || !backupName(name) {
		return "", fmt.Errorf("file %s: %w", file, ErrNotBackup)
	}
	return name, nil
}

// naming returns all markers that name one of the backups now. A moved backup may have new markers that aren't in the
// plan.
func (l *markerSet) naming(backups []fs.FileInfo) []KeptMarker {
	return l.only(func(k *namedMarker) bool {
		return k.State == MarkerValid && slices.ContainsFunc(backups, func(fi fs.FileInfo) bool { return os.SameFile(fi, k.info) })
	})
}

// still returns the planned markers that are still stale or empty and have the same text.
func (l *markerSet) still(planned []KeptMarker) []KeptMarker {
	return l.only(func(k *namedMarker) bool { return k.State != MarkerValid && slices.Contains(planned, k.KeptMarker) })
}

func (l *markerSet) only(want func(k *namedMarker) bool) []KeptMarker {
	var found []KeptMarker
	for i := range l.markers {
		if want(&l.markers[i]) {
			found = append(found, l.markers[i].KeptMarker)
		}
	}
	return found
}

// DiscardOps returns the ops of a plan. They move the backups to the trash and remove all their markers. They also
// remove the markers in Cleaned that are still stale or empty. at is the time of the trash entry. The caller must
// call Guard first, to hide the trash from git.
//
// The error is ErrChanged if a backup changed after the plan, or a system error.
func (m *Memory) DiscardOps(ctx context.Context, plan *DiscardPlan, at time.Time) ([]change.Op, error) {
	if plan.Empty() {
		return nil, nil
	}
	if plan.Project != m.project {
		return nil, fmt.Errorf("project %s: %w: %s", m.project, errForeignPlan, plan.Project)
	}
	infos, err := m.unchanged(plan.Moves)
	if err != nil {
		return nil, err
	}
	l, err := m.readMarkers(ctx)
	if err != nil {
		return nil, err
	}
	d := TrashEntry{Kind: plan.Kind, Moves: plan.Moves, Markers: slices.Concat(l.naming(infos), l.still(plan.Cleaned))}
	// A backup that is now pending isn't pruned.
	if d.Kind == TrashPrune && len(d.Markers) > 0 {
		return nil, fmt.Errorf("backup %s: %w: now pending", d.Markers[0].Target, ErrChanged)
	}
	if len(d.Moves)+len(d.Markers) == 0 {
		return nil, nil
	}
	text, err := m.Trash().name(&d, at)
	if err != nil {
		return nil, err
	}
	ops := []change.Op{m.op(change.Make, path.Join(trashDir, d.ID, entryName))}
	ops[0].Text, ops[0].Quiet, ops[0].Loose = text, true, true
	for i := range d.Moves {
		o := m.op(change.Move, d.Moves[i].Name)
		o.To, o.Bytes, o.Modified = filepath.FromSlash(d.inTrash(i)), d.Moves[i].Bytes, d.Moves[i].Modified
		ops = append(ops, o)
	}
	return append(ops, m.unmarkOps(d.Markers)...), nil
}

// unmarkOps returns the ops that remove markers. If an undo finds the name of a valid marker taken, it adds a number.
// A stale or empty marker isn't restored then.
func (m *Memory) unmarkOps(markers []KeptMarker) (ops []change.Op) {
	for i := range markers {
		k := &markers[i]
		o := m.op(change.Remove, k.Name)
		o.Text, o.Sum, o.Loose = []byte(k.Text), change.Sum([]byte(k.Text)), true
		if k.State == MarkerValid {
			o.Next = nextMarker(k.Name)
		}
		ops = append(ops, o)
	}
	return ops
}

// nextMarker returns the base of a numbered name for a marker whose name is taken. .pending-backup has no numbers, so
// its base is .pending-backup-exit.
func nextMarker(name string) string {
	base, _ := cutNumber(name)
	if base == markerPrefix {
		base = markerPrefix + "-" + string(MarkerExit)
	}
	return base
}

// errForeignPlan is returned for the plan of another memory directory.
var errForeignPlan = errors.New("the plan is for another project")

// unchanged returns the infos of backups, or ErrChanged if one differs from the plan.
func (m *Memory) unchanged(moves []Move) ([]fs.FileInfo, error) {
	var infos []fs.FileInfo
	var changed []error
	for i := range moves {
		v, fi, err := m.move(moves[i].Name)
		infos = append(infos, fi)
		switch {
		case isAbsent(err):
			changed = append(changed, fmt.Errorf("backup %s: %w: no longer there", v.Path, ErrChanged))
		case err != nil:
			changed = append(changed, err)
		case v.Bytes != moves[i].Bytes || !v.Modified.Equal(moves[i].Modified):
			changed = append(changed, fmt.Errorf("backup %s: %w", v.Path, ErrChanged))
		}
	}
	return infos, errors.Join(changed...)
}
