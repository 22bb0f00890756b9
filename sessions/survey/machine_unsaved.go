package survey

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// This file finds the sessions that ended without a backup as the catalogue does (sessions.FlagNoBackup), with far less
// work: a copy keeps the time of its transcript, so that of one that has not changed since is known by time and length,
// and that of one to which the client added something when it ended by the moment. Only what is left is looked into: a
// transcript at both ends, and the copies that are nobody else's for the id in them. 400 sessions in 40 projects cost
// 800 looks at a file and no reading.

const (
	// traceSlack is how long after the backup of a session its client may still add to the transcript.
	traceSlack = 3 * time.Second
	traceAdded = 4 << 10 // and how many bytes: some records of metadata
)

// trace is a transcript, and whether a backup of it was found.
type trace struct {
	sessions.Listed
	saved bool
}

// keep is what is known of the memory of a folder in which backups are made.
type keep struct {
	backup.Found
	trees []string // linked worktrees of its repository
}

// keepOf looks at the memory of a folder: its Since is zero where no backups are made, for no hook acts there.
func keepOf(act func(folder string) bool) func(ctx context.Context, folder string) (keep, error) {
	return func(ctx context.Context, folder string) (keep, error) {
		found, err := backup.Stock(ctx, folder, nil)
		if err != nil || found.Since.IsZero() {
			return keep{}, err
		}
		if !act(folder) {
			return keep{Found: backup.Found{Backups: found.Backups}}, nil // they are counted
		}
		return keep{found, sessions.Worktrees(sessions.Disk(), folder)}, nil
	}
}

// search is one run of unsaved.
type search struct {
	l      *MachineLook
	keeps  map[string]keep     // by folder
	places map[string][]string // directory of transcripts → folders whose sessions can be in it
	copies map[string][]*copyOf
}

// copyOf is a backup, and whose it may be.
type copyOf struct {
	*backup.Backup
	taken bool     // by the transcript that it is a copy of
	near  []*trace // that were written to when it was made
	owner func() string
}

// unsaved finds the sessions that ended without a backup in folders where they are made.
func (l *MachineLook) unsaved(ctx context.Context, start time.Time, s *Machine, keeps map[string]keep, slugs map[string][]string) {
	if len(keeps) == 0 {
		return
	}
	u := &search{l: l, keeps: keeps, places: placesOf(l.Dirs, keeps, slugs), copies: map[string][]*copyOf{}}
	for folder, k := range keeps {
		for _, list := range [][]backup.Backup{k.Backups, k.Discarded} {
			for i := range list {
				u.copies[folder] = append(u.copies[folder], &copyOf{Backup: &list[i], owner: sync.OnceValue(func() string { return l.Owner(&list[i]) })})
			}
		}
	}
	dirs := make([]string, 0, len(u.places))
	for dir := range u.places {
		dirs = append(dirs, dir)
	}
	listed := sessions.AskAll(ctx, start.Add(tracesBy), dirs, func(ctx context.Context, dir string) []trace {
		var list []trace
		for _, t := range l.traces(ctx, dir, u.since(dir)) {
			list = append(list, trace{Listed: t})
		}
		return list
	})
	s.Unknown += len(dirs) - len(listed)
	u.pair(listed)
	live := map[string]bool{}
	for i := range s.Live {
		live[s.Live[i].SessionID] = true
	}
	traces := map[string]*trace{}
	var left []string
	for _, list := range listed {
		for i := range list {
			if t := &list[i]; !t.saved && !live[t.ID] {
				left, traces[t.Path] = append(left, t.Path), t
			}
		}
	}
	looked := sessions.AskAll(ctx, start.Add(unsavedBy), left, func(ctx context.Context, path string) sessions.Session {
		return u.look(ctx, traces[path])
	})
	s.Unknown += len(left) - len(looked)
	u.judge(ctx, s, looked)
}

// placesOf says in which directories of transcripts the sessions of folders are: those of the folder and of what is in
// it, and the same of its worktrees. Several folders can have one, and what is in it can be of none.
func placesOf(dirs []string, keeps map[string]keep, slugs map[string][]string) map[string][]string {
	places := map[string][]string{}
	for folder, k := range keeps {
		for _, at := range append([]string{folder}, k.trees...) {
			slug := sessions.Slug(at)
			for _, dir := range dirs {
				for _, name := range slugs[dir] {
					if rest, ok := strings.CutPrefix(name, slug); !ok || rest != "" && rest[0] != '-' {
						continue
					}
					if path := filepath.Join(dir, "projects", name); !slices.Contains(places[path], folder) {
						places[path] = append(places[path], folder)
					}
				}
			}
		}
	}
	return places
}

// since is when the first of the folders of a directory began to have backups.
func (u *search) since(dir string) time.Time {
	var since time.Time
	for _, folder := range u.places[dir] {
		if at := u.keeps[folder].Since; since.IsZero() || at.Before(since) {
			since = at
		}
	}
	return since
}

// pair finds the copies of transcripts without a look into any of them.
func (u *search) pair(listed map[string][]trace) {
	each := func(do func(t *trace, c *copyOf)) {
		for dir, list := range listed {
			for i := range list {
				for _, folder := range u.places[dir] {
					for _, c := range u.copies[folder] {
						if !c.taken && !list[i].saved {
							do(&list[i], c)
						}
					}
				}
			}
		}
	}
	each(func(t *trace, c *copyOf) {
		if c.Bytes == t.Bytes && c.Modified.Equal(t.Modified) {
			t.saved, c.taken = true, true
		}
	})
	each(func(t *trace, c *copyOf) {
		if c.isNear(t) {
			c.near = append(c.near, t)
		}
	})
	each(func(t *trace, c *copyOf) {
		if len(c.near) == 1 && c.near[0] == t && t.Bytes-c.Bytes <= traceAdded {
			t.saved, c.taken = true, true
		}
	})
}

// isNear reports whether a transcript was last written to when the copy was made, or no later than its client may have
// added to it.
func (c *copyOf) isNear(t *trace) bool {
	early, late := t.Modified.Add(-traceSlack), t.Modified.Add(traceSlack)
	return c.Bytes <= t.Bytes && c.Made.After(early) && (c.Made.Before(late) || c.Modified.After(early) && c.Modified.Before(late))
}

// look looks into a transcript. The session is empty where there is a backup, or nothing to back up.
func (u *search) look(ctx context.Context, t *trace) sessions.Session {
	var none sessions.Session
	is := func(like func(c *copyOf) bool) bool {
		for _, folder := range u.places[filepath.Dir(t.Path)] {
			if slices.ContainsFunc(u.copies[folder], func(c *copyOf) bool { return !c.taken && like(c) && c.owner() == t.ID }) {
				return true
			}
		}
		return false
	}
	if is(func(c *copyOf) bool { return slices.Contains(c.near, t) }) {
		return none
	}
	ses := u.l.Peek(ctx, t.Path)
	if ses.MayRun(u.l.Now()) || ses.Last.IsZero() || ses.State == sessions.StateUnreadable || ses.Exact && ses.Messages == 0 {
		return none
	}
	if is(func(c *copyOf) bool { return c.Made.Add(time.Second).After(ses.Last) }) {
		return none
	}
	return ses
}

// judge counts the sessions without a backup that belong where some are made.
func (u *search) judge(ctx context.Context, s *Machine, looked map[string]sessions.Session) {
	var ask []string
	for _, ses := range looked {
		if _, ok := u.keeps[ses.Workdir]; !ok && ses.Workdir != "" && !slices.Contains(ask, ses.Workdir) {
			ask = append(ask, ses.Workdir)
		}
	}
	projects := map[string]string{}
	if len(ask) > 0 {
		projects = u.l.places(ctx, ask)
	}
	for _, ses := range looked {
		folder := ses.Workdir
		if _, ok := u.keeps[folder]; !ok {
			folder = projects[ses.Workdir]
		}
		if backup.Missed(u.keeps[folder].Since, ses.Last, time.Time{}) {
			s.Unsaved = append(s.Unsaved, Unsaved{folder, ses.Last})
		}
	}
}
