package cli

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// This file finds the sessions that ended without a backup as the catalogue does (sessions.FlagNoBackup), with far less
// work: a transcript that has not changed since its backup was made is known by the time of the file, which the copy
// keeps, and one that was written to a moment later by the id in the copy. Only the others are looked into, at both ends.

// traceSlack is how long after the last message, or the backup of a session, its client may still write to the
// transcript: it adds some metadata when it ends (client 2.1.329).
const traceSlack = 3 * time.Second

// trace is a transcript as its directory lists it.
type trace struct {
	path, id string
	bytes    int64
	modified time.Time
}

// unsaved is a session that ended without a backup.
type unsaved struct {
	project string // the folder that has the memory
	last    time.Time
}

// keep is what is known of the memory of a folder in which backups are made.
type keep struct {
	backup.Found
	trees []string // linked worktrees of its repository
}

// keepOf looks at the memory of a folder: zero where no backups are made.
func keepOf(ctx context.Context, folder string) (keep, error) {
	found, err := backup.Stock(ctx, folder, nil)
	if err != nil || found.Since.IsZero() {
		return keep{}, err
	}
	return keep{found, sessions.Worktrees(sessions.Disk(), folder)}, nil
}

// tracesIn lists the transcripts of a directory that were written to after a time.
func tracesIn(_ context.Context, dir string, since time.Time) []trace {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // the list says so
	}
	var list []trace
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if !ok || !sessions.IsUUID(id) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err == nil && e.Type()&fs.ModeSymlink != 0 {
			info, err = os.Stat(path)
		}
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 && info.ModTime().After(since) {
			list = append(list, trace{path, id, info.Size(), info.ModTime()})
		}
	}
	return list
}

// slugsIn lists the directories of transcripts of a config dir.
func slugsIn(_ context.Context, dir string) []string {
	entries, err := os.ReadDir(filepath.Join(dir, "projects"))
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// search is one run of unsaved.
type search struct {
	l      *statusLook
	keeps  map[string]keep     // by folder
	places map[string][]string // directory of transcripts → folders whose sessions can be in it
	owners sync.Map            // path of a backup → func() string, the id of its session
}

// unsaved finds the sessions that ended without a backup in folders where they are made.
func (l *statusLook) unsaved(ctx context.Context, start time.Time, s *status, keeps map[string]keep, slugs map[string][]string) {
	if len(keeps) == 0 {
		return
	}
	u := &search{l: l, keeps: keeps, places: placesOf(l.dirs, keeps, slugs)}
	dirs := make([]string, 0, len(u.places))
	for dir := range u.places {
		dirs = append(dirs, dir)
	}
	live := map[string]bool{}
	for i := range s.live {
		live[s.live[i].SessionID] = true
	}
	listed := askAll(ctx, start.Add(statusTraces), dirs, func(ctx context.Context, dir string) []trace {
		return l.traces(ctx, dir, u.since(dir))
	})
	s.unknown += len(dirs) - len(listed)
	traces := map[string]trace{}
	var left []string
	for dir, list := range listed {
		for _, t := range list {
			if !live[t.id] && !u.isCopied(dir, &t) {
				left, traces[t.path] = append(left, t.path), t
			}
		}
	}
	looked := askAll(ctx, start.Add(statusUnsaved), left, func(ctx context.Context, path string) sessions.Session {
		t := traces[path]
		return u.look(ctx, &t)
	})
	u.judge(ctx, s, looked)
	s.unknown += len(left) - len(looked)
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
					if path := filepath.Join(dir, "projects", name); (name == slug || strings.HasPrefix(name, slug+"-")) &&
						!slices.Contains(places[path], folder) {
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

// each calls do with the backups of a directory's folders, those in the trash too, until it says that this is enough.
func (u *search) each(dir string, do func(b *backup.Backup) (enough bool)) bool {
	for _, folder := range u.places[dir] {
		k := u.keeps[folder]
		for _, list := range [][]backup.Backup{k.Backups, k.Discarded} {
			for i := range list {
				if do(&list[i]) {
					return true
				}
			}
		}
	}
	return false
}

// isCopied reports whether there is a backup that keeps time and length of a transcript.
func (u *search) isCopied(dir string, t *trace) bool {
	return u.each(dir, func(b *backup.Backup) bool { return b.Bytes == t.bytes && b.Modified.Equal(t.modified) })
}

// look looks into a transcript unless it was written to no later than traceSlack after its backup; then the session is
// empty, as for one that has a backup.
func (u *search) look(ctx context.Context, t *trace) sessions.Session {
	dir, early := filepath.Dir(t.path), t.modified.Add(-traceSlack)
	near := func(at time.Time) bool { return at.After(early) && at.Before(t.modified.Add(traceSlack)) }
	if u.each(dir, func(b *backup.Backup) bool {
		return (near(b.Made) || near(b.Modified) && b.Made.After(early)) && u.owner(b) == t.id
	}) {
		return sessions.Session{}
	}
	ses := u.l.peek(ctx, t.path)
	if ses.Last.IsZero() || ses.State == sessions.StateUnreadable || ses.Exact && ses.Messages == 0 {
		return sessions.Session{}
	}
	if u.each(dir, func(b *backup.Backup) bool {
		return b.Made.Add(time.Second).After(ses.Last) && u.owner(b) == t.id
	}) {
		return sessions.Session{}
	}
	return ses
}

// owner is the session that a backup is of, read once.
func (u *search) owner(b *backup.Backup) string {
	once, _ := u.owners.LoadOrStore(b.Path, sync.OnceValue(func() string { return u.l.owner(b) }))
	return once.(func() string)()
}

// judge counts the sessions without a backup that belong where some are made.
func (u *search) judge(ctx context.Context, s *status, looked map[string]sessions.Session) {
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
			s.unsaved = append(s.unsaved, unsaved{folder, ses.Last})
		}
	}
}
