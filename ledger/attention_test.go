package ledger_test

import (
	"testing"

	"github.com/continuo-tui/continuo/ledger"
)

func TestAttentionLevel(t *testing.T) {
	t.Parallel()
	a := ledger.DefaultConfig().Attention
	for tokens, want := range map[int64]ledger.AttentionLevel{
		-1: ledger.Green, 0: ledger.Green, 4999: ledger.Green, 5000: ledger.Yellow, 9999: ledger.Yellow,
		10000: ledger.Orange, 14999: ledger.Orange, 15000: ledger.Red, 1 << 40: ledger.Red,
	} {
		if got := a.Level(tokens); got != want {
			t.Errorf("%d tokens are %s, want %s", tokens, got, want)
		}
	}
}
