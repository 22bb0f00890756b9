package journal

import (
	"cmp"
	"slices"
	"time"
)

// expired returns the entries to delete after the new entry made, so that 20 remain. Undone entries and undos come
// first, then entries with a time in the future (from a wrong clock), then the oldest. made is never deleted. If made
// is an undo, the entry that it undoes also stays, and made isn't one of the 20. So all 20 actions can be undone one
// after the other.
func (d *directory) expired(ids []string, made *Entry) []string {
	most := Most
	if made.Of == "" {
		most-- // the new entry also counts
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

// rank returns when an entry is deleted: entries with the lowest rank are deleted first.
func (d *directory) rank(id string, made *Entry) int {
	text, err := d.read(id + suffix)
	if err != nil {
		return rankAction // the entry can't be read
	}
	e, err := decode(id, text)
	if err != nil {
		return rankAction
	}
	return e.rank(made.At)
}

const (
	rankBack   = iota // the entry is undone or is an undo
	rankLater         // the entry has a time in the future
	rankAction        // any other entry
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

// newest20 removes from a list of more than 20 the entry that rotate deletes next. While the newest entry is a
// running undo, it removes nothing.
func newest20(list []Entry) []Entry {
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
