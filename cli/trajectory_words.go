package cli

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// trajectoryWhatMax is how much of what a record says is kept for its line, in cells.
const trajectoryWhatMax = 400

// trajectoryWhat is what a record says was done, on one line: those of the phases that spec 002 has in their own words,
// others by the first of their keys that says it.
func trajectoryWhat(r *trajectory.Record) string {
	var parts []string
	add := func(text string) {
		if text = transcript.CleanLine(render.Cut(strings.ToValidUTF8(text[:min(len(text), 4*trajectoryWhatMax)], ""), 4*trajectoryWhatMax)); text != "" {
			parts = append(parts, text)
		}
	}
	named := func(name, key string) {
		if text := r.Text(key); text != "" {
			add(name + text)
		}
	}
	ratio := func(name string) {
		if n, ok := r.Number("grounding_ratio"); ok { // cut off: what is below a threshold does not read as if it were not
			add(name + strconv.FormatFloat(math.Floor(n*100+1e-9)/100, 'f', 2, 64))
		}
	}
	switch r.Phase {
	case trajectory.PhaseHandoff:
		ratio("grounding ")
		named("bead ", "bead_id")
		named("decisions ", "decisions_count")
		named("test scenarios ", "test_scenarios")
	case trajectory.PhaseDelta:
		named("tokens ", "tokens")
		named("decisions ", "decisions_persisted")
	case trajectory.PhaseFork:
		add(r.Text("context_decision"))
		named("the ledger: ", "bead_decision")
		named("bead ", "bead_id")
	case trajectory.PhaseGrounding:
		if grounded, claims := r.Text("grounded_claims"), r.Text("total_claims"); grounded != "" && claims != "" {
			add(grounded + " of " + claims + " claims grounded")
		}
		ratio("ratio ")
		add(r.Text("status"))
	}
	if len(parts) == 0 {
		said := []string{"claim", "decision", "message", "summary", "action", "event", "feature", "description", "title", "name", "query", "output", "reason"}
		add(r.Text(said...))
		add(r.Kind("grounding"))
		add(r.Text("status", "state"))
		if len(parts) == 0 || parts[0] == r.Text("status", "state") {
			add(otherWords(r))
		}
	}
	return render.Cut(strings.Join(parts, " · "), trajectoryWhatMax)
}

// otherWords are the values of a record that has none of the keys that say what was done.
func otherWords(r *trajectory.Record) string {
	known := []string{"ts", "timestamp", "time", "agent", "phase", "type", "status", "state"}
	var parts []string
	d := json.NewDecoder(bytes.NewReader(r.Raw))
	_, _ = d.Token() // the bracket of the object
	for len(parts) < 3 && d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			break
		}
		name, _ := key.(string)
		if text := r.Text(name); text != "" && !slices.Contains(known, name) {
			parts = append(parts, name+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}
