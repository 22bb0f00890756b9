package backup

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Coverage tells which sessions ended without a backup: their hook was killed, was canceled or never ran. It is the
// only place that decides this (sessions.FlagNoBackup). Missed may be called concurrently, but not concurrently with
// Add.
type Coverage struct {
	now    func() time.Time
	since  map[string]time.Time // folder with a memory → when backups began to be made in it
	newest map[string]time.Time // session ID → when its newest backup was made
	copies map[sameFile]bool
	silent map[string]bool // folders whose disk did not answer
}

// sameFile identifies a copy whose first record is of another session by its time: a hook keeps the time of the
// transcript.
type sameFile struct {
	bytes    int64
	modified int64 // Unix nanoseconds
}

// NewCoverage returns a Coverage without memories. now is the clock.
func NewCoverage(now func() time.Time) *Coverage {
	return &Coverage{now: now, since: map[string]time.Time{}, newest: map[string]time.Time{}, copies: map[sameFile]bool{}, silent: map[string]bool{}}
}

// Add adds the backups found in the memory of a folder. After an error, the sessions of the folder are unknown. Adding
// a folder again adds to its data.
func (c *Coverage) Add(folder string, found *Found, err error) {
	if err != nil {
		c.silent[folder] = true
	}
	if !found.Since.IsZero() {
		c.since[folder] = found.Since
	}
	for _, list := range [][]Backup{found.Backups, found.Discarded} {
		for i := range list {
			b := &list[i]
			c.copies[sameFile{b.Bytes, b.Modified.UnixNano()}] = true
			if made := sessions.Plausible(b.Made, c.now()); b.SessionID != "" && made.After(c.newest[b.SessionID]) {
				c.newest[b.SessionID] = made
			}
		}
	}
}

// Folder returns the folder whose memory gets the backups of a session, as the hook looks for it: its workdir if that
// has one, else its project.
func (c *Coverage) Folder(s *sessions.Session) string {
	if _, ok := c.since[s.Workdir]; ok {
		return s.Workdir
	}
	return s.Project
}

// Missed reports whether a session ended without a backup where backups are made. Known is false where a disk did not
// answer. No hook runs for a file without a message, or whose name is not a session ID.
func (c *Coverage) Missed(s *sessions.Session) (without, known bool) {
	if s.MayRun(c.now()) || s.Last.IsZero() || s.Exact && s.Messages == 0 || s.State == sessions.StateUnreadable || !sessions.IsUUID(s.ID) {
		return false, true
	}
	if c.silent[s.Workdir] || c.silent[s.Project] {
		return false, false
	}
	return missed(c.since[c.Folder(s)], s.Last, c.newest[s.ID]) && !c.copies[sameFile{s.Bytes, s.Modified.UnixNano()}], true
}

// missed reports whether a session ended without a backup: its last message is later than since, when backups began,
// and newest, the time of its newest backup, is earlier than the message. since is zero for a folder without backups.
// Names of backups have whole seconds, so a backup of the same second counts.
func missed(since, last, newest time.Time) bool {
	return !since.IsZero() && last.After(since) && !newest.Add(time.Second).After(last)
}
