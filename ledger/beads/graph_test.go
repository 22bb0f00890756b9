package beads

import (
	"fmt"
	"strings"
	"testing"
)

// bead returns a line of issues.jsonl. Each string in more is a field ("priority=1") or a dependency ("br-2 blocks").
func bead(id, status string, more ...string) string {
	var fields, deps strings.Builder
	for _, m := range more {
		if name, value, ok := strings.Cut(m, "="); ok {
			fmt.Fprintf(&fields, `,%q:%s`, name, value)
			continue
		}
		on, kind, _ := strings.Cut(m, "|")
		if deps.Len() > 0 {
			deps.WriteString(",")
		}
		fmt.Fprintf(&deps, `{"issue_id":%q,"depends_on_id":%q,"type":%q}`, id, on, kind)
	}
	return fmt.Sprintf(`{"id":%q,"title":"T","status":%q%s,"dependencies":[%s]}`, id, status, fields.String(), deps.String())
}

func TestReady(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines          []string
		ready, blocked string
	}{
		"open and in progress": {[]string{bead("a", "open"), bead("b", "in_progress"), bead("c", "deferred"), bead("d", "pinned"), bead("e", "other")}, "a b", ""},
		"closed blocker":       {[]string{bead("a", "open", "z|blocks"), bead("z", "closed")}, "a", ""},
		"deleted blocker":      {[]string{bead("a", "open", "z|blocks"), bead("z", "tombstone")}, "a", ""},
		"open blocker":         {[]string{bead("a", "open", "z|blocks"), bead("z", "open")}, "z", "a"},
		"deferred blocker":     {[]string{bead("a", "open", "z|blocks"), bead("z", "deferred")}, "", "a"},
		"missing blocker":      {[]string{bead("a", "open", "z|blocks")}, "", "a"},
		"other project":        {[]string{bead("a", "open", "external:tea:login|blocks")}, "", "a"},
		"template":             {[]string{bead("a", "open", "z|blocks"), bead("z", "open", "is_template=true")}, "a", ""},
		"each type": {[]string{
			bead("z", "open"), bead("a", "open", "z|conditional-blocks"), bead("b", "open", "z|waits-for"), bead("c", "open", "z|related"),
			bead("d", "open", "z|discovered-from"), bead("e", "open", "z|parent-child"), bead("f", "open", "z|relates-to"),
		}, "c d e f z", "a b"},
		"parent blocked": {[]string{
			bead("x", "open"), bead("p", "open", "x|blocks"), bead("q", "open", "p|parent-child"), bead("r", "open", "q|parent-child"),
		}, "x", "p q r"},
		"parent closed": {[]string{bead("x", "open"), bead("p", "closed", "x|blocks"), bead("q", "open", "p|parent-child")}, "q x", ""},
		"circles": {[]string{
			bead("a", "open", "b|blocks"), bead("b", "open", "a|blocks"), bead("c", "open", "c|blocks"),
			bead("d", "open", "e|parent-child"), bead("e", "open", "d|parent-child"),
		}, "c d e", "a b"},
		"hidden":       {[]string{bead("a", "open", "pinned=true"), bead("b", "open", "ephemeral=true"), bead("c", "open", "is_template=true"), bead("x-wisp-1", "open")}, "", ""},
		"deferred":     {[]string{bead("a", "open", `defer_until="2026-11-21T15:53:00Z"`), bead("b", "open", `defer_until="2026-11-21T15:52:00Z"`)}, "b", ""},
		"says blocked": {[]string{bead("a", "blocked")}, "", "a"},
		"order": {[]string{
			bead("a", "open", "priority=2", `created_at="2026-01-02T00:00:00Z"`), bead("b", "open", "priority=1", `created_at="2026-01-03T00:00:00Z"`),
			bead("c", "open", "priority=4", `created_at="2026-01-01T00:00:00Z"`), bead("d", "open", "priority=0", `created_at="2026-01-04T00:00:00Z"`),
		}, "b d c a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := graph(t, c.lines...)
			made := &Graph{Beads: g.Beads}
			for _, b := range g.Closed() {
				made.Beads = append(made.Beads, *b)
			}
			for _, z := range g.shut {
				if z := g.open(&z); z.Status == "tombstone" {
					made.Beads = append(made.Beads, *z)
				}
			}
			for name, g := range map[string]*Graph{"read": g, "made": made} {
				if got := ids(g.Ready(now())); got != c.ready {
					t.Errorf("%s: ready are %q, want %q", name, got, c.ready)
				}
				if got := ids(g.Blocked(now())); got != c.blocked {
					t.Errorf("%s: blocked are %q, want %q", name, got, c.blocked)
				}
			}
		})
	}
}

func TestWaitsFor(t *testing.T) {
	t.Parallel()
	g := graph(t, bead("x", "open"), bead("y", "open"), bead("z", "closed"),
		bead("p", "open", "x|blocks", "z|blocks"), bead("a", "open", "y|waits-for", "p|parent-child", "y|blocks", "q|related"))
	b, _ := g.Find("a")
	if got := strings.Join(g.WaitsFor(b), " "); got != "y x" {
		t.Errorf("a waits for %q", got)
	}
}

// TestWaitsWork: the number of lookups is linear, even for deeply nested parents.
func TestWaitsWork(t *testing.T) {
	t.Parallel()
	const n = 3000
	name := func(i int) string { return fmt.Sprintf("p-%d", i) }
	var chain, circle, hub []string
	for i := range n {
		chain = append(chain, bead(name(i), "open", name(i+1)+"|parent-child"))
		circle = append(circle, bead(name(i), "open", name((i+1)%n)+"|parent-child", name(i/2)+"|blocks"))
		hub = append(hub, bead(name(i), "open", "hub|parent-child"))
	}
	chain = append(chain, bead(name(n), "open", "gone|blocks"))
	var many []string
	for i := range n {
		many = append(many, name(i)+"|blocks")
	}
	hub = append(hub, bead("hub", "open", many...))
	for name, lines := range map[string][]string{"chain": chain, "circle": circle, "hub": hub} {
		g := graph(t, lines...)
		looked, find := 0, g.finder()
		count := func(id string) found {
			looked++
			return find(id)
		}
		if waiting := g.waiting(count); looked > 2*n+1 {
			t.Errorf("%s: %d ids were looked up for %d beads", name, looked, n)
		} else if got := len(g.Blocked(now())); got != len(lines) || len(waiting) != len(lines) {
			t.Errorf("%s: %d of %d beads are blocked", name, got, len(lines))
		}
		looked = 0
		for i := range g.Beads {
			waitsFor(&g.Beads[i], count)
		}
		if most := 300 * len(lines); looked > most {
			t.Errorf("%s: %d ids were looked up, more than %d", name, looked, most)
		}
		if name == "hub" {
			if b, _ := g.Find("hub"); len(g.WaitsFor(b)) != n {
				t.Errorf("the hub waits for %d, want %d", len(g.WaitsFor(b)), n)
			}
		}
	}
}

func TestInProgress(t *testing.T) {
	t.Parallel()
	g := graph(t, bead("a", "in_progress", `updated_at="2026-01-01T00:00:00Z"`), bead("b", "open"),
		bead("c", "in_progress", `updated_at="2026-01-01T00:00:00.000000001Z"`))
	if got := ids(g.InProgress()); got != "c a" {
		t.Errorf("in progress are %q", got)
	}
}
