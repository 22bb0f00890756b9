package ledgerlines

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// TestEntryWidth: untrusted text is cleaned, and no line is too wide.
func TestEntryWidth(t *testing.T) {
	t.Parallel()
	const wild = "a \x1b[31mred\x1b[0m title with 漢字 and\ttabs " + "and-a-word-that-is-longer-than-any-line-of-a-narrow-pane-can-be"
	ref := ledger.Ref{Path: "src/" + strings.Repeat("deep/", 12) + "\x1bfile.go", From: 12, To: 40}
	gone := ledger.Check{Status: ledger.NoFile, To: "src/else/\x07where.go", At: 3}
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	d := notes.Decision{When: now, Title: wild, Decision: wild + "\n- one\n- two\n\n" + wild, Rationale: wild, Evidence: []notes.Evidence{{Ref: ref, Line: 1}, {Ref: ref, Line: 2}}}
	q := notes.Question{Text: wild, Since: now.AddDate(-1, 0, 0)}
	id := recovery.Checked{Identifier: notes.Identifier{Ref: ref, Purpose: wild}, Check: ledger.Check{Status: ledger.Unreadable, Problem: wild}}
	b := beads.Bead{ID: "bd-\x1b1", Title: wild, Description: wild, Assignee: wild, Type: wild}
	for width := range 130 {
		for _, most := range []int{0, 1, 4} {
			for _, chosen := range []bool{false, true} {
				o := EntryOptions{Width: width, Styles: render.NewStyles(render.Dark), Now: now, Chosen: chosen, Most: most, Column: 40}
				lines := DecisionLines(&d, map[survey.Backing]ledger.Check{survey.BackingOf(&d.Evidence[0]): gone, survey.BackingOf(&d.Evidence[1]): {Status: ledger.NoLine, Lines: 112}}, o)
				lines = append(lines, QuestionLines(&q, o)...)
				lines = append(lines, IdentifierLines(&id, o)...)
				lines = append(lines, BeadLines(&b, []string{wild}, o)...)
				for _, l := range lines {
					if w := ansi.StringWidth(l); w > width {
						t.Fatalf("at %d a line has %d cells: %q", width, w, ansi.Strip(l))
					}
					if strings.ContainsAny(l, "\t\x07") || strings.Contains(l, "\x1b[31m") {
						t.Fatalf("at %d untrusted text is not cleaned: %q", width, l)
					}
				}
			}
		}
	}
}

// TestReflowed: the lines of a paragraph are joined, but not those of lists, tables, quotations and code.
func TestReflowed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"one\ntwo\n\nthree":              "one two\n\nthree",
		"- one\n  goes on\n- two":        "• one goes on\n• two",
		"1. one\n2. two":                 "1. one\n2. two",
		"| a |\n| b |\nc":                "| a |\n| b |\nc",
		"> a\n> b":                       "> a\n> b",
		"a\n```\nx\ny\n```\nb\nc":        "a\n```\nx\ny\n```\nb c",
		"**Status**: done\n**Next**: it": "Status: done\nNext: it",
		"a\r\nb":                         "a b",
		"":                               "",
	} {
		if got := reflowed(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCheckWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		check ledger.Check
		want  string
	}{
		{ledger.Check{Status: ledger.Holds, Quoted: true}, "✓ quote found"},
		{ledger.Check{Status: ledger.Holds}, "✓ found"},
		{ledger.Check{Status: ledger.Moved, At: 97}, "△ moved to :97"},
		{ledger.Check{Status: ledger.NoQuote}, "✗ quote not found"},
		{ledger.Check{Status: ledger.NoLine, Lines: 112}, "✗ has only 112 lines"},
		{ledger.Check{Status: ledger.NoLine, Lines: 1}, "✗ has only 1 line"},
		{ledger.Check{Status: ledger.NoFile}, "✗ file is gone"},
		{ledger.Check{Status: ledger.Outside}, "△ outside the project"},
		{ledger.Check{Status: ledger.Unreadable, Problem: "permission denied"}, "✗ permission denied"},
		{ledger.Check{Status: ledger.Unreadable}, "✗ cannot be read"},
		{ledger.Check{}, "· "},
	} {
		if glyph, words := CheckSpans(test.check); glyph.Text+" "+words.Text != test.want {
			t.Errorf("%+v: %q, want %q", test.check, glyph.Text+" "+words.Text, test.want)
		}
	}
}
