package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
)

// TestSaveAgain: the plan says whether the first document already has everything.
func TestSaveAgain(t *testing.T) {
	t.Parallel()
	w := newSaveWorld(t)
	w.row.Last = now().Add(-1)
	c := w.changes()
	look := func() (*tui.Plan, string) {
		plan, err := c.Plan(t.Context(), tui.Change{Kind: tui.ChangeSave, Rows: []sessions.Row{w.row}})
		if err != nil {
			t.Fatal(err)
		}
		return &plan, partsOf(plan)
	}
	const again = "is from this session, and there are no newer messages"
	plan, text := look()
	if strings.Contains(text, again) {
		t.Errorf("the first time:\n%s", text)
	}
	if _, err := c.Do(t.Context(), *plan); err != nil {
		t.Fatal(err)
	}
	if _, text = look(); !strings.Contains(text, again) {
		t.Errorf("the second time:\n%s", text)
	}
	w.row.Last = now().Add(time.Hour)
	if _, text = look(); strings.Contains(text, again) {
		t.Errorf("with a new message:\n%s", text)
	}
}
