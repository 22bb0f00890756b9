package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// The commands of the ledger of a project, and what they answer: besides those of commands.go, and by the same rules.

// ledgerTick is between two looks at the clock: the tab says how old it is.
const (
	ledgerTick  = time.Second
	ledgerStale = 5 * time.Second // git and the memory tell nothing: it is looked at again after that
)

// lookAtLedger looks at a ledger; was is what is shown of it, nil nothing.
func lookAtLedger(ctx context.Context, ledgers Ledgers, dir string, was *ledgerFacts, now func() time.Time, gen int) tea.Cmd {
	return func() tea.Msg {
		asked := now()
		l, err := ledgers.Ledger(ctx, dir)
		if err != nil {
			return ledgerMsg{gen: gen, asked: asked, err: err}
		}
		t := &logged{}
		if t.Timeline, t.err = ledgers.Timeline(ctx, dir, TimelineAsk{}); ctx.Err() != nil {
			return ledgerMsg{gen: gen, asked: asked, err: ctx.Err()}
		}
		if was.isStill(&l) && was.logged.isStill(t) {
			return ledgerMsg{gen: gen, asked: asked, at: l.At, facts: was}
		}
		return ledgerMsg{gen: gen, asked: asked, at: l.At, facts: newLedgerFacts(l, t)}
	}
}

func waitLedger(ctx context.Context, gen int) tea.Cmd {
	return screen.After(ctx, quiet, func() tea.Msg { return ledgerSlowMsg{gen} })
}

func tickLedger(ctx context.Context, now func() time.Time, ticks int) tea.Cmd {
	return screen.After(ctx, ledgerTick, func() tea.Msg { return ledgerClockMsg{ticks, now()} })
}

// findLedgers looks for the ledgers of projects.
func findLedgers(ctx context.Context, ledgers Ledgers, dirs []string) tea.Cmd {
	return func() tea.Msg { return ledgersMsg{looked: dirs, in: ledgers.In(ctx, dirs)} }
}

// From the ledgers of projects.
type (
	// ledgersMsg names the projects that were looked at, and those that have a ledger.
	ledgersMsg struct{ looked, in []string }
	ledgerMsg  struct {
		gen   int
		asked time.Time // when the look began
		at    time.Time // when it was looked at
		facts *ledgerFacts
		err   error
	}
	// ledgerSlowMsg says that the first look has taken long enough to say so.
	ledgerSlowMsg  struct{ gen int }
	ledgerClockMsg struct {
		ticks int // of the tab: it was shown so often
		now   time.Time
	}
)

// ledgerDrawnMsg has texts as they were rendered.
type ledgerDrawnMsg struct {
	gen   int
	width int
	theme render.Theme
	lines map[string][]string
}

// drawTexts renders texts.
func drawTexts(ctx context.Context, gen int, texts []string, look contentLook, width int, markdown func(text string, prose, code int) []string) tea.Cmd {
	return func() tea.Msg {
		msg := ledgerDrawnMsg{gen: gen, width: look.width, theme: look.theme, lines: map[string][]string{}}
		for _, text := range texts {
			if ctx.Err() != nil {
				break
			}
			msg.lines[text] = markdown(keepFacts(text), width, width)
		}
		return msg
	}
}
