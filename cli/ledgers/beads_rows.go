package ledgers

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/beads"
)

// beadGroup is one group of the list.
type beadGroup struct {
	name  string // with dashes in pipes and JSON
	beads []*beads.Bead
}

// beadGroups returns the requested groups. Each bead is in one group.
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

// waits describes the blockers of a bead: their IDs, or the bead's own text.
func waits(l *beadsLook, b *beads.Bead) []string {
	if b.Status == "closed" || b.Status == "tombstone" {
		return nil
	}
	return append(l.WaitsFor(b), b.Blockers...)
}

func printBeads(env *place.Env, o *out.Output, l *beadsLook, ask *beadsAsk) error {
	groups := beadGroups(env, l, ask)
	switch {
	case o.JSON:
		j := beadsJSON{Project: l.project.Root, Path: l.project.Beads, Shape: l.Shape, Beads: []beadJSON{}, Closed: l.CountClosed(), Problems: []beadProblemJSON{}}
		for _, group := range groups {
			for _, b := range group.beads {
				j.Beads = append(j.Beads, newBeadJSON(l, b, groupWord(group.name)))
			}
		}
		for _, p := range l.Problems {
			j.Problems = append(j.Problems, beadProblemJSON{p.File, p.Line, p.What})
		}
		return o.PrintJSON(j)
	}
	var rows []listedBead
	for _, g := range groups {
		for _, b := range g.beads {
			rows = append(rows, listedBead{b, g.name, waits(l, b)})
		}
	}
	return beadsTable(env).Print(o, rows, beadsSum(l, groups, ask))
}

// beadPiped formats one bead as tab-separated rows.
func beadPiped(l *beadsLook, b *beads.Bead, group string) string {
	var t strings.Builder
	line := func(words ...string) { t.WriteString(out.Tabbed(words...)) }
	line("bead", b.ID, group, strconv.Itoa(b.Priority), b.Type, b.Status, out.When(b.Updated), b.Assignee, b.Title)
	for _, label := range b.Labels {
		line("label", label)
	}
	if b.Description != "" {
		line("description", b.Description)
	}
	for _, dep := range b.Deps {
		status, title := "", ""
		if on, ok := l.Find(dep.On); ok {
			status, title = on.Status, on.Title
		}
		line("depends", dep.On, dep.Type, status, title)
	}
	for _, id := range waits(l, b) {
		line("waits", id)
	}
	for _, d := range b.Decisions {
		line("decision", out.When(d.At), d.Text, d.Rationale)
		for _, e := range d.Evidence {
			line("evidence", e.Path, strconv.Itoa(e.Line), e.Quote)
		}
	}
	for i := range b.Handoffs {
		h := &b.Handoffs[i]
		line("handoff", out.When(h.Ended), h.Session, h.Notes, h.Trajectory, ratioWord(h))
	}
	for _, s := range b.Scenarios {
		line("scenario", s.Name, s.Type, s.Expected)
	}
	for _, list := range []struct {
		name  string
		texts []string
	}{{"next", b.Next}, {"question", b.Questions}} {
		for _, text := range list.texts {
			line(list.name, text)
		}
	}
	for i := range b.Comments {
		if c := &b.Comments[i]; !c.Entry() {
			line("comment", out.When(c.At), c.Author, c.Text)
		}
	}
	return t.String()
}

// ratioWord returns the ratio of a handoff, "" if it has none.
func ratioWord(h *beads.Handoff) string {
	if !h.HasRatio {
		return ""
	}
	return strconv.FormatFloat(h.Ratio, 'f', -1, 64)
}
