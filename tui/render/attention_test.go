package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
)

// A live row says how full its head is, in words, until the title needs the room; then the badge's word does, too.
func TestRowAttention(t *testing.T) {
	t.Parallel()
	rows, now := rowsForTest()
	for width, want := range map[int]string{
		80: "orange 12.4k  live", 60: "orange 12.4k  live", 50: "live", 36: "",
	} {
		row := rows[0]
		row.Attention = &sessions.Attention{Level: "orange", Used: 12_400, Fresh: 12_400, Due: true}
		o := RowOptions{Width: width, Styles: NewStyles(None), Now: now}
		line := Row(&row, o)
		if ansi.StringWidth(line) > width {
			t.Errorf("%d cells: %q", width, line)
		}
		if got := strings.Contains(line, "  "+want) || want == ""; !got || (want == "") == strings.Contains(line, "live") {
			t.Errorf("%d: %q, want %q", width, line, want)
		}
		if strings.Contains(line, "orange") != strings.Contains(want, "orange") {
			t.Errorf("%d: %q, want %q", width, line, want)
		}
		row.Attention.NoLedger = true
		if bare := Row(&row, o); bare != Row(&rows[0], o) {
			t.Errorf("%d, without a ledger: %q", width, bare)
		}
		row.Attention = nil
		if bare := Row(&row, o); bare != Row(&rows[0], o) || strings.Contains(bare, "orange") {
			t.Errorf("%d: %q", width, bare)
		}
	}
}

func TestAttentionWords(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]*sessions.Attention{
		"":                                nil,
		"attention green 0":               {Level: "green"},
		"attention green 812":             {Level: "green", Used: 812, Fresh: 812},
		"attention yellow 6.2k":           {Level: "yellow", Used: 6_200, Fresh: 1_000},
		"attention red 48.2k · delta due": {Level: "red", Used: 48_200, Fresh: 48_200, Due: true},
		"attention orange 12.4k · delta due, 5.0k since the last": {Level: "orange", Used: 12_400, Fresh: 5_000, Due: true},
	} {
		if got := AttentionWords(a); got != want {
			t.Errorf("%+v: %q, want %q", a, got, want)
		}
	}
	inks := map[Ink]bool{}
	for _, level := range []string{"green", "yellow", "orange", "red"} {
		inks[AttentionSpan(&sessions.Attention{Level: level}).Ink] = true
	}
	if len(inks) != 4 {
		t.Errorf("%d inks for 4 levels", len(inks))
	}
}
