package ledgerlines

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/render"
)

func rowsOf(r *recovery.Result, width int) []string {
	body := NewRecovered(r, RecoveredOptions{Width: width, Now: time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC), Blanks: true})
	n, _ := body.Upto(1 << 20)
	var rows []string
	for i := range n {
		text := ""
		for _, s := range body.Row(i) {
			text += s.Text
		}
		rows = append(rows, text)
	}
	return rows
}

func TestRecoveredRows(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	ref := func(path string, from, to int) *ledger.Ref { return &ledger.Ref{Path: path, From: from, To: to} }
	check := func(c ledger.Check) *ledger.Check { return &c }
	tests := []struct {
		name  string
		lines []recovery.Line
		want  string
	}{
		{"led", []recovery.Line{{Lead: "Bead: ", Text: "br-1 Guest tokens (open)"}}, "Bead: br-1 Guest tokens (open)"},
		{
			"dated",
			[]recovery.Line{{Lead: "Decision 2026-11-20: ", Text: "One model", When: day}, {Lead: "Why: ", Text: "two tables drift"}, {Lead: "Decision: ", Text: "no day"}},
			"Nov 20  One model|        Why: two tables drift|        Decision: no day",
		},
		{"another year", []recovery.Line{{Lead: "Decision 2024-01-15: ", Text: "Rotate", When: time.Date(2024, 1, 15, 0, 0, 0, 0, time.UTC)}}, "2024-01 Rotate"},
		{
			"question",
			[]recovery.Line{{Lead: "Question: ", Text: "Who may edit hours of a tenant that is suspended and not yet gone?", Open: true}},
			"? Who may edit hours of a tenant that is suspended and not|  yet gone?",
		},
		{"places", []recovery.Line{
			{Text: "a", Ref: ref("a.go", 1, 1), Check: check(ledger.Check{Status: ledger.Holds})},
			{Text: "b", Ref: ref("src/b.go", 2, 40), Check: check(ledger.Check{Status: ledger.Holds})},
			{Text: "c", Ref: ref("c.go", 3, 3), Check: check(ledger.Check{Status: ledger.NoFile})},
			{Text: "d", Ref: ref("d.go", 4, 4)},
		}, "✓ a.go:1            ✓ src/b.go:2–40|✗ c.go:3  file is gone|· d.go:4"},
		{"markdown", []recovery.Line{{Text: "# Notes"}, {Text: ""}, {Text: "\t- [ ] one\x1b[31m"}}, "# Notes||    - [ ] one"},
		{"long word", []recovery.Line{{Lead: "Bead: ", Text: strings.Repeat("x", 70)}}, "Bead:|" + strings.Repeat("x", 60) + "|" + strings.Repeat("x", 10)},
	}
	for _, test := range tests {
		got := strings.Join(rowsOf(&recovery.Result{Parts: []recovery.Part{{Lines: test.lines}}}, 60), "|")
		if got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// TestRecoveredWidth: every word is drawn, and no row is too wide.
func TestRecoveredWidth(t *testing.T) {
	t.Parallel()
	text := "Der Wächter 守 prüft tokens\tund guest-tokens, https://example.test/a/very/long/path/that/has/no/blank/in/it/at/all 👩‍💻 ok"
	for width := 1; width < 90; width++ {
		for _, line := range []recovery.Line{
			{Text: text},
			{Lead: "Reasoning state: ", Text: text},
			{Text: text, Open: true},
			{Text: text, When: time.Now(), Match: [][2]int{{0, 3}, {20, 24}, {400, 500}}},
			{Text: text, Ref: &ledger.Ref{Path: "src/very/long/path/of/a/file.go", From: 1}, Check: &ledger.Check{Status: ledger.NoFile}},
		} {
			for _, row := range rowsOf(&recovery.Result{Parts: []recovery.Part{{Lines: []recovery.Line{line}}}}, width) {
				if w := ansi.StringWidth(row); w > max(width, 3) {
					t.Errorf("%d cells of %d: %q", w, width, row)
				}
			}
		}
	}
}

func TestRecoveredMatches(t *testing.T) {
	t.Parallel()
	text := "guest tokens go through the same verifier as members, and guest sessions do as well"
	var found [][2]int
	for i := range text {
		if strings.HasPrefix(text[i:], "guest") {
			found = append(found, [2]int{i, i + 5})
		}
	}
	for _, lead := range []string{"", "Why: "} {
		for width := 8; width < 100; width++ {
			body := NewRecovered(&recovery.Result{Parts: []recovery.Part{{Lines: []recovery.Line{{Lead: lead, Text: text, Match: found}}}}}, RecoveredOptions{Width: width})
			n, _ := body.Upto(100)
			var lit []string
			for i := range n {
				for _, s := range body.Row(i) {
					if s.Ink == render.Match {
						lit = append(lit, s.Text)
					}
				}
			}
			if got := strings.Join(lit, " "); got != "guest guest" {
				t.Errorf("%d cells, led by %q: %q", width, lead, got)
			}
		}
	}
}

// TestRecoveredAsSeen: only the requested rows of a long NOTES.md are laid out.
func TestRecoveredAsSeen(t *testing.T) {
	t.Parallel()
	p := recovery.Part{Name: "NOTES.md"}
	for i := range 100_000 {
		p.Lines = append(p.Lines, recovery.Line{Text: fmt.Sprintf("line %d", i)})
	}
	body := NewRecovered(&recovery.Result{Level: recovery.All, Parts: []recovery.Part{p}}, RecoveredOptions{Width: 80})
	if n, all := body.Upto(31); n > 35 || all {
		t.Errorf("%d rows for 31, all %v", n, all)
	}
	if n, all := body.Upto(1 << 20); n != 100_001 || !all {
		t.Errorf("%d rows, all %v", n, all)
	}
}

func TestLeftOut(t *testing.T) {
	t.Parallel()
	tests := []struct {
		level recovery.Level
		left  []recovery.Left
		want  string
	}{
		{recovery.Where, nil, ""},
		{recovery.Where, []recovery.Left{{What: "decisions", N: 0}}, ""},
		{recovery.Where, []recovery.Left{{What: "decisions", N: 11, InNotes: 11}, {What: "questions", N: 1, InNotes: 1}}, "Left out: 11 decisions, 1 question. Level 3 has them."},
		{recovery.Topic, []recovery.Left{{What: "bead entries", N: 1, InNotes: 1}}, "Left out: 1 bead entry. Level 3 has it."},
		{recovery.Where, []recovery.Left{{What: "decisions", N: 1, InNotes: 1}, {What: "memories", N: 1}}, "Left out: 1 decision, 1 memory. Level 3 has the entries from NOTES.md."},
		{recovery.Where, []recovery.Left{{What: "bead notes", N: 2}}, "Left out: 2 bead notes."},
		{recovery.All, []recovery.Left{{What: "lines", N: 1_200}}, "Left out: 1,200 lines."},
	}
	for _, test := range tests {
		if got := LeftOut(&recovery.Result{Level: test.level, LeftOut: test.left}); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestRecoveredTable: a table of markdown is laid out in columns, with its matches.
func TestRecoveredTable(t *testing.T) {
	t.Parallel()
	lines := []recovery.Line{
		{Text: "| ID | Debt |"}, {Text: "|----|------|"}, {Text: "| TD-1 | old tokens |", Match: [][2]int{{13, 19}}}, {Text: ""}, {Text: "| no table |"},
	}
	r := NewRecovered(&recovery.Result{Parts: []recovery.Part{{Lines: lines}}}, RecoveredOptions{Width: 40})
	n, _ := r.Upto(20)
	var got []string
	for i := range n {
		line := ""
		for _, s := range r.Row(i) {
			if s.Ink == render.Match {
				s.Text = "[" + s.Text + "]"
			}
			line += s.Text
		}
		got = append(got, line)
	}
	want := []string{" ID   │ Debt", "──────┼────────────", " TD-1 │ old [tokens]", "", "| no table |"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# a\n\n| b | c |\n|---|---|\n| 1 | 2 |\n\nd\n": "# a\n\n b │ c\n───┼───\n 1 │ 2\n\nd\n",
		"| b | c |\n|---|---|":                          " b │ c\n───┼───",
		"| b |\nc":                                      "| b |\nc",
		"":                                              "",
	} {
		if got := Tables(text, 40); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
