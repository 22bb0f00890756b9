package trajectory_test

import (
	"encoding/json"
	"testing"

	"github.com/continuo-tui/continuo/ledger/trajectory"
)

func TestWhat(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"phase":"cite","claim":"Exp is UTC","reasoning":"jwt.go:12 says\nso","grounding":"citation"}`:          "Exp is UTC · jwt.go:12 says so · citation",
		`{"phase":"plan","reasoning":"Guests first"}`:                                                            "Guests first",
		`{"phase":"session_handoff","grounding_ratio":0.949,"bead_id":"tea-9","reasoning":"not part of a form"}`: "grounding 0.94 · bead tea-9",
		`{"phase":"grounding_check","total_claims":0,"grounded_claims":0,"grounding_ratio":1,"status":"pass"}`:   "no claims were logged",
		`{"phase":"odd","n":3}`: "n 3",
	} {
		r := trajectory.Record{Raw: json.RawMessage(raw)}
		if err := json.Unmarshal(r.Raw, &r.Fields); err != nil {
			t.Fatal(err)
		}
		_ = json.Unmarshal(r.Fields["phase"], &r.Phase)
		if got := r.What(); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
