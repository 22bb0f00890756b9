package recovery

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// unfilled is a NOTES.md with only the headings and placeholders of a template.
const unfilled = "# Agent Working Memory (NOTES.md)\n\n> This file persists agent context.\n\n## Current Focus\n\n" +
	"- **Active Task**: [Task ID] - [Description]\n- **Status**: Not Started\n\n## Session Log\n\n| Timestamp | Event |\n|---|---|\n| YYYY-MM-DDTHH:MM:SSZ | Initialized |\n\n" +
	"## Technical Debt\n\n| ID | Description |\n|---|---|\n| TD-001 | [Placeholder debt item] |\n\n## Learnings\n\n- [Placeholder learning]\n\n" +
	"## Session Continuity\n\n- **Current Bead**: [bead-id] ([task description])\n- **Last Checkpoint**: YYYY-MM-DDTHH:MM:SSZ\n"

func TestIsFilled(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                          false,
		"# Notes\n\nAll of them.\n": true,
		unfilled:                    false,
		strings.Replace(unfilled, "[Placeholder learning]", "Ports are taken.", 1):   true,
		strings.Replace(unfilled, "[Placeholder debt item]", "Two models", 1):        true,
		strings.Replace(unfilled, "[bead-id] ([task description])", "br-1 (one)", 1): true,
		unfilled + "\n## Active Sub-Goals\n\n- [x] Done\n":                           true,
		unfilled + "\n## Old\n\n" + strings.Repeat("[Hole]\n", filledFrom):           true, // the text of long sections isn't read
	} {
		if got := IsFilled(notes.Parse([]byte(text))); got != want {
			t.Errorf("%v of\n%.600s", got, text)
		}
	}
}

// TestUnfilled: placeholders aren't recovered. Other sources replace a NOTES.md with only placeholders.
func TestUnfilled(t *testing.T) {
	t.Parallel()
	f := factsOf(unfilled, nil)
	for _, level := range []Level{Where, Topic} {
		r := Recover(f, Ask{Level: level})
		if r.Text != "" || len(r.LeftOut) > 0 || len(r.Notes) == 0 || r.Notes[0] != "NOTES.md isn't filled in yet." {
			t.Errorf("level %d: %+v", level, r)
		}
	}
	if r := Recover(f, Ask{Level: All}); r.Text != unfilled {
		t.Errorf("level 3 is %q", r.Text)
	}
	f = factsOf(unfilled, &beads.Graph{Beads: []beads.Bead{{ID: "br-1", Title: "One", Status: "in_progress"}}})
	f.Instead = []Source{{Kind: "session", Name: "Tokens", Text: "Asked last: go on.\n"}}
	want := "Bead: br-1 One (in progress) [B]\n## session Tokens\nAsked last: go on.\n[B bead]\n"
	if r := Recover(f, Ask{Level: Where}); r.Text != want {
		t.Errorf("%q", r.Text)
	}
	// The first section is empty.
	f = factsOf(strings.Replace(unfilled, "[Placeholder learning]", "Ports are taken.", 1), nil)
	if r := Recover(f, Ask{Level: Where}); r.Text != "Learnings: Ports are taken. [N]\n[N NOTES.md]\n" {
		t.Errorf("%q", r.Text)
	}
}

func TestFilledExamples(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("no $CONTINUO_EXAMPLES")
	}
	files, err := filepath.Glob(filepath.Join(dir, "002", "NOTES.*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := IsFilled(notes.Parse(text)); got == strings.Contains(file, "template") {
			t.Errorf("%s: %v", filepath.Base(file), got)
		}
	}
}
