package cli

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// The look of status takes 200 ms at most, whatever hangs: tmux asks for it every few seconds. Each part has to answer
// by its time from the start. It takes some 3 ms for 2 live sessions and 40 projects with a backup; 400 sessions in them
// that have one cost 8 ms of a processor more.
const (
	statusRegistries = 80 * time.Millisecond
	statusPlaces     = 120 * time.Millisecond
	statusPending    = 150 * time.Millisecond
	statusTraces     = 175 * time.Millisecond
	statusUnsaved    = 200 * time.Millisecond
	// statusPlace is for one look at a directory on the way to its project.
	statusPlace = 25 * time.Millisecond
)

// status is what wants attention on this machine.
type status struct {
	live    []sessions.Live
	pending []pendingProject // those with backups that want attention, by path
	unsaved []unsaved        // sessions that ended without a backup
	here    hereStatus
	stored  int      // backups where some are made
	folders int      // that were asked for pending backups
	unknown int      // folders and registries that did not answer, or not with an answer
	blind   []string // folders of which it is not known what is pending there
}

// pendingProject is a project with backups that nobody dealt with yet, or looked at, or sessions that ended without one.
type pendingProject struct {
	Path    string `json:"path"`
	Count   int    `json:"count"`
	Unsaved int    `json:"unsaved"`
	Unseen  int    `json:"unseen"`
}

// backups is the number of all pending backups.
func (s *status) backups() int {
	n := 0
	for _, p := range s.pending {
		n += p.Count
	}
	return n
}

// unseen is the number of all backups that nobody has looked at.
func (s *status) unseen() int {
	n := 0
	for _, p := range s.pending {
		n += p.Unseen
	}
	return n
}

// with counts the live sessions that say so of themselves.
func (s *status) with(what sessions.Status) int {
	n := 0
	for i := range s.live {
		if s.live[i].Status == what {
			n++
		}
	}
	return n
}

// statusLook is where status looks. Of a transcript it opens no more than both ends, and that only of one that may have
// no backup.
type statusLook struct {
	dirs     []string // Claude config dirs
	here     string   // current directory; "" unknown
	home     string   // of the person, where no hook acts; "" unknown
	now      func() time.Time
	known    func() []string                                                // projects that were known at the last list
	registry func(ctx context.Context, dir string) []sessions.Live          // live clients of a config dir
	places   func(ctx context.Context, dirs []string) map[string]string     // directory → its project, "" without an answer
	pending  func(ctx context.Context, project string) (int, error)         // backups
	unseen   func(ctx context.Context, project string) (int, error)         // backups that nobody has looked at; nil: nobody asks
	slugs    func(ctx context.Context, dir string) []string                 // directories of transcripts in a config dir
	keep     func(ctx context.Context, folder string) (keep, error)         // its backups, if some are made there
	traces   func(ctx context.Context, dir string, since time.Time) []trace // transcripts in one of the slugs
	peek     func(ctx context.Context, path string) sessions.Session        // quick figures of one
	owner    func(b *backup.Backup) string                                  // the session that a backup is of
}

// newStatusLook makes the look at this machine. The short line says nothing of what nobody has looked at.
func (d *deps) newStatusLook(dirs []string, line bool) statusLook {
	l := statusLook{
		dirs: dirs, here: d.dir, home: d.home, now: d.now,
		known: func() []string { return knownProjects(d.knownPath()) },
		registry: func(ctx context.Context, dir string) []sessions.Live {
			list, _ := sessions.ReadRegistry(ctx, dir, sessions.SystemProbe()) // an entry that cannot be read names nobody
			return list
		},
		places: func(ctx context.Context, dirs []string) map[string]string {
			projects := map[string]string{}
			for dir, place := range (sessions.Places{Home: d.home, Limit: statusPlace}).Group(ctx, dirs) {
				if !place.NoAnswer {
					projects[dir] = place.Project
				}
			}
			return projects
		},
		pending: backup.Pending, slugs: slugsIn, keep: keepOf(d.hooksAct(dirs)), traces: tracesIn, owner: backup.Owner,
		peek: func(ctx context.Context, path string) sessions.Session { return sessions.Peek(ctx, path, d.now()) },
	}
	if !line {
		seen := sync.OnceValue(d.seenBackups)
		l.unseen = func(ctx context.Context, project string) (int, error) {
			return backup.Unseen(ctx, project, d.now(), seen())
		}
	}
	return l
}

// look counts. Everything that it asks may be on a dead mount.
func (l statusLook) look(ctx context.Context) status {
	var s status
	start := time.Now()
	type first struct { // what is asked first: a config dir, or "" for what needs none
		live  []sessions.Live
		slugs []string
		known []string
		here  string
	}
	ask := append([]string{""}, l.dirs...)
	found := sessions.AskAll(ctx, start.Add(statusRegistries), ask, func(ctx context.Context, dir string) first {
		if dir != "" {
			return first{live: l.registry(ctx, dir), slugs: l.slugs(ctx, dir)}
		}
		here := l.here
		if real, err := filepath.EvalSymlinks(here); err == nil && here != "" {
			here = real // the client records real paths
		}
		return first{known: l.known(), here: here}
	})
	s.unknown = len(ask) - len(found)
	pids := map[int]bool{}
	var workdirs []string
	for _, dir := range l.dirs {
		for _, live := range found[dir].live {
			if !pids[live.PID] { // else two config dirs are one
				pids[live.PID] = true
				s.live = append(s.live, live)
				workdirs = append(workdirs, live.Cwd)
			}
		}
	}
	folders := l.folders(ctx, start.Add(statusPlaces), append(workdirs, found[""].here))
	for _, project := range found[""].known {
		folders[project] = true
	}
	keeps := l.count(ctx, start.Add(statusPending), &s, folders)
	slugs := map[string][]string{}
	for _, dir := range l.dirs {
		slugs[dir] = found[dir].slugs
	}
	l.unsaved(ctx, start, &s, keeps, slugs)
	s.settle()
	return s
}

// settle puts the projects in order: those with the most pending backups first.
func (s *status) settle() {
	for _, u := range s.unsaved {
		i := slices.IndexFunc(s.pending, func(p pendingProject) bool { return p.Path == u.project })
		if i < 0 {
			i, s.pending = len(s.pending), append(s.pending, pendingProject{Path: u.project})
		}
		s.pending[i].Unsaved++
	}
	slices.SortFunc(s.pending, func(a, b pendingProject) int {
		return cmp.Or(
			cmp.Compare(b.Count, a.Count), cmp.Compare(b.Unsaved, a.Unsaved), cmp.Compare(b.Unseen, a.Unseen), cmp.Compare(a.Path, b.Path),
		)
	})
}

// folders are those directories that can have a memory: the ones where sessions run, and their projects.
func (l statusLook) folders(ctx context.Context, until time.Time, workdirs []string) map[string]bool {
	folders := map[string]bool{}
	for _, dir := range workdirs {
		if sessions.IsPlainPath(dir) {
			folders[dir] = true
		}
	}
	asked := make([]string, 0, len(folders))
	for dir := range folders {
		asked = append(asked, dir)
	}
	projects := sessions.AskAll(ctx, until, []string{""}, func(ctx context.Context, _ string) map[string]string {
		return l.places(ctx, asked)
	})
	for _, project := range projects[""] {
		if sessions.IsPlainPath(project) {
			folders[project] = true
		}
	}
	return folders
}

// count counts the backups of folders that are pending or that nobody has looked at, and finds out in which of them
// backups are made.
func (l statusLook) count(ctx context.Context, until time.Time, s *status, folders map[string]bool) map[string]keep {
	type answer struct {
		n, unseen int
		keep      keep
		err       error
	}
	all := make([]string, 0, len(folders))
	for dir := range folders {
		all = append(all, dir)
	}
	slices.Sort(all)
	var mu sync.Mutex
	first := map[string]int{} // what is pending, which is known whatever else takes its time
	found := sessions.AskAll(ctx, until, all, func(ctx context.Context, dir string) answer {
		a := answer{}
		if a.n, a.err = l.pending(ctx, dir); ctx.Err() == nil {
			mu.Lock()
			first[dir] = a.n
			mu.Unlock()
		}
		if a.err == nil && dir != l.home {
			a.keep, a.err = l.keep(ctx, dir)
		}
		if a.err == nil && l.unseen != nil { // it may read documents
			a.unseen, a.err = l.unseen(ctx, dir)
		}
		return a
	})
	mu.Lock()
	defer mu.Unlock()
	keeps := map[string]keep{}
	s.folders = len(all)
	for _, dir := range all {
		a, ok := found[dir]
		if !ok || a.err != nil {
			s.unknown++
		}
		n, counted := first[dir]
		if !counted {
			s.blind = append(s.blind, dir)
		}
		a.n = n
		s.stored += len(a.keep.Backups)
		if a.n+a.unseen > 0 {
			s.pending = append(s.pending, pendingProject{Path: dir, Count: a.n, Unseen: a.unseen})
		}
		if !a.keep.Since.IsZero() {
			keeps[dir] = a.keep
		}
	}
	return keeps
}
