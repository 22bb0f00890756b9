package beads

import (
	"strings"
	"testing"
	"time"
)

// TestAtWork: blocked beads come last, even if they were changed last.
func TestAtWork(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	g := &Graph{Beads: []Bead{
		{ID: "old", Status: "in_progress", Updated: day.Add(-3 * time.Hour)},
		{ID: "new", Status: "in_progress", Updated: day.Add(-2 * time.Hour)},
		{ID: "waits", Status: "in_progress", Updated: day, Deps: []Dep{{"ready", "blocks"}}},
		{ID: "names", Status: "in_progress", Updated: day.Add(-time.Hour), Blockers: []string{"the vendor"}},
		{ID: "ready", Status: "open", Updated: day},
	}}
	var ids []string
	for _, b := range g.AtWork() {
		ids = append(ids, b.ID)
	}
	if got := strings.Join(ids, " "); got != "new old waits names" {
		t.Errorf("%q", got)
	}
	if list := (&Graph{}).AtWork(); len(list) > 0 {
		t.Errorf("of nothing: %v", list)
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	g := &Graph{Beads: []Bead{
		{ID: "doing", Status: "in_progress"},
		{ID: "doing-waits", Status: "in_progress", Deps: []Dep{{"ready", "blocks"}}},
		{ID: "ready", Status: "open"},
		{ID: "waits", Status: "open", Deps: []Dep{{"ready", "blocks"}}},
		{ID: "says", Status: "blocked"},
		{ID: "deferred", Status: "deferred"},
		{ID: "not-yet", Status: "open", Defer: now.Add(time.Hour)},
		{ID: "hidden", Status: "open", Hidden: true},
		{ID: "done", Status: "closed"},
	}}
	parted := g.Groups(now)
	for name, c := range map[string]struct {
		list []*Bead
		want string
	}{
		"in progress": {parted.InProgress, "doing doing-waits"},
		"ready":       {parted.Ready, "ready"},
		"blocked":     {parted.Blocked, "says waits"},
		"later":       {parted.Later, "deferred hidden not-yet"},
	} {
		var ids []string
		for _, b := range c.list {
			ids = append(ids, b.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
