package tui

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/ledgerview"
)

// lookPassed looks when the gates of a project were passed last. The trajectory is read once for both.
func lookPassed(ctx context.Context, ledgers Ledgers, dir string, now time.Time) tea.Cmd {
	return func() tea.Msg {
		msg := dialog.Learned{Off: map[string]string{}, Last: map[string]string{}}
		last, bare, err := ledgerview.Passed(ctx, ledgers, dir)
		off := ""
		switch {
		case err != nil && ctx.Err() == nil:
			off = inSentence(err)
		case bare:
			off = noLedgerHere
		}
		for letter, full := range map[string]bool{gateKeyLetter: false, fullGateKeyLetter: true} {
			if off != "" {
				msg.Off[letter] = off
			}
			if at, known := last[full]; known {
				msg.Last[letter] = passedWords(now, at)
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
