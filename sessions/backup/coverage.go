package backup

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Coverage finds sessions that ended without a backup, because their hook was killed, canceled or never ran. It is
// the source of sessions.FlagNoBackup. Missed may be called concurrently, but not during Add.
type Coverage struct {
	now    func() time.Time
	since  map[string]time.Time // folder with a memory → time of its first backup
	newest map[string]time.Time // session ID → time of the newest backup
	copies map[sameFile]bool
	kept   map[string]time.Time // newest without discarded backups
	silent map[string]bool      // folders whose backups could not be read
}

// sameFile identifies a backup by size and modification time, which equal those of its transcript. A session ID isn't
// enough: the first record can have another session's ID.
type sameFile struct {
	bytes    int64
	modified int64 // Unix nanoseconds
}

// NewCoverage returns an empty Coverage. now returns the current time.
func NewCoverage(now func() time.Time) *Coverage {
	return &Coverage{now: now, since: map[string]time.Time{}, newest: map[string]time.Time{}, copies: map[sameFile]bool{}, kept: map[string]time.Time{}, silent: map[string]bool{}}
}

// Add adds the backups of a folder. With an error, Missed returns known=false for the folder's sessions. A folder may
// be added several times.
func (c *Coverage) Add(folder string, found *Found, err error) {
	if err != nil {
		c.silent[folder] = true
	}
	if !found.Since.IsZero() {
		c.since[folder] = found.Since
	}
	for discarded, list := range [][]Backup{found.Backups, found.Discarded} {
		for i := range list {
			b := &list[i]
			c.copies[sameFile{b.Bytes, b.Modified.UnixNano()}] = true
			made := sessions.Plausible(b.Made, c.now())
			if b.SessionID != "" && made.After(c.newest[b.SessionID]) {
				c.newest[b.SessionID] = made
			}
			if discarded == 0 && made.After(c.kept[b.SessionID]) {
				c.kept[b.SessionID] = made
			}
		}
	}
}

// Copied reports whether a backup is newer than the last message of a session. Discarded backups don't count.
func (c *Coverage) Copied(s *sessions.Session) bool {
	made := c.kept[s.ID]
	return !made.IsZero() && made.Add(time.Second).After(s.When())
}

// Folder returns the folder with the backups of a session: the workdir if it has a memory directory, otherwise the
// project.
func (c *Coverage) Folder(s *sessions.Session) string {
	if _, ok := c.since[s.Workdir]; ok {
		return s.Workdir
	}
	return s.Project
}

// Missed reports whether a session ended without a backup although its folder has backups. known is false if the
// backups couldn't be read. Claude Code runs no hook for a transcript without messages or session ID, so such a
// transcript is never missed.
func (c *Coverage) Missed(s *sessions.Session) (without, known bool) {
	if s.MayRun(c.now()) || s.Last.IsZero() || s.Exact && s.Messages == 0 || s.State == sessions.StateUnreadable || !sessions.IsUUID(s.ID) {
		return false, true
	}
	if c.silent[s.Workdir] || c.silent[s.Project] {
		return false, false
	}
	return missed(c.since[c.Folder(s)], s.Last, c.newest[s.ID]) && !c.copies[sameFile{s.Bytes, s.Modified.UnixNano()}], true
}

// missed reports whether last, the time of the last message, is later than since and newest. since is the time of the
// folder's first backup, or zero. newest is the time of the newest backup, in whole seconds. A backup from the same
// second as last counts as newer.
func missed(since, last, newest time.Time) bool {
	return !since.IsZero() && last.After(since) && !newest.Add(time.Second).After(last)
}
