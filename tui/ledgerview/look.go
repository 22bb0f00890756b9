package ledgerview

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// Ledgers reads the ledger of a project.
type Ledgers interface {
	// Ledger reads the ledger of a folder. Without a ledger, Ledger.None is set and the error is nil.
	Ledger(ctx context.Context, dir string) (survey.Ledger, error)
	// Timeline reads the trajectory of a folder, newest records first. A missing trajectory isn't an error.
	Timeline(ctx context.Context, dir string, ask TimelineAsk) (survey.Timeline, error)
}

// TimelineAsk selects records of a trajectory. An empty field matches all records.
type TimelineAsk struct {
	Agent, Phase string
	Or           string // a second phase to match, or ""
}

const (
	tick  = time.Second     // interval of the clock, for the displayed age of the ledger
	stale = 5 * time.Second // then the ledger is read again, because git sends no events
)

// look returns the command that reads a ledger. was is the displayed ledger, or nil.
func look(ctx context.Context, ledgers Ledgers, dir string, was *ledgerFacts, now func() time.Time, gen int) tea.Cmd {
	return func() tea.Msg {
		asked := now()
		l, err := ledgers.Ledger(ctx, dir)
		if err != nil {
			return lookedMsg{gen: gen, asked: asked, err: err}
		}
		t := &logged{}
		if t.Timeline, t.err = ledgers.Timeline(ctx, dir, TimelineAsk{}); ctx.Err() != nil {
			return lookedMsg{gen: gen, asked: asked, err: ctx.Err()}
		}
		if was.isUnchanged(&l) && was.logged.isUnchanged(t) {
			return lookedMsg{gen: gen, asked: asked, at: l.At, facts: was}
		}
		return lookedMsg{gen: gen, asked: asked, at: l.At, facts: newLedgerFacts(l, t)}
	}
}

// The messages of the commands. gen is the generation of the project.
type (
	lookedMsg struct {
		gen   int
		asked time.Time // when the read began
		at    time.Time // when the read ended
		facts *ledgerFacts
		err   error
	}
	// slowMsg is sent if the first read takes long.
	slowMsg struct{ gen int }
)

// drawnMsg has rendered texts.
type drawnMsg struct {
	gen   int
	width int
	theme render.Theme
	lines map[string][]string
}

// drawTexts returns the command that renders markdown.
func drawTexts(ctx context.Context, gen int, texts []string, look contentLook, width int, markdown func(text string, prose, code int) []string) tea.Cmd {
	return func() tea.Msg {
		msg := drawnMsg{gen: gen, width: look.width, theme: look.theme, lines: map[string][]string{}}
		for _, text := range texts {
			if ctx.Err() != nil {
				break
			}
			msg.lines[text] = markdown(keepFacts(text), width, width)
		}
		return msg
	}
}

// Passed returns when the full gate (last[true]) and the simplified gate (last[false]) last passed. A zero time means
// never. Without a key, the time is unknown. bare means that there is no ledger.
func Passed(ctx context.Context, ledgers Ledgers, dir string) (last map[bool]time.Time, bare bool, err error) {
	t := &logged{}
	t.Timeline, t.err = ledgers.Timeline(ctx, dir, TimelineAsk{Phase: trajectory.PhaseGrounding, Or: trajectory.PhaseHandoff})
	last = map[bool]time.Time{}
	for _, full := range []bool{false, true} {
		if at, known := t.lastPassed(full); known {
			last[full] = at
		}
	}
	return last, t.Bare, t.err
}
