package tui

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/trajectory"
)

// The commands of the gate, and what they answer: besides those of commands.go, and by the same rules.

// gateTick is between two looks at the clock while the gate runs.
const gateTick = 100 * time.Millisecond

// runGate runs the gate of a project. Nothing is written.
func runGate(ctx context.Context, ledgers Ledgers, dir string, ask GateAsk, now func() time.Time, gen int) tea.Cmd {
	return func() tea.Msg {
		began := now()
		report, err := ledgers.Gate(ctx, dir, ask)
		at := now()
		return gateMsg{gen: gen, report: report, err: err, took: at.Sub(began), at: at}
	}
}

func waitGate(ctx context.Context, now func() time.Time, gen int) tea.Cmd {
	return after(ctx, quiet, func() tea.Msg { return gateClockMsg{gen, now()} })
}

func tickGate(ctx context.Context, now func() time.Time, gen int) tea.Cmd {
	return after(ctx, gateTick, func() tea.Msg { return gateClockMsg{gen, now()} })
}

// lookPassed looks when the gates of a project were passed last. The trajectory is read once for both.
func lookPassed(ctx context.Context, ledgers Ledgers, dir string, gen int) tea.Cmd {
	return func() tea.Msg {
		msg := gatesPassedMsg{gen: gen, last: map[string]time.Time{}}
		t := &logged{}
		t.Timeline, t.err = ledgers.Timeline(ctx, dir, TimelineAsk{Phase: trajectory.PhaseGrounding, Or: trajectory.PhaseHandoff})
		switch {
		case t.err != nil && ctx.Err() == nil:
			msg.off = inSentence(t.err)
		case t.Bare:
			msg.off = noLedgerHere
		}
		for letter, full := range map[string]bool{gateKeyLetter: false, fullGateKeyLetter: true} {
			if at, known := t.lastPassed(full); known {
				msg.last[letter] = at
			}
		}
		return msg
	}
}

// inSentence is the first sentence of an error as it stands behind something else.
func inSentence(err error) string {
	first, _, _ := strings.Cut(err.Error(), ". ")
	r, size := utf8.DecodeRuneInString(first)
	return strings.TrimSuffix(string(unicode.ToLower(r))+first[size:], ".")
}

// From the gate of a project.
type (
	gateMsg struct {
		gen    int
		report gate.Report
		err    error
		took   time.Duration
		at     time.Time
	}
	// gatesPassedMsg says when the gates were passed last, by the letters of the menu; a zero time is never.
	// off is why no gate can be run: the items did not know it when the menu was opened.
	gatesPassedMsg struct {
		gen  int
		last map[string]time.Time
		off  string
	}
	// gateClockMsg says that a run is still on its way.
	gateClockMsg struct {
		gen int
		now time.Time
	}
)
