package transcript

import (
	"encoding/json"
	"slices"
)

// bridged is a limit of the client in milliseconds. If the parent of a record is missing, an earlier record within
// this time takes its place.
const bridged = 5000

// keptRef has the IDs of the messages that a compaction kept.
type keptRef struct {
	record     int32 // the boundary
	all        []ID
	head, tail ID // the first and the last message, if all is empty
}

// keptBy reads the IDs of the kept messages from line, the boundary of a compaction.
func (o *Outline) keptBy(line []byte) keptRef {
	var r struct {
		CompactMetadata struct {
			PreservedMessages struct{ UUIDs []string }
			PreservedSegment  struct{ HeadUUID, TailUUID string }
		}
	}
	k := keptRef{record: int32(len(o.Records))}
	if json.Unmarshal(line, &r) != nil {
		return k
	}
	c := &r.CompactMetadata
	for _, id := range c.PreservedMessages.UUIDs {
		k.all = append(k.all, o.id([]byte(id)))
	}
	k.head, k.tail = o.id([]byte(c.PreservedSegment.HeadUUID)), o.id([]byte(c.PreservedSegment.TailUUID))
	return k
}

// horizon returns the index in chain of the first record that the client loads. chain has the records of the main
// thread. kept has the earlier records that a compaction kept.
func (l *linker) horizon(chain []int32) (from int, kept []int32) {
	for from = len(chain) - 1; from > 0; from-- {
		r := &l.o.Records[chain[from]]
		if r.Kind == KindBoundary {
			return from, l.kept(chain[from])
		}
		root := r.Parent == 0 && r.UUID != 0 && r.Kind != KindEvent
		if broken := r.Has(FlagDangling) && r.Time-l.o.Records[chain[from-1]].Time > bridged; root || broken {
			return from, nil
		}
	}
	return 0, nil
}

// kept returns the records that a compaction kept; nil if one is missing.
func (l *linker) kept(boundary int32) (list []int32) {
	i, ok := slices.BinarySearchFunc(l.o.kept, boundary, func(k keptRef, at int32) int { return int(k.record - at) })
	if !ok {
		return nil
	}
	k := &l.o.kept[i]
	for _, id := range k.all {
		r := l.find(id)
		if r == none {
			return nil
		}
		list = append(list, r)
	}
	if len(k.all) > 0 {
		return list
	}
	head := l.find(k.head)
	for r, n := l.find(k.tail), len(l.o.Records); r != none && head != none && n > 0; r, n = l.parent[r], n-1 {
		if list = append(list, r); r == head {
			return list
		}
	}
	return nil
}

// known sets MessageRef.Known and Outline.Known: the messages that `claude --resume` sends to the model (observed
// with client 2.1.330). chain has the records of the main thread. These messages are known:
//
//   - The main thread from its last compaction, or from the record without a parent. A missing parent is replaced by
//     the record before it, unless that is more than five seconds older.
//   - The earlier messages that the compaction kept (compactMetadata.preservedMessages, else preservedSegment). If
//     one is missing, none is known.
//
// API errors that the client wrote for the assistant aren't known.
func (l *linker) known(chain []int32) {
	from, kept := l.horizon(chain)
	loaded, preserved := make([]bool, len(l.o.Records)), make([]bool, len(l.o.Records))
	for _, r := range chain[from:] {
		loaded[r] = true
	}
	for _, r := range kept {
		preserved[r] = true
	}
	begun := false
	for i := range l.o.Messages {
		m := &l.o.Messages[i]
		if m.Thread != 0 {
			break // the other threads aren't known
		}
		in := func(set []bool) bool { return slices.ContainsFunc(m.Records, func(r int32) bool { return set[r] }) }
		begun = begun || in(loaded)
		unsent := func(r int32) bool { return l.o.Records[r].Has(FlagUnsent) }
		m.Known = (begun || in(preserved)) && m.Kind != Boundary && !slices.ContainsFunc(m.Records, unsent)
		if m.Known && m.Turn {
			l.o.Known++
		}
	}
}

// clearedText is what the model gets instead of a cleared result (client 2.1.330).
const clearedText = "[Old tool result content cleared]"

// clear adds the calls whose results the client has cleared. line is a record of the type content-replacement. The
// model doesn't know these results.
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
