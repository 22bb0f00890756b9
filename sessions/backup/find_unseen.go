package backup

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/document"
)

// Unseen returns the number of backups that the user should look at. They aren't pending, are newer than every
// session document, and aren't in seen, the set of opened backups. project must be an absolute path, and the location
// of now is the zone for Find. Unreadable files aren't counted.
func Unseen(ctx context.Context, project string, now time.Time, seen map[string]bool) (int, error) {
	f, p, err := newFinder(project, now.Location())
	if p == nil {
		return 0, err
	}
	defer p.root.Close()
	for _, dir := range rawDirs() {
		if err := f.stock(ctx, p, dir, &f.found.Backups); err != nil {
			return 0, fmt.Errorf("backups of %s: %w", project, err)
		}
	}
	drop := func(which func(b Backup) bool) (some bool) {
		f.found.Backups = slices.DeleteFunc(f.found.Backups, which)
		return len(f.found.Backups) > 0
	}
	if !drop(func(b Backup) bool { return seen[b.Path] }) {
		return 0, nil
	}
	f.head = true
	if err := f.allDocuments(ctx, p); err != nil {
		return 0, fmt.Errorf("documents of %s: %w", project, err)
	}
	var newest time.Time
	for i := range f.found.Documents {
		d := &f.found.Documents[i]
		if date := sessions.Plausible(d.Date, now); d.Kind == document.KindSession && date.After(newest) {
			newest = date
		}
	}
	if !drop(func(b Backup) bool { return !newest.IsZero() && !sessions.Plausible(b.Made, now).After(newest) }) {
		return 0, nil
	}
	drop(func(b Backup) bool { // f.markers needs f.infos
		name, _ := filepath.Rel(p.path, b.Path)
		info, err := p.root.Stat(name)
		if err == nil {
			f.infos = append(f.infos, info)
		}
		return err != nil
	})
	if err := f.markers(ctx, p); err != nil {
		return 0, fmt.Errorf("backups of %s: %w", project, err)
	}
	drop(func(b Backup) bool { return b.Pending })
	return len(f.found.Backups), nil
}

// Documents returns the documents of a project from newest to oldest, like Find.
func Documents(ctx context.Context, project string, zone *time.Location) ([]document.Document, error) {
	f, p, err := newFinder(project, zone)
	if p == nil {
		return nil, err
	}
	defer p.root.Close()
	err = f.allDocuments(ctx, p)
	f.sortDocuments()
	if err != nil {
		return f.found.Documents, fmt.Errorf("documents of %s: %w", project, err)
	}
	return f.found.Documents, nil
}

// newFinder opens the memory directory of a project. Without one, the openDir is nil.
func newFinder(project string, zone *time.Location) (*finder, *openDir, error) {
	if !filepath.IsAbs(project) {
		return nil, nil, fmt.Errorf("project %q: not an absolute path", project)
	}
	if zone == nil {
		zone = time.Local
	}
	f := &finder{project: filepath.Clean(project), zone: zone, buf: make([]byte, headBytes), left: documentWaits}
	p, err := enter(filepath.Join(f.project, ".claude", "memory"))
	return f, p, err
}

// allDocuments reads the documents in the memory directory and in planning/sessions.
func (f *finder) allDocuments(ctx context.Context, p *openDir) error {
	if err := f.memoryDocuments(ctx, p); err != nil {
		return err
	}
	return f.planning(ctx)
}

// read reads a document, or only its head.
func (f *finder) read(ctx context.Context, p *openDir, name string, kind document.Kind) *document.Reading {
	if !f.head {
		return p.document(ctx, name, kind, &f.left)
	}
	g := p.peek(name, f.buf)
	d := &document.Reading{}
	if g.err == nil {
		d, _ = document.Read(bytes.NewReader(g.head), kind) // reading from a byte slice can't fail
	}
	d.Info, d.Err = g.info, g.err
	return d
}
