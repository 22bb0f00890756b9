package list

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/rowtest"
)

// lit returns the marked parts of drawn lines.
func lit(lines []string, st *render.Styles) []string {
	before, _, _ := strings.Cut(st.Paint(render.Match, "x"), "x")
	var parts []string
	for _, line := range lines {
		for i, part := range strings.Split(line, before) {
			if i > 0 {
				text, _, _ := strings.Cut(part, "\x1b")
				parts = append(parts, text)
			}
		}
	}
	return parts
}

// TestFilterMarks: the letters of the first match are highlighted, in the row or in the line below the row.
func TestFilterMarks(t *testing.T) {
	t.Parallel()
	hour := time.Hour
	ses := []sessions.Row{
		rowtest.Row("11111111", "Straße   in\tİzmir", hour, func(r *sessions.Row) { r.Branch = "fix/token-race" }),
		rowtest.Row("22222222", "Second", 2*hour, func(r *sessions.Row) {
			r.Prompt = "One. two\nthree, \x1b[31mfour"
		}),
		rowtest.Row("33333333", "Exporter of exports", 3*hour, nil),
	}
	backups, docs := rowtest.Backups(), rowtest.Documents()
	tests := []struct {
		kind    sessions.Kind
		rows    []sessions.Row
		pattern string
		want    string
	}{
		{sessions.KindSession, ses, "strasse", "Straße"},
		{sessions.KindSession, ses, "STRASSE IN izm", "Straße in İzm"},
		{sessions.KindSession, ses, "izmir strass", "Straß,İzmir"},
		{sessions.KindSession, ses, "porter of", "porter of"},
		{sessions.KindSession, ses, "exports", "exports"},
		{sessions.KindSession, ses, "two three", "two three"},
		{sessions.KindSession, ses, "four second", "Second,four"},
		{sessions.KindSession, ses, "teahouse", "teahouse"},
		{sessions.KindSession, ses, "fixtok", "fix,tok"},
		{sessions.KindSession, ses, "secnd", "Sec,nd"},
		{sessions.KindSession, ses, "3333", "3333"},
		{sessions.KindBackup, backups, "pact", "pact"},
		{sessions.KindBackup, backups, "Today", "Today"},
		{sessions.KindBackup, backups, "unseen", ""},
		{sessions.KindDocument, docs, "in progress", "in progress"},
		{sessions.KindDocument, docs, "#auth clock", "clock"},
	}
	for _, test := range tests {
		l := holding(test.kind, &scope{all: true, home: "/home/ada"}, test.pattern)
		l.put(test.rows, 0)
		build(l, rowtest.Now(), 120, 30, false)
		l.filtered(filter.Search(t.Context(), test.pattern, l.candidates(l.shown, rowtest.Now())))
		build(l, rowtest.Now(), 120, 30, false)
		if len(l.hits) == 0 {
			t.Errorf("%q finds nothing", test.pattern)
			continue
		}
		st := render.NewStyles(render.Dark)
		it := l.items[max(l.bar.At, 0)]
		l.sel = "" // the bar has different colours
		lines := l.drawItem(it, 120, true, rowtest.Now(), st)
		if got := strings.Join(lit(lines, st), ","); got != test.want || len(lines) != it.rows {
			t.Errorf("%q highlights %q, want %q, in %d of %d lines", test.pattern, got, test.want, len(lines), it.rows)
		}
	}
}

// TestFilterCutTitle: the match is in the cut part of a title, so a line below the row shows it.
func TestFilterCutTitle(t *testing.T) {
	t.Parallel()
	const name = "Find out why the nightly export of all bookings is slow"
	for _, kind := range []sessions.Kind{sessions.KindSession, sessions.KindDocument} {
		row := rowtest.Row("1", name, time.Hour, func(r *sessions.Row) { r.Kind = kind })
		for _, test := range []struct {
			width   int
			pattern string
			rows    int
		}{{120, "slow", 1}, {48, "slow", 2}, {48, "nightly", 1}, {48, "night slow", 1}} {
			l := holding(kind, &scope{}, test.pattern)
			l.put([]sessions.Row{row}, 0)
			build(l, rowtest.Now(), test.width, 30, false)
			l.filtered(filter.Search(t.Context(), l.field.Text(), l.candidates(l.shown, rowtest.Now())))
			build(l, rowtest.Now(), test.width, 30, false)
			got := l.draw(test.width, true, rowtest.Now(), render.NewStyles(render.None))
			if kind == sessions.KindDocument {
				got = got[1:] // the heading with the project
			}
			if len(got) != test.rows || test.rows > 1 && !strings.Contains(got[1], "bookings is slow") {
				t.Errorf("%s, %d wide, %q:\n%s", kind, test.width, test.pattern, strings.Join(got, "\n"))
			}
		}
	}
}

// TestFilterProjects: documents are below the names of their projects. The project with the best match is first.
func TestFilterProjects(t *testing.T) {
	t.Parallel()
	document := func(id, project, title string, tags ...string) sessions.Row {
		return rowtest.Row(id, title, time.Hour, func(r *sessions.Row) { r.Kind, r.Project, r.Tags = sessions.KindDocument, "/code/"+project, tags })
	}
	l := holding(sessions.KindDocument, &scope{all: true}, "clock")
	l.put([]sessions.Row{document("1", "tea", "Guests", "clock"), document("2", "tides", "Clock", "a"), document("3", "tea", "A clock", "b")}, 0)
	build(l, rowtest.Now(), 72, 30, true)
	l.filtered(filter.Search(t.Context(), "clock", l.candidates(l.shown, rowtest.Now())))
	build(l, rowtest.Now(), 72, 30, true)
	var got []string
	for _, line := range l.draw(72, true, rowtest.Now(), render.NewStyles(render.None)) {
		words := strings.Fields(line)
		got = append(got, strings.Join(words[:min(len(words), 3)], " "))
	}
	want := []string{"tides 1", "▌ § Clock", "", "tea 2", "§ A clock", "§ Guests", "tags #clock"}
	if !slices.Equal(got, want) {
		t.Errorf("drawn is %q, want %q", got, want)
	}
}

// TestFilterBackupTitle: a backup matches by the title of its session. The match is shown in the row or below.
func TestFilterBackupTitle(t *testing.T) {
	t.Parallel()
	row := rowtest.Backups()[0]
	row.OfTitle = "Fix refresh token race"
	l := holding(sessions.KindBackup, &scope{}, "token")
	l.put([]sessions.Row{row}, 0)
	for width, below := range map[int]bool{80: false, 49: true} {
		build(l, rowtest.Now(), width, 30, false)
		l.filtered(filter.Search(t.Context(), l.field.Text(), l.candidates(l.shown, rowtest.Now())))
		build(l, rowtest.Now(), width, 30, false)
		got := l.draw(width, true, rowtest.Now(), render.NewStyles(render.None))
		if len(got) == 0 || !strings.Contains(got[len(got)-1], "Fix refresh token race") || (len(got) == 2) != below {
			t.Errorf("%d wide:\n%s", width, strings.Join(got, "\n"))
		}
	}
}

// TestFilterHidden: the line below a row shows the matching text if the row doesn't show it.
func TestFilterHidden(t *testing.T) {
	t.Parallel()
	backups, docs := rowtest.Backups(), rowtest.Documents()
	for _, test := range []struct {
		kind    sessions.Kind
		rows    []sessions.Row
		pattern string
		width   int
		want    string // the line below the first row, or ""
	}{
		{sessions.KindBackup, backups, "exit", 100, ""},
		{sessions.KindBackup, backups, "exit", 72, "made by  exit"},
		{sessions.KindBackup, backups, "lamplight", 72, ""},
		{sessions.KindBackup, backups, "lamplight", 60, "project  lamplight"},
		{sessions.KindDocument, []sessions.Row{rowtest.Row("1", "Context", time.Hour, func(r *sessions.Row) { r.Kind, r.Prompt = sessions.KindDocument, "One clock" })}, "clock", 72, "summary  One clock"},
		{sessions.KindDocument, []sessions.Row{rowtest.Row("1", "Context", time.Hour, func(r *sessions.Row) {
			r.Kind, r.Todos = sessions.KindDocument, []sessions.Todo{{Text: "One"}, {Text: "Two clocks"}, {Text: "Three"}}
		})}, "clock", 72, "todo     Two clocks"},
		{sessions.KindDocument, docs, "empty calendar", 72, "todo     Draw the empty calendar"},
	} {
		l := holding(test.kind, &scope{all: true, home: "/home/ada"}, test.pattern)
		l.put(test.rows, 0)
		build(l, rowtest.Now(), test.width, 30, false)
		l.filtered(filter.Search(t.Context(), test.pattern, l.candidates(l.shown, rowtest.Now())))
		build(l, rowtest.Now(), test.width, 30, false)
		l.sel = "" // no bar
		lines := l.drawItem(l.items[slices.IndexFunc(l.items, func(it item) bool { return it.row != nil && it.row.Path == l.hits[len(l.hits)-1].Path })], test.width, true, rowtest.Now(), render.NewStyles(render.None))
		got := strings.TrimSpace(lines[len(lines)-1])
		if below := strings.HasPrefix(lines[len(lines)-1], "      "); below != (test.want != "") || below && got != test.want {
			t.Errorf("%q in %d cells:\n%s", test.pattern, test.width, strings.Join(lines, "\n"))
		}
	}
}

// TestFilterOrder: equally good matches stay in the order of the list. Scattered letters match only if nothing matches
// better.
func TestFilterOrder(t *testing.T) {
	t.Parallel()
	var shown []*sessions.Row
	for i, title := range []string{"In exports", "Exprot", "reexport", "Nothing", "Export again", "EXPORT"} {
		row := rowtest.Row(fmt.Sprint(i), title, time.Duration(i)*time.Hour, nil)
		if i == 3 {
			row.Prompt = "the export"
		}
		shown = append(shown, &row)
	}
	l := newPane(sessions.KindSession, &scope{})
	for pattern, want := range map[string]string{"export": "0 4 5 2 3", "exort": "0 2 3 4 5", "xyz": ""} {
		var got []string
		for _, h := range filter.Search(t.Context(), pattern, l.candidates(shown, rowtest.Now())) {
			got = append(got, h.Of.Row.ID[:1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %v, want %s", pattern, got, want)
		}
	}
}

// TestCandidatesStay: the texts of a row are prepared once, until the row or the day changes.
func TestCandidatesStay(t *testing.T) {
	t.Parallel()
	l := newPane(sessions.KindSession, &scope{})
	l.put([]sessions.Row{rowtest.Row("1", "First", time.Hour, nil), rowtest.Row("2", "Second", 2*time.Hour, nil)}, 0)
	ask := func(now time.Time) []*filter.Candidate {
		build(l, now, 80, 10, false)
		return l.candidates(l.shown, now)
	}
	first := ask(rowtest.Now())
	if again := ask(rowtest.Now().Add(time.Minute)); again[0] != first[0] || again[1] != first[1] {
		t.Error("all rows are prepared again")
	}
	l.put([]sessions.Row{rowtest.Row("2", "Other", 2*time.Hour, nil)}, 0)
	if again := ask(rowtest.Now()); again[0] != first[0] || again[1] == first[1] {
		t.Error("not exactly the changed row is prepared again")
	}
	if again := ask(rowtest.Now().AddDate(0, 0, 1)); again[0] == first[0] {
		t.Error("the texts aren't prepared again for a new day")
	}
}

func holding(kind sessions.Kind, scope *scope, pattern string) *pane {
	l := newPane(kind, scope)
	l.field.Set(pattern)
	return l
}

func TestFilterBackups(t *testing.T) {
	t.Parallel()
	rows := rowtest.Backups()
	var shown []*sessions.Row
	for i := range rows {
		shown = append(shown, &rows[i])
	}
	l := newPane(sessions.KindBackup, &scope{all: true})
	for pattern, want := range map[string]int{
		"pending": 3, "unseen": 3, "not reviewed": 3, "reviewed": 10, "compact": 4, "rewritten": 2, "gone": 2, "torn": 1, "lamplight": 2,
		"pending exit": 2, "Today": 1, "11:02": 1, "same pending": 1, "nowhere": 0,
	} {
		if got := filter.Search(t.Context(), pattern, l.candidates(shown, rowtest.Now())); len(got) != want {
			t.Errorf("%q finds %d, want %d", pattern, len(got), want)
		}
	}
	l.kind = sessions.KindSession
	if got := filter.Search(t.Context(), "compact", l.candidates(shown, rowtest.Now())); len(got) != 0 {
		t.Errorf("sessions: %v", got)
	}
}

// TestTerms: a term matches the beginning of a value. All terms must match.
func TestTerms(t *testing.T) {
	t.Parallel()
	rows := rowtest.Documents()
	l := newPane(sessions.KindDocument, &scope{})
	var shown []*sessions.Row
	for i := range rows {
		shown = append(shown, &rows[i])
	}
	among := l.candidates(shown, rowtest.Now())
	for pattern, want := range map[string]int{
		"status:blocked": 1, "STATUS:Bl": 1, "status:in_progress": 1, "status:in-pro": 1, "status:": 7, "status:x": 0,
		"tag:auth": 3, "#auth": 3, "#auth #clock": 2, "#auth tag:mail": 0, "#": 7, "#au": 3,
		"branch:main": 2, "branch:fix/": 2, "project:tea": 7, "project:/home/ada": 7, "project:pantry": 0,
		"#auth status:completed": 2, "#auth leeway": 1, "leeway": 1, "stat:blocked": 0, "status:completed status:blocked": 0,
	} {
		if got := filter.Search(t.Context(), pattern, among); len(got) != want {
			t.Errorf("%q finds %d, want %d", pattern, len(got), want)
		}
	}
	ses := newPane(sessions.KindSession, &scope{})
	if got := filter.Search(t.Context(), "status:blocked", ses.candidates(shown, rowtest.Now())); len(got) != 0 {
		t.Errorf("sessions have terms: %v", got)
	}
}

func TestFilterWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind    sessions.Kind
		pattern string
		want    []string
	}{
		{sessions.KindDocument, "#Auth a Clock status:in_progress", []string{"clock"}},
		{sessions.KindBackup, "#Auth clock", []string{"#auth", "clock"}},
	} {
		if got := filter.Words(test.pattern, test.kind); !slices.Equal(got, test.want) {
			t.Errorf("%q has the words %q, want %q", test.pattern, got, test.want)
		}
	}
}
