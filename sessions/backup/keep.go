package backup

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/continuo-tui/continuo/internal/change"
)

// KeepPlan is which backups stop being pending. It is a value: nothing was touched for it.
type KeepPlan struct {
	Project string
	Backups []Move       // pending ones; they stay where they are
	Markers []KeptMarker // that name them, and are removed
}

// PlanKeep looks up which of some backups are pending, and the markers that name them. The paths are absolute or count from
// the project.
//
// The error names the path that is no raw backup (ErrNotBackup) or not there (fs.ErrNotExist).
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

// KeepOps returns what carries out a plan now: every marker that names one of its backups by now is removed, so there may be
// none. The error is ErrChanged when a backup is not what was planned, or that of the system.
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
