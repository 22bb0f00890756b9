package backup

import (
	"context"
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
