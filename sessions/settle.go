package sessions

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// The code below sets the workdir of sessions without a cwd, and the project of all sessions.

// adopt sets the workdir of sessions without a cwd: another session's cwd that has the slug of the same directory.
func (s *Set) adopt() {
	named := map[string]string{} // directory in projects/ → cwd with this slug
	for i := range s.Sessions {
		if w := s.Sessions[i].Workdir; w != "" && Slug(w) == s.files[i].slug {
			named[s.files[i].slug] = w
		}
	}
	for i := range s.Sessions {
		if s.Sessions[i].Workdir == "" {
			s.Sessions[i].Workdir = named[s.files[i].slug]
		}
	}
}

// locate groups the sessions by project.
func (s *Set) locate(ctx context.Context) {
	var dirs []string
	seen := map[string]bool{}
	for i := range s.Sessions {
		if w := s.Sessions[i].Workdir; w != "" && !seen[w] {
			seen[w] = true
			dirs = append(dirs, w)
		}
	}
	places := s.opts.Places.Group(ctx, dirs)
	if ctx.Err() == nil {
		s.opts.Known.learn(places)
	}
	for i := range s.Sessions {
		s.Sessions[i].Project = places[s.Sessions[i].Workdir].Project
	}
}

// bound removes the sessions outside the roots, but not those without a workdir. The exact pass may find the workdir.
func (s *Set) bound() {
	if len(s.opts.Roots) == 0 {
		return
	}
	kept, files := s.Sessions[:0], s.files[:0]
	for i := range s.Sessions {
		if s.Within(&s.Sessions[i]) {
			kept, files = append(kept, s.Sessions[i]), append(files, s.files[i])
		} else {
			s.Outside = append(s.Outside, s.Sessions[i].Path)
		}
	}
	s.Sessions, s.files = kept, files
}

// Within reports whether a session is in one of Options.Roots. Without roots, every session is.
func (s *Set) Within(ses *Session) bool {
	if workdir := ses.Workdir; len(s.opts.Roots) == 0 || workdir == "" && !ses.Exact {
		return true
	}
	return ses.Workdir != "" && slices.ContainsFunc(s.opts.Roots, func(root string) bool {
		rel, err := filepath.Rel(root, ses.Workdir)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// Settle sets the project of a session from its workdir. Unknown workdirs need the disk, and a dead mount takes
// seconds.
func (s *Set) Settle(ctx context.Context, ses *Session) {
	if ses.Workdir == "" {
		ses.Project = ""
		return
	}
	place, ok := s.opts.Known.placeOf(ses.Workdir)
	if !ok {
		found := s.opts.Places.Group(ctx, []string{ses.Workdir})
		if ctx.Err() == nil {
			s.opts.Known.learn(found)
		}
		place = found[ses.Workdir]
	}
	ses.Project = place.Project
}

// Known caches the projects of directories and the session IDs of old sub-agents' files, for several discoveries. The
// zero value is empty. It is safe for concurrent use.
type Known struct {
	mu    sync.Mutex
	place map[string]Place
	owner map[string]string
}

func (k *Known) placeOf(workdir string) (Place, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok := k.place[workdir]
	return p, ok
}

func (k *Known) learn(places map[string]Place) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.place == nil {
		k.place = map[string]Place{}
	}
	maps.Copy(k.place, places)
}

func (k *Known) ownerOf(path string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.owner[path]
}

func (k *Known) own(path, owner string) {
	if owner == "" {
		return // the file may still be empty, so read it again next time
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.owner == nil {
		k.owner = map[string]string{}
	}
	k.owner[path] = owner
}

// firstFiles is the number of sessions for Options.First, a little more than a screen.
const firstFiles = 64

// newest returns the sessions of the n files that were modified last, sorted as in the list.
func (s *Set) newest(ctx context.Context, n int) []Session {
	list := slices.DeleteFunc(slices.Clone(s.Sessions[:n]), func(ses Session) bool { return !s.Within(&ses) })
	var dirs []string
	for i := range list {
		if w := list[i].Workdir; w != "" && !slices.Contains(dirs, w) {
			dirs = append(dirs, w)
		}
	}
	places := s.opts.Places.Group(ctx, dirs)
	for i := range list {
		list[i].Project = places[list[i].Workdir].Project
	}
	sortSessions(list)
	return list
}
