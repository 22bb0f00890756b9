package notes_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/notes"
)

func seeds(f *testing.F) []string {
	f.Helper()
	all := []string{
		"", "\xef\xbb\xbf# T\r\n\r\n## Decision Log\r\n", spec, "---\na: b\n# c\n---\n# d\n", "```\n# a", "<!--\n# a", "- ```\n  # a\n## Decisions\n",
		"Session Continuity\n---\nCurrent focus: x\n", "## Decisions\n|a|Decision|\n|-|-|\n|1|x\\|y|\n", "text <!-- a\n## b\n-->\n",
		"## Decision Log — 2026-05-12 (a)\n\nx\n\n---\n\n## Decision Log — 2026-05-11 (b)\n### c\n", "# a\n## Decisions\n- **x** — y\n  ```\n",
		"## Decisions\n**Decision: a**\n- **Rationale**: b\n**Decision: c**\n", "## Open Questions\n1. a\n2. b\n", "## Decision Log — 2026-05-12 (x)\n| Decision | Rationale |\n|-|-|\n| a | b |\n",
		"## Session Continuity\n|Timestamp|Agent|Summary|\n|-|-|-|\n|2026-01-01|a|b|\n",
	}
	if dir := os.Getenv("CONTINUO_EXAMPLES"); dir != "" {
		files, _ := filepath.Glob(filepath.Join(dir, "002", "NOTES.*.md"))
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			all = append(all, string(text))
		}
	}
	return all
}

// FuzzParse checks that Parse accepts any bytes. The sections must cover the text, and all offsets must be in the
// text.
func FuzzParse(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := notes.Parse([]byte(s))
		tile(t, n)
		lines := 1 + strings.Count(s, "\n")
		for i, d := range n.Decisions() {
			if d.Line < 1 || d.Last < d.Line || d.Last > lines || d.Section < 0 || d.Section >= len(n.Sections) || d.Title == "" || strings.ContainsAny(d.Title, "\n") || d.Blank {
				t.Fatalf("decision %+v of %d lines", d, lines)
			}
			if i > 0 && d.When.After(n.Decisions()[i-1].When) && !n.Decisions()[i-1].When.IsZero() {
				t.Fatal("decisions are not in order")
			}
		}
		sameTitles(t, n)
		for _, q := range n.Questions() {
			if q.Line < 1 || q.Line > lines || q.Done || q.Blank {
				t.Fatalf("question %+v", q)
			}
		}
		for _, id := range n.Identifiers() {
			if id.Line < 1 || id.Line > lines || id.Ref.Path == "" {
				t.Fatalf("identifier %+v", id)
			}
		}
		if c := n.Continuity(); c.Section >= 0 && n.Sections[c.Section].Kind != notes.KindContinuity {
			t.Fatalf("continuity %+v", c)
		}
		always := func(string) bool { return true }
		fixed := n.Fix(n.Lint("/r", always))
		for _, left := range notes.Parse(fixed).Lint("/r", always) {
			if left.Right != "" {
				t.Fatalf("%+v is left", left)
			}
		}
	})
}

// FuzzInsert checks that any entry can be inserted into any text and removed again. The insertion must not change
// other sections.
func FuzzInsert(f *testing.F) {
	for i, s := range seeds(f) {
		f.Add(s, "a few words", "is it", byte(i))
		f.Add(s, "A title", "why | so\n# not\n```\n<!-- not\n| no |\n- **Decision**: no", byte(i))
	}
	f.Fuzz(func(t *testing.T, s, title, text string, kind byte) {
		kinds := []notes.EntryKind{notes.EntryDecision, notes.EntryQuestion, notes.EntryNext, notes.EntryHandoff, notes.EntryScenario}
		e := entries()[kinds[int(kind)%len(kinds)]]
		e.Title, e.Text = title, text
		was := notes.Parse([]byte(s))
		in, err := was.Insert(e)
		if err != nil {
			if strings.TrimSpace(title+text) != "" && e.Kind == notes.EntryHandoff {
				t.Fatal(err)
			}
			return
		}
		after := in.Apply([]byte(s))
		if !bytes.Equal(after[:in.At], []byte(s)[:in.At]) || !bytes.Equal(after[in.At+len(in.Text):], []byte(s)[in.At:]) {
			t.Fatal("other bytes are changed")
		}
		if back, _, _, ok := change.TakeOut(after, in.Text, in.At); ok && string(back) != s {
			t.Fatal("removing the entry changes other bytes")
		}
		n := notes.Parse(after)
		tile(t, n)
		others(t, was, n, in)
		switch {
		case e.Kind == notes.EntryDecision && len(n.Decisions()) < len(was.Decisions()):
			t.Fatalf("%d decisions became %d", len(was.Decisions()), len(n.Decisions()))
		case e.Kind == notes.EntryDecision && isWords(title):
			if !slices.ContainsFunc(n.Decisions(), func(d notes.Decision) bool {
				return d.Title == title && (d.When.IsZero() || d.When.Format(time.DateOnly) == "2026-11-22")
			}) {
				t.Fatalf("the entry isn't found, or has another day")
			}
		case e.Kind == notes.EntryQuestion && isWords(text):
			if !slices.ContainsFunc(n.Questions(), func(q notes.Question) bool {
				return q.Text == text+" (br-1)" || q.Text == text || q.Text == text+" Bead: br-1"
			}) {
				t.Fatalf("the entry isn't found in %+v", n.Questions())
			}
		case e.Kind == notes.EntryQuestion && len(n.Questions()) < len(was.Questions()):
			t.Fatalf("%d questions became %d", len(was.Questions()), len(n.Questions()))
		}
	})
}

func isWords(s string) bool {
	f := strings.Fields(s)
	return len(f) > 1 && len(f) < 9 && strings.Join(f, " ") == s && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz ") == "" &&
		!slices.Contains([]string{"none", "nothing", "decision", "where", "what", "happy", "edge", "error", "open", "why", "no", "not"}, f[0])
}

// others checks the sections that an insertion must not change.
func others(t *testing.T, was, n *notes.Notes, in notes.Insertion) {
	t.Helper()
	k := 0
	for _, s := range n.Sections {
		if s.Start >= in.At && s.Body <= in.At+len(in.Text) {
			continue // the new section
		}
		if k == len(was.Sections) {
			t.Fatalf("section %q is new", s.Title)
		}
		w := was.Sections[k]
		k++
		if w.Title != s.Title || w.Level != s.Level || w.Kind != s.Kind {
			t.Fatalf("section %q became %q", w.Title, s.Title)
		}
		if in.At < w.Start || in.At > w.End {
			if !bytes.Equal(was.Text[w.Start:w.End], n.Text[s.Start:s.End]) {
				t.Fatalf("section %q was changed", w.Title)
			}
		}
	}
	if k != len(was.Sections) {
		t.Fatalf("%d sections became %d", len(was.Sections), k)
	}
}
