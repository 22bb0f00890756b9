package gate_test

import (
	"testing"

	"github.com/continuo-tui/continuo/ledger/gate"
)

func TestExit(t *testing.T) {
	t.Parallel()
	for verdict, want := range map[gate.Verdict]int{gate.Passed: 0, gate.Rejected: 1, gate.Unsure: 2, "": 2} {
		if got := (&gate.Report{Verdict: verdict}).Exit(); got != want {
			t.Errorf("%q is exit %d, want %d", verdict, got, want)
		}
	}
	r := gate.Report{Steps: []gate.Step{{Status: gate.Pass}, {Status: gate.Fail}, {Status: gate.Pass}}}
	if p, f, w := r.Count(gate.Pass), r.Count(gate.Fail), r.Count(gate.Warning); p != 2 || f != 1 || w != 0 {
		t.Errorf("%d pass, %d fail, %d warn", p, f, w)
	}
}
