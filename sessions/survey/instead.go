package survey

import (
	"context"
	"path/filepath"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
)

// insteadOfNotes takes the rows of a project. It returns the sources that can replace a missing NOTES.md besides the
// handovers, best first, and the last prompt.
func (l *Look) insteadOfNotes(ctx context.Context, mine []*sessions.Row) (list []recovery.Source, prompt string) {
	var kept *sessions.Row
	for _, r := range mine {
		if r.Kind == sessions.KindBackup && (kept == nil || r.Pending && !kept.Pending) {
			kept = r
		}
	}
	prompt, reply, last := l.lastTalk(ctx, mine)
	if last != nil {
		s := recovery.Source{Kind: "session", Name: last.Title(), Path: last.Path, When: last.Last}
		for _, part := range [][2]string{{"Asked last: ", prompt}, {"Answered: ", reply}} {
			if part[1] != "" {
				s.Text += part[0] + part[1] + "\n\n"
			}
		}
		list = append(list, s)
	}
	if kept != nil {
		list = append(list, recovery.Source{Kind: "backup", Name: filepath.Base(kept.Path), Path: kept.Path, When: kept.When()})
	}
	return list, prompt
}
