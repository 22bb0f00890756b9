package ledgers

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/beads"
)

// beadGroup is a group of the list.
type beadGroup struct {
	name  string // name in pipes and JSON: dashes for blanks
	beads []*beads.Bead
}

// beadGroups returns the selected groups. A bead is in one group.
func beadGroups(env *place.Env, l *beadsLook, ask *beadsAsk) []beadGroup {
	parted := l.Groups(env.Now())
	ready, blocked := beadGroup{"Ready", parted.Ready}, beadGroup{"Blocked", parted.Blocked}
	switch {
	case ask.ready:
		return []beadGroup{ready}
	case ask.blocked:
		return []beadGroup{blocked}
	}
	groups := []beadGroup{{"In progress", parted.InProgress}, ready, blocked}
	if ask.all {
		groups = append(groups, beadGroup{"Later", parted.Later}, beadGroup{"Closed", l.Closed()})
	}
	return groups
}

// groupWord returns the name of a group for programs.
func groupWord(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// groupOf returns the group of a bead.
func groupOf(env *place.Env, l *beadsLook, b *beads.Bead) string {
	for _, g := range beadGroups(env, l, &beadsAsk{all: true}) {
		for _, other := range g.beads {
			if other.ID == b.ID {
				return groupWord(g.name)
			}
		}
	}
	return "deleted"
}

// waits returns the blocking beads, and the bead's field blockers.
func waits(l *beadsLook, b *beads.Bead) []string {
	if b.Status == "closed" || b.Status == "tombstone" {
		return nil
	}
	return append(l.WaitsFor(b), b.Blockers...)
}

func printBeads(env *place.Env, o *out.Output, l *beadsLook, ask *beadsAsk) error {
	groups := beadGroups(env, l, ask)
	if o.JSON {
		return o.PrintJSON(beadsRecord(l, groups))
	}
	var rows []listedBead
	for _, g := range groups {
		for _, b := range g.beads {
			rows = append(rows, listedBead{b, g.name, waits(l, b)})
		}
	}
	return beadsTable(env).Print(o, rows, beadsSum(l, groups, ask))
}

// ratioWord returns the ratio of a handoff, or "".
func ratioWord(h *beads.Handoff) string {
	if !h.HasRatio {
		return ""
	}
	return strconv.FormatFloat(h.Ratio, 'f', -1, 64)
}
