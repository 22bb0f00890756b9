package list

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/rowtest"
	"github.com/continuo-tui/continuo/tui/screen"
)

const lostID = "7c41e9d2"

// lostRows returns a live session with its backup, and the two backups of a lost session.
func lostRows() (live, copied, newest, older sessions.Row) {
	live = rowtest.Row("3f9ac1e0", "Fix the race", time.Hour, nil)
	copied = rowtest.Lost("3f9ac1e0", "Fix the race", "2026-11-20 19:21", 2*time.Hour, nil)
	copied.Flags, copied.Relation = nil, sessions.RelationSame
	newest = rowtest.Lost(lostID, "First sketch", "2026-10-12 19:21", 41*24*time.Hour, nil)
	older = rowtest.Lost(lostID, "First", "2026-10-10 19:21", 43*24*time.Hour, nil)
	return live, copied, newest, older
}

// listed returns the rows and headings of the list: the selection bar, and the glyph, title and age of each row.
func listed(p *Page) string {
	p.pane.build(rowtest.Now(), 60, 20, false)
	lines := p.pane.draw(60, true, rowtest.Now(), render.NewStyles(render.None))
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(l), " ")
	}
	return strings.Join(lines, "; ")
}

func add(p *Page, load int, rows ...sessions.Row) {
	p.Add(sessions.Batch{Rows: rows, Done: true}, load, false)
}

// TestLost: a session of which only backups are left is listed once, with its newest backup.
func TestLost(t *testing.T) {
	t.Parallel()
	live, copied, newest, older := lostRows()
	p := NewPage(Options{})
	add(p, 1, live, copied, older, newest)
	const both = "Today Sat Nov 21; ▌ · Fix the race 1h; October 2026; ◐ First sketch only copy 41d"
	if got := listed(p); got != both {
		t.Errorf("lists %q, want %q", got, both)
	}
	if s := p.Tally(sessions.KindSession); s.InScope != 2 || s.Shown != 2 || p.Tally(backups).InScope != 3 {
		t.Errorf("counts %+v and %+v", s, p.Tally(backups))
	}
	if n := len(slices.Collect(p.Rows(sessions.KindSession))); n != 1 || p.Held(newest.Path).Kind != backups {
		t.Errorf("%d sessions; %s is held as a %s", n, newest.Path, p.Held(newest.Path).Kind)
	}
	p.pane.move(1)
	if s := p.Subject(); s.Row.Path != newest.Path || s.Row.Kind != backups {
		t.Errorf("the keys act on %s %s, not on the backup", s.Row.Kind, s.Row.Path)
	}
	add(p, 2, live, copied, older, newest)
	if got := listed(p); got != strings.Replace(strings.Replace(both, "▌ ", "", 1), "◐", "▌ ◐", 1) {
		t.Errorf("after a reload: %q", got)
	}

	// The newest backup is discarded, so the older one takes its place.
	p.Drop(newest.Path)
	p.Change(sessions.Batch{}, 2)
	if got := listed(p); !strings.HasSuffix(got, "▌ ◐ First only copy 43d") {
		t.Errorf("without the newest backup: %q", got)
	}
	p.Change(sessions.Batch{Gone: []string{older.Path}}, 2)
	if got := listed(p); got != "Today Sat Nov 21; ▌ · Fix the race 1h" {
		t.Errorf("without backups: %q", got)
	}
}

// TestLostAndRestored: a session stays selected when it is lost and when it is restored.
func TestLostAndRestored(t *testing.T) {
	t.Parallel()
	live, copied, newest, older := lostRows()
	restored := rowtest.Row(lostID, "First sketch", 41*24*time.Hour, nil)
	p := NewPage(Options{})
	add(p, 1, live, copied, older, newest)
	listed(p)
	p.pane.move(1)
	p.Change(sessions.Batch{Rows: []sessions.Row{restored}}, 1)
	const want = "Today Sat Nov 21; · Fix the race 1h; October 2026; ▌ · First sketch 41d"
	if got := listed(p); got != want || p.Subject().Row.Path != restored.Path {
		t.Errorf("restored: %q, want %q", got, want)
	}
	var same []sessions.Row
	for _, b := range []sessions.Row{newest, older} {
		b.Flags, b.Relation = nil, sessions.RelationSame
		same = append(same, b)
	}
	p.Change(sessions.Batch{Rows: same}, 1)
	if got := listed(p); got != want {
		t.Errorf("restored and compared: %q", got)
	}
	p.Change(sessions.Batch{Gone: []string{restored.Path}}, 1)
	if got := listed(p); !strings.HasSuffix(got, "▌ ✗ First sketch broken 41d") {
		t.Errorf("deleted: %q", got)
	}
	p.Change(sessions.Batch{Rows: []sessions.Row{newest, older}}, 1)
	if got := listed(p); !strings.HasSuffix(got, "; ▌ ◐ First sketch only copy 41d") || strings.Contains(got, "broken") || p.Subject().Row.Path != newest.Path {
		t.Errorf("deleted, with backups: %q", got)
	}
}

// TestLostHidden: unread and unreadable backups aren't listed. Backups of headless runs and archived sessions are
// hidden.
func TestLostHidden(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		saved, backup func(*sessions.Row)
		hidden        string
		all           int // number of listed sessions while hidden sessions are shown
	}{
		"plain":        {nil, nil, "", 1},
		"headless":     {func(r *sessions.Row) { r.SetFlag(sessions.FlagSDK, true) }, nil, "1 headless run hidden", 1},
		"archived":     {func(r *sessions.Row) { r.Archived = true }, nil, "1 archived session hidden", 1},
		"stub":         {func(r *sessions.Row) { r.State = sessions.StateStub }, nil, "1 stub hidden", 1},
		"pending":      {nil, func(r *sessions.Row) { r.Pending = true }, "", 1},
		"not read":     {nil, func(r *sessions.Row) { r.Saved = nil }, "", 0},
		"unreadable":   {nil, func(r *sessions.Row) { r.State = sessions.StateUnreadable }, "", 0},
		"not searched": {nil, func(r *sessions.Row) { r.Flags, r.Unsearched = nil, true }, "", 0},
	} {
		b := rowtest.Lost(lostID, "First sketch", "2026-10-12 19:21", time.Hour, test.saved)
		if test.backup != nil {
			test.backup(&b)
		}
		p := NewPage(Options{})
		add(p, 1, b)
		got := listed(p)
		if is := strings.Contains(got, "◐ First sketch only copy"); is != (test.all > 0 && test.hidden == "") || p.pane.hidden() != test.hidden {
			t.Errorf("%s: %q, %q", name, got, p.pane.hidden())
		}
		p.scope.showHidden = true
		p.relist()
		if n := p.Tally(sessions.KindSession).InScope; n != test.all {
			t.Errorf("%s: %d listed with hidden sessions", name, n)
		}
	}
}

// TestLostMarks: the keys change the backups of the marked sessions. The status counts the only copies.
func TestLostMarks(t *testing.T) {
	t.Parallel()
	live, copied, newest, older := lostRows()
	p := NewPage(Options{})
	add(p, 1, live, copied, older, newest)
	listed(p)
	p.pane.markAll()
	var kinds []string
	for _, r := range p.Subject().Marked() {
		kinds = append(kinds, fmt.Sprintf("%s %s", r.Kind, r.Path))
	}
	if want := []string{"session " + live.Path, "backup " + newest.Path}; !slices.Equal(kinds, want) {
		t.Errorf("marked %q, want %q", kinds, want)
	}
	if got, want := p.pane.markedWords(), "2 marked · 1.4 MB · 1 of them is the only copy"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Took(screen.Changed{Done: true, Change: screen.Change{Rows: []sessions.Row{newest}}})
	if got, want := p.pane.markedWords(), "1 marked · 0 B"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
