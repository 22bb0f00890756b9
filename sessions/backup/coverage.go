package backup

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// Coverage determines which sessions ended without a backup, because their hook was killed, was canceled or never ran.
// sessions.FlagNoBackup is set only by this result. Missed may be called concurrently, but not while Add runs.
type Coverage struct {
	now    func() time.Time
	since  map[string]time.Time // folder with a memory → time of its first backup
	newest map[string]time.Time // session ID → time of its newest backup
	copies map[sameFile]bool
	kept   map[string]time.Time // like newest, but without discarded backups
	silent map[string]bool      // folders whose backups could not be read
}

// sameFile identifies a copy by size and modification time. It is needed if the first record of a transcript is from
// another session. The copy has the modification time of the transcript, because the hook sets it.
type sameFile struct {
	bytes    int64
	modified int64 // Unix nanoseconds
}

// NewCoverage returns an empty Coverage. now returns the current time.
func NewCoverage(now func() time.Time) *Coverage {
	return &Coverage{now: now, since: map[string]time.Time{}, newest: map[string]time.Time{}, copies: map[sameFile]bool{}, kept: map[string]time.Time{}, silent: map[string]bool{}}
}

// Add adds the backups found in the memory of a folder. If err isn't nil, Missed returns known false for the sessions
// of the folder. A second call for a folder adds to the data of the first.
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

// Copied reports whether there is a backup that is newer than the last message of a session. Discarded backups don't
// count.
func (c *Coverage) Copied(s *sessions.Session) bool {
	made := c.kept[s.ID]
	return !made.IsZero() && made.Add(time.Second).After(s.When())
}

// Folder returns the folder in whose memory the hook saves the backups of a session: the workdir of the session if it
// has a memory, else the project of the session.
func (c *Coverage) Folder(s *sessions.Session) string {
	if _, ok := c.since[s.Workdir]; ok {
		return s.Workdir
	}
	return s.Project
}

// Missed reports whether a session ended without a backup in a folder that has backups. known is false if the backups
// of the folder couldn't be read. Missed returns false for a transcript without messages, and for a transcript whose
// file name isn't a session ID, because no hook runs for such a transcript.
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
// if the folder has no backups. last is the time of the last message, and newest is the time of the newest backup.
// missed returns true if last is later than since and newest. Names of backups have whole seconds, so a backup of the
// same second counts as newer than the message.
func missed(since, last, newest time.Time) bool {
	return !since.IsZero() && last.After(since) && !newest.Add(time.Second).After(last)
}
