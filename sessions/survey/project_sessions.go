package survey

import (
	"context"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
)

// sessions sets the newest sessions, and the newest one's last prompt and answer.
func (l *Look) sessions(ctx context.Context, p *Project, mine []*sessions.Row) {
	saved := savedSessions(mine)
	for _, r := range mine {
		if r.Kind != sessions.KindSession || r.Quiet() {
			continue
		}
		if p.All++; p.All <= pageSessions {
			p.Sessions = append(p.Sessions, *r)
			continue
		}
		if isPurged(r, saved) {
			p.Purged++
			if p.PurgedBy.IsZero() || r.Purge.Before(p.PurgedBy) {
				p.PurgedBy = r.Purge
			}
		}
	}
	if len(p.Sessions) == 0 {
		return
	}
	if l.Exact {
		l.count(ctx, p.Sessions)
	}
	row := p.Sessions[0]
	type answer struct {
		prompt, reply string
		err           error
	}
	a, ok := sessions.InTime(ctx, pageTalk, func(ctx context.Context) answer {
		prompt, reply, err := lastOf(ctx, l.Open, row)
		return answer{prompt, reply, err}
	})
	switch {
	case !ok && ctx.Err() == nil:
		p.Unread = append(p.Unread, "The newest session could not be read in time: "+row.Title()+".")
	case a.err != nil && ctx.Err() == nil:
		p.Unread = append(p.Unread, l.clean("The newest session cannot be read: "+ledger.Reason(a.err)+"."))
	}
	p.Last = &Last{Row: row, Prompt: a.prompt, Answer: a.reply}
}

// count replaces the figures of a few sessions by exact ones, if the scans are fast enough.
func (l *Look) count(ctx context.Context, rows []sessions.Row) {
	paths := make([]string, len(rows))
	for i := range rows {
		paths[i] = rows[i].Path
	}
	read := func(ctx context.Context, path string) sessions.Session { return sessions.Read(ctx, path, l.At.Now) }
	for path, ses := range sessions.AskAll(ctx, time.Now().Add(pageTalk), paths, read) {
		i := slices.IndexFunc(rows, func(r sessions.Row) bool { return r.Path == path })
		if r := &rows[i]; ses.State != sessions.StateUnreadable {
			r.Messages, r.Tokens, r.Exact, r.State, r.Reason = ses.Messages, ses.Tokens, true, ses.State, ses.Reason
			for _, f := range []sessions.Flag{sessions.FlagHiddenBranch, sessions.FlagTornTail} {
				r.SetFlag(f, ses.Has(f))
			}
		}
	}
}

// savedSessions returns the IDs of the sessions that have a backup.
func savedSessions(mine []*sessions.Row) map[string]bool {
	saved := map[string]bool{}
	for _, r := range mine {
		if r.Kind == sessions.KindBackup && r.Of != "" {
			saved[r.Of] = true
		}
	}
	return saved
}

// isPurged reports whether Claude Code soon deletes a session without a backup.
func isPurged(r *sessions.Row, saved map[string]bool) bool {
	return r.Kind == sessions.KindSession && r.Has(sessions.FlagPurgeSoon) && !r.Purge.IsZero() && !saved[r.ID] && r.Live == nil
}
