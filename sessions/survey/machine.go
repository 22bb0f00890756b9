package survey

import (
	"context"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Machine lists the sessions and backups on this machine that need attention.
type Machine struct {
	Live    []sessions.Live
	Due     []Due            // live sessions with a due delta-synthesis, in the order of Live
	Pending []PendingProject // projects with backups that need attention; most pending backups first
	Unsaved []Unsaved        // sessions that ended without a backup
	Stored  int              // number of backups in all folders
	Folders int              // number of folders that were searched for pending backups
	Unknown int              // number of folders and registries that did not respond or returned an error
	Blind   []string         // the folders whose pending backups are unknown
}

// PendingProject counts the backups and sessions of a project that need attention.
type PendingProject struct {
	Path    string
	Count   int // number of pending backups
	Unsaved int // number of sessions that ended without a backup
	Unseen  int // number of backups that were never opened
}

// Backups returns the number of all pending backups.
func (s *Machine) Backups() int {
	n := 0
	for _, p := range s.Pending {
		n += p.Count
	}
	return n
}

// UnseenBackups returns the number of all backups that were never opened.
func (s *Machine) UnseenBackups() int {
	n := 0
	for _, p := range s.Pending {
		n += p.Unseen
	}
	return n
}

// With returns the number of live sessions that have a status.
func (s *Machine) With(what sessions.Status) int {
	n := 0
	for i := range s.Live {
		if s.Live[i].Status == what {
			n++
		}
	}
	return n
}

// Unsaved is a session that ended without a backup.
type Unsaved struct {
	Project string // folder that has the memory
	Last    time.Time
}

// Due is a live session with a due delta-synthesis (spec 002).
type Due struct {
	Live      sessions.Live
	Attention sessions.Attention
}

// due sets s.Due. found has the live clients and the slugs of each config directory. A session with an unreadable
// transcript isn't due.
func (l *MachineLook) due(ctx context.Context, until time.Time, s *Machine, found map[string]registered) {
	if l.Attention == nil {
		return
	}
	of, ids := map[string]*sessions.Live{}, make([]string, 0, len(s.Live))
	for i := range s.Live {
		id := s.Live[i].SessionID
		if of[id] == nil && id != "" {
			ids = append(ids, id)
		}
		of[id] = &s.Live[i]
	}
	answers := sessions.AskAll(ctx, until, ids, func(ctx context.Context, id string) *sessions.Attention {
		slug := sessions.Slug(of[id].Cwd)
		for _, dir := range l.Dirs {
			for _, name := range append([]string{slug}, found[dir].slugs...) { // the transcript may be in the directory of another folder
				path := filepath.Join(dir, "projects", name, filepath.Base(id)+".jsonl")
				if sessions.Exists(path) {
					return l.Attention(ctx, path, of[id])
				}
			}
		}
		return nil
	})
	for _, id := range ids {
		if a := answers[id]; a != nil && a.Due {
			s.Due = append(s.Due, Due{*of[id], *a})
		}
	}
}
