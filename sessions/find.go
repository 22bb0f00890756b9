package sessions

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// Options selects the sessions to find and how to read them.
type Options struct {
	Dirs    []string  // Claude config dirs
	Roots   []string  // if not empty, only sessions with a workdir in one of these folders are found
	Now     time.Time // current time; needed for the cleanup date and for Plausible times
	Probe   Probe     // finds running clients; nil means that no session is live
	Places  Places    // groups workdirs by project
	Workers int       // number of files to read at once; 0 means 2
	Known   *Known    // cache of earlier discoveries; may be nil
	Cache   Cache     // cache of exact figures; may be nil

	// Named reports whether to search a directory in projects/, by its name; nil means all. The function Named makes
	// such a filter.
	Named func(slug string) bool

	// First, if set, gets the newest sessions as soon as they are read, if there are many. all and bytes are the number and
	// the size of all transcripts. In the final result, these sessions may have other projects.
	First func(newest []Session, all int, bytes int64)
}

// Set is the result of one discovery. Exact replaces the quick figures of Find.
type Set struct {
	opts   Options
	dirs   []string // config dirs, each once
	files  []file
	byPath map[string]*file // files by path; set only by Walk
	keep   map[string]int   // retention in days, by config dir
	live   map[string]Live
	twice  map[string]bool // session IDs that occur in several projects
	work   Work

	Sessions []Session // sorted from newest to oldest, see Session.When
	Outside  []string  // transcripts that are not within Options.Roots
	Problems []error   // files and directories that couldn't be read
}

// Work counts the reads of a discovery, for tests.
type Work struct {
	Files   atomic.Int64 // number of opened files
	Peeked  atomic.Int64 // bytes read for quick figures
	Scanned atomic.Int64 // bytes read for exact figures
}

// Work returns the counters of the set.
func (s *Set) Work() *Work { return &s.work }

// Unlisted reports whether a directory in projects/ couldn't be listed.
func (s *Set) Unlisted() bool {
	return slices.ContainsFunc(s.Problems, func(err error) bool {
		_, ok := errors.AsType[*UnlistedError](err)
		return ok
	})
}

// file is a transcript on the disk.
type file struct {
	path, dir, slug, id string
	info                fs.FileInfo
	agents              []string
	link                bool   // the file is a symbolic link
	agentOf             string // session ID of a sub-agent's file, if the session has no transcript
	err                 error
}

// Find returns quick figures for every transcript in the config dirs. The error is ctx.Err(). An unreadable file
// becomes a session with StateUnreadable, an unreadable directory an entry of Problems. A missing config dir is
// empty.
func Find(ctx context.Context, o Options) (*Set, error) {
	s := newSet(o)
	s.discover(ctx, false)
	s.Sessions = make([]Session, len(s.files))
	peek := func(from, to int) {
		s.each(ctx, to-from, func(i int, r *peeker) { s.Sessions[from+i] = s.quick(ctx, &s.files[from+i], r) })
	}
	first := 0
	if o.First != nil && len(s.files) > 2*firstFiles && ctx.Err() == nil {
		first = firstFiles
		peek(0, first)
		var bytes int64
		for i := range s.files {
			if info := s.files[i].info; info != nil {
				bytes += info.Size()
			}
		}
		o.First(s.newest(ctx, first), len(s.files), bytes)
	}
	peek(first, len(s.files))
	s.adopt()
	s.locate(ctx)
	s.bound()
	sortSessions(s.Sessions)
	return s, ctx.Err()
}

func newSet(o Options) *Set {
	if o.Workers <= 0 {
		o.Workers = 2
	}
	if o.Known == nil {
		o.Known = new(Known)
	}
	s := &Set{opts: o, keep: map[string]int{}, live: map[string]Live{}}
	for i, dir := range o.Dirs {
		if !slices.ContainsFunc(o.Dirs[:i], func(d string) bool { return SameFile(d, dir) }) {
			s.dirs = append(s.dirs, dir)
		}
	}
	return s
}

// discover lists the transcripts, newest first, and finds running clients. If again is true, the sessions of old
// sub-agents' files come from Options.Known.
func (s *Set) discover(ctx context.Context, again bool) {
	for _, dir := range s.dirs {
		s.keep[dir] = retention(dir)
		s.registry(ctx, dir)
		if err := s.walk(ctx, dir, again); err != nil {
			s.Problems = append(s.Problems, err)
		}
	}
	slices.SortFunc(s.files, func(a, b file) int {
		return cmp.Or(modified(b.info).Compare(modified(a.info)), cmp.Compare(a.path, b.path))
	})
	s.duplicates()
}

// sortSessions sorts by When from newest to oldest, then by path. Undated sessions come last.
func sortSessions(list []Session) {
	slices.SortFunc(list, func(a, b Session) int { return compare(a.Dated(), b.Dated(), a.When(), b.When(), a.Path, b.Path) })
}

// compare orders dated sessions before undated ones, then newer ones before older ones, then by path.
func compare(aDated, bDated bool, a, b time.Time, aPath, bPath string) int {
	switch {
	case aDated && !bDated:
		return -1
	case bDated && !aDated:
		return 1
	}
	return cmp.Or(b.Compare(a), cmp.Compare(aPath, bPath))
}

// Dated reports whether a record has a time. Syncs, indexes and restores change the modification time, so it doesn't
// count.
func (s *Session) Dated() bool { return !s.Last.IsZero() || !s.Written.IsZero() }

// When returns the sort time of a session: that of the last real message, otherwise the newest in its records,
// otherwise the modification time.
func (s *Session) When() time.Time {
	switch {
	case !s.Last.IsZero():
		return s.Last
	case !s.Written.IsZero():
		return s.Written
	}
	return s.Modified
}

func modified(info fs.FileInfo) time.Time {
	if info == nil {
		return time.Time{}
	}
	return info.ModTime()
}

func (s *Set) registry(ctx context.Context, dir string) {
	if s.opts.Probe == nil {
		return
	}
	list, errs := ReadRegistry(ctx, dir, s.opts.Probe)
	s.Problems = append(s.Problems, errs...)
	for _, l := range list {
		if was, ok := s.live[l.SessionID]; !ok || l.Updated.After(was.Updated) {
			s.live[l.SessionID] = l
		}
	}
}

// walk adds the transcripts of one config dir to s.files: <dir>/projects/<slug>/*.jsonl.
func (s *Set) walk(ctx context.Context, dir string, again bool) error {
	projects, err := os.ReadDir(filepath.Join(dir, "projects"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // no session was ever started in this config dir
	}
	if err != nil {
		return &UnlistedError{Path: filepath.Join(dir, "projects"), Err: disk.Cause(err)}
	}
	var mu sync.Mutex
	if s.opts.Named != nil {
		projects = slices.DeleteFunc(projects, func(e fs.DirEntry) bool { return !s.opts.Named(e.Name()) })
	}
	Parallel(ctx, len(projects), s.opts.Workers, func(i int) {
		found, err := s.project(dir, projects[i], again)
		mu.Lock()
		defer mu.Unlock()
		s.files = append(s.files, found...)
		if err != nil {
			s.Problems = append(s.Problems, err)
		}
	})
	return nil
}

// project lists the transcripts of one project directory, and gives the sub-agents' files to their sessions. The
// session of <id>/subagents is <id>. Clients before 2.1 wrote an agent-*.jsonl beside the transcripts, with the
// session ID in the file.
func (s *Set) project(dir string, e fs.DirEntry, again bool) ([]file, error) {
	path := filepath.Join(dir, "projects", e.Name())
	if e.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		if err != nil {
			return nil, &UnlistedError{Path: path, Slug: e.Name(), Err: disk.Cause(err)}
		}
		if real, err := filepath.EvalSymlinks(path); !info.IsDir() || err != nil || SameFile(filepath.Dir(real), filepath.Dir(path)) || SameFile(real, filepath.Dir(path)) {
			return nil, nil // a link to a file, or to a directory that is listed itself
		}
	} else if !e.IsDir() {
		return nil, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		err = &UnlistedError{Path: path, Slug: e.Name(), Err: disk.Cause(err)}
	}
	var found, agents []file
	folders := map[string]bool{}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok || id == "" {
			folders[e.Name()] = folders[e.Name()] || e.IsDir()
			continue
		}
		f := file{path: filepath.Join(path, e.Name()), dir: dir, slug: filepath.Base(path), id: id}
		f.stat(e)
		if strings.HasPrefix(id, "agent-") && f.err == nil {
			agents = append(agents, f)
			continue
		}
		found = append(found, f)
	}
	for i := range found {
		if folders[found[i].id] {
			found[i].agents = subagents(filepath.Join(path, found[i].id))
			delete(folders, found[i].id)
		}
	}
	for id, isDir := range folders { // Claude Code's cleanup deletes a transcript but keeps its folder
		if isDir && IsUUID(id) {
			found = append(found, orphans(dir, filepath.Join(path, id))...)
		}
	}
	return s.give(found, agents, again), err
}

// stat sets the info of a file. It follows links.
func (f *file) stat(e fs.DirEntry) {
	if e.Type()&fs.ModeSymlink != 0 {
		f.link = true
		f.info, f.err = os.Stat(f.path)
	} else {
		f.info, f.err = e.Info()
	}
	if f.err == nil && !f.info.Mode().IsRegular() {
		f.err = transcript.ErrNotRegular
	}
}

// subagents returns the paths <session>/subagents/agent-*.jsonl.
func subagents(session string) []string {
	entries, err := os.ReadDir(filepath.Join(session, "subagents"))
	if err != nil {
		return nil // most sessions have no sub-agents
	}
	var list []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
			list = append(list, filepath.Join(session, "subagents", e.Name()))
		}
	}
	return list
}

// IsCompaction reports whether a compaction wrote a sub-agent's file (client 2.1.39). Its summary is also in the
// session's transcript.
func IsCompaction(path string) bool {
	return strings.HasPrefix(filepath.Base(path), "agent-acompact-")
}

// orphans returns the sub-agents' files of a session without a transcript, except those of compactions. Each gets a
// row.
func orphans(dir, session string) []file {
	var list []file
	for _, path := range subagents(session) {
		f := file{path: path, dir: dir, slug: filepath.Base(filepath.Dir(session)), id: strings.TrimSuffix(filepath.Base(path), ".jsonl"), agentOf: filepath.Base(session)}
		if IsCompaction(f.path) {
			continue
		}
		f.info, f.err = os.Lstat(path)
		list = append(list, f)
	}
	return list
}

// give assigns old sub-agents' files to their sessions. Without its session, a file gets a row.
func (s *Set) give(found, agents []file, again bool) []file {
	for _, a := range agents {
		owner := ""
		if again {
			owner = s.opts.Known.ownerOf(a.path)
		}
		if owner == "" {
			owner = s.ownerOf(&a)
			s.opts.Known.own(a.path, owner)
		}
		if i := slices.IndexFunc(found, func(f file) bool { return f.id == owner }); i >= 0 {
			found[i].agents = append(found[i].agents, a.path)
			continue
		}
		if IsCompaction(a.path) {
			continue
		}
		a.agentOf = owner
		found = append(found, a)
	}
	return found
}

// ownerOf returns the session ID in a sub-agent's file, or "".
func (s *Set) ownerOf(a *file) string {
	src, _, err := transcript.OpenFile(a.path)
	if err != nil {
		return ""
	}
	defer src.Close()
	s.work.Files.Add(1)
	var p peeker
	b, err := s.read(src, 0, min(peek, a.info.Size()), &p)
	if err != nil {
		return ""
	}
	var facts transcript.Facts
	facts.AddStretch(b, 0, false, &p.env)
	return facts.SessionID
}

// duplicates finds session IDs in several projects. Claude Code resumes such a session only from its own folder
// (client 2.1.223 and later).
func (s *Set) duplicates() {
	where := map[string]string{}
	s.twice = map[string]bool{}
	for i := range s.files {
		f := &s.files[i]
		parent := filepath.Dir(f.path)
		if was, ok := where[f.id]; ok && was != parent && IsUUID(f.id) {
			s.twice[f.id] = true
		}
		where[f.id] = parent
	}
}

// each calls do for 0 … n-1 in order, on several workers with a peeker each.
func (s *Set) each(ctx context.Context, n int, do func(i int, p *peeker)) {
	pool := sync.Pool{New: func() any { return new(peeker) }}
	Parallel(ctx, n, s.opts.Workers, func(i int) {
		p, _ := pool.Get().(*peeker)
		do(i, p)
		pool.Put(p)
	})
}

// Parallel calls do for 0 … n-1 in order on the given number of goroutines, until ctx ends. After a panic, Parallel
// waits for the running calls and panics with a *PanicError.
func Parallel(ctx context.Context, n, workers int, do func(i int)) {
	var next atomic.Int64
	var bug atomic.Pointer[PanicError]
	var wg sync.WaitGroup
	work := func() {
		for ctx.Err() == nil && bug.Load() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			do(i)
		}
	}
	for range min(n, workers) {
		wg.Go(func() {
			if p := Catch(work); p != nil {
				bug.CompareAndSwap(nil, p)
			}
		})
	}
	wg.Wait()
	if p := bug.Load(); p != nil {
		panic(p)
	}
}
