package journal

import (
	"cmp"
	"slices"
	"time"
)

// leaving are the entries that have to go for one that was just made: all but the last 20, and that one never, nor the
// one that it takes back. Entries that were taken back, and those that took one back, go first; then what is later than
// now, from when the clock was wrong; then the oldest. An entry that takes another one back is over and above the 20, so
// that each of 20 actions can be taken back in turn.
func (d *directory) leaving(ids []string, made *Entry) []string {
	most := Most
	if made.Of == "" {
		most-- // beside it
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

// rank is when an entry goes: the lowest first.
func (d *directory) rank(id string, made *Entry) int {
	text, err := d.read(id + suffix)
	if err != nil {
		return rankAction // all that is known of it is its name
	}
	e, err := decode(id, text)
	if err != nil {
		return rankAction
	}
	return e.rank(made.At)
}

const (
	rankBack   = iota // it was taken back, or took another one back
	rankLater         // than now
	rankAction        // of a person
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

// lastOf takes the one that goes next out of a list that is longer than 20, newest first, unless something is being
// taken back.
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
