package sessions

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// decision assigns directories to projects. It uses the facts that grouping has read.
type decision struct {
	*grouping
	spots  map[spot]bool // the working directories
	owner  map[spot]spot // repository directory → the directory whose .git refers to it
	listed map[spot]spot // worktree → repository directory
	known  map[spot]bool // roots of projects
}

func (d *decision) placeAll() map[spot]Place {
	// Place shorter paths first. So a directory that is its own project is known before its subdirectories are placed.
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

// lostRoot returns the project of a missing directory. The project is the repository that lists the directory as a
// worktree, or else the repository in its path, or else the repository that contains it.
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
			break // the existing part of the path is in a nested repository
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

// accepts reports whether a path with this shape is accepted as a worktree of sh.repo.
func (d *decision) accepts(sh shape) bool {
	if d.walks[sh.repo].git.dir == sh.repo {
		return true
	}
	return !d.tooWide(sh.repo) && (sh.sure || d.spots[sh.repo] || d.known[sh.repo])
}

// project returns the root of the repository that contains a directory, or the directory itself if there is none.
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

// mainRoot returns the main worktree of a repository. A bare repository is its own root, unless its name starts with a
// dot: the root of app/.bare is app, the directory of its worktrees.
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

// tooWide reports whether s is too general to be the project of a missing directory in it.
func (d *decision) tooWide(s spot) bool { return holdsOthers(s, d.home) }

// HoldsOthers reports whether a directory contains projects but isn't a project. It returns true for the root, for a
// home directory and its parent (even if they are from another machine), and for a temporary directory of the system.
// home may be "".
func HoldsOthers(dir, home string) bool {
	s, ok := parseSpot(dir)
	h, _ := parseSpot(home)
	return ok && holdsOthers(s, h)
}

func holdsOthers(s, home spot) bool {
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
