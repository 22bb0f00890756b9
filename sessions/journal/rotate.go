package journal

import (
	"cmp"
	"slices"
	"time"
)

// leaving returns the entries to delete after the new entry made was written, so that 20 remain. It never returns the
// new entry or the entry that the new one undoes. Undone entries and undos are deleted first, then entries from the
// future (a wrong clock), then the oldest. If the new entry is an undo, it doesn't count towards the 20, so that each
// of 20 actions can be undone in turn.
func (d *directory) leaving(ids []string, made *Entry) []string {
	most := Most
	if made.Of == "" {
		most-- // the new entry counts, too
	}
	if len(ids) <= most {
		return nil
	}
	rank := map[string]int{}
	for _, id := range ids {
		rank[id] = d.rank(id, made)
	}
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == made.ID || id == made.Of })
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(rank[a], rank[b]), newer(b, a)) })
	return ids[:min(len(rank)-most, len(ids))]
}

// rank returns the deletion rank of an entry. The entries with the lowest rank are deleted first.
func (d *directory) rank(id string, made *Entry) int {
	text, err := d.read(id + suffix)
	if err != nil {
		return rankAction // only its name is known
	}
	e, err := decode(id, text)
	if err != nil {
		return rankAction
	}
	return e.rank(made.At)
}

const (
	rankBack   = iota // undone, or an undo
	rankLater         // later than the current time
	rankAction        // any other action
)

func (e *Entry) rank(now time.Time) int {
	switch {
	case e.Undone != "", e.Of != "":
		return rankBack
	case e.At.After(now):
		return rankLater
	}
	return rankAction
}

// lastOf returns the list, which is sorted newest first. If it has more than 20 entries and no undo is running, lastOf
// removes the entry that would be deleted next.
func lastOf(list []Entry) []Entry {
	if len(list) <= Most || !list[0].Done && list[0].Of != "" {
		return list
	}
	out := len(list) - 1
	for i := len(list) - 1; i > 0; i-- {
		if list[i].rank(list[0].At) < list[out].rank(list[0].At) {
			out = i
		}
	}
	return slices.Delete(list, out, out+1)
}
