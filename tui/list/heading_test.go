package list

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/rowtest"
)

// TestBadgeSaidOnce: Claude Code deletes all sessions below a heading on the same day, so the badge is on the heading.
func TestBadgeSaidOnce(t *testing.T) {
	t.Parallel()
	due := func(id, name string, age, left time.Duration) sessions.Row {
		return rowtest.Row(id, name, age, func(r *sessions.Row) {
			r.Flags, r.Purge = []sessions.Flag{sessions.FlagPurgeSoon}, rowtest.Now().Add(left)
		})
	}
	const day = 24 * time.Hour
	one, two := due("1", "One", 60*day, -30*day), due("2", "Two", 61*day, -31*day)
	for name, c := range map[string]struct {
		rows []sessions.Row
		want string
	}{
		"all":     {[]sessions.Row{one, two}, "September 2026 purge today; ▲ One 2mo; ▲ Two 2mo"},
		"one":     {[]sessions.Row{one}, "September 2026; ▲ One purge today 2mo"},
		"another": {[]sessions.Row{one, two, due("3", "Three", 62*day, 9*day)}, "September 2026; ▲ One purge today 2mo; ▲ Two purge today 2mo; △ Three purge in 9 d 2mo"},
		"not due": {[]sessions.Row{one, two, rowtest.Row("4", "Four", 63*day, nil)}, "September 2026; ▲ One purge today 2mo; ▲ Two purge today 2mo; · Four 2mo"},
		"live": {
			[]sessions.Row{rowtest.Row("5", "Five", time.Hour, live), rowtest.Row("6", "Six", 2*time.Hour, live)},
			"Today Sat Nov 21; ● Five live 1h; ● Six live 2h",
		},
	} {
		p := NewPage(Options{})
		add(p, 1, c.rows...)
		if got := trimBar(listed(p)); got != c.want {
			t.Errorf("%s: lists %q, want %q", name, got, c.want)
		}
	}
}

// TestHeadingAtEdge: no heading is the last visible line.
func TestHeadingAtEdge(t *testing.T) {
	t.Parallel()
	p := NewPage(Options{})
	add(p, 1, rowtest.Row("1", "One", time.Hour, nil), rowtest.Row("2", "Two", 30*time.Hour, nil))
	for rows, want := range map[int]int{2: 2, 3: 2, 4: 2, 5: 5} { // heading, row, blank line, heading, row
		build(p.pane, rowtest.Now(), 60, rows, true)
		lines := p.pane.draw(60, true, rowtest.Now(), render.NewStyles(render.None))
		if len(lines) != want {
			t.Errorf("a view of %d rows has %d lines, want %d:\n%s", rows, len(lines), want, join(lines))
		}
	}
}

func live(r *sessions.Row) { r.Flags = []sessions.Flag{sessions.FlagLive} }

func trimBar(s string) string { return strings.ReplaceAll(s, "▌ ", "") }
