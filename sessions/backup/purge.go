package backup

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
)

// HasCopies reports whether the memory of a project holds what git must never see: a backup, one in the making,
// anything in the trash, or a marker that may name a backup. What cannot be looked at counts. The project is an
// absolute path. The error is that of Find.
func HasCopies(ctx context.Context, project string) (bool, error) {
	found, err := Find(ctx, project, nil)
	if err != nil {
		return false, err
	}
	if len(found.Backups)+len(found.Problems) > 0 || slices.ContainsFunc(found.Markers, func(m Marker) bool { return !m.isFree() }) {
		return true, nil
	}
	p, err := enter(filepath.Join(project, ".claude", "memory"))
	if p == nil {
		return err != nil, nil
	}
	defer p.root.Close()
	for _, dir := range append(rawDirs(), trashDir) {
		if !p.nothingIn(dir) {
			return true, nil
		}
	}
	return false, nil
}

// nothingIn reports whether there is nothing in a directory but what keeps git away, sums, and what was in the making
// when its writer was killed.
func (p *place) nothingIn(dir string) bool {
	names, _, err := p.list(dir)
	if err != nil {
		return false
	}
	left := map[string]bool{ignoreName: true, sumsName: true}
	for _, temp := range p.root.Temps(dir) {
		left[filepath.Base(temp.Path)] = !temp.Alive
	}
	for _, name := range names {
		hollow := dir == trashDir && isDeedID(name) && p.nothingIn(filepath.Join(dir, name))
		if !left[name] && !hollow {
			return false
		}
	}
	return true
}

// Purge does something under the lock of the memory, which may remove even what keeps git away and the memory itself,
// with what HasCopies says now. A hook gives a backup its name without the lock, so it is asked once more afterwards,
// and what keeps git away is made again where it has to be. The error is that of the lock, ErrLocked among them, or of
// what was done.
func (m *Memory) Purge(ctx context.Context, do func(copies bool) error) error {
	unlock, err := m.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for _, dir := range append(rawDirs(), ".", "sessions", trashDir) {
		m.root.Sweep(dir)
	}
	m.sweepTrash()
	copies, err := HasCopies(ctx, m.project)
	if err != nil {
		return err
	}
	if err := do(copies); err != nil {
		return err
	}
	if copies, err = HasCopies(ctx, m.project); err != nil || !copies {
		return err
	}
	if err := m.Guard(); err != nil {
		return fmt.Errorf("a backup was made meanwhile: %w", err)
	}
	return nil
}

// sweepTrash removes the entries of the trash whose writer was killed before they were any. The caller holds the lock.
func (m *Memory) sweepTrash() {
	names, _ := m.trashed() // what is wrong there stays
	for _, name := range names {
		if dir := path.Join(trashDir, name); isDeedID(name) && m.hollow(name) {
			m.root.Sweep(dir)
			_ = m.root.Remove(dir) // unless somebody is at it
		}
	}
}
