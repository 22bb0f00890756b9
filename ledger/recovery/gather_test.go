package recovery

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/notes"
)

// TestFurther: the start of the Session Continuity isn't repeated as a further paragraph.
func TestFurther(t *testing.T) {
	t.Parallel()
	for _, words := range []int{1, 100, 5000} {
		first := strings.TrimSpace(strings.Repeat("guest ", words))
		text := fmt.Sprintf("## Session Continuity\n\n%s\n\nThe waitlist is next.\n\n- admin\n", first)
		m := gather(&Facts{Notes: notes.Parse([]byte(text))}, Where)
		if m.continuity.First != first || len(m.further) != 2 || m.further[0].text != "The waitlist is next." || m.further[1].text != "admin" {
			t.Errorf("%d words: further is %.80v", words, m.further)
		}
	}
}

func TestIsIn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 100<<10)
	for _, c := range []struct {
		text, part string
		want       bool
	}{
		{"agent: it is done", "it is done", true},
		{"it is done", "it is not", false},
		{"agent: " + long, long, true},
		{long, long + "b", false},
		{long + "b", "b", false}, // too far from the start
		{long + "b", long, true},
		{"", "b", false},
	} {
		if got := isIn(c.text, c.part); got != c.want {
			t.Errorf("isIn(%.20q, %.20q) = %v", c.text, c.part, got)
		}
	}
}
