package ledgerview

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// Ledgers is what a project keeps besides its sessions.
type Ledgers interface {
	// Ledger looks at the ledger of a folder, now. A project without one is no error: Ledger.None says so.
	Ledger(ctx context.Context, dir string) (survey.Ledger, error)
	// Timeline reads what agents logged of their work in a folder, the newest first. That there is none is no error.
	Timeline(ctx context.Context, dir string, ask TimelineAsk) (survey.Timeline, error)
}

// TimelineAsk is which records of a trajectory are asked for; "" is any.
type TimelineAsk struct {
	Agent, Phase string
	Or           string // another phase; "" none
}

const (
	tick  = time.Second     // between two looks at the clock: the tab says how old it is
	stale = 5 * time.Second // git and the memory tell nothing: it is looked at again after that
)

// look looks at a ledger; was is what is shown of it, nil nothing.
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
		if was.isStill(&l) && was.logged.isStill(t) {
			return lookedMsg{gen: gen, asked: asked, at: l.At, facts: was}
		}
		return lookedMsg{gen: gen, asked: asked, at: l.At, facts: newLedgerFacts(l, t)}
	}
}

// The answers of its commands. gen is that of the project that was asked about.
type (
	lookedMsg struct {
		gen   int
		asked time.Time // when the look began
		at    time.Time // when it was looked at
		facts *ledgerFacts
		err   error
	}
	// slowMsg says that the first look has taken long enough to say so.
	slowMsg struct{ gen int }
)

// drawnMsg has texts as they were rendered.
type drawnMsg struct {
	gen   int
	width int
	theme render.Theme
	lines map[string][]string
}

// drawTexts renders texts.
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

// Passed says when the gates of a project were passed last, by whether they are the full one; a zero time is never, and one
// that is not there is not known. bare says that there is no ledger. The trajectory is read once for both.
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
