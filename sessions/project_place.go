package sessions

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// decision assigns directories to projects with the facts of grouping.
type decision struct {
	*grouping
	paths  map[absPath]bool    // the working directories
	owner  map[absPath]absPath // directory of a repository → directory with the .git that refers to it
	listed map[absPath]absPath // worktree → directory of its repository
	known  map[absPath]bool    // roots of projects
}

func (d *decision) placeAll() map[absPath]Place {
	// Parents come first, because a missing directory can belong to its parent's project.
	order := slices.SortedFunc(maps.Keys(d.paths), func(a, b absPath) int {
		return cmp.Or(cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.String(), b.String()))
	})
	placed := make(map[absPath]Place, len(order))
	var lost []absPath
	for _, s := range order {
		if w := d.walks[s]; w.there {
			root := d.project(s)
			placed[s] = Place{Project: root.String(), Worktree: w.git.worktree}
			d.known[root] = true
			continue
		}
		lost = append(lost, s)
		for _, sh := range worktreePaths(s) {
			if sh.sure && d.accepts(sh) {
				d.known[d.project(sh.repo)] = true
				break
			}
		}
	}
	var left []absPath
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

// lostRoot returns the project of a missing directory: the repository that lists it as a worktree, otherwise the one
// in its path, otherwise the one around it.
func (d *decision) lostRoot(s absPath) (root absPath, worktree, ok bool) {
	for dir := s; !dir.isRoot(); dir = dir.up() {
		if common, ok := d.listed[dir]; ok {
			return d.mainRoot(common), true, true
		}
	}
	near := d.walks[s].git
	if near.worktree {
		return d.mainRoot(near.common), true, true
	}
	for _, sh := range worktreePaths(s) {
		if near.found() && near.dir != sh.repo && near.dir.within(sh.repo) {
			break // the directory is in a repository inside of sh.repo
		}
		if d.accepts(sh) {
			return d.project(sh.repo), true, true
		}
	}
	if near.found() && !d.tooWide(near.dir) {
		return near.dir, false, true
	}
	return absPath{}, false, false
}

// accepts reports whether the path is proof enough for a worktree of sh.repo.
func (d *decision) accepts(sh worktreePath) bool {
	if d.walks[sh.repo].git.dir == sh.repo {
		return true
	}
	return !d.tooWide(sh.repo) && (sh.sure || d.paths[sh.repo] || d.known[sh.repo])
}

// project returns the root of an existing directory's repository, otherwise the directory.
func (d *decision) project(s absPath) absPath {
	w := d.walks[s]
	switch {
	case !w.there || !w.git.found():
		return s
	case w.git.worktree:
		return d.mainRoot(w.git.common)
	}
	return w.git.dir
}

// mainRoot returns the main worktree of a repository. A bare repository is its own root, but app/.bare has the root
// app.
func (d *decision) mainRoot(common absPath) absPath {
	const modules = "/.git/modules/"
	if dir, ok := d.owner[common]; ok {
		return dir
	}
	if super, sub, ok := strings.Cut(common.path, modules); ok {
		return absPath{common.volume, super + "/" + strings.ReplaceAll(sub, "/modules/", "/")}
	}
	if strings.HasPrefix(path.Base(common.path), ".") {
		return common.up()
	}
	return common
}

// tooWide reports whether a directory, such as the home, can't be the project of missing directories in it.
func (d *decision) tooWide(s absPath) bool { return holdsOthers(s, d.home) }

// HoldsOthers reports whether a directory usually contains projects: the root, a home directory or its parent (also
// of another machine), and the system's temporary directories. home may be "".
func HoldsOthers(dir, home string) bool {
	s, ok := parseAbsPath(dir)
	h, _ := parseAbsPath(home)
	return ok && holdsOthers(s, h)
}

func holdsOthers(s, home absPath) bool {
	if s.isRoot() || home.path != "" && home.within(s) {
		return true
	}
	first, rest, _ := strings.Cut(strings.TrimPrefix(s.path[1:], "private/"), "/") // macOS: /private/tmp
	switch first {
	case "home", "Users":
		return !strings.Contains(rest, "/")
	case "root", "tmp":
		return rest == ""
	case "var":
		return rest == "tmp"
	}
	return false
}
