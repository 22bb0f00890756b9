package render

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

func documentsForTest() ([]sessions.Row, time.Time) {
	now := time.Date(2026, 11, 21, 18, 10, 0, 0, time.UTC)
	row := func(title, status, branch string, days int, tags ...string) sessions.Row {
		r := sessions.Row{Kind: sessions.KindDocument, Status: status, Tags: tags}
		r.Name, r.Branch, r.Project, r.State = title, branch, "/home/ada/code/teahouse", sessions.StateOK
		r.Created = now.AddDate(0, 0, -days)
		if status == "in-progress" {
			r.Todos = []sessions.Todo{{Text: "a", Priority: "high"}, {Text: "b"}, {Text: "c", Done: true}}
		}
		return r
	}
	front := row("session-2026-10-09-2210", "", "main", 43, "auth")
	front.Reason = "front matter: line 4: tags is not a list"
	unread := row("session-2026-10-08-0900", "", "", 44)
	unread.Reason = "read .claude/memory/x: \x1b[31mpermission denied\n"
	deleted := row("Pick a job queue", "completed", "main", 52, "queue")
	deleted.Deleted = true
	bare := row("Project memory", "", "", 0)
	bare.Project = ""
	return []sessions.Row{
		row("Guest tokens join the shared clock", "in-progress", "fix/token-race", 7, "auth", "tokens", "clock"),
		row("Leeway is agreed, skew is tested", "completed", "a-branch-with-a-long-name", 9, "auth", "clock"),
		row("Waitlist mails wait for a wording that nobody has found yet", "blocked", "", 17, "waitlist", "mail", "reminders", "templates", "translations", "tenants"),
		row("預約系統的時區問題 👩‍💻", "a status of its own", "main", 24),
		row("evil \x1b[31mred", "in_progress\x1b[2J", "b\x1b[2J", 24, "a\ttag", "", "b\x1b]0;title\a"),
		front, unread, deleted, bare,
		{Kind: sessions.KindDocument},
	}, now
}

// chainedForTest: rows 0 and 1 form the chain of the selected row 0. Row 2 starts another chain, and the previous
// document of row 3 is missing.
func chainedForTest(i int) Chained {
	return append([]Chained{
		{Rail: RailHere, Within: true},
		{Within: true},
		{Rail: RailBeside},
		{Rail: RailBroken, Problem: "session-2026-10-20-0900.md, which it continues, is not there \x1b[31m"},
	}, make([]Chained, 20)...)[i]
}

func TestDocumentRow(t *testing.T) {
	t.Parallel()
	rows, now := documentsForTest()
	var b strings.Builder
	for _, o := range []RowOptions{
		{Width: 120, Project: true},
		{Width: 100},
		{Width: 80, Project: true},
		{Width: 72},
		{Width: 64},
		{Width: 62, Project: true},
		{Width: 56},
		{Width: 55, Project: true},
		{Width: 40},
		{Width: 29},
		{Width: 11},
	} {
		o.Styles, o.Now = NewStyles(None), now
		b.WriteString(DocumentHeader([]Span{{Muted, "teahouse"}, {Faint, " · 7 documents"}}, o) + "\n")
		for i := range rows {
			o.Chosen = i == 0
			for _, line := range DocumentRow(&rows[i], o, chainedForTest(i)) {
				b.WriteString(strings.TrimRight(line, " ") + "\n")
			}
		}
		b.WriteString("\n")
	}
	golden(t, "documents", b.String())
}

func TestDocumentRowFits(t *testing.T) {
	t.Parallel()
	rows, now := documentsForTest()
	for width := range 130 {
		for i := range rows {
			mode := 3*width + i
			o := RowOptions{Width: width, Now: now, Chosen: mode&1 > 0, Project: mode&2 > 0, Lit: []int{0, 3, 70}}
			checkRow(t, o, func(o RowOptions) []string {
				lines := DocumentRow(&rows[i], o, chainedForTest(i))
				if n := DocumentHeight(&rows[i], o, chainedForTest(i)); n != len(lines) {
					t.Fatalf("width %d, row %d: %d lines, DocumentHeight is %d", width, i, len(lines), n)
				}
				for _, line := range lines {
					if o.Chosen && o.Styles.Theme == None && width > 0 && !strings.HasPrefix(line, "▌") {
						t.Fatalf("width %d, row %d: no bar: %q", width, i, line)
					}
				}
				return lines
			})
		}
		o := RowOptions{Width: width, Now: now}
		checkRow(t, o, func(o RowOptions) []string { return []string{DocumentHeader([]Span{{Muted, "teahouse and more"}}, o)} })
	}
}

// TestDocumentInk: faults are red, completed documents faint, and blocked ones a warning.
func TestDocumentInk(t *testing.T) {
	t.Parallel()
	rows, now := documentsForTest()
	st := NewStyles(Dark)
	o := RowOptions{Width: 80, Styles: st, Now: now}
	for i, want := range map[int][]string{
		0: {st.Paint(Faint, "§"), st.Paint(Text, "Guest tokens join the shared clock"), st.Paint(Muted, "in progress"), st.Paint(Faint, "#auth #tokens #clock"), st.Paint(Faint, "fix/token-race")},
		1: {st.Paint(Muted, "Leeway is agreed, skew is tested"), st.Paint(Faint, "completed")},
		2: {st.Paint(Warn, "blocked")},
		5: {st.Paint(BadBold, "✗"), st.Paint(Bad, "front matter"), st.Paint(Faint, "line 4: tags is not a list. The text is readable.")},
		6: {st.Paint(BadBold, "✗"), st.Paint(Bad, "unreadable"), st.Paint(Muted, "read .claude/memory/x: permission denied")},
		7: {st.Paint(BadBold, "✗"), st.Paint(Bad, "deleted")},
	} {
		got := strings.Join(DocumentRow(&rows[i], o, chainedForTest(i)), "\n")
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("row %d: %q is missing in\n%q", i, w, got)
			}
		}
	}
}
