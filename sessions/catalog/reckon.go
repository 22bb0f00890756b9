package catalog

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// backupFacts has facts about the backups of all projects. It is immutable.
type backupFacts struct {
	*backup.Coverage
	// undocumented has the directories with unreadable documents.
	undocumented map[string]bool
}

func newBackupFacts(now func() time.Time) *backupFacts {
	return &backupFacts{backup.NewCoverage(now), map[string]bool{}}
}

// missed is Coverage.Missed. A nil receiver knows nothing.
func (r *backupFacts) missed(s *sessions.Session) (missed, known bool) {
	if r == nil {
		return false, false
	}
	return r.Missed(s)
}

// mark sets or clears FlagNoBackup and Copied of a session. It returns true after a change.
func (r *backupFacts) mark(s *sessions.Session) (changed bool) {
	if missed, known := r.missed(s); known {
		copied := r.Copied(s)
		changed = s.Has(sessions.FlagNoBackup) != missed || s.Copied != copied
		s.SetFlag(sessions.FlagNoBackup, missed)
		s.Copied = copied
	}
	return changed
}

// LookAgain makes a Watch search for sessions, backups and documents now. The program calls LookAgain after its own
// changes.
func (c *Catalog) LookAgain() {
	select {
	case c.again <- struct{}{}:
	default:
	}
}

// updateNoBackup keeps or clears FlagNoBackup of a session to send. Only the next search for backups can set the
// flag, because a new backup may not be known yet.
func (w *watcher) updateNoBackup(s *sessions.Session) {
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

// doubts reports whether a session without a known backup ended at least wait ago.
func (w *watcher) doubts(wait time.Duration) bool {
	for _, seen := range w.ended {
		if time.Since(seen) >= wait {
			return true
		}
	}
	return false
}

// unsaved returns the sessions whose FlagNoBackup or Copied has changed.
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
