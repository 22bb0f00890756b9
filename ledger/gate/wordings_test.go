package gate

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger/beads"
)

// text returns a text with unique words and one word that all texts have.
func text(n int) string {
	var b strings.Builder
	for i := range wordsMost - 1 {
		fmt.Fprintf(&b, "w%dx%d ", n, i)
	}
	return b.String() + "tokens"
}

func TestWordingsWork(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	const texts = 300
	x := &wordings{}
	for n := range texts {
		x.add(wordingOf(text(n)))
	}
	for n := range texts {
		w := wordingOf(text(n))
		if same := x.aboutSame(&w); len(same) != 1 || same[0] != n {
			t.Fatalf("text %d is about the same as %v", n, same)
		}
		if !x.within(&w) {
			t.Fatalf("text %d isn't within itself", n)
		}
	}
	if most := 2 * texts * (texts + wordsMost); x.steps > most { // comparing every pair would take 72,000,000 steps
		t.Errorf("%d steps, at most %d", x.steps, most)
	}
}

func TestCompareStops(t *testing.T) {
	t.Parallel()
	b := beads.Bead{ID: "br-1"}
	statements := make([]Statement, 50)
	for n := range statements {
		statements[n] = Statement{Text: "use tokens of sort " + fmt.Sprint(n), Bead: b.ID}
		b.Decisions = append(b.Decisions, beads.Decision{Text: "keep tokens of kind " + fmt.Sprint(n), At: time.Unix(int64(n), 0)})
	}
	l := Ledger{Bead: b.ID, Beads: &beads.Graph{Beads: []beads.Bead{b}}}
	if forks := Forks(t.Context(), statements, l); len(forks) == 0 {
		t.Fatal("no forks found")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fresh, forks, known := Fresh(ctx, statements, l)
	if len(fresh)+len(forks)+known != 0 {
		t.Errorf("%d, %d, %d", len(fresh), len(forks), known)
	}
}
