package ledgerview

import (
	"context"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// reading has the result of the last read of a ledger. At most one read runs at a time.
type reading struct {
	dir    string
	gen    int // generation of the project, or 0
	ctx    context.Context
	cancel context.CancelFunc

	facts  *ledgerFacts // nil before the first answer
	err    error        // error of the last read
	slow   bool         // the first read is slow, so a message is shown
	asking bool         // the ledger is being read
	again  bool         // another read must follow the current one
	asked  time.Time    // when the last finished read began
	at     time.Time    // when the read of the displayed ledger ended
}

// ask reads the ledger. Only one read runs at a time.
func (r *reading) ask(opts *Options) []screen.Effect {
	switch {
	case r.gen == 0:
		return nil
	case r.asking:
		r.again = true
		return nil
	}
	r.asking, r.again = true, false
	return []screen.Effect{screen.Cmd(look(r.ctx, opts.Ledgers, r.dir, r.facts, opts.Now, r.gen))}
}

// looked stores the result of a read. After an error, the previous ledger stays visible.
func (r *reading) looked(msg lookedMsg, opts *Options) []screen.Effect {
	r.asking, r.slow, r.asked = false, false, msg.asked
	var effects []screen.Effect
	if r.err = msg.err; msg.err == nil {
		r.facts, r.at = msg.facts, msg.at
		effects = append(effects, screen.HasLedger{Dir: r.dir, Has: !r.facts.None}, screen.Clock{Now: msg.at})
	}
	if r.again {
		effects = append(effects, r.ask(opts)...)
	}
	return effects
}

// root returns the folder of relative paths in the ledger.
func (r *reading) root() string {
	if r.facts != nil && r.facts.Project.Root != "" {
		return r.facts.Project.Root
	}
	return r.dir
}

// where returns the name of the project and the directory of its NOTES.md.
func (r *reading) where() (name, dir string) {
	name = render.Base(r.dir)
	if r.facts == nil || r.facts.None {
		return name, ""
	}
	return render.Base(r.root()), relativeTo(r.root(), filepath.Dir(r.facts.Project.Notes))
}

// isMissing reports whether parts of the ledger are missing.
func (r *reading) isMissing() bool { return r.facts != nil && len(r.facts.Missing) > 0 }

// row returns a row for the project, so that paths are relative to its root.
func (r *reading) row() sessions.Row {
	var row sessions.Row
	row.Project, row.Workdir = r.dir, r.root()
	return row
}
