package sessions

import (
	"cmp"
	"context"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Place is the project of a working directory.
type Place struct {
	Project  string // root of the repository, or else the directory itself; "" only if the directory is ""
	Worktree bool   // the directory is in a linked worktree of Project
	Gone     bool   // the directory doesn't exist on this machine
	NoAnswer bool   // the disk did not answer in time: Project is derived from the path alone
}

// Stater is the part of a file system that Places needs. Disk returns the real file system.
type Stater interface {
	Stat(name string) (fs.FileInfo, error) // follows symlinks
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
}

// Places groups working directories by project. The zero value uses the real disk.
type Places struct {
	Files Stater        // nil means Disk()
	Home  string        // no .git is searched above it, and no missing directory is assigned to it; "" if unknown
	Limit time.Duration // time limit for one disk access; 0 means 1 s
	Also  []string      // more directories whose repositories may list a missing directory as a worktree
}

// Group returns the project of each working directory. Every directory is a key of the result.
//
//   - An existing directory belongs to the repository of the nearest .git at or above it. Its project is the main
//     worktree of that repository, or the directory of a bare repository. A submodule is its own project. A directory
//     without a .git at or above it is its own project.
//   - For a missing directory, Group tries these rules in order: (1) If a repository of the other directories or of
//     Also lists it as a worktree, it belongs to that repository. (2) If its path contains
//     <repo>/.claude/worktrees/<name> or <repo>/.worktrees/<name>, it belongs to <repo>. The same is true for
//     <repo>-worktrees/<name> and <repo>.worktrees/<name> if <repo> is a repository or a known directory. (3) It
//     belongs to the innermost project that contains it, unless HoldsOthers is true for that project. (4) It is its
//     own project.
//   - A path of another system (here: C:\x) is treated as missing. It is compared as text, with either separator.
//
// The directories come from transcripts, so they may be on a mount that hangs. Each disk access has its own time limit.
// If a disk access takes longer, Group doesn't wait for it, and sets NoAnswer for all working directories in that
// directory. At most 8 accesses run at once, and each directory is read once: 2,000 sessions in 60 projects need 60
// walks. When ctx ends, Group sets NoAnswer for the remaining directories.
func (p Places) Group(ctx context.Context, workdirs []string) map[string]Place {
	return newGrouping(p, runtime.GOOS == "windows").group(ctx, workdirs)
}

// grouping is the state of one call of Group. First, grouping reads from the disk. Then, a decision assigns the
// directories to projects without disk access.
type grouping struct {
	files   Stater
	also    []string
	home    spot
	limit   time.Duration
	windows bool

	mu    sync.Mutex
	looks map[spot]*look
	walks map[spot]walk
}

func newGrouping(p Places, windows bool) *grouping {
	g := &grouping{
		files: p.Files, also: p.Also, limit: cmp.Or(p.Limit, time.Second), windows: windows,
		looks: map[spot]*look{}, walks: map[spot]walk{},
	}
	if g.files == nil {
		g.files = Disk()
	}
	g.home, _ = parseSpot(p.Home)
	return g
}

// look is the result of reading the .git of a directory. It is valid after done is closed.
type look struct {
	done     chan struct{}
	git      gitEntry
	answered bool
}

// walk has the facts about a directory.
type walk struct {
	there bool
	stuck bool
	git   gitEntry // the nearest .git at or above the directory
}

func (g *grouping) group(ctx context.Context, workdirs []string) map[string]Place {
	spots := map[spot]bool{}
	for _, w := range workdirs {
		if s, ok := parseSpot(w); ok {
			spots[s] = true
		}
	}
	g.walkAll(ctx, spots)
	repos, lost := map[spot]bool{}, false // repositories that are part of the path of a missing directory
	for s := range spots {
		if !g.walks[s].there {
			lost = true
			for _, sh := range shapes(s) {
				repos[sh.repo] = true
			}
		}
	}
	for _, dir := range g.also {
		if s, ok := parseSpot(dir); ok && lost {
			repos[s] = true
		}
	}
	g.walkAll(ctx, repos)
	d := &decision{grouping: g, spots: spots, owner: g.owners(), listed: g.listWorktrees(ctx), known: map[spot]bool{}}
	placed := d.placeAll()

	places := make(map[string]Place, len(workdirs))
	for _, w := range workdirs {
		if s, ok := parseSpot(w); ok {
			places[w] = placed[s]
		} else {
			places[w] = Place{Project: w, Gone: w != ""}
		}
	}
	return places
}

// walkAll adds the directories to g.walks that it doesn't contain yet.
func (g *grouping) walkAll(ctx context.Context, spots map[spot]bool) {
	inParallel(spots, func(s spot) {
		g.mu.Lock()
		_, known := g.walks[s]
		g.mu.Unlock()
		if known {
			return
		}
		w := g.walk(ctx, s)
		g.mu.Lock()
		g.walks[s] = w
		g.mu.Unlock()
	})
}

// walk looks for .git from the root down. So a mount that hangs is noticed once, at its root, not once for each
// directory in the mount.
func (g *grouping) walk(ctx context.Context, s spot) walk {
	if unc := len(s.volume) > len("C:"); g.windows && unc {
		return walk{stuck: true} // reading it would send the user's name to a server
	}
	if g.windows != (s.volume != "") {
		return walk{}
	}
	var chain []spot
	for dir := s; !dir.isRoot(); dir = dir.up() {
		chain = append(chain, dir)
		if dir == g.home {
			break
		}
	}
	var w walk
	for _, dir := range slices.Backward(chain) {
		l := g.look(ctx, dir)
		if !l.answered {
			w.stuck = true
			return w
		}
		if l.git.found() {
			w.git = l.git
		}
	}
	last, answered := answer(ctx, g.limit, func() walk {
		there, sure := isDir(g.files, s)
		return walk{there: there, stuck: !sure, git: w.git}
	})
	if !answered {
		w.stuck = true
		return w
	}
	return last
}

// look reads the .git of a directory. Later calls for the same directory wait for the result of the first call.
func (g *grouping) look(ctx context.Context, dir spot) *look {
	g.mu.Lock()
	l, asked := g.looks[dir]
	if !asked {
		l = &look{done: make(chan struct{})}
		g.looks[dir] = l
	}
	g.mu.Unlock()
	if asked {
		<-l.done
		return l
	}
	defer close(l.done) // deferred, because other calls wait for it even after a panic
	l.git, l.answered = answer(ctx, g.limit, func() gitEntry { return readGit(g.files, dir) })
	return l
}

// owners maps each repository directory that was found to the directory whose .git refers to it.
func (g *grouping) owners() map[spot]spot {
	owners := map[spot]spot{}
	for dir, l := range g.looks {
		if l.git.found() && !l.git.worktree {
			owners[l.git.common] = dir
		}
	}
	return owners
}

// listWorktrees maps each worktree that a repository lists to the directory of that repository. If no directory is
// missing, it reads nothing and returns an empty map.
func (g *grouping) listWorktrees(ctx context.Context) map[spot]spot {
	commons, lost := map[spot]bool{}, false
	for _, w := range g.walks {
		if w.git.found() {
			commons[w.git.common] = true
		}
		lost = lost || !w.there
	}
	listed := map[spot]spot{}
	if !lost {
		return listed
	}
	inParallel(commons, func(common spot) {
		trees, _ := answer(ctx, g.limit, func() []spot { return readWorktrees(g.files, common) })
		g.mu.Lock()
		defer g.mu.Unlock()
		for _, t := range trees {
			listed[t] = common
		}
	})
	return listed
}
