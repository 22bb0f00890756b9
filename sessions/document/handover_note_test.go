package document

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/handover/handovertest"
)

// noted writes the note of a handover to a text and reads the result.
func noted(t *testing.T, text string, h *handover.Handover) (back *handover.Handover, written []byte) {
	t.Helper()
	note := HandoverNote(h)
	written = note.Write([]byte(text), "session-2026-11-28-0000Z.md")
	return handed(t, KindActiveContext, written), written
}

// noteHolds returns the part of a handover that a note has.
func noteHolds(h *handover.Handover) *handover.Handover {
	v := &handover.Handover{When: h.When, Session: h.Session, State: h.State}
	for _, i := range holds(h).Items {
		if i.Status.IsOpen() {
			v.Items = append(v.Items, i)
		}
	}
	return v
}

// TestHandoverNoteRandom writes and reads notes of random handovers. A later note replaces the earlier one.
func TestHandoverNoteRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 6))
		first := handovertest.Random(r, handovertest.Wild())
		back, text := noted(t, NewContext, first)
		handovertest.SameEntries(t, back, noteHolds(first))
		second := handovertest.Random(r, handovertest.Plain())
		back, _ = noted(t, string(text), second)
		handovertest.Equal(t, back, noteHolds(second))
	}
}

// TestHandoverNoteMost: a note has at most eight items. Lost counts the others.
func TestHandoverNoteMost(t *testing.T) {
	t.Parallel()
	h := &handover.Handover{When: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC), Git: handover.Git{Branch: "main"}, Decisions: []handover.Decision{{Text: "x"}}}
	for n := range 11 {
		h.Items = append(h.Items, handover.Item{Title: fmt.Sprintf("a; `b;c` %d", n)})
	}
	back, text := noted(t, "# Mine\n", h)
	if got := strings.Join(handover.Lost(h, back), "; "); got != "branch main; 3 tasks; 1 decision" || len(back.Items) != 8 {
		t.Errorf("%q is lost of\n%s", got, text)
	}
}

// TestHandoverContext: a note in a real active-context.md doesn't hide its other contents.
func TestHandoverContext(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	text, err := os.ReadFile(filepath.Join(dir, "000", "active-context.md"))
	if err != nil {
		t.Fatal(err)
	}
	v := handed(t, KindActiveContext, text)
	if v.State != "Session complete - all features implemented and pushed." || len(v.Done) != 6 || len(v.Items) != 2 || len(v.Refs) != 7 || v.When.IsZero() {
		t.Errorf("%d %d %d of %+v", len(v.Done), len(v.Items), len(v.Refs), v)
	}
	back, _ := noted(t, string(text), v)
	handovertest.Equal(t, back, v)
}

func TestHandoverContextTime(t *testing.T) {
	t.Parallel()
	const text = "> Last Updated: 2026-11-28T02:00:00Z\n\n## Current Task\nNew\n\n## In Progress\n- Now\n\n## Blockers\n- Keys\n\n## Next Steps\n1. Then\n\n" +
		"## Last Session (by continuo)\n\n- Written: 2026-11-28T01:00:00Z\n- Session: `s`\n- Stands: Old\n- Open todos: Old\n"
	want := &handover.Handover{When: at(t, "2026-11-28T02:00:00Z"), State: "New", Items: []handover.Item{
		{Title: "Now", Status: handover.InProgress}, {Title: "Keys", Status: handover.Blocked}, {Title: "Then"},
	}}
	handovertest.Equal(t, handed(t, KindActiveContext, []byte(text)), want)
}

// FuzzHandoverNote: a note adds only its own heading.
func FuzzHandoverNote(f *testing.F) {
	f.Add(NewContext, "Leeway; `a;b`", "# heading\n`")
	f.Fuzz(func(t *testing.T, text, title, state string) {
		if strings.HasSuffix(text, "\r") { // half of a line end
			return
		}
		h := &handover.Handover{When: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC), Session: "x-1", State: "x " + state, Items: []handover.Item{{Title: "x " + title}}}
		_, written := noted(t, text, h)
		if again, two := noted(t, string(written), h); string(two) != string(written) || again == nil {
			t.Fatalf("writing it again changes %q to %q", written, two)
		}
		if got := len(headings(string(written))); got > len(headings(text))+1 {
			t.Fatalf("%d headings: %q", got, written)
		}
	})
}
