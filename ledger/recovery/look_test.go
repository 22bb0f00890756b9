package recovery

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// TestLookAtGiven: a code reference is checked only if it fits into the output.
func TestLookAtGiven(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("## Session Continuity\n\n- **Reasoning State**: Half done.\n\n### Lightweight Identifiers\n\n")
	for i := range 11 {
		fmt.Fprintf(&text, "- `${PROJECT_ROOT}/%s.go:1`\n", strings.Repeat("a", 11-i))
	}
	n := notes.Parse([]byte(text.String()))
	var asked []int
	f := factsOf(text.String(), nil)
	f.Check = func(ref ledger.Ref, _ string) ledger.Check {
		i := slices.IndexFunc(n.Identifiers(), func(id notes.Identifier) bool { return id.Ref == ref })
		asked = append(asked, i)
		switch i {
		case 1:
			return ledger.Check{Status: ledger.Moved, At: 100_000} // the text of this problem doesn't fit
		case 3:
			return ledger.Check{Status: ledger.NoFile}
		}
		return ledger.Check{Status: ledger.Holds}
	}
	for _, c := range []struct {
		max          int
		asked, given []int
	}{
		{max: 7},
		{max: 18, asked: []int{0}, given: []int{0}},
		{max: 32, asked: []int{0, 1, 2}, given: []int{0, 2}},
		{max: 0, asked: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, given: []int{0, 1, 2, 4, 5, 6, 7, 8, 9, 10}},
	} {
		asked = nil
		r := Recover(f, Ask{Level: Where, Max: c.max})
		var given []int
		for _, p := range r.Parts {
			for _, l := range p.Lines {
				if l.Ref == nil {
					continue
				}
				given = append(given, slices.IndexFunc(n.Identifiers(), func(id notes.Identifier) bool { return id.Ref == *l.Ref }))
				if l.Check == nil || l.Check.Bad() != strings.HasSuffix(l.Text, " (moved to line 100000)") {
					t.Errorf("%d tokens: %+v", c.max, l)
				}
			}
		}
		if broken := leftOf(&r, leftBroken); (broken == 1) != slices.Contains(asked, 3) {
			t.Errorf("%d tokens: %d broken identifiers", c.max, broken)
		}
		if !slices.Equal(asked, c.asked) || !slices.Equal(given, c.given) {
			t.Errorf("%d tokens: checked %v, returned %v\n%s", c.max, asked, given, r.Text)
		}
	}
	if asked = nil; Recover(f, Ask{Level: Topic, Query: "continuity"}).Text == "" || asked != nil {
		t.Errorf("checked %v for another topic", asked)
	}
	if Recover(f, Ask{Level: All}); asked != nil {
		t.Errorf("checked %v for the whole text", asked)
	}
}
