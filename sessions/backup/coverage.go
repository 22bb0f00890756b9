package backup

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Coverage finds sessions that ended without a backup: their hook was killed, canceled or never ran.
// sessions.FlagNoBackup is set only from its results. Missed may be called concurrently, but not during Add.
type Coverage struct {
	now    func() time.Time
	since  map[string]time.Time // folder with a memory → time of its first backup
	newest map[string]time.Time // session ID → time of its newest backup
	copies map[sameFile]bool
	kept   map[string]time.Time // like newest, but without discarded backups
	silent map[string]bool      // folders whose backups could not be read
}

// sameFile identifies a backup by its size and modification time. A backup has the modification time of its transcript.
// The session ID doesn't identify it: the first record of a transcript can be from another session.
type sameFile struct {
	bytes    int64
	modified int64 // Unix nanoseconds
}

// NewCoverage returns an empty Coverage. now returns the current time.
func NewCoverage(now func() time.Time) *Coverage {
	return &Coverage{now: now, since: map[string]time.Time{}, newest: map[string]time.Time{}, copies: map[sameFile]bool{}, kept: map[string]time.Time{}, silent: map[string]bool{}}
}

// Add adds the backups in the memory of a folder. If err isn't nil, Missed will return known=false for sessions of the
// folder. Add may be called several times for one folder.
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

// Folder returns the folder with the backups of a session: its workdir if that has a memory directory, otherwise its
// project.
func (c *Coverage) Folder(s *sessions.Session) string {
	if _, ok := c.since[s.Workdir]; ok {
		return s.Workdir
	}
	return s.Project
}

// Missed reports whether a session ended without a backup although its folder has backups. known is false if the
// backups couldn't be read. A transcript without messages, or with a name that isn't a session ID, is never missed: no
// hook runs for it.
func (c *Coverage) Missed(s *sessions.Session) (without, known bool) {
	if s.MayRun(c.now()) || s.Last.IsZero() || s.Exact && s.Messages == 0 || s.State == sessions.StateUnreadable || !sessions.IsUUID(s.ID) {
		return false, true
	}
	if c.silent[s.Workdir] || c.silent[s.Project] {
		return false, false
	}
	return missed(c.since[c.Folder(s)], s.Last, c.newest[s.ID]) && !c.copies[sameFile{s.Bytes, s.Modified.UnixNano()}], true
}

// missed reports whether a session ended without a backup. since is the time of the first backup in the folder, or zero
// if the folder has no backups. last is the time of the last message, and newest is the time of the newest backup. The
// result is true if last is later than since and newest. Names of backups contain whole seconds, so a backup from the
// second of the last message counts as newer.
func missed(since, last, newest time.Time) bool {
	return !since.IsZero() && last.After(since) && !newest.Add(time.Second).After(last)
}
