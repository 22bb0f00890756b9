package survey

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// This file collects the facts for backup.Coverage, which finds sessions without a backup. It asks Coverage three
// times, each time with more facts about fewer transcripts: modification times and sizes, then session IDs of
// unmatched backups, then quick figures.
//
// Until the figures are read, the modification time of the file replaces the time of the last message. The last
// message is never later, so a session that Coverage calls saved is saved.

const (
	// endSlack is how long after a backup Claude Code may still append to the transcript.
	endSlack = 3 * time.Second
	endBytes = 4 << 10 // maximum size of the appended text; it contains metadata, not messages
)

// keep has the facts about a memory to which hooks write backups.
type keep struct {
	backup.Found
	trees []string // linked worktrees of the repository
}

// trace is a transcript and the estimated time of its last message.
type trace struct {
	sessions.Listed
	last time.Time
}

// keepOf returns a function that reads the memory of a folder. act reports whether hooks make backups in a folder. If
// not, the result's Since is zero.
func keepOf(act func(folder string) bool) func(ctx context.Context, folder string) (keep, error) {
	return func(ctx context.Context, folder string) (keep, error) {
		found, err := backup.Stock(ctx, folder, nil)
		if err != nil || found.Since.IsZero() {
			return keep{}, err
		}
		if !act(folder) {
			return keep{Found: backup.Found{Backups: found.Backups}}, nil // with a zero Since, backups are only counted
		}
		return keep{found, sessions.Worktrees(sessions.Disk(), folder)}, nil
	}
}

// unsaved finds the sessions that ended without a backup in folders where hooks make backups.
func (l *MachineLook) unsaved(ctx context.Context, start time.Time, s *Machine, keeps map[string]keep, slugs map[string][]string) {
	if len(keeps) == 0 {
		return
	}
	coverage := backup.NewCoverage(l.Now)
	for folder, k := range keeps {
		coverage.Add(folder, &k.Found, nil)
	}
	places := placesOf(l.Dirs, keeps, slugs)
	listed := sessions.AskAll(ctx, start.Add(tracesBy), slices.Collect(maps.Keys(places)), func(ctx context.Context, dir string) []*trace {
		var list []*trace
		for _, t := range l.traces(ctx, dir) {
			list = append(list, &trace{t, t.Modified})
		}
		return list
	})
	s.Unknown += len(places) - len(listed)
	live := map[string]bool{}
	for i := range s.Live {
		live[s.Live[i].SessionID] = true
	}
	uncovered := func() (paths []string) {
		for dir, list := range listed {
			for _, t := range list {
				ses := sessions.Session{ID: t.ID, Bytes: t.Bytes, Modified: t.Modified, Last: t.last}
				if !live[t.ID] && slices.ContainsFunc(places[dir], func(folder string) bool {
					ses.Workdir = folder
					missed, known := coverage.Missed(&ses)
					return missed && known
				}) {
					paths = append(paths, t.Path)
				}
			}
		}
		return paths
	}
	if len(uncovered()) == 0 {
		return
	}
	near := map[string][]*trace{} // folder → transcripts that may have backups in the folder
	for dir, list := range listed {
		for _, t := range list {
			for _, folder := range places[dir] {
				near[folder] = append(near[folder], t)
			}
		}
	}
	for folder, k := range keeps {
		for _, list := range [][]backup.Backup{k.Backups, k.Discarded} {
			for i := range list {
				own(&list[i], near[folder])
			}
		}
	}
	s.Unknown += l.owners(ctx, start.Add(ownersBy), coverage, keeps)
	paths := uncovered()
	looked := sessions.AskAll(ctx, start.Add(unsavedBy), paths, l.Peek)
	s.Unknown += len(paths) - len(looked)
	l.judge(ctx, s, coverage, looked)
}

// owners adds the session IDs of backups to coverage. It returns the number of folders that took too long.
// coverage.Missed returns known false there.
func (l *MachineLook) owners(ctx context.Context, until time.Time, coverage *backup.Coverage, keeps map[string]keep) (unknown int) {
	owned := sessions.AskAll(ctx, until, slices.Collect(maps.Keys(keeps)), func(_ context.Context, folder string) backup.Found {
		found := backup.Found{Backups: slices.Concat(keeps[folder].Backups, keeps[folder].Discarded)}
		for i := range found.Backups {
			b := &found.Backups[i]
			if b.SessionID == "" {
				b.SessionID = l.Owner(b)
			}
		}
		return found
	})
	for folder := range keeps {
		found, ok := owned[folder]
		if !ok {
			coverage.Add(folder, &found, context.DeadlineExceeded)
			unknown++
			continue
		}
		coverage.Add(folder, &found, nil)
	}
	return unknown
}

// own sets the session ID of a backup to that of the transcript with the same time and size. Without one, it uses the
// only session that ended at the time of the backup. If this transcript grew by at most endBytes, no message is new.
// Then own sets the time of the last message to that of the backup.
func own(b *backup.Backup, near []*trace) {
	var ended []*trace
	for _, t := range near {
		grown := t.Modified.Sub(b.Modified)
		if grown == 0 && t.Bytes == b.Bytes {
			b.SessionID = t.ID
			return
		}
		if t.Bytes >= b.Bytes && (t.Modified.Sub(b.Made).Abs() <= endSlack || grown >= 0 && grown <= endSlack) {
			ended = append(ended, t)
		}
	}
	if len(ended) != 1 {
		return
	}
	t := ended[0]
	b.SessionID = t.ID
	if t.Bytes-b.Bytes <= endBytes && b.Modified.Before(t.last) {
		t.last = b.Modified
	}
}

// placesOf maps each transcript directory to the given folders whose transcripts it may have. Subfolders and
// worktrees belong to a folder. Slugs are ambiguous, so a directory may have transcripts of unrelated folders.
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

// judge adds the sessions without a backup to s.Unsaved. Their Project is the folder of the memory.
func (l *MachineLook) judge(ctx context.Context, s *Machine, coverage *backup.Coverage, looked map[string]sessions.Session) {
	var ask []string
	for _, ses := range looked {
		if ses.Workdir != "" && coverage.Folder(&ses) == "" && !slices.Contains(ask, ses.Workdir) {
			ask = append(ask, ses.Workdir)
		}
	}
	projects := map[string]string{}
	if len(ask) > 0 {
		projects = l.places(ctx, ask)
	}
	for _, ses := range looked {
		ses.Project = projects[ses.Workdir]
		if missed, known := coverage.Missed(&ses); missed && known {
			s.Unsaved = append(s.Unsaved, Unsaved{coverage.Folder(&ses), ses.Last})
		}
	}
}
