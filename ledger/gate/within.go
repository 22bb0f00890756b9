package gate

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/continuo-tui/continuo/ledger/trajectory"
)

// maxWithin is how deep objects inside a record are searched.
const maxWithin = 8

// within adds the objects inside a record that have a phase. Agents log several claims in one record, and the
// spec's script counts each of these claims on its own line. within skips citations, because each is counted with
// its claim.
func (c *Collector) within(r *trajectory.Record) {
	keys := slices.Sorted(maps.Keys(r.Fields)) // sorted, because queries must follow their ghost
	for _, key := range keys {
		if key != "citations" {
			c.part(r, r.Fields[key], maxWithin)
		}
	}
}

// part does for one value what within does for a record. deep is how many levels are left.
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
