// Package handovertest makes random handovers for the tests of formats. Only tests import it.
package handovertest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
)

// Texts has the pieces from which random texts are made.
type Texts struct {
	parts []string
	join  []string
}

// Plain returns Texts that every format stores exactly: words on one line.
func Plain() Texts {
	return Texts{[]string{"leeway", "Retry", "the token", "30 s", "größe", "修复", "إصلاح", "日本語", "emoji 🎉", "v1.2", "café"}, []string{" "}}
}

// Wild returns Texts with Markdown marks, code fences, labels, HTML, line breaks and control characters.
func Wild() Texts {
	return Texts{[]string{
		"leeway", "修复", "إصلاح", "# heading", "## Decision Log", "- item", "1. first", "* star", "> quote", "```go", "```", "~~~", "`code`", "``a`b``", "**bold**", "_em_", "a_b",
		"| cell | two |", "|---|", "---", "===", "<!-- comment -->", "<!--", "-->", "<br>", "<b>", "[ ] box", "[x]", "[link](http://a.example)", `\`, `\*`, "&amp;", "&",
		"**Rationale**: not a label", "Evidence: a", "Decision: x", "Session: b", "Next: a; b", "; ", "(in progress)", "@file", "\x07", "\u202e", "\u00a0", "“quoted”", "🎉",
	}, []string{" ", " ", "\n", "\n\n", "\n  ", "; ", "\r\n", "\t"}}
}

// Random returns a handover with random entries. Titles are unique among the entries of a kind.
func Random(r *rand.Rand, texts Texts) *handover.Handover {
	n := 0
	text := func() string {
		n++
		all := []string{fmt.Sprintf("no%d", n)} // unique, and not a placeholder such as "none"
		for range r.IntN(6) {
			all = append(all, texts.parts[r.IntN(len(texts.parts))])
		}
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		var b strings.Builder
		for i, s := range all {
			if i > 0 {
				b.WriteString(texts.join[r.IntN(len(texts.join))])
			}
			b.WriteString(s)
		}
		return b.String()
	}
	some := func(make func()) {
		for range r.IntN(4) {
			make()
		}
	}
	maybe := func(s string) string {
		if r.IntN(3) == 0 {
			return ""
		}
		return s
	}
	when := func() time.Time {
		return time.Date(2026, 11, 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC)
	}
	ref := func() ledger.Ref {
		n++
		written := fmt.Sprintf("${PROJECT_ROOT}/src/a%d.go:%d", n, 1+r.IntN(99))
		if r.IntN(2) == 0 {
			written += fmt.Sprint("-", 200+r.IntN(99))
		}
		found, _ := ledger.ParseRef(written)
		return found
	}
	h := &handover.Handover{
		When: when(), Session: fmt.Sprintf("sess-%03d", r.IntN(999)), Agent: maybe("implementing-tasks"), Git: handover.Git{Branch: maybe("feature/auth"), Commit: maybe("abc1234")},
		State: text(), Ran: handover.Ran{Passing: r.IntN(3)}, Gate: handover.Gate{Name: maybe("G4"), Verdict: maybe("complete")},
		Step: maybe("3"), Outcome: maybe("partial"), Resume: maybe(text()),
	}
	if r.IntN(2) == 0 {
		h.Gate.Ratio, h.Gate.Counted = float64(1+r.IntN(100))/100, true
	}
	some(func() { h.Done = append(h.Done, text()) })
	statuses := []handover.Status{handover.Open, handover.InProgress, handover.Blocked, handover.Done, handover.Dropped}
	some(func() {
		n++
		i := handover.Item{Title: strings.Join(strings.Fields(text()), " "), Status: statuses[r.IntN(len(statuses))], Priority: maybe("high")}
		if r.IntN(2) == 0 {
			i.ID = fmt.Sprintf("beads-x%d", n)
		}
		h.Items = append(h.Items, i)
	})
	last := when()
	some(func() {
		d := handover.Decision{When: last, Title: maybe(strings.Join(strings.Fields(text()), " ")), Text: text(), Why: maybe(text())}
		last = last.Add(-time.Hour) // newest first
		some(func() { d.Alternatives = append(d.Alternatives, text()) })
		some(func() {
			d.Evidence = append(d.Evidence, handover.Evidence{Ref: ref(), Quote: maybe("leeway := `30`")})
		})
		h.Decisions = append(h.Decisions, d)
	})
	some(func() { h.Questions = append(h.Questions, handover.Question{Text: text(), Answer: maybe(text())}) })
	some(func() { h.Refs = append(h.Refs, handover.Reference{Ref: ref(), Purpose: maybe(text())}) })
	some(func() {
		h.Tests = append(h.Tests, handover.Test{Name: text(), Type: maybe("edge_case"), Expected: maybe(text())})
	})
	return h
}

// Equal fails the test unless two handovers are equal. Neither may have a value that the other one lacks.
func Equal(t *testing.T, got, want *handover.Handover) {
	t.Helper()
	if lost := handover.Lost(want, got); lost != nil {
		t.Fatalf("lost: %q\nof   %+v\nread %+v", lost, want, got)
	}
	if more := handover.Lost(got, want); more != nil {
		t.Fatalf("invented: %q\nof   %+v\nread %+v", more, want, got)
	}
}

// SameEntries fails the test if an entry is lost or added. Marks, and line breaks inside a text, may be lost.
func SameEntries(t *testing.T, got, want *handover.Handover) {
	t.Helper()
	if lost := Entries(handover.Lost(want, got)); lost != nil {
		t.Fatalf("lost: %q\nof   %+v\nread %+v", lost, want, got)
	}
	if more := Entries(handover.Lost(got, want)); more != nil {
		t.Fatalf("invented: %q\nof   %+v\nread %+v", more, want, got)
	}
}

// Entries returns the phrases of handover.Lost that are about whole entries, such as "2 decisions".
func Entries(lost []string) []string {
	var entries []string
	for _, part := range lost {
		if part[0] >= '0' && part[0] <= '9' {
			entries = append(entries, part)
		}
	}
	return entries
}
