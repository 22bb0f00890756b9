package cli

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// ledgerChecks is how long the files that a ledger speaks of may take to be looked at: a large tree is walked for those
// that are gone. What is not looked at by then counts as unreadable, and says so.
const ledgerChecks = 2 * time.Second

// ledgerChecker looks at what is named, within the time for it, until done is called.
func ledgerChecker(ctx context.Context, p *ledger.Project) (check func(ledger.Ref, string) ledger.Check, done func()) {
	ctx, cancel := context.WithTimeout(ctx, ledgerChecks)
	look := p.NewChecker()
	return func(ref ledger.Ref, quote string) ledger.Check {
		c := look.Check(ctx, ref, quote)
		if c.Status == ledger.Unreadable && ctx.Err() != nil {
			c.Problem = "not looked at in time"
		}
		return c
	}, cancel
}

// checkLedger looks at what identifiers and evidence lead to.
func (d *deps) checkLedger(ctx context.Context, l *survey.Ledger, how ledgerHow) {
	if !how.identifiers && !how.evidence {
		return
	}
	check, done := ledgerChecker(ctx, &l.Project)
	defer done()
	if how.identifiers {
		l.Checked = []recovery.Checked{} // they were looked at, also where there are none
		for _, id := range l.Notes.Identifiers() {
			l.Checked = append(l.Checked, recovery.Checked{Identifier: id, Check: check(id.Ref, id.Quote)})
		}
	}
	if !how.evidence {
		return
	}
	l.Evidence = map[survey.Backing]ledger.Check{}
	decisions := l.Notes.Decisions()
	for i := range decisions {
		for k := range decisions[i].Evidence {
			e := &decisions[i].Evidence[k]
			l.Evidence[survey.BackingOf(e)] = check(e.Ref, e.Quote)
		}
	}
}
