package backup

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions/document"
)

// Found lists the files of one project. Backups and documents are sorted from newest to oldest, then by path. Markers
// are in the order in which their backups have to be handled: exit, exit-2 and higher, compact, compact-2 and higher,
// legacy.
type Found struct {
	Backups   []Backup
	Markers   []Marker
	Documents []document.Document
	// Problems has an error, with the path, for each file or directory that couldn't be read. An unreadable regular
	// file is also in Backups, Markers or Documents; a directory, a pipe, or a link that leads out isn't.
	Problems []error
	// Since is when the project's backups began. It is the time of the .gitignore that the first writer creates in
	// the memory; zero without one.
	Since     time.Time
	Discarded []Backup // backups in the trash; the newest backup of a session may be one of them
}

// Find reads one project directory, whose path must be absolute. zone applies to names and dates without a zone; nil
// means time.Local. The hooks wrote local time until 2026-01-26. Since then they write UTC with a Z.
//
// If a directory doesn't exist, Find ignores that. Problems lists the unreadable files. Find checks ctx between files.
// If ctx has ended, the error wraps ctx.Err(), and the result lists the files found until then.
func Find(ctx context.Context, project string, zone *time.Location) (Found, error) {
	f, p, err := newFinder(project, zone)
	if f == nil {
		return Found{}, err
	}
	f.problem(err)
	err = f.memory(ctx, p)
	if err == nil {
		err = f.planning(ctx)
	}
	f.sortBackups()
	f.sortDocuments()
	if err != nil {
		return f.found, fmt.Errorf("find backups of %s: %w", project, err)
	}
	return f.found, nil
}

func (f *finder) sortDocuments() {
	slices.SortFunc(f.found.Documents, func(a, b document.Document) int { return newer(a.Date, b.Date, a.Path, b.Path) })
}

func newer(a, b time.Time, pathA, pathB string) int {
	if c := b.Compare(a); c != 0 {
		return c
	}
	return strings.Compare(pathA, pathB)
}

// finder is the state of one call of Find.
type finder struct {
	project string
	zone    *time.Location
	buf     []byte // the head of the current file
	head    bool   // also read only the head of documents
	left    patience
	found   Found
	infos   []fs.FileInfo // infos[i] belongs to found.Backups[i]
	seen    struct {      // directories that were read; one may be a link to another
		raw, documents []fs.FileInfo
	}
}

// rawDirs returns the directories for backups, relative to the memory. All hooks use the first; flows B and C of the
// spec use the second.
func rawDirs() []string { return []string{"raw", filepath.Join("sessions", "raw")} }

func (f *finder) memory(ctx context.Context, p *place) error {
	if p == nil {
		return ctx.Err()
	}
	defer p.root.Close()
	if err := f.memoryBackups(ctx, p); err != nil {
		return err
	}
	return f.memoryDocuments(ctx, p)
}

// memoryBackups reads backups and markers.
func (f *finder) memoryBackups(ctx context.Context, p *place) error {
	if p == nil {
		return ctx.Err()
	}
	for _, dir := range rawDirs() {
		if err := f.backups(ctx, p, dir); err != nil {
			return err
		}
	}
	if err := f.made(ctx, p); err != nil {
		return err
	}
	return f.markers(ctx, p)
}

// memoryDocuments reads the documents of a memory.
func (f *finder) memoryDocuments(ctx context.Context, p *place) error {
	for _, dir := range []string{".", "sessions"} {
		if err := f.documents(ctx, p, dir); err != nil {
			return err
		}
	}
	f.document(ctx, p, contextName, document.KindActiveContext)
	f.document(ctx, p, "project-memory.md", document.KindProjectMemory)
	return ctx.Err()
}

// planning reads the documents in planning/sessions. The first version of the hooks wrote documents to this directory.
func (f *finder) planning(ctx context.Context) error {
	p := f.enter(filepath.Join(f.project, "planning", "sessions"))
	if p == nil {
		return ctx.Err()
	}
	defer p.root.Close()
	return f.documents(ctx, p, ".")
}

func (f *finder) enter(path string) *place {
	p, err := enter(path)
	f.problem(err)
	return p
}

func (f *finder) problem(err error) {
	if err != nil {
		f.found.Problems = append(f.found.Problems, err)
	}
}

// names lists a directory and adds it to seen. It returns nil if seen already contains the directory.
func (f *finder) names(p *place, dir string, seen *[]fs.FileInfo) []string {
	names, fi, err := p.list(dir)
	f.problem(err)
	for _, other := range *seen {
		if fi != nil && os.SameFile(fi, other) {
			return nil
		}
	}
	if fi != nil {
		*seen = append(*seen, fi)
	}
	return names
}

func (f *finder) backups(ctx context.Context, p *place, dir string) error {
	for _, name := range f.names(p, dir, &f.seen.raw) {
		if err := ctx.Err(); err != nil {
			return err
		}
		// A file whose name begins with a dot is unfinished, or is a metadata file of macOS (._name).
		if strings.HasPrefix(name, ".") || !strings.HasSuffix(name, backupSuffix) {
			continue
		}
		name = filepath.Join(dir, name)
		g := p.look(name, f.buf)
		f.problem(g.err)
		if g.info != nil {
			f.found.Backups = append(f.found.Backups, newBackup(f.project, filepath.Join(p.path, name), g, f.zone))
			f.infos = append(f.infos, g.info)
		}
	}
	return ctx.Err()
}

func (f *finder) documents(ctx context.Context, p *place, dir string) error {
	for _, name := range f.names(p, dir, &f.seen.documents) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if strings.HasPrefix(name, document.Prefix) && strings.HasSuffix(name, document.Suffix) {
			f.document(ctx, p, filepath.Join(dir, name), document.KindSession)
		}
	}
	return ctx.Err()
}

func (f *finder) document(ctx context.Context, p *place, name string, kind document.Kind) {
	g := f.read(ctx, p, name, kind)
	f.problem(g.Err)
	if g.Info != nil {
		d := document.New(kind, f.project, filepath.Join(p.path, name), g, f.zone)
		f.found.Documents = append(f.found.Documents, d)
	}
}

// The following functions do parts of Find, because documents can be slow to read, and callers want pending backups
// first.

// FindBackups works like Find, but doesn't look for documents. It sets Backups, Markers, Problems, Since and Discarded,
// and returns the same error as Find.
func FindBackups(ctx context.Context, project string, zone *time.Location) (Found, error) {
	f, p, err := newFinder(project, zone)
	if f == nil {
		return Found{}, err
	}
	f.problem(err)
	err = f.memoryBackups(ctx, p)
	if p != nil {
		_ = p.root.Close() // nothing was written
	}
	f.sortBackups()
	if err != nil {
		return f.found, fmt.Errorf("find backups of %s: %w", project, err)
	}
	return f.found, nil
}

// FindDocuments works like Find, but looks only for documents. It returns the same error as Find.
func FindDocuments(ctx context.Context, project string, zone *time.Location) (Found, error) {
	f, p, err := newFinder(project, zone)
	if f == nil {
		return Found{}, err
	}
	if err = nil; p != nil { // FindBackups reports why the memory can't be opened
		defer p.root.Close()
		err = f.memoryDocuments(ctx, p)
	}
	if err == nil {
		err = f.planning(ctx)
	}
	f.sortDocuments()
	if err != nil {
		return f.found, fmt.Errorf("find documents of %s: %w", project, err)
	}
	return f.found, nil
}

func (f *finder) sortBackups() {
	slices.SortFunc(f.found.Backups, func(a, b Backup) int { return newer(a.Made, b.Made, a.Path, b.Path) })
}
