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
	Project  string // root of its repository, else the directory itself; "" only for ""
	Worktree bool   // it is in a linked worktree of Project
	Gone     bool   // this machine has no such directory
	NoAnswer bool   // the disk did not answer in time, so that only its path decided; it may be there
}

// Stater is the part of a file system that Places needs. Disk is the real one.
type Stater interface {
	Stat(name string) (fs.FileInfo, error) // follows symlinks
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
}

// Places groups working directories by project. The zero value works on the real disk.
type Places struct {
	Files Stater        // nil is Disk()
	Home  string        // no .git is looked for above it, and it takes in no directory that is gone; "" unknown
	Limit time.Duration // for one look at the disk; 0 is 1 s
	Also  []string      // more directories whose repositories may list a missing directory as a worktree
}

// Group says where each working directory belongs; the result has every one of them as a key.
//
//   - A directory belongs to the nearest .git at or above it. A linked worktree belongs to its main worktree,
//     or to the bare repository; a submodule is a project of its own. Without a .git it is its own project.
//   - One that is gone belongs to the repository that has it on its list of worktrees, of those that the other
//     directories and Also are in; else to the one that its path tells of: <repo>/.claude/worktrees/<name>,
//     <repo>/.worktrees/<name>, and, if <repo> is a repository or a known directory, <repo>-worktrees/<name> and
//     <repo>.worktrees/<name>; else to the longest project that contains it, unless HoldsOthers is true of that; else it
//     is its own project.
//   - A path of another system (C:\x here) is gone, and compared as text with either separator.
//
// The directories come from transcripts, so they may be on a mount that hangs. Each look has its own time
// limit; one that hangs is left behind, and everything below that directory counts as unanswered. At most 8
// looks run at once, and each directory is looked at once: 2,000 sessions in 60 projects cost 60 walks. The
// end of ctx leaves the rest unanswered.
func (p Places) Group(ctx context.Context, workdirs []string) map[string]Place {
	return newGrouping(p, runtime.GOOS == "windows").group(ctx, workdirs)
}

// grouping is one run of Group: it looks everything up first, then place decides without the disk.
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

// look is the .git of a directory; it may be read once done is closed.
type look struct {
	done     chan struct{}
	git      gitEntry
	answered bool
}

// walk holds the facts about a directory.
type walk struct {
	there bool
	stuck bool
	git   gitEntry // the nearest at or above it
}

func (g *grouping) group(ctx context.Context, workdirs []string) map[string]Place {
	spots := map[spot]bool{}
	for _, w := range workdirs {
		if s, ok := parseSpot(w); ok {
			spots[s] = true
		}
	}
	g.walkAll(ctx, spots)
	repos, lost := map[spot]bool{}, false // that missing directories name
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

// walkAll walks to every directory that was not walked to yet.
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

// walk looks for .git from the root down, so that a hanging mount is noticed once at its root, not once for each
// directory on it.
func (g *grouping) walk(ctx context.Context, s spot) walk {
	if unc := len(s.volume) > len("C:"); g.windows && unc {
		return walk{stuck: true} // asking would send this user's name to a server that a transcript named
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

// look asks for the .git of a directory; all but the first to ask wait for the first one's answer.
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
	defer close(l.done) // also when the look panics: others wait
	l.git, l.answered = answer(ctx, g.limit, func() gitEntry { return readGit(g.files, dir) })
	return l
}

// owners maps the directory of each repository that was seen to the directory that has it as its .git.
func (g *grouping) owners() map[spot]spot {
	owners := map[spot]spot{}
	for dir, l := range g.looks {
		if l.git.found() && !l.git.worktree {
			owners[l.git.common] = dir
		}
	}
	return owners
}

// listWorktrees maps the worktrees that the repositories list to the directories of these repositories. It is
// only asked for when a directory is not there.
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
