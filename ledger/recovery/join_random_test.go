package recovery

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/handover/handovertest"
)

func TestJoinRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 9))
		var held []handover.Held
		for i, mark := range []handover.Mark{handover.MarkDocument, handover.MarkDocument, handover.MarkSnapshot, handover.MarkBead} {
			v := handovertest.Random(r, handovertest.Wild())
			held = append(held, handover.Held{Handover: v, Mark: mark, Name: fmt.Sprintf("x-%d", i), At: v.When})
		}
		f := factsOf(joinedNotes, nil, held...)
		for _, most := range budgets() {
			for _, level := range []Level{Where, Topic} {
				got := Recover(f, Ask{Level: level, Max: most, Query: "tokens"})
				if n := Tokens(got.Text); n > got.Budget {
					t.Errorf("seed %d, level %d: %d of %d tokens", seed, level, n, got.Budget)
				}
				for _, p := range got.Parts {
					for _, l := range p.Lines {
						if l.Mark() == "" || strings.Contains(l.Text, "\n") {
							t.Errorf("seed %d, level %d: %+v", seed, level, l)
						}
					}
				}
			}
		}
	}
}
