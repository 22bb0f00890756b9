package render

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
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
	purge := func(in time.Duration) func(*sessions.Row) {
		return func(r *sessions.Row) { r.Flags, r.Purge = []sessions.Flag{sessions.FlagPurgeSoon}, now.Add(in) }
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
		row("18d3fa90-71c4", "Postgres or SQLite for the archive", "main", 21*day, 77, purge(9*day)),
		row("a6e01b3c-71c4", "Opening hours: one model for all tenants", "hours", 28*day, 241, purge(2*day)),
		row("b0b1b2b3-71c4", "Opening hours: one model for all tenants", "hours", 28*day, 241, flag(sessions.FlagPurgeSoon)),
		row("d0d1d2d3-71c4", "Pick a job queue", "main", 52*day, 66, func(r *sessions.Row) { r.Deleted = true }),
		row("7c41e9d2-71c4", "First sketch of the booking flow", "main", 41*day, 12_318, flag(sessions.FlagBackupOnly)),
		row("a0000000-71c4", "", "", 12*day, 0, func(r *sessions.Row) { r.State = sessions.StateStub }),
		row("a1111111-71c4", "預約系統的時區問題 👩‍💻 and a long tail of words", "main", 400*day, 3, func(r *sessions.Row) { r.Exact = false }),
		row("a2222222-71c4", "evil \x1b[31mred\x1b]0;title\x07 \r\n name", "b\x1b[2J", 0, 3, nil),
		{},
	}, now
}

func TestRow(t *testing.T) {
	t.Parallel()
	rows, now := rowsForTest()
	var b strings.Builder
	for _, o := range []RowOptions{
		{Width: 98, Command: true},
		{Width: 98, Command: true, ID: 23},
		{Width: 70, Command: true, Project: true},
		{Width: 100, Wide: true, Column: 8},
		{Width: 80, Wide: true},
		{Width: 80, Column: 8},
		{Width: 64},
		{Width: 56},
		{Width: 40},
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

// checkRow draws a row in two themes and checks its width. Grapheme clusters and runes must give the same width. The
// only control sequences must be styles.
func checkRow(t *testing.T, o RowOptions, draw func(RowOptions) []string) {
	t.Helper()
	o.Styles = NewStyles(None)
	plain := draw(o)
	o.Styles = NewStyles([]Theme{Dark, Light, Dark256, Dark16, Light16, Mono}[o.Width%6])
	for i, line := range draw(o) {
		w := ansi.StringWidth(line)
		if w > o.Width || o.Chosen && w != o.Width {
			t.Fatalf("%+v: %d cells: %q", o, w, line)
		}
		if !o.Command && ansi.StringWidth(strings.TrimRight(plain[i], " ")) > max(o.Width-1, 1) {
			t.Fatalf("%+v: no free cell at the right: %q", o, plain[i])
		}
		if wc := ansi.StringWidthWc(line); wc != w {
			t.Fatalf("%+v: %d cells by grapheme cluster, %d by rune: %q", o, w, wc, line)
		}
		if ansi.Strip(line) != plain[i] {
			t.Fatalf("%+v: with colour, the text differs from %q: %q", o, plain[i], line)
		}
		if bad := unsafe(line); bad != "" {
			t.Fatalf("%+v: %q isn't removed: %q", o, bad, line)
		}
	}
}

func TestRowUnknown(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	r := sessions.Row{Kind: sessions.KindSession}
	r.Name, r.Exact, r.State, r.Modified = "Name", true, sessions.StateUnreadable, now.Add(-17*time.Hour)
	for _, dated := range []bool{false, true} {
		if dated {
			r.Written = r.Modified
		}
		line := Row(&r, RowOptions{Width: 80, Styles: NewStyles(None), Now: now})
		command := Row(&r, RowOptions{Width: 80, Styles: NewStyles(None), Now: now, Command: true})
		if !strings.Contains(command, "…") || strings.Contains(line, "17h") != dated || strings.Contains(command, "17h") != dated {
			t.Errorf("dated %v: %q %q", dated, line, command)
		}
	}
}

// TestRowFits: the selected row has exactly the requested width. No other row is wider.
func TestRowFits(t *testing.T) {
	t.Parallel()
	rows, now := rowsForTest()
	for width := range 130 {
		for i := range rows {
			mode := 7*width + i
			o := RowOptions{
				Width: width, Now: now, ID: mode & 1 * 20, Command: mode&2 > 0, Project: mode&4 > 0, Chosen: mode&8 > 0,
				Wide: mode&16 > 0, Column: mode & 32 / 4, Lit: []int{0, 1, 5, 6, 40, 500},
			}
			checkRow(t, o, func(o RowOptions) []string { return []string{Row(&rows[i], o)} })
		}
	}
}

// TestRowResting: in a pane without focus, the bar is thin.
func TestRowResting(t *testing.T) {
	t.Parallel()
	rows, now := rowsForTest()
	o := RowOptions{Width: 60, Styles: NewStyles(None), Now: now, Chosen: true, Resting: true}
	for i := range rows {
		for _, line := range append(DocumentRow(&rows[i], o, Chained{}), Row(&rows[i], o), BackupRow(&rows[i], o), HitLine("prompt", "x", nil, o)) {
			if !strings.HasPrefix(line, "│ ") || ansi.StringWidth(line) != o.Width {
				t.Fatalf("%q", line)
			}
		}
	}
}

func TestHitLine(t *testing.T) {
	t.Parallel()
	const prompt = "Why is it slow? It is the export that writes one row per booking, as the log of last night shows it."
	all := func(text, word string) []int {
		at := strings.Index(text, word)
		offsets := make([]int, len(word))
		for i := range offsets {
			offsets[i] = at + i
		}
		return offsets
	}
	const chinese = "預約系統的時區問題，預約系統的時區問題，預約系統的時區問題：booking 一頁一頁慢慢重寫"
	tests := []struct {
		width             int
		field, text, word string
		want              string
	}{
		{64, "branch", "waitlist-booking-mails", "booking", "      branch   waitlist-booking-mails"},
		{64, "prompt", prompt, "slow", "      prompt   Why is it slow? It is the export that writes on…"},
		{64, "prompt", prompt, "book", "      prompt   …writes one row per booking, as the log of last…"},
		{64, "prompt", prompt, "shows it.", "      prompt   …per booking, as the log of last night shows it."},
		{40, "prompt", prompt, "book", "      prompt   …row per booking, as th…"},
		{28, "prompt", prompt, "book", "      prompt   …booking, a…"},
		{27, "prompt", prompt, "book", "      …per booking, as th…"},
		{12, "prompt", prompt, "book", "  …booking…"},
		{64, "a long name", "short", "short", "      a long … short"},
		{64, "prompt", chinese, "booking", "      prompt   …，預約系統的時區問題：booking 一頁一頁慢慢重寫"},
		{64, "prompt", prompt, "nowhere", "      prompt   Why is it slow? It is the export that writes on…"},
	}
	for _, test := range tests {
		o := RowOptions{Width: test.width, Styles: NewStyles(Mono)}
		var offsets []int
		if strings.Contains(test.text, test.word) {
			offsets = all(test.text, test.word)
		}
		line := HitLine(test.field, test.text, offsets, o)
		if got := ansi.Strip(line); got != test.want {
			t.Errorf("%d, %q:\ngot  %q\nwant %q", test.width, test.word, got, test.want)
		}
		if w := ansi.StringWidth(line); w > test.width-1 {
			t.Errorf("%d, %q: %d cells", test.width, test.word, w)
		}
		if len(offsets) > 0 && test.width >= 26 && !strings.Contains(line, "\x1b[1;4m"+test.word+"\x1b[m") {
			t.Errorf("%d, %q is not highlighted: %q", test.width, test.word, line)
		}
	}
	o := RowOptions{Width: 60, Styles: NewStyles(None)}
	if got := HitLine("prompt", "an \x1b[31mevil\n prompt", []int{9}, o); got != "      prompt   an evil prompt" {
		t.Errorf("%q", got)
	}
	o.Chosen = true
	if got := HitLine("prompt", "a prompt", []int{2}, o); got != "▌     prompt   a prompt"+strings.Repeat(" ", 37) {
		t.Errorf("chosen: %q", got)
	}
}

// TestHitLineFits: the line fits and shows the matched character, at every width.
func TestHitLineFits(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("the export …… writes one row per booking ", 4), strings.Repeat("預約系統……的時區 ", 12),
		strings.Repeat("👩‍💻 ☀️ e\u0301 x ", 12), strings.Repeat("x", 200), "…… … …… …… ……… …… ……… …… x …… ……", "x", "",
	} {
		text = strings.TrimSpace(text)
		for width := 0; width < 100; width += 1 + width/10 {
			for at := width % 5; at <= len(text); at += 1 + len(text)/7 {
				if strings.Contains(text[max(at-2, 0):min(at+3, len(text))], "…") {
					continue // the ellipsis is not highlighted
				}
				o := RowOptions{Width: width, Chosen: (at+width)%2 == 0}
				checkRow(t, o, func(o RowOptions) []string { return []string{HitLine("prompt", text, []int{at}, o)} })
				if o.Styles = NewStyles(Mono); width < 18 || at >= len(text) {
					continue
				}
				if line := HitLine("prompt", text, []int{at}, o); !strings.Contains(line, "\x1b[1;4m") {
					t.Fatalf("%q, width %d: %d is not highlighted: %q", text, width, at, line)
				}
			}
		}
	}
}

// TestPlainEmoji: the result has the width of the original emoji.
func TestPlainEmoji(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain": "plain", "a 👩‍💻 b": "a 👩 b", "☀️": "☀ ", "❤️‍🔥!": "❤ !", "1️⃣": "1 ", "👍🏽": "👍", "👨‍👩‍👧": "👨", "🏳️‍🌈": "🏳 ",
		"☀": "☀", "🎉": "🎉", "⌚️": "⌚️", "🇩🇪": "🇩🇪", "✔️ done": "✔  done", "日本": "日本",
		"ශ්\u200dරී": "ශ්\u200dරී", "क्\u200dष": "क्\u200dष", "می\u200cخواهم": "می\u200cخواهم", "e\u0301\ufe0f": "e\u0301\ufe0f",
	} {
		got := words.PlainEmoji(text)
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if ansi.StringWidth(got) != ansi.StringWidth(text) {
			t.Errorf("%q has another width than %q", got, text)
		}
		if again := words.PlainEmoji(got); again != got {
			t.Errorf("%q becomes %q the second time", got, again)
		}
	}
	if got := Title(&sessions.Row{Session: sessions.Session{Name: "👩‍💻 at work"}}); got != "👩 at work" {
		t.Errorf("title %q", got)
	}
}

func TestLit(t *testing.T) {
	t.Parallel()
	got := LitSpans("nigh́tly export…", []int{0, 3, 9, 10, 17, 99}, Text)
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
		if got := words.CutMiddle(path, width); ansi.StringWidth(got) > width {
			t.Errorf("width %d: %q", width, got)
		}
	}
	if got := words.CutMiddle(path, 20); got != "src/au…re/refresh.go" {
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

// TestRightBesideCut: spans that start with a blank directly follow a cut title.
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
	if got := words.Cut("on claude/bookminder-recal… · 2 messages", 26); got != "on claude/bookminder-reca…" && got != "on claude/bookminder-recal…" {
		t.Errorf("%q", got)
	}
	if got := words.Cut("說……到這裡為止", 10); got != "說……到這…" && got != "說……到…" {
		t.Errorf("an ellipsis of the text: %q", got)
	}
	if got := words.Cut("recal… · more", 6); got != "recal…" {
		t.Errorf("%q", got)
	}
}

// TestRowStar: a star follows the title, even if the title is cut.
func TestRowStar(t *testing.T) {
	t.Parallel()
	rows, now := rowsForTest()
	for _, c := range []struct {
		row, width int
		want       string
	}{
		{2, 120, "Add a cancellation window to bookings *  "},
		{2, 40, "Add a cancellation window t… *   1h"},
		{11, 50, "預約系統的時區問題 👩 and a long tail… *"},
		{2, 11, "Add a… *"},
		{2, 4, "  …"},
	} {
		r := rows[c.row]
		r.Starred = true
		o := RowOptions{Width: c.width, Styles: NewStyles(None), Now: now}
		line := Row(&r, o)
		if !strings.Contains(line, c.want) || ansi.StringWidth(line) > c.width {
			t.Errorf("at %d: %q, want %q", c.width, line, c.want)
		}
	}
	r := rows[2]
	o := RowOptions{Width: 40, Styles: NewStyles(None), Now: now}
	before := TitleCutAt(&r, o, 28)
	r.Starred = true
	if after := TitleCutAt(&r, o, 28); before || !after {
		t.Errorf("cell 28 is cut: %v, with a star %v", before, after)
	}
}

// TestProjectColumn: the column fits the names of the first rows. A name far below doesn't count.
func TestProjectColumn(t *testing.T) {
	t.Parallel()
	of := func(names ...string) (rows []*sessions.Row) {
		for _, name := range names {
			rows = append(rows, &sessions.Row{Session: sessions.Session{Project: "/code/" + name}})
		}
		return rows
	}
	many := make([]string, 40)
	for i := range many {
		many[i] = "tides"
	}
	for want, rows := range map[int][]*sessions.Row{
		0: of("tides", "tides"), 8: of(append(many, "a-very-long-name")...), 12: of("tides", "seed-library"), 14: of("tides", "a-very-long-name"),
	} {
		if got := ProjectColumn(rows, 40); got != want {
			t.Errorf("%d cells, want %d", got, want)
		}
	}
}
