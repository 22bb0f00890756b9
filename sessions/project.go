package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Place is where a working directory belongs.
type Place struct {
	Project  string // root of its repository, else the directory itself; "" only for ""
	Worktree bool   // it is in a linked worktree of Project
	Gone     bool   // this machine has no such directory
	NoAnswer bool   // the disk did not answer in time, so that only its path decided; it may be there
}

// Stater is what Places needs of a file system. Disk is the real one.
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
}

// Group says where each working directory belongs; the result has every one of them as a key.
//
//   - A directory belongs to the nearest .git at or above it. A linked worktree belongs to its main worktree,
//     or to the bare repository; a submodule is a project of its own. Without a .git it is its own project.
//   - One that is gone belongs to the repository that has it on its list of worktrees; else to the one that its
//     path tells of: <repo>/.claude/worktrees/<name>, <repo>/.worktrees/<name>, and, if <repo> is a repository
//     or a known directory, <repo>-worktrees/<name> and <repo>.worktrees/<name>; else to the longest project
//     that contains it, other than somebody's home; else it is its own project.
//   - A path of another system (C:\x here) is gone, and compared as text with either separator.
//
// The directories come from transcripts, so they may be on a mount that hangs. Each look has its own time
// limit; one that hangs is left behind, and everything below that directory counts as unanswered. At most 8
// looks run at once, and each directory is looked at once: 2,000 sessions in 60 projects cost 60 walks. The
// end of ctx leaves the rest unanswered.
func (p Places) Group(ctx context.Context, workdirs []string) map[string]Place {
	return newGrouping(p, runtime.GOOS == "windows").group(ctx, workdirs)
}

// grouping is one run of Group: first everything is looked up, then place decides without the disk.
type grouping struct {
	files   Stater
	home    spot
	limit   time.Duration
	windows bool

	mu    sync.Mutex
	looks map[spot]*look
	walks map[spot]walk
}

func newGrouping(p Places, windows bool) *grouping {
	g := &grouping{
		files: p.Files, limit: cmp.Or(p.Limit, time.Second), windows: windows,
		looks: map[spot]*look{}, walks: map[spot]walk{},
	}
	if g.files == nil {
		g.files = Disk()
	}
	g.home, _ = parseSpot(p.Home)
	return g
}

// look is what a directory has as its .git; it can be read when done is closed.
type look struct {
	done     chan struct{}
	git      gitEntry
	answered bool
}

// walk is what is known of a directory.
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
	repos := map[spot]bool{} // that directories that are not there tell of
	for s := range spots {
		if !g.walks[s].there {
			for _, sh := range shapes(s) {
				repos[sh.repo] = true
			}
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

// walk looks for .git from the top down, so that a mount that hangs is noticed at its root, once for all of the
// directories on it, instead of once for each.
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
	l.git, l.answered = answer(ctx, g.limit, func() gitEntry { return readGit(g.files, dir) })
	close(l.done)
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

// decision places directories by what was looked up.
type decision struct {
	*grouping
	spots  map[spot]bool // the working directories
	owner  map[spot]spot // repository directory → the directory that has it as its .git
	listed map[spot]spot // worktree → repository directory
	known  map[spot]bool // roots of projects
}

func (d *decision) placeAll() map[spot]Place {
	// Shorter paths first: a directory that is its own project is known before those in it are placed.
	order := slices.SortedFunc(maps.Keys(d.spots), func(a, b spot) int {
		return cmp.Or(cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.String(), b.String()))
	})
	placed := make(map[spot]Place, len(order))
	var lost []spot
	for _, s := range order {
		if w := d.walks[s]; w.there {
			root := d.project(s)
			placed[s] = Place{Project: root.String(), Worktree: w.git.worktree}
			d.known[root] = true
			continue
		}
		lost = append(lost, s)
		for _, sh := range shapes(s) {
			if sh.sure && d.accepts(sh) {
				d.known[d.project(sh.repo)] = true
				break
			}
		}
	}
	var left []spot
	for _, s := range lost {
		if root, worktree, ok := d.lostRoot(s); ok {
			placed[s] = Place{Project: root.String(), Worktree: worktree}
			d.known[root] = true
		} else {
			left = append(left, s)
		}
	}
	for _, s := range left {
		root := s
		for dir := s; !dir.isRoot(); dir = dir.up() {
			if d.known[dir] && (dir == s || !d.tooWide(dir)) {
				root = dir
				break
			}
		}
		d.known[root] = true
		placed[s] = Place{Project: root.String()}
	}
	for _, s := range lost {
		p := placed[s]
		p.NoAnswer = d.walks[s].stuck
		p.Gone = !p.NoAnswer
		placed[s] = p
	}
	return placed
}

// lostRoot is the project of a directory that is not there, if a repository lists it, is told of by its path,
// or is around it.
func (d *decision) lostRoot(s spot) (root spot, worktree, ok bool) {
	for dir := s; !dir.isRoot(); dir = dir.up() {
		if common, ok := d.listed[dir]; ok {
			return d.mainRoot(common), true, true
		}
	}
	near := d.walks[s].git
	if near.worktree {
		return d.mainRoot(near.common), true, true
	}
	for _, sh := range shapes(s) {
		if near.found() && near.dir != sh.repo && near.dir.within(sh.repo) {
			break // what is left of it is in a repository of its own
		}
		if d.accepts(sh) {
			return d.project(sh.repo), true, true
		}
	}
	if near.found() && !d.tooWide(near.dir) {
		return near.dir, false, true
	}
	return spot{}, false, false
}

// accepts reports whether the path alone is enough to call it a worktree of that repository.
func (d *decision) accepts(sh shape) bool {
	if d.walks[sh.repo].git.dir == sh.repo {
		return true
	}
	return !d.tooWide(sh.repo) && (sh.sure || d.spots[sh.repo] || d.known[sh.repo])
}

// project is the root for a directory: of its repository if it is there, else itself.
func (d *decision) project(s spot) spot {
	w := d.walks[s]
	switch {
	case !w.there || !w.git.found():
		return s
	case w.git.worktree:
		return d.mainRoot(w.git.common)
	}
	return w.git.dir
}

// mainRoot is where a repository has its main worktree. A bare one has none: it is its own root, but one that
// is hidden in the directory of its worktrees (app/.bare) stands for that directory.
func (d *decision) mainRoot(common spot) spot {
	const modules = "/.git/modules/"
	if dir, ok := d.owner[common]; ok {
		return dir
	}
	if super, sub, ok := strings.Cut(common.path, modules); ok {
		return spot{common.volume, super + "/" + strings.ReplaceAll(sub, "/modules/", "/")}
	}
	if strings.HasPrefix(path.Base(common.path), ".") {
		return common.up()
	}
	return common
}

// tooWide reports whether a directory holds so much that what is gone in it need not have belonged to it: a
// root, a home, or what holds homes, also another machine's.
func (d *decision) tooWide(s spot) bool {
	if s.isRoot() || d.home.path != "" && d.home.within(s) {
		return true
	}
	first, rest, _ := strings.Cut(s.path[1:], "/")
	switch first {
	case "home", "Users":
		return !strings.Contains(rest, "/")
	case "root":
		return rest == ""
	}
	return false
}

// gitEntry is what a directory has as its .git. Zero: none.
type gitEntry struct {
	dir      spot
	common   spot // directory of the repository: objects, refs, worktrees
	worktree bool // dir is a linked worktree
}

func (e gitEntry) found() bool { return e.dir.path != "" }

// readGit reads what .git is: a directory, or a file that names one (gitrepository-layout(5)). The admin
// directory of a linked worktree has a file commondir; if it is gone itself, its path tells.
func readGit(files Stater, dir spot) gitEntry {
	name := dir.join(".git")
	info, err := files.Stat(name.String())
	switch {
	case err != nil:
		return gitEntry{}
	case info.IsDir():
		return gitEntry{dir: dir, common: name}
	case !info.Mode().IsRegular():
		return gitEntry{}
	}
	data, err := files.ReadFile(name.String())
	text, ok := strings.CutPrefix(string(data), "gitdir:")
	text = strings.Trim(text, " \r\n")
	if err != nil || !ok || text == "" {
		return gitEntry{}
	}
	admin := dir.resolve(text)
	if data, err := files.ReadFile(admin.join("commondir").String()); err == nil {
		common := admin.resolve(strings.Trim(string(data), "\r\n"))
		return gitEntry{dir: dir, common: common, worktree: common != admin}
	}
	if there, _ := isDir(files, admin); !there && path.Base(admin.up().path) == "worktrees" {
		return gitEntry{dir: dir, common: admin.up().up(), worktree: true}
	}
	return gitEntry{dir: dir, common: admin}
}

// readWorktrees lists the linked worktrees of a repository, those included whose directories are gone: each has
// a file worktrees/<name>/gitdir that names its .git, from Git 2.48 on possibly relative to the file's place.
func readWorktrees(files Stater, common spot) []spot {
	dir := common.join("worktrees")
	entries, err := files.ReadDir(dir.String())
	if err != nil {
		return nil
	}
	var trees []spot
	for _, e := range entries {
		admin := dir.join(e.Name())
		data, err := files.ReadFile(admin.join("gitdir").String())
		if text := strings.Trim(string(data), "\r\n"); err == nil && text != "" {
			trees = append(trees, admin.resolve(text).up())
		}
	}
	return trees
}

// isDir reports whether the directory is there, and whether that is sure. One that may not be looked at is
// there; any other error says nothing: a mount without its server answers with one sooner or later.
func isDir(files Stater, s spot) (there, sure bool) {
	info, err := files.Stat(s.String())
	switch {
	case err == nil:
		return info.IsDir(), true
	case errors.Is(err, fs.ErrPermission):
		return true, true
	}
	for _, no := range []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP, syscall.EINVAL} {
		if errors.Is(err, no) {
			return false, true
		}
	}
	return false, false
}

// Disk returns the real file system. Its ReadFile takes regular files of at most 64 KB, as Git writes them.
func Disk() Stater { return disk{} }

type disk struct{}

func (disk) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

func (disk) ReadFile(name string) ([]byte, error) {
	const limit = 64 << 10
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("git file %s: no regular file of at most 64 KB", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// answer runs f, but waits for it no longer than the limit and ctx allow. A call that hangs in the kernel cannot
// be ended: its goroutine is left behind and its answer dropped.
func answer[T any](ctx context.Context, limit time.Duration, f func() T) (v T, ok bool) {
	if ctx.Err() != nil {
		return v, false
	}
	got := make(chan T, 1)
	go func() { got <- f() }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case v = <-got:
		return v, true
	case <-timer.C:
	case <-ctx.Done():
	}
	return v, false
}

// inParallel calls do with every item, at most 8 at a time.
func inParallel(items map[spot]bool, do func(spot)) {
	const workers = 8
	todo := make(chan spot)
	var running sync.WaitGroup
	for range min(workers, len(items)) {
		running.Go(func() {
			for s := range todo {
				do(s)
			}
		})
	}
	for s := range items {
		todo <- s
	}
	close(todo)
	running.Wait()
}
