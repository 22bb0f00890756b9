package sessions_test

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// TestFuture: a time more than a day in the future counts as unknown.
func TestFuture(t *testing.T) {
	t.Parallel()
	const idC, idD = "cccccccc-0000-4000-8000-000000000003", "dddddddd-0000-4000-8000-000000000004"
	talk := func(at time.Time) string {
		stamp := at.Format("2006-01-02T15:04:05.000Z")
		long := turn("u0", "Fill the file.", "/w") + strings.Repeat(`{"type":"x","text":"`+strings.Repeat("x", 1000)+`"}`+"\n", 60)
		return strings.ReplaceAll(turn("u1", "hello", "/w")+long, "2026-02-28T10:00:00.000Z", stamp) + answer("a1", "u1", "m1", stamp, 3)
	}
	dir := tree(t, map[string]string{
		"projects/p/" + idA + ".jsonl": talk(now().Add(24*time.Hour + time.Second)),
		"projects/p/" + idB + ".jsonl": talk(now().Add(-time.Hour)),
		"projects/p/" + idC + ".jsonl": talk(now().Add(24 * time.Hour)),
		"projects/p/" + idD + ".jsonl": talk(now().Add(-2*time.Hour)) + strings.Replace(turn("u9", "hello", "/w"), "2026-02-28", "2031-02-28", 1),
	})
	for name, list := range map[string][]sessions.Session{"quick": find(t, dir).Sessions, "exact": exact(t, dir)} {
		var order []string
		for i := range list {
			order = append(order, list[i].ID)
		}
		if got, want := strings.Join(order, " "), strings.Join([]string{idC, idB, idD, idA}, " "); got != want {
			t.Errorf("%s: order %s", name, got)
		}
		if d := byID(list)[idD]; !d.Last.Equal(now().Add(-2 * time.Hour)) {
			t.Errorf("%s: one wrong time hides the others: %s", name, d.Last)
		}
		a := byID(list)[idA]
		if a.Dated() || !a.Last.IsZero() || !a.Written.IsZero() || !a.Created.IsZero() {
			t.Errorf("%s: created %s, last %s, written %s", name, a.Created, a.Last, a.Written)
		}
	}
	if at := now().AddDate(3, 0, 0); !sessions.Plausible(at, time.Time{}).Equal(at) {
		t.Error("with a zero now, a time counts as in the future")
	}
}
