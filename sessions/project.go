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
	Project  string // root of the repository, otherwise the directory; "" if the directory is ""
	Worktree bool   // the directory is in a linked worktree of Project
	Gone     bool   // the directory doesn't exist on this machine
	NoAnswer bool   // the disk didn't answer in time, so Project comes from the path
}

// Stater is the part of a file system that Places needs. Disk returns the real one.
type Stater interface {
	Stat(name string) (fs.FileInfo, error) // follows symlinks
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
}

// Places groups working directories by project. The zero value uses the real disk.
type Places struct {
	Files Stater        // nil means Disk()
	Home  string        // no .git is searched above it, and it gets no missing directories; "" if unknown
	Limit time.Duration // time limit for one disk access; 0 means 1 s
	Also  []string      // more directories, whose repositories may list missing worktrees
}

// Group returns the project of each working directory. Every directory is a key of the result.
//
//   - An existing directory belongs to the repository of the nearest .git at or above it. Its project is the main
//     worktree of that repository, or the directory of a bare repository. A submodule is its own project.
//   - Without a .git, an existing directory is its own project.
//   - A missing directory belongs to the repository that lists it as a worktree. Group looks in the repositories of
//     the other directories and of Also.
//   - Otherwise, it belongs to <repo> if its path contains <repo>/.claude/worktrees/<name> or
//     <repo>/.worktrees/<name>. If <repo> is a repository or a known directory, <repo>-worktrees/<name> and
//     <repo>.worktrees/<name> count, too.
//   - Otherwise, it belongs to the innermost project that contains it, unless HoldsOthers is true for that project.
//   - Otherwise, it is its own project.
//   - A path of another system (here: C:\x) counts as missing. Its text is compared, with either separator.
//
// The directories come from transcripts, so they may be on a mount that hangs. Each disk access has its own time
// limit. If reading a directory takes longer, Group sets NoAnswer for all working directories in it. At most 8
// accesses run at once, and each directory is read once. When ctx ends, Group sets NoAnswer for the remaining
// directories.
func (p Places) Group(ctx context.Context, workdirs []string) map[string]Place {
	return newGrouping(p, runtime.GOOS == "windows").group(ctx, workdirs)
}

// grouping is the state of Group. It reads the disk. Then decision assigns directories to projects.
type grouping struct {
	files   Stater
	also    []string
	home    absPath
	limit   time.Duration
	windows bool

	mu      sync.Mutex
	lookups map[absPath]*gitLookup
	walks   map[absPath]dirFacts
}

func newGrouping(p Places, windows bool) *grouping {
	g := &grouping{
		files: p.Files, also: p.Also, limit: cmp.Or(p.Limit, time.Second), windows: windows,
		lookups: map[absPath]*gitLookup{}, walks: map[absPath]dirFacts{},
	}
	if g.files == nil {
		g.files = Disk()
	}
	g.home, _ = parseAbsPath(p.Home)
	return g
}

// gitLookup is the result of reading a .git. It is valid after done is closed.
type gitLookup struct {
	done     chan struct{}
	git      gitEntry
	answered bool
}

// dirFacts describes a working directory.
type dirFacts struct {
	there bool
	stuck bool
	git   gitEntry // the nearest .git at or above the directory
}

func (g *grouping) group(ctx context.Context, workdirs []string) map[string]Place {
	paths := map[absPath]bool{}
	for _, w := range workdirs {
		if s, ok := parseAbsPath(w); ok {
			paths[s] = true
		}
	}
	g.walkAll(ctx, paths)
	repos, lost := map[absPath]bool{}, false // repositories in the paths of missing directories
	for s := range paths {
		if !g.walks[s].there {
			lost = true
			for _, sh := range worktreePaths(s) {
				repos[sh.repo] = true
			}
		}
	}
	for _, dir := range g.also {
		if s, ok := parseAbsPath(dir); ok && lost {
			repos[s] = true
		}
	}
	g.walkAll(ctx, repos)
	d := &decision{grouping: g, paths: paths, owner: g.owners(), listed: g.listWorktrees(ctx), known: map[absPath]bool{}}
	placed := d.placeAll()

	places := make(map[string]Place, len(workdirs))
	for _, w := range workdirs {
		if s, ok := parseAbsPath(w); ok {
			places[w] = placed[s]
		} else {
			places[w] = Place{Project: w, Gone: w != ""}
		}
	}
	return places
}

// walkAll adds facts about unknown directories to g.walks.
func (g *grouping) walkAll(ctx context.Context, paths map[absPath]bool) {
	inParallel(paths, func(s absPath) {
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

// walk searches for .git from the root down. A mount that hangs then costs one timeout, not one per directory.
func (g *grouping) walk(ctx context.Context, s absPath) dirFacts {
	if unc := len(s.volume) > len("C:"); g.windows && unc {
		return dirFacts{stuck: true} // reading it would send the user's name to a server
	}
	if g.windows != (s.volume != "") {
		return dirFacts{}
	}
	var chain []absPath
	for dir := s; !dir.isRoot(); dir = dir.up() {
		chain = append(chain, dir)
		if dir == g.home {
			break
		}
	}
	var w dirFacts
	for _, dir := range slices.Backward(chain) {
		l := g.lookUp(ctx, dir)
		if !l.answered {
			w.stuck = true
			return w
		}
		if l.git.found() {
			w.git = l.git
		}
	}
	last, answered := answer(ctx, g.limit, func() dirFacts {
		there, sure := isDir(g.files, s)
		return dirFacts{there: there, stuck: !sure, git: w.git}
	})
	if !answered {
		w.stuck = true
		return w
	}
	return last
}

// lookUp reads the .git of a directory once. Later calls wait for the first one.
func (g *grouping) lookUp(ctx context.Context, dir absPath) *gitLookup {
	g.mu.Lock()
	l, asked := g.lookups[dir]
	if !asked {
		l = &gitLookup{done: make(chan struct{})}
		g.lookups[dir] = l
	}
	g.mu.Unlock()
	if asked {
		<-l.done
		return l
	}
	defer close(l.done) // deferred: other calls wait for it, even after a panic
	l.git, l.answered = answer(ctx, g.limit, func() gitEntry { return readGit(g.files, dir) })
	return l
}

// owners maps each repository directory to the directory whose .git refers to it.
func (g *grouping) owners() map[absPath]absPath {
	owners := map[absPath]absPath{}
	for dir, l := range g.lookups {
		if l.git.found() && !l.git.worktree {
			owners[l.git.common] = dir
		}
	}
	return owners
}

// listWorktrees maps worktrees to the repository directory that lists them. It runs only for missing directories.
func (g *grouping) listWorktrees(ctx context.Context) map[absPath]absPath {
	commons, lost := map[absPath]bool{}, false
	for _, w := range g.walks {
		if w.git.found() {
			commons[w.git.common] = true
		}
		lost = lost || !w.there
	}
	listed := map[absPath]absPath{}
	if !lost {
		return listed
	}
	inParallel(commons, func(common absPath) {
		trees, _ := answer(ctx, g.limit, func() []absPath { return readWorktrees(g.files, common) })
		g.mu.Lock()
		defer g.mu.Unlock()
		for _, t := range trees {
			listed[t] = common
		}
	})
	return listed
}
