package catalog

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// reckoning is what is known of the backups of all memories at one time, so that a session that ended without one can
// be told: its hook was killed with it, was cancelled, or never ran. It does not change once it is made.
type reckoning struct {
	since  map[string]time.Time // directory with a memory → when backups began to be made in it
	newest map[string]time.Time // session → when its newest backup was made
	copies map[likeness]bool
	silent map[string]bool // directories of which nothing is known: the disk did not answer
	now    func() time.Time
	// undocumented are the directories whose documents could not all be read.
	undocumented map[string]bool
}

// likeness tells a copy whose first record is of another session: a hook keeps the time of the file.
type likeness struct {
	bytes    int64
	modified int64 // Unix nanoseconds
}

func newReckoning(now func() time.Time) *reckoning {
	return &reckoning{
		since: map[string]time.Time{}, newest: map[string]time.Time{}, copies: map[likeness]bool{}, silent: map[string]bool{}, now: now,
		undocumented: map[string]bool{},
	}
}

// take adds what was found in a directory.
func (r *reckoning) take(dir string, found *backup.Found, err error) {
	if err != nil {
		r.silent[dir] = true
	}
	if !found.Since.IsZero() {
		r.since[dir] = found.Since
	}
	for _, list := range [][]backup.Backup{found.Backups, found.Discarded} {
		for i := range list {
			b := &list[i]
			r.copies[likeness{b.Bytes, b.Modified.UnixNano()}] = true
			if made := sessions.Plausible(b.Made, r.now()); b.SessionID != "" && made.After(r.newest[b.SessionID]) {
				r.newest[b.SessionID] = made
			}
		}
	}
}

// missed reports whether a session has ended without a backup where backups are made. It is not known where a disk
// does not answer. No hook runs for what has no message, or no id of a session.
func (r *reckoning) missed(s *sessions.Session) (missed, known bool) {
	if r == nil {
		return false, false
	}
	if s.MayRun(r.now()) || s.Last.IsZero() || s.Exact && s.Messages == 0 || s.State == sessions.StateUnreadable || !sessions.IsUUID(s.ID) {
		return false, true
	}
	if r.silent[s.Workdir] || r.silent[s.Project] {
		return false, false
	}
	since, ok := r.since[s.Workdir]
	if !ok { // as the hook looks for it: the nearest memory is the one
		since = r.since[s.Project]
	}
	missed = backup.Missed(since, s.Last, r.newest[s.ID]) && !r.copies[likeness{s.Bytes, s.Modified.UnixNano()}]
	return missed, true
}

// mark sets the flag of a session, or clears it.
func (r *reckoning) mark(s *sessions.Session) {
	if missed, known := r.missed(s); known {
		s.SetFlag(sessions.FlagNoBackup, missed)
	}
}

// LookAgain makes a Watch look for sessions, backups and documents now: somebody has made some, or taken some away.
func (c *Catalog) LookAgain() {
	select {
	case c.again <- struct{}{}:
	default:
	}
}

// reckon keeps the flag of a session that is about to be sent right, but never sets it: one that has just ended may
// have a backup that no look has found. It gets the flag from a look that begins later.
func (w *watcher) reckon(s *sessions.Session) {
	missed, known := w.c.reckoned.Load().missed(s)
	before, _ := w.c.base.session(s.Path)
	had := s.Has(sessions.FlagNoBackup) || before.Has(sessions.FlagNoBackup)
	if known && missed && !had {
		if _, ok := w.ended[s.Path]; !ok {
			w.ended[s.Path] = time.Now()
		}
	}
	if known && !missed {
		delete(w.ended, s.Path)
	}
	s.SetFlag(sessions.FlagNoBackup, had && (missed || !known))
}

// doubts reports whether a session has ended so long ago that its backup, if it gets one, should be there.
func (w *watcher) doubts(wait time.Duration) bool {
	for _, seen := range w.ended {
		if time.Since(seen) >= wait {
			return true
		}
	}
	return false
}

// unsaved returns the sessions of which a look says something else than what was sent.
func (w *watcher) unsaved(look *memoryLook) []sessions.Row {
	if look.made == nil {
		return nil
	}
	var rows []sessions.Row
	w.c.base.each(func(row *sessions.Row) {
		if row.Kind != sessions.KindSession {
			return
		}
		missed, known := look.made.missed(&row.Session)
		seen, ended := w.ended[row.Path]
		if !known || missed == row.Has(sessions.FlagNoBackup) || ended && !seen.Before(look.began) {
			return
		}
		changed := *row
		changed.SetFlag(sessions.FlagNoBackup, missed)
		rows = append(rows, changed)
	})
	for path, seen := range w.ended {
		if seen.Before(look.began) {
			delete(w.ended, path)
		}
	}
	sortRows(rows)
	return rows
}
