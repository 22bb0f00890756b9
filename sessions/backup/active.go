package backup

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// ActiveContext is the active-context.md of a project, as Find lists it, without a look at anything else; ok is false
// where there is none. The project has to be absolute; zone is as in Find.
func ActiveContext(ctx context.Context, project string, zone *time.Location) (d Document, ok bool, err error) {
	if !filepath.IsAbs(project) {
		return d, false, fmt.Errorf("project %q: not an absolute path", project)
	}
	if zone == nil {
		zone = time.Local
	}
	project = filepath.Clean(project)
	p, err := enter(filepath.Join(project, ".claude", "memory"))
	if p == nil {
		return d, false, err
	}
	defer p.root.Close()
	const name = "active-context.md"
	left := patience(documentWaits)
	g := p.read(ctx, name, KindActiveContext, &left)
	if g.info == nil {
		return d, false, g.err
	}
	return newDocument(KindActiveContext, project, filepath.Join(p.path, name), g, zone), true, nil
}
