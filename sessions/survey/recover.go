package survey

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
)

// Recoverer builds recoveries from a ledger.
type Recoverer struct {
	Home string
	// Rows returns the sessions of a project; a nil Look means unknown. It is called if NOTES.md is missing or empty,
	// or for the last prompt.
	Rows   func(ctx context.Context, root string) (*Look, []*sessions.Row)
	Search Search // if nil, the search of continuo is used
}

// Search searches a ledger with another program. Its error is a sentence.
type Search func(ctx context.Context, p *ledger.Project, query string) ([]recovery.Hit, error)

// Facts returns the inputs of a recovery: the handovers of all stores. Without NOTES.md, they include the sources
// that replace it.
func (r *Recoverer) Facts(ctx context.Context, l *Ledger) recovery.Facts {
	f := recovery.Facts{Notes: l.Notes, File: l.Project.NotesName(), Trouble: l.Trouble, Beads: l.Beads, Now: l.At}
	f.Held, f.Troubles = HandoversOf(ctx, l, r.Home)
	if l.Notes == nil || !recovery.IsFilled(l.Notes) {
		if look, mine := r.Rows(ctx, l.Project.Root); look != nil {
			f.Instead, f.Prompted = look.insteadOfNotes(ctx, mine)
		}
	}
	return f
}

// insteadOfNotes returns the sources that can replace a missing NOTES.md, best first, and the last prompt.
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

// Prompt sets f.Prompted to the project's last prompt if the recovery needs it: at level Topic without a query. It
// returns true if it looked for the prompt.
func (r *Recoverer) Prompt(ctx context.Context, l *Ledger, f *recovery.Facts, ask *recovery.Ask) bool {
	if ask.Level != recovery.Topic || strings.TrimSpace(ask.Query) != "" || f.Prompted != "" {
		return false
	}
	if look, mine := r.Rows(ctx, l.Project.Root); look != nil {
		f.Prompted, _, _ = look.lastTalk(ctx, mine)
	}
	return true
}

// Recover returns the recovery at the level in ask. The error is ctx.Err().
func (r *Recoverer) Recover(ctx context.Context, l *Ledger, f recovery.Facts, ask recovery.Ask) (recovery.Result, error) {
	var messages []string
	if ask.Level == recovery.Topic && strings.TrimSpace(ask.Query) == "" && f.Prompted != "" {
		messages = append(messages, "Searched for the text of the last prompt of this project.")
	}
	if r.Search != nil {
		query := ask.Query
		if query == "" {
			query = f.Prompted
		}
		var err error
		if f.Found, err = r.Search(ctx, &l.Project, query); err != nil {
			messages = append(messages, err.Error()+". continuo used its own search.")
		}
		f.FoundBy = "ck"
	}
	c := &l.Project.Config.Continuity
	ask.Level1, ask.Level2 = c.Level1Tokens, c.Level2Tokens
	check, done := checker(ctx, &l.Project)
	defer done()
	type place struct {
		ref   ledger.Ref
		quote string
	}
	checked := make(map[place]ledger.Check, len(l.Checked))
	for i := range l.Checked {
		checked[place{l.Checked[i].Ref, l.Checked[i].Quote}] = l.Checked[i].Check
	}
	f.Check = func(ref ledger.Ref, quote string) ledger.Check {
		if c, ok := checked[place{ref, quote}]; ok {
			return c
		}
		return check(ref, quote)
	}
	out := recovery.Recover(&f, ask)
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if l.Project.ConfigFile != "" && !c.TieredRecovery {
		messages = append(messages, "session_continuity.tiered_recovery is off in "+sessions.Tilde(l.Project.ConfigFile, r.Home)+"; shown because you asked for it.")
	}
	messages = append(messages, l.Problems...)
	if l.BeadsBad != "" {
		messages = append(messages, l.BeadsBad)
	}
	out.Notes = append(out.Notes, messages...)
	return out, nil
}
