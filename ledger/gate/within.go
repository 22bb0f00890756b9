package gate

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/continuo-tui/continuo/ledger/trajectory"
)

// maxWithin is the maximum depth of nested objects that are searched.
const maxWithin = 8

// within adds the objects with a phase inside a record. Some agents log several claims in one record. Citations
// belong to their claim.
func (c *Collector) within(r *trajectory.Record) {
	keys := slices.Sorted(maps.Keys(r.Fields)) // the queries of a ghost must follow the ghost
	for _, key := range keys {
		if key != "citations" {
			c.part(r, r.Fields[key], maxWithin)
		}
	}
}

// part searches one value for objects that have a phase. deep is the remaining depth.
func (c *Collector) part(r *trajectory.Record, value json.RawMessage, deep int) {
	if deep == 0 || !bytes.Contains(value, []byte(`"phase"`)) {
		return
	}
	whole := *r
	whole.Fields = map[string]json.RawMessage{"": value}
	for _, x := range whole.Items("") {
		if x.Fields == nil {
			c.part(r, x.Raw, deep-1)
			continue
		}
		if x.Phase != "" && len(x.Fields["phase"]) > 0 {
			if agent := x.Text("agent"); agent != "" {
				x.Agent = agent
			}
			if !c.foreign(&x) {
				c.take(&x)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(x.Fields)) {
			if key != "citations" {
				c.part(&x, x.Fields[key], deep-1)
			}
		}
	}
}
