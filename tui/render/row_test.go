package render

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
)

func rowsForTest() ([]sessions.Row, time.Time) {
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	row := func(id, name, branch string, ago time.Duration, messages int, more func(*sessions.Row)) sessions.Row {
		var r sessions.Row
		r.Kind, r.ID, r.Name, r.Branch, r.Project = sessions.KindSession, id, name, branch, "/home/ada/code/teahouse"
		r.Last, r.Messages, r.Exact, r.State = now.Add(-ago), messages, true, sessions.StateOK
		if more != nil {
			more(&r)
		}
		return r
	}
	flag := func(f sessions.Flag) func(*sessions.Row) {
		return func(r *sessions.Row) { r.Flags = []sessions.Flag{f} }
	}
	const day = 24 * time.Hour
	return []sessions.Row{
		row("3f9ac1e0-71c4", "Fix refresh token race at midnight", "fix/token-race", 2*time.Minute, 142, flag(sessions.FlagLive)),
		row("b81d22f7-71c4", "Move the slot picker to the server", "slots", 11*time.Minute, 64, func(r *sessions.Row) {
			r.Live = &sessions.Live{Status: sessions.StatusWaiting}
		}),
		row("90e4c5aa-71c4", "Add a cancellation window to bookings", "main", time.Hour, 88, nil),
		row("0b9f4d62-71c4", "Rewrite the waitlist e-mails", "a-branch-with-a-long-name", day, 119, flag(sessions.FlagHiddenBranch)),
		row("c7715e08-71c4", "Seed data for the demo tenant", "demo", 5*day, 47, func(r *sessions.Row) { r.State = sessions.StateDamaged }),
		row("18d3fa90-71c4", "Opening hours: one model for all tenants", "hours", 28*day, 241, flag(sessions.FlagPurgeSoon)),
		row("7c41e9d2-71c4", "First sketch of the booking flow", "main", 41*day, 12_318, flag(sessions.FlagBackupOnly)),
		row("a0000000-71c4", "", "", 12*day, 0, func(r *sessions.Row) { r.State = sessions.StateStub }),
		row("a1111111-71c4", "預約系統的時區問題 👩‍💻 and a long tail of words", "main", 400*day, 3, func(r *sessions.Row) { r.Exact = false }),
		row("a2222222-71c4", "evil \x1b[31mred\x1b]0;title\x07 \r\n name", "b\x1b[2J", 0, 3, nil),
		{},
	}, now
}

// TestRow compares the list with its golden, in both grids and at the widths where columns leave.
func TestRow(t *testing.T) {
	t.Parallel()
	rows, now := rowsForTest()
	var b strings.Builder
	for _, o := range []RowOptions{
		{Width: 98, Command: true},
		{Width: 70, Command: true, Project: true},
		{Width: 80},
		{Width: 80, Project: true},
		{Width: 64},
		{Width: 60},
		{Width: 29},
		{Width: 11},
	} {
		o.Styles, o.Now = NewStyles(None), now
		b.WriteString(Header([]Span{{Muted, "teahouse, "}, {Faint, "10 of 38 sessions"}}, o) + "\n")
		for i := range rows {
			o.Chosen = i == 1 && !o.Command
			line := Row(&rows[i], o)
			if o.Command && rows[i].ID != "" && strings.HasSuffix(line, " ") {
				t.Errorf("trailing blanks: %q", line)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		b.WriteString("\n")
	}
	golden(t, "rows", b.String())
}

// TestRowFits: no row is ever wider than asked, and the chosen one is exactly as wide.
func TestRowFits(t *testing.T) {
	t.Parallel()
	rows, now := rowsForTest()
	styles := []*Styles{NewStyles(None), NewStyles(Dark)}
	for width := range 130 {
		for i := range rows {
			for mode := (width + i) % 4; mode < 16; mode += 4 {
				o := RowOptions{
					Width: width, Styles: styles[mode&1], Now: now, Command: mode&2 > 0, Project: mode&4 > 0, Chosen: mode&8 > 0,
					Lit: []int{0, 1, 5, 6, 40, 500},
				}
				line := Row(&rows[i], o)
				w := ansi.StringWidth(line)
				if w > width || o.Chosen && w != width {
					t.Fatalf("width %d, row %d, %+v: %d cells: %q", width, i, o, w, line)
				}
				if bad := unsafe(line); bad != "" {
					t.Fatalf("row %d lets %q through: %q", i, bad, line)
				}
			}
		}
	}
}

func TestLit(t *testing.T) {
	t.Parallel()
	got := lit("nigh́tly export…", []int{0, 3, 9, 10, 17, 99}, Text)
	want := []Span{{Match, "n"}, {Text, "ig"}, {Match, "h́"}, {Text, "tly"}, {Match, " e"}, {Text, "xport…"}}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("span %d is %q, want %q", i, got[i], want[i])
		}
	}
}

func TestCutMiddle(t *testing.T) {
	t.Parallel()
	const path = "src/auth/middleware/refresh.go"
	for width := range 40 {
		if got := CutMiddle(path, width); ansi.StringWidth(got) > width {
			t.Errorf("width %d: %q", width, got)
		}
	}
	if got := CutMiddle(path, 20); got != "src/au…re/refresh.go" {
		t.Errorf("%q", got)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	for _, test := range [][3]string{
		{"/home/ada/code/x", "/home/ada", "~/code/x"},
		{"/home/ada", "/home/ada", "~"},
		{"/home/adam/code", "/home/ada", "/home/adam/code"},
		{"/srv", "", "/srv"},
		{"/srv", "/", "/srv"},
		{"/srv/\x1b[2Jx", "/", "/srv/x"},
	} {
		if got := Folder(test[0], test[1]); got != test[2] {
			t.Errorf("Folder(%q, %q) = %q, want %q", test[0], test[1], got, test[2])
		}
	}
}

// TestRightBesideCut: facts that bring a blank of their own stand beside a title that was cut for them.
func TestRightBesideCut(t *testing.T) {
	t.Parallel()
	st := NewStyles(None)
	fact := Span{Text, "   on main"}
	line := NewLine(st, 30).PutUntil(Strong, "a title that is much too long", 30-SpansWidth([]Span{fact})).Right(30, fact).String()
	if line != "a title that is muc…   on main" {
		t.Errorf("%q", line)
	}
	if line = NewLine(st, 12).Put(Strong, "a title").Right(12, Span{Text, "facts"}).String(); line != "a title" {
		t.Errorf("touching: %q", line)
	}
	if got := Cut("on claude/bookminder-recal… · 2 messages", 26); got != "on claude/bookminder-reca…" && got != "on claude/bookminder-recal…" {
		t.Errorf("%q", got)
	}
	if got := Cut("recal… · more", 6); got != "recal…" {
		t.Errorf("%q", got)
	}
}
