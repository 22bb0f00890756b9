package catalog

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// reckoning has facts about the backups of all projects, from one read of their memories. It is immutable.
type reckoning struct {
	*backup.Coverage
	// undocumented has the directories in which some documents could not be read.
	undocumented map[string]bool
}

func newReckoning(now func() time.Time) *reckoning {
	return &reckoning{backup.NewCoverage(now), map[string]bool{}}
}

// missed calls Coverage.Missed. For a nil reckoning, known is false.
func (r *reckoning) missed(s *sessions.Session) (missed, known bool) {
	if r == nil {
		return false, false
	}
	return r.Missed(s)
}

// mark sets or clears FlagNoBackup and Copied of a session. changed reports whether one of them was different.
func (r *reckoning) mark(s *sessions.Session) (changed bool) {
	if missed, known := r.missed(s); known {
		copied := r.Copied(s)
		changed = s.Has(sessions.FlagNoBackup) != missed || s.Copied != copied
		s.SetFlag(sessions.FlagNoBackup, missed)
		s.Copied = copied
	}
	return changed
}

// LookAgain makes a Watch look for sessions, backups and documents now. The program calls it after its own changes.
func (c *Catalog) LookAgain() {
	select {
	case c.again <- struct{}{}:
	default:
	}
}

// reckon keeps or clears FlagNoBackup of a session that is about to be sent. It never sets the flag, because a session
// that has just ended may have a backup that wasn't found yet. The next check sets the flag.
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
	s.Copied = before.Copied
	if known {
		s.Copied = w.c.reckoned.Load().Copied(s)
	}
}

// doubts reports whether a session without a known backup ended at least wait ago. After this time, the backup should
// exist.
func (w *watcher) doubts(wait time.Duration) bool {
	for _, seen := range w.ended {
		if time.Since(seen) >= wait {
			return true
		}
	}
	return false
}

// unsaved returns the sessions whose FlagNoBackup or Copied differs from the row that was sent.
func (w *watcher) unsaved(look *memoryResult) []sessions.Row {
	if look.made == nil {
		return nil
	}
	var rows []sessions.Row
	w.c.base.each(func(row *sessions.Row) {
		if row.Kind != sessions.KindSession {
			return
		}
		if seen, ended := w.ended[row.Path]; ended && !seen.Before(look.began) {
			return
		}
		if changed := *row; look.made.mark(&changed.Session) {
			rows = append(rows, changed)
		}
	})
	for path, seen := range w.ended {
		if seen.Before(look.began) {
			delete(w.ended, path)
		}
	}
	sortRows(rows)
	return rows
}
