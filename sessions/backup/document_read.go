package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/sessions/document"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	// documentTries is how often a document is read while another program seems to be writing it: the file changes
	// during a read, or it is younger than documentYoung and empty or without the end of its front matter.
	// documentWait is the pause between two reads.
	documentTries = 6
	documentYoung = 500 * time.Millisecond
	documentWait  = 20 * time.Millisecond
	// documentWaits is the limit of pauses in one Find: 200 ms for all documents.
	documentWaits = 10
)

// retries is the number of pauses that are left.
type retries int

// wait pauses for documentWait. If no pause is left or ctx ends, it returns false.
func (n *retries) wait(ctx context.Context) bool {
	if *n <= 0 {
		return false
	}
	*n--
	select {
	case <-ctx.Done():
		return false
	case <-time.After(documentWait):
		return true
	}
}

// document reads a document. Claude and editors write in place, so an incomplete document is read again after a
// pause.
func (p *openDir) document(ctx context.Context, name string, kind document.Kind, left *retries) *document.Reading {
	var g *document.Reading
	for range documentTries {
		f, fi, err := p.open(name, fs.FileMode.IsRegular, transcript.ErrNotRegular)
		if err != nil {
			if err = p.failure(name, err); err == nil {
				fi = nil
			}
			return &document.Reading{Info: fi, Err: err}
		}
		g, err = document.Read(f, kind)
		g.Info, g.Left = fi, max(0, fi.Size()-document.Limit)
		now, statErr := f.Stat()
		if err = errors.Join(err, statErr, f.Close()); err != nil {
			g.Err = p.failure(name, err)
			return g
		}
		if now.Size() != fi.Size() || !now.ModTime().Equal(fi.ModTime()) {
			continue
		}
		if age := time.Since(fi.ModTime()); !g.IsOpen() && fi.Size() > 0 || age < 0 || age > documentYoung || !left.wait(ctx) {
			break
		}
	}
	return g
}

// ActiveContext reads the active-context.md of a project, as Find does. ok is false without the file. project must be
// an absolute path. zone is as in Find.
func ActiveContext(ctx context.Context, project string, zone *time.Location) (d document.Document, ok bool, err error) {
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
	left := retries(documentWaits)
	g := p.document(ctx, contextName, document.KindActiveContext, &left)
	if g.Info == nil {
		return d, false, g.Err
	}
	return document.New(document.KindActiveContext, project, filepath.Join(p.path, contextName), g, zone), true, nil
}
