package document

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/handover/handovertest"
	"github.com/continuo-tui/continuo/transcript/digest"
)

func handed(t *testing.T, kind Kind, text []byte) *handover.Handover {
	t.Helper()
	g, err := ReadWhole(strings.NewReader(string(text)), kind)
	if err != nil {
		t.Fatal(err)
	}
	return g.Handover(east())
}

// holds returns the part of a handover that a session document has.
func holds(h *handover.Handover) *handover.Handover {
	v := *h
	if v.Outcome == "" {
		v.Outcome = "in-progress" // only the user can mark a session as completed
	}
	v.Items = nil
	for _, i := range h.Items {
		if i.Status == handover.Blocked {
			i.Priority = ""
		}
		if i.Status != handover.Dropped {
			v.Items = append(v.Items, i)
		}
	}
	return &v
}

// TestHandoverRandom writes and reads documents for random handovers with Markdown.
func TestHandoverRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		v := handovertest.Random(r, handovertest.Plain())
		text := ComposeHandover(v, &Known{Project: "teahouse"})
		handovertest.Equal(t, handed(t, KindSession, text), holds(v))
		v = handovertest.Random(r, handovertest.Wild())
		text = ComposeHandover(v, &Known{Project: "teahouse", Tags: []string{"a"}, Previous: "session-2026-01-15-0515.md"})
		handovertest.SameEntries(t, handed(t, KindSession, text), holds(v))
		if got := headings(string(text)); !slices.Equal(got, specSections()) && !slices.Equal(got, slices.DeleteFunc(specSections(), func(s string) bool { return s == "Git Context" })) {
			t.Fatalf("seed %d: the sections are %q", seed, got)
		}
	}
}

// reference parses a file reference such as main.go:12.
func reference(t *testing.T, s string) ledger.Ref {
	t.Helper()
	r, ok := ledger.ParseRef(s)
	if !ok {
		t.Fatalf("%q is not an identifier", s)
	}
	return r
}

func headings(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if h, ok := strings.CutPrefix(line, "## "); ok {
			all = append(all, strings.TrimSpace(h))
		}
	}
	return all
}

// TestHandoverExamples: real documents are the same after writing and reading.
func TestHandoverExamples(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "000", "session-*.md"))
	if len(files) != 4 {
		t.Fatalf("%d documents", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v := handed(t, KindSession, text)
		if len(v.Done) == 0 || len(v.Items) == 0 || len(v.Decisions) == 0 || v.State == "" || len(v.Refs) == 0 || v.Git.Branch == "" {
			t.Errorf("%s: %+v", filepath.Base(file), v)
		}
		handovertest.Equal(t, handed(t, KindSession, ComposeHandover(v, &Known{})), v)
	}
}

func TestHandoverSpec(t *testing.T) {
	t.Parallel()
	const text = `---
date: 2026-01-15T21:52:00Z
status: blocked
branch: main
session: 1c4d
---

## Session Summary

- Fixed hooks

## Accomplishments

- **Fixed hooks**:
  - bash prefix

  A second paragraph
- None

## Key Decisions & Patterns

- **Cross-platform**: Use ` + "`bash`" + ` everywhere
- Plain \*text\*
  **Why:** Because
  **Evidence:** ` + "`a()`" + ` [${PROJECT_ROOT}/src/a.go:3-5]
  **Instead of:** zsh

## Clarifications & Decisions

- **Asked:** “Which?”
  **Answered:** “This”

## Git Context

- **Branch**: other
- **Commit**: ` + "`abc1234`" + `

## Current State

- Saved
1. Not tested

## Remaining Todos

- [ ] HIGH: Restart (beads-x7y8) (in progress)
- [ ] BLOCKED: Merge
- [x] Install

## Next Steps

1. **Merge**.
2. Run it

## Key Files

- ` + "`src/a.go`, `src/b.go`" + ` - Hooks
`
	want := &handover.Handover{
		When: at(t, "2026-01-15T21:52:00Z"), Session: "1c4d", Outcome: "blocked", Git: handover.Git{Branch: "main", Commit: "abc1234"},
		State: "Saved\nNot tested", Done: []string{"**Fixed hooks**:\n- bash prefix\nA second paragraph"},
		Items: []handover.Item{
			{Title: "Restart (beads-x7y8)", Status: handover.InProgress, Priority: "high"},
			{Title: "Merge", Status: handover.Blocked},
			{Title: "Install", Status: handover.Done},
			{Title: "Run it"},
		},
		Decisions: []handover.Decision{
			{Title: "Cross-platform", Text: "Use `bash` everywhere"},
			{Text: "Plain *text*", Why: "Because", Evidence: []handover.Evidence{{Ref: reference(t, "${PROJECT_ROOT}/src/a.go:3-5"), Quote: "a()"}}, Alternatives: []string{"zsh"}},
		},
		Questions: []handover.Question{{Text: "Which?", Answer: "This"}},
		Refs:      []handover.Reference{{Ref: reference(t, "src/a.go"), Purpose: "Hooks"}, {Ref: reference(t, "src/b.go"), Purpose: "Hooks"}},
	}
	want.Items[0].Title, want.Items[0].ID = "Restart", "beads-x7y8"
	handovertest.Equal(t, handed(t, KindSession, []byte(text)), want)
}

func TestHandoverTodos(t *testing.T) {
	t.Parallel()
	v := &handover.Handover{When: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC), Session: "1c4d", State: "Leeway is in.", Items: []handover.Item{
		{Title: "Later", Priority: "low"}, {Title: "Now", Status: handover.InProgress, ID: "beads-1"}, {Title: "Waits", Status: handover.Blocked}, {Title: "Over", Status: handover.Done},
	}}
	d := written(t, KindSession, "session-2026-11-28-0000Z.md", string(ComposeHandover(v, &Known{Project: "teahouse"})))
	if d.Malformed || d.Session != "1c4d" || d.ProjectName != "teahouse" || d.Summary != "Leeway is in." || !d.Date.Equal(v.When) || len(d.Todos) != 4 || d.Todos[2].Priority != "blocked" || !d.Todos[3].Done {
		t.Errorf("%+v", d)
	}
	if want := []string{"Now (beads-1)", "Later"}; !slices.Equal(d.Next, want) {
		t.Errorf("the next steps are %q", d.Next)
	}
}

// TestTaskItems: a Claude Code task and a todo with the same title become one item.
func TestTaskItems(t *testing.T) {
	t.Parallel()
	tasks := TaskItems([]digest.Todo{{ID: "7", Text: "Rotate\ntokens", Status: "in_progress", Priority: "high"}, {ID: "8", Status: "pending"}, {Text: "Over", Status: "completed"}})
	v := handed(t, KindSession, []byte("## Remaining Todos\n- [ ] rotate **tokens**. (in progress)\n- [x] Other\n"))
	var got []string
	for _, i := range handover.Join(tasks, v.Items) {
		got = append(got, fmt.Sprint(string(i.Marks), " ", i.ID, " ", i.Title, " ", i.Status))
	}
	if want := []string{"CD 7 Rotate tokens in progress", "C  Over done", "D  Other done"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// FuzzHandover: any document is read and written. No entry is lost.
func FuzzHandover(f *testing.F) {
	f.Add(whole, "Leeway", "Clocks differ.")
	f.Add("## Key Decisions\n- **a**: b\n  **Why:** c\n## Current State\n- x\n", "# `", "```\n**Why:** x\n```")
	f.Fuzz(func(t *testing.T, text, title, more string) {
		v := handed(t, KindSession, []byte(text))
		v.Decisions = append(v.Decisions, handover.Decision{Title: title, Text: "x1 " + more, Why: more})
		v.Questions = append(v.Questions, handover.Question{Text: "x2 " + title, Answer: more})
		v.Tests = append(v.Tests, handover.Test{Name: "x3 " + more, Type: title})
		doc := ComposeHandover(v, &Known{})
		for _, h := range headings(string(doc)) {
			if !slices.Contains(specSections(), h) {
				t.Fatalf("%q is a heading", h)
			}
		}
		back := handed(t, KindSession, doc)
		if len(back.Decisions) < 1 || len(back.Questions) != len(v.Questions) || len(back.Tests) != len(v.Tests) {
			t.Fatalf("%+v is read as %+v", v, back)
		}
	})
}
