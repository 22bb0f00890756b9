package recovery

import (
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// TestTask: each level starts with the open task. Level 3 returns the NOTES.md byte for byte.
func TestTask(t *testing.T) {
	t.Parallel()
	const want = "Task: waitlist-mails at G4. Continue from G4 step 3: Retry"
	text := "# N\n\n## Session Continuity\n\n" + strings.Repeat("A long state of the work. ", 60) + "\n\n## Decision Log\n\n- Leeway is 30 s\n"
	for _, n := range []*notes.Notes{notes.Parse([]byte(text)), nil} {
		h := &handover.Handover{State: "Mails are written", Gate: handover.Gate{Name: "G4"}, Resume: "Continue from G4 step 3: Retry"}
		f := &Facts{Notes: n, Held: []handover.Held{{Handover: h, Mark: handover.MarkTask, Name: "waitlist-mails"}}}
		if n != nil {
			f.Held = append(f.Held, handover.Held{Handover: n.Handover(), Mark: handover.MarkNotes, Name: "NOTES.md"})
		}
		for _, level := range []Level{Where, Topic, All} {
			r := Recover(f, Ask{Level: level, Query: "leeway"})
			if level == All && n != nil {
				if r.Text != text || !slices.Contains(r.Notes, want) {
					t.Errorf("level 3: %q", r.Notes)
				}
				continue
			}
			if !slices.Contains(strings.Split(r.Text, "\n"), want+" [T]") || !slices.Contains(r.From, "task waitlist-mails") {
				t.Errorf("level %d, notes %v: %q from %q", level, n != nil, r.Text, r.From)
			}
		}
	}
}
