package trajectory

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// MaxWhat is the maximum width of the result of What, in cells.
const MaxWhat = 400

// What describes a record on one line without control characters. Phases of spec 002 have their own words. Other
// records are described by their action and reasoning.
func (r *Record) What() string {
	var parts []string
	add := func(text string) {
		if text = transcript.CleanLine(words.Cut(strings.ToValidUTF8(text[:min(len(text), 4*MaxWhat)], ""), 4*MaxWhat)); text != "" {
			parts = append(parts, text)
		}
	}
	named := func(name, key string) {
		if text := r.Text(key); text != "" {
			add(name + text)
		}
	}
	ratio := func(name string) {
		// A ratio below a threshold must not look equal to the threshold.
		if n, ok := r.Number("grounding_ratio"); ok {
			add(name + strconv.FormatFloat(math.Floor(n*100+1e-9)/100, 'f', 2, 64))
		}
	}
	switch r.Phase {
	case PhaseHandoff:
		ratio("grounding ")
		named("bead ", "bead_id")
		named("decisions ", "decisions_count")
		named("test scenarios ", "test_scenarios")
	case PhaseDelta:
		named("tokens ", "tokens")
		named("decisions ", "decisions_persisted")
	case PhaseFork:
		add(r.Text("context_decision"))
		named("the ledger: ", "bead_decision")
		named("bead ", "bead_id")
	case PhaseGrounding:
		grounded, claims := r.Text("grounded_claims"), r.Text("total_claims")
		if claims == "0" {
			add("no claims were logged") // without claims, the ratio is 1
			break
		}
		if grounded != "" && claims != "" {
			add(grounded + " of " + claims + " claims grounded")
		}
		ratio("ratio ")
		add(r.Text("status"))
	}
	if len(parts) == 0 {
		keys := []string{"claim", "decision", "message", "summary", "action", "event", "feature", "description", "title", "name", "query", "output", "reason"}
		add(r.Text(keys...))
		add(r.Text("reasoning")) // field of spec 002
		add(r.kind("grounding"))
		add(r.Text("status", "state"))
		if len(parts) == 0 || parts[0] == r.Text("status", "state") {
			add(otherWords(r))
		}
	}
	return words.Cut(strings.Join(parts, " · "), MaxWhat)
}

// otherWords describes a record by up to three fields.
func otherWords(r *Record) string {
	known := []string{"ts", "timestamp", "time", "agent", "phase", "type", "status", "state"}
	var parts []string
	d := json.NewDecoder(bytes.NewReader(r.Raw))
	_, _ = d.Token() // the opening bracket of the object
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
