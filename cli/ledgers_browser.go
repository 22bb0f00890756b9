package cli

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// browserLedgers looks at the ledgers of projects, and takes what is recovered of them.
type browserLedgers struct {
	d *deps
	g *globals
}

// Ledger implements tui.Ledgers.
func (b browserLedgers) Ledger(ctx context.Context, dir string) (render.Ledger, error) {
	return b.d.lookLedger(ctx, dir, ledgerHow{identifiers: true, evidence: true})
}

// Recover implements tui.Ledgers.
func (b browserLedgers) Recover(ctx context.Context, dir string, ask recovery.Ask) (recovery.Result, error) {
	l, err := b.d.lookLedger(ctx, dir, ledgerHow{identifiers: true})
	if err != nil {
		return recovery.Result{}, err
	}
	f := b.d.recoveryFacts(ctx, b.g, &l)
	ask.Level1, ask.Level2 = l.Project.Config.Continuity.Level1Tokens, l.Project.Config.Continuity.Level2Tokens
	return recovery.Recover(&f, ask), ctx.Err()
}

// Take implements tui.Ledgers.
func (b browserLedgers) Take(ctx context.Context, _ string, r recovery.Result, how tui.Taking) (tui.Taken, error) {
	switch how {
	case tui.TakeCopy:
		var send strings.Builder
		note, err := b.d.copy(ctx, r.Text, &send)
		if err != nil {
			return tui.Taken{}, err
		}
		return tui.Taken{Said: joinSentences("Copied level "+levelName(r.Level)+", "+render.Counted(r.Tokens, "token", "tokens")+".", note), Send: send.String()}, nil
	case tui.TakeSession, tui.TakeFile:
	}
	return tui.Taken{}, &failure{what: "A recovery cannot be taken like this yet. Copy it."}
}

// levelName is a level as a person types it.
func levelName(l recovery.Level) string { return string(rune('0' + l)) }
