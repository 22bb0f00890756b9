package survey

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Machine lists the sessions and backups on this machine that need attention.
type Machine struct {
	Live    []sessions.Live
	Pending []PendingProject // projects that need attention, sorted by the number of pending backups, highest first
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
