package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/sessions/survey"
)

func TestLedgerGolden(t *testing.T) {
	t.Parallel()
	full := testLedger(t)
	with := func(change func(*survey.Ledger)) survey.Ledger {
		l := full
		change(&l)
		return l
	}
	for _, test := range []struct {
		name   string
		ledger survey.Ledger
		err    error
		keys   []string
	}{
		{name: "decisions", ledger: full, keys: []string{"enter"}},
		{name: "decisions-end", ledger: full, keys: []string{"enter", "G"}},
		{name: "outline", ledger: full},
		{name: "identifiers", ledger: full, keys: []string{"j", "j", "enter", "j"}},
		{name: "continuity", ledger: full, keys: []string{"g", "enter"}},
		{name: "section", ledger: full, keys: []string{"/", "l", "e", "a", "r", "enter", "enter"}},
		{name: "beads", ledger: full, keys: []string{"G", "k", "enter", "enter"}},
		{name: "filter", ledger: full, keys: []string{"enter", "/", "h", "o", "u", "s", "e"}},
		{name: "none", ledger: survey.Ledger{None: true, At: testNow(), Project: full.Project}},
		{name: "trouble", ledger: with(func(l *survey.Ledger) {
			l.Notes, l.Checked, l.Trouble = nil, nil, "NOTES.md has 50 MB, and at most 16 MB are read. Move what is old out of it."
		}), keys: []string{"enter"}},
		{name: "truth", ledger: with(func(l *survey.Ledger) {
			l.Truth = truth.Report{Left: 2, List: []truth.Disagreement{
				{
					About: "bead tea-41", Do: "Close it, or name another one in NOTES.md.",
					Says: []truth.Saying{{Source: truth.Beads, Text: "it is closed"}, {Source: truth.Notes, Text: "it is the one in progress", Line: 5}},
				},
				{
					About: "decision “Opening hours are rules”", Do: "Write where it stands by now.",
					Says: []truth.Saying{{Source: truth.Code, Text: "there is no src/hours/calendar.go"}, {Source: truth.Notes, Text: "it rests on src/hours/calendar.go:12", Line: 268}},
				},
			}}
		}), keys: []string{"G", "enter"}},
		{name: "failed", err: errors.New("the folder ~/code/teahouse is gone")},
		{name: "help", ledger: full, keys: []string{"?"}},
	} {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("ledger-%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					m := ledgerModel(t, &fakeLedgers{ledger: test.ledger, err: test.err}, size[0], size[1], test.keys...)
					golden(t, name, plain(t, m))
				})
			})
		}
	}
}

func chosen(t *testing.T, m *model) string {
	t.Helper()
	for line := range strings.SplitSeq(plain(t, m), "\n") {
		if i := strings.Index(line, "▌"); i >= 0 {
			return strings.TrimSpace(strings.TrimPrefix(line[i:], "▌"))
		}
	}
	return ""
}
