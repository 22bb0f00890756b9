package transcript

import "encoding/json"

// clearedText is the text that the model gets in place of a result that the client has cleared (client 2.1.330).
const clearedText = "[Old tool result content cleared]"

// clear adds the calls whose results the client has cleared, from a record of the type content-replacement. The
// transcript keeps these results, but the model doesn't know them any more. Other replacements shorten a result.
func (o *Outline) clear(line []byte) {
	var r struct {
		Replacements []struct{ Kind, ToolUseID, Replacement string }
	}
	if json.Unmarshal(line, &r) != nil {
		return
	}
	for _, c := range r.Replacements {
		if c.Kind == "tool-result" && c.Replacement == clearedText && c.ToolUseID != "" {
			o.cleared[o.id([]byte(c.ToolUseID))] = true
		}
	}
}

// cleared sets MessageRef.Cleared.
func (l *linker) cleared() {
	if len(l.o.cleared) == 0 {
		return
	}
	results := map[int32]int{} // number of cleared results by record
	for _, c := range l.o.calls {
		if c.result && l.o.cleared[c.id] {
			results[c.record]++
		}
	}
	for i := range l.o.Messages {
		for _, r := range l.o.Messages[i].Records {
			l.o.Messages[i].Cleared += results[r]
		}
	}
}
