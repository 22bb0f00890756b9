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
// are sorted as their backups must be handled: exit, exit-2, exit-3 …, compact, compact-2 …, legacy.
type Found struct {
	Backups   []Backup
	Markers   []Marker
	Documents []document.Document
	// Problems has an error with the path for each unreadable file or directory. An unreadable regular file is also
	// in Backups, Markers or Documents.
	Problems []error
	// Since is the time of the first backup: the time of the memory's .gitignore, or of an older backup with a sum.
	// It is zero without a .gitignore.
	Since     time.Time
	Discarded []Backup // backups in the trash, which may be the newest ones of their sessions
}

// Find lists the files of one project. project must be an absolute path. zone is the time zone of names and dates
// without a zone; nil means time.Local. Hooks have written UTC with a Z since 2026-01-26, and local time earlier.
//
// Missing directories are ignored, and unreadable files are in Problems. If ctx ends, the error wraps ctx.Err(), and
// the result has the files found so far.
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
	buf     []byte // buffer for the head of a file
	head    bool   // read heads of documents instead of whole documents
	left    retries
	found   Found
	infos   []fs.FileInfo // infos[i] belongs to found.Backups[i]
	seen    struct {      // directories that were read, because a link may lead to the same one
		raw, documents []fs.FileInfo
	}
}

// rawDirs returns the directories for backups, relative to the memory directory. Hooks write to the first one. The
// second is from flows B and C of the spec.
func rawDirs() []string { return []string{"raw", filepath.Join("sessions", "raw")} }

func (f *finder) memory(ctx context.Context, p *openDir) error {
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
func (f *finder) memoryBackups(ctx context.Context, p *openDir) error {
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

// memoryDocuments reads the documents of a memory directory.
func (f *finder) memoryDocuments(ctx context.Context, p *openDir) error {
	for _, dir := range []string{".", "sessions"} {
		if err := f.documents(ctx, p, dir); err != nil {
			return err
		}
	}
	f.document(ctx, p, contextName, document.KindActiveContext)
	f.document(ctx, p, "project-memory.md", document.KindProjectMemory)
	return ctx.Err()
}

// planning reads the documents in planning/sessions, the directory of the first hooks.
func (f *finder) planning(ctx context.Context) error {
	p := f.enter(filepath.Join(f.project, "planning", "sessions"))
	if p == nil {
		return ctx.Err()
	}
	defer p.root.Close()
	return f.documents(ctx, p, ".")
}

func (f *finder) enter(path string) *openDir {
	p, err := enter(path)
	f.problem(err)
	return p
}

func (f *finder) problem(err error) {
	if err != nil {
		f.found.Problems = append(f.found.Problems, err)
	}
}

// names lists a directory and adds it to seen. It returns nil if the directory is in seen already.
func (f *finder) names(p *openDir, dir string, seen *[]fs.FileInfo) []string {
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

func (f *finder) backups(ctx context.Context, p *openDir, dir string) error {
	for _, name := range f.names(p, dir, &f.seen.raw) {
		if err := ctx.Err(); err != nil {
			return err
		}
		// Unfinished backups and macOS metadata files (._name) begin with a dot.
		if strings.HasPrefix(name, ".") || !strings.HasSuffix(name, backupSuffix) {
			continue
		}
		name = filepath.Join(dir, name)
		g := p.peek(name, f.buf)
		f.problem(g.err)
		if g.info != nil {
			f.found.Backups = append(f.found.Backups, newBackup(f.project, filepath.Join(p.path, name), g, f.zone))
			f.infos = append(f.infos, g.info)
		}
	}
	return ctx.Err()
}

func (f *finder) documents(ctx context.Context, p *openDir, dir string) error {
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

func (f *finder) document(ctx context.Context, p *openDir, name string, kind document.Kind) {
	g := f.read(ctx, p, name, kind)
	f.problem(g.Err)
	if g.Info != nil {
		d := document.New(kind, f.project, filepath.Join(p.path, name), g, f.zone)
		f.found.Documents = append(f.found.Documents, d)
	}
}

// FindBackups and FindDocuments are the halves of Find. Callers need pending backups first, and documents can be
// slow.

// FindBackups is Find without documents.
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

// FindDocuments is Find with only the documents.
func FindDocuments(ctx context.Context, project string, zone *time.Location) (Found, error) {
	f, p, err := newFinder(project, zone)
	if f == nil {
		return Found{}, err
	}
	if err = nil; p != nil { // FindBackups reports this error
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
