package recovery

import (
	"cmp"
	"slices"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// verdict is the status of an item in the highest store.
type verdict struct {
	mark   handover.Mark
	status handover.Status
}

// items adds the open items: in progress, then open, then blocked. In each group, items of handovers come before
// other ready beads. Superseded items come last.
func (j *joiner) items(f *Facts) {
	verdicts := j.verdicts()
	ready := map[string]bool{}
	var beadsLast []handover.Item
	if f.Beads != nil {
		for _, b := range append(f.Beads.AtWork(), f.Beads.Ready(f.Now)...) {
			if !ready[b.ID] {
				ready[b.ID] = true
				beadsLast = append(beadsLast, b.Item())
			}
		}
	}
	var lists [][]handover.Item
	from := map[handover.Mark]string{}
	for i := range j.held {
		h := &j.held[i]
		if _, known := from[h.Mark]; !known {
			from[h.Mark] = j.sourceOf(h)
		}
		items := slices.Clone(h.Items)
		if h.Mark == handover.MarkBead {
			if !ready[h.Name] || len(items) == 0 {
				continue
			}
			items = items[1:] // the current bead is in beadsLast
		}
		for k := range items {
			items[k].Marks = []handover.Mark{h.Mark}
		}
		lists = append(lists, items)
	}
	list := handover.Join(append(lists, beadsLast)...)
	for i := range list {
		if v, ok := verdicts.of(&list[i]); ok {
			list[i].Status = v.status
		}
	}
	list = slices.DeleteFunc(list, func(i handover.Item) bool {
		return !i.Status.IsOpen() || clean(i.Title) == "" || j.isCurrent(&i)
	})
	slices.SortStableFunc(list, func(a, b handover.Item) int { return cmp.Compare(urgency(a.Status), urgency(b.Status)) })
	for i := range list {
		e := entry{kind: leftItems, title: clean(handover.Named(list[i].Title, list[i].ID)), when: list[i].At, lead: itemLead(list[i].Status), marks: list[i].Marks}
		for _, m := range e.marks {
			name := from[m]
			if m == handover.MarkBead && list[i].ID != "" {
				name = m.Name() + " " + clean(list[i].ID)
			}
			e.from = append(e.from, name)
		}
		j.entries = append(j.entries, e)
	}
	j.superseded(verdicts)
}

// isCurrent reports whether an item is the current bead, which has its own output.
func (j *joiner) isCurrent(i *handover.Item) bool {
	if j.bead != nil {
		return i.ID == j.bead.ID
	}
	c := &j.continuity
	return c.Bead != "" && i.ID == c.Bead || c.BeadText != "" && handover.Key(i.Title) == handover.Key(c.BeadText)
}

func urgency(s handover.Status) int {
	switch s {
	case handover.InProgress:
		return 0
	case handover.Blocked:
		return 2
	case handover.Open, handover.Done, handover.Dropped:
	}
	return 1
}

func itemLead(s handover.Status) string {
	switch s {
	case handover.InProgress:
		return "In progress: "
	case handover.Blocked:
		return "Blocked: "
	case handover.Open, handover.Done, handover.Dropped:
	}
	return "Next: "
}

// verdicts has a verdict for each key of an item.
type verdicts map[string]verdict

func itemKeys(i *handover.Item) []string {
	var keys []string
	if handover.IsID(i.ID) {
		keys = append(keys, "id "+i.ID)
	}
	if key := handover.Key(i.Title); key != "" {
		keys = append(keys, "title "+key)
	}
	return keys
}

func (v verdicts) of(i *handover.Item) (verdict, bool) {
	for _, key := range itemKeys(i) {
		if is, ok := v[key]; ok {
			return is, true
		}
	}
	return verdict{}, false
}

// verdicts returns the status of each item. The newest handover of a store counts.
func (j *joiner) verdicts() verdicts {
	all := verdicts{}
	for i := range j.ranked {
		h := &j.ranked[i]
		eachItem(h, func(item *handover.Item) {
			is, known := all.of(item)
			if !known {
				is = verdict{h.Mark, item.Status}
			}
			for _, key := range itemKeys(item) {
				if _, known := all[key]; !known {
					all[key] = is
				}
			}
		})
	}
	return all
}

// eachItem calls visit for the items of a handover and for its finished tasks.
func eachItem(h *handover.Held, visit func(*handover.Item)) {
	for i := range h.Items {
		visit(&h.Items[i])
	}
	for _, title := range h.Done {
		visit(&handover.Item{Title: title, Status: handover.Done})
	}
}

// superseded adds the items whose status a higher store contradicts.
func (j *joiner) superseded(all verdicts) {
	type said struct {
		mark handover.Mark
		key  string
	}
	seen := map[said]bool{}
	for i := range j.held {
		h := &j.held[i]
		eachItem(h, func(item *handover.Item) {
			keys := itemKeys(item)
			if len(keys) == 0 || seen[said{h.Mark, keys[0]}] {
				return
			}
			seen[said{h.Mark, keys[0]}] = true
			is, ok := all.of(item)
			if !ok || rank(is.mark) >= rank(h.Mark) || !contradicts(item, is.status) {
				return
			}
			e := j.entryOf(h, leftItems, clean(handover.Named(item.Title, item.ID))+" is "+string(cmp.Or(item.Status, handover.Open)))
			e.when, e.over, e.text = h.At, is.mark, string(is.status)
			j.entries = append(j.entries, e)
		})
	}
}

// contradicts reports whether an item and a status can't both be right. An empty checkbox contradicts only Done and
// Dropped, because it can't show progress.
func contradicts(i *handover.Item, is handover.Status) bool {
	return i.Status.IsOpen() != is.IsOpen() || i.Written != "" && i.Status != is
}
