package cli

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/ledger"
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
	r, _, err := b.d.recovered(ctx, b.g, &recoverAsk{Ask: ask, dir: dir})
	return r, err
}

// Take implements tui.Ledgers.
func (b browserLedgers) Take(ctx context.Context, dir string, r recovery.Result, how tui.Taking) (tui.Taken, error) {
	what := "level " + levelName(r.Level) + ", " + render.Counted(r.Tokens, "token", "tokens") + "."
	switch how {
	case tui.TakeCopy:
		var send strings.Builder
		note, err := b.d.copy(ctx, r.Text, &send)
		return tui.Taken{Said: joinSentences("Copied "+what, note), Send: send.String()}, inBrowser(err)
	case tui.TakeFile:
		path := b.d.recoveredName(&r)
		if err := b.d.newFile(path, []byte(r.Text)); err != nil {
			return tui.Taken{}, inBrowser(err)
		}
		return tui.Taken{Said: "Written to " + b.d.tilde(path) + ": " + what}, nil
	case tui.TakeSession:
	}
	root := dir
	if p, err := ledger.Find(realPath(dir), b.d.ledgerEnv()); err == nil {
		root = p.Root
	}
	l, err := b.d.planRecovered(ctx, b.g, &r, root)
	if err != nil {
		return tui.Taken{}, inBrowser(err)
	}
	out, err := b.d.launchRecovered(ctx, l)
	if run, ok := out.Run.(*takeover); ok {
		run.hold = true
	}
	return tui.Taken{Run: out.Run, Said: out.Said}, inBrowser(err)
}

// levelName is a level as a person types it.
func levelName(l recovery.Level) string { return string(rune('0' + l)) }
