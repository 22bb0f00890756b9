package tui

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/trajectory"
)

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

// gatesPassedMsg says when the gates were passed last, by the letters of the menu; a zero time is never.
// off is why no gate can be run: the items did not know it when the menu was opened.
type gatesPassedMsg struct {
	gen  int
	last map[string]time.Time
	off  string
}
