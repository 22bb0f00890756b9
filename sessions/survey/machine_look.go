package survey

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// The time limits of Look, counted from its start. The last step must end after 200 ms even if a disk hangs, because
// tmux asks every few seconds. AttentionBy may allow more time.
//
// Look takes about 3 ms for 2 live sessions and 40 projects with a backup. With 400 sessions and backups, it takes 8
// ms more CPU time. Each session that was written to long after its backup takes 0.1 ms more.
const (
	registriesBy = 80 * time.Millisecond
	placesBy     = 120 * time.Millisecond
	pendingBy    = 150 * time.Millisecond
	tracesBy     = 170 * time.Millisecond
	ownersBy     = 180 * time.Millisecond
	unsavedBy    = 200 * time.Millisecond
	// placeLimit is the time limit for reading one directory in the search for a project.
	placeLimit = 25 * time.Millisecond
)

// MachineLook finds everything that needs attention on this machine. It opens transcripts that may have no backup
// (head and tail), and those that Attention reads.
type MachineLook struct {
	Dirs  []string // Claude config dirs
	Here  string   // current directory; "" if unknown
	Home  string   // home directory, where hooks make no backups; "" if unknown
	Now   func() time.Time
	Known func() []string // projects of the last session list

	Unseen func(ctx context.Context, project string) (int, error)  // backups that were never opened; may be nil
	Peek   func(ctx context.Context, path string) sessions.Session // quick figures of a transcript
	Owner  func(b *backup.Backup) string                           // ID of the session of a backup
	// Attention computes the attention of a live session from its transcript. It returns nil if this is unknown or
	// the project has no ledger. The field may be nil. Its time limit is AttentionBy, or without one that for unsaved
	// sessions.
	Attention   func(ctx context.Context, path string, live *sessions.Live) *sessions.Attention
	AttentionBy time.Duration

	registry func(ctx context.Context, dir string) []sessions.Live      // live clients of a config dir
	places   func(ctx context.Context, dirs []string) map[string]string // directory → project, if known
	pending  func(ctx context.Context, project string) (int, error)     // number of pending backups
	slugs    func(ctx context.Context, dir string) []string             // transcript directories in a config dir
	keep     func(ctx context.Context, folder string) (keep, error)     // memory of a folder with backups
	traces   func(ctx context.Context, dir string) []sessions.Listed    // transcripts in a transcript directory
}

// NewMachineLook returns a MachineLook for this machine, with a nil Unseen. acts reports whether hooks make backups
// in a project.
func NewMachineLook(dirs []string, here, home string, now func() time.Time, known func() []string, acts func(project string) bool) *MachineLook {
	return &MachineLook{
		Dirs: dirs, Here: here, Home: home, Now: now, Known: known,
		Peek:  func(ctx context.Context, path string) sessions.Session { return sessions.Peek(ctx, path, now()) },
		Owner: backup.Owner,
		registry: func(ctx context.Context, dir string) []sessions.Live {
			list, _ := sessions.ReadRegistry(ctx, dir, sessions.SystemProbe()) // unreadable entries are skipped
			return list
		},
		places: func(ctx context.Context, dirs []string) map[string]string {
			projects := map[string]string{}
			for dir, place := range (sessions.Places{Home: home, Limit: placeLimit}).Group(ctx, dirs) {
				if !place.NoAnswer {
					projects[dir] = place.Project
				}
			}
			return projects
		},
		pending: backup.Pending, keep: keepOf(acts),
		slugs:  func(_ context.Context, dir string) []string { return sessions.Slugs(dir) },
		traces: func(_ context.Context, dir string) []sessions.Listed { return sessions.ListTranscripts(dir) },
	}
}

// registered has the facts that Look collects first: live and slugs for a config directory, known and here for the
// key "".
type registered struct {
	live  []sessions.Live
	slugs []string
	known []string
	here  string
}

// Look counts everything that needs attention. Any path may be on a dead mount, so each step has a time limit.
func (l *MachineLook) Look(ctx context.Context) Machine {
	var s Machine
	start := time.Now()
	ask := append([]string{""}, l.Dirs...)
	found := sessions.AskAll(ctx, start.Add(registriesBy), ask, func(ctx context.Context, dir string) registered {
		if dir != "" {
			return registered{live: l.registry(ctx, dir), slugs: l.slugs(ctx, dir)}
		}
		here := l.Here
		if here != "" {
			here = sessions.RealPath(here) // the client records real paths
		}
		return registered{known: l.Known(), here: here}
	})
	s.Unknown = len(ask) - len(found)
	pids := map[int]bool{}
	var workdirs []string
	for _, dir := range l.Dirs {
		for _, live := range found[dir].live {
			if !pids[live.PID] { // two config directories may be the same
				pids[live.PID] = true
				s.Live = append(s.Live, live)
				workdirs = append(workdirs, live.Cwd)
			}
		}
	}
	folders := l.folders(ctx, start.Add(placesBy), append(workdirs, found[""].here))
	for _, project := range found[""].known {
		folders[project] = true
	}
	keeps := l.count(ctx, start.Add(pendingBy), &s, folders)
	slugs := map[string][]string{}
	for _, dir := range l.Dirs {
		slugs[dir] = found[dir].slugs
	}
	l.unsaved(ctx, start, &s, keeps, slugs)
	l.due(ctx, start.Add(cmp.Or(l.AttentionBy, unsavedBy)), &s, found)
	s.settle()
	return s
}

// settle counts the unsaved sessions of each project. It sorts the projects by pending backups, highest first.
func (s *Machine) settle() {
	for _, u := range s.Unsaved {
		i := slices.IndexFunc(s.Pending, func(p PendingProject) bool { return p.Path == u.Project })
		if i < 0 {
			i, s.Pending = len(s.Pending), append(s.Pending, PendingProject{Path: u.Project})
		}
		s.Pending[i].Unsaved++
	}
	slices.SortFunc(s.Pending, func(a, b PendingProject) int {
		return cmp.Or(
			cmp.Compare(b.Count, a.Count), cmp.Compare(b.Unsaved, a.Unsaved), cmp.Compare(b.Unseen, a.Unseen), cmp.Compare(a.Path, b.Path),
		)
	})
}

// folders returns the directories that may have a memory: workdirs and their projects.
func (l *MachineLook) folders(ctx context.Context, until time.Time, workdirs []string) map[string]bool {
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

// count counts pending and unreviewed backups, and finds the folders in which hooks make backups.
func (l *MachineLook) count(ctx context.Context, until time.Time, s *Machine, folders map[string]bool) map[string]keep {
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
	first := map[string]int{} // numbers of pending backups, if the later reads take too long
	found := sessions.AskAll(ctx, until, all, func(ctx context.Context, dir string) answer {
		a := answer{}
		if a.n, a.err = l.pending(ctx, dir); ctx.Err() == nil {
			mu.Lock()
			first[dir] = a.n
			mu.Unlock()
		}
		if a.err == nil && dir != l.Home {
			a.keep, a.err = l.keep(ctx, dir)
		}
		if a.err == nil && l.Unseen != nil { // last, because it may read documents
			a.unseen, a.err = l.Unseen(ctx, dir)
		}
		return a
	})
	mu.Lock()
	defer mu.Unlock()
	keeps := map[string]keep{}
	s.Folders = len(all)
	for _, dir := range all {
		a, ok := found[dir]
		if !ok || a.err != nil {
			s.Unknown++
		}
		n, counted := first[dir]
		if !counted {
			s.Blind = append(s.Blind, dir)
		}
		a.n = n
		s.Stored += len(a.keep.Backups)
		if a.n+a.unseen > 0 {
			s.Pending = append(s.Pending, PendingProject{Path: dir, Count: a.n, Unseen: a.unseen})
		}
		if !a.keep.Since.IsZero() {
			keeps[dir] = a.keep
		}
	}
	return keeps
}
