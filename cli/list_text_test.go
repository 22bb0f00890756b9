package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// TestListIDs: the IDs begin alike. show must accept what the list shows.
func TestListIDs(t *testing.T) {
	t.Parallel()
	rows := []sessions.Row{
		row("20260228_101500Z_prompt_input_exit", "exit Fix the race", kind(sessions.KindBackup), ago(time.Hour), messages(142)),
		row("20260228_101501Z_clear", "clear Fix the race", kind(sessions.KindBackup), ago(time.Hour), messages(9)),
		row("20260227_093000_", "Fix the race", kind(sessions.KindBackup), ago(2*time.Hour), messages(3)),
		row("session-2026-02-27-0900", "Leeway is agreed", kind(sessions.KindDocument), ago(9*day)),
		row("session-2026-02-27-091530Z-second", "Two verifiers", kind(sessions.KindDocument), ago(9*day)),
		row("active-context", "Guest tokens", kind(sessions.KindDocument), ago(day)),
		row("3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35", "Fix refresh token race at midnight", ago(2*time.Minute), messages(142)),
	}
	got := find.Text(find.SelectRows(rows, find.Scope{}, find.RowFilter{}, 0), find.ListLook{Width: 100, Now: now(), Styles: render.NewStyles(render.None)})
	const want = `All projects, 1 session, 3 backups, 2 docu…  branch           age  msgs  id

· exit Fix the race                          main              1h   142  20260228_101500Z
· clear Fix the race                         main              1h     9  20260228_101501Z
· Fix the race                               main              2h     3  20260227_093000
· Leeway is agreed                           main              9d     0  session-2026-02-27-0900
· Two verifiers                              main              9d     0  session-2026-02-27-091530
· Guest tokens                               main              1d     0  active-context
· Fix refresh token race at midnight         main              2m   142  3f9ac1e0
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for i := range rows {
		id := find.ListID(&rows[i])
		if found := find.MatchRows(rows, id); len(found) != 1 || found[0].Path != rows[i].Path {
			t.Errorf("%q means %d rows", id, len(found))
		}
	}
}

func TestListNotes(t *testing.T) {
	t.Parallel()
	rows := []sessions.Row{
		row("3f9ac1e0", "Fix refresh token race at midnight", ago(time.Hour), messages(142)),
		row("b81d22f7", "Move the slot picker", ago(2*time.Hour), messages(64)),
		row("90e4c5aa", "Old sketch", ago(3*time.Hour), messages(9)),
	}
	rows[0].Starred, rows[2].Archived = true, true
	got := find.Text(find.SelectRows(rows, find.Scope{}, find.RowFilter{Hide: true}, 0), find.ListLook{Width: 100, Now: now(), Styles: render.NewStyles(render.None)})
	const want = `All projects, 2 sessions                                      branch           age  msgs  id

· Fix refresh token race at midnight *                        main              1h   142  3f9ac1e0
· Move the slot picker                                        main              2h    64  b81d22f7

1 archived session is hidden: --all shows it.
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	all := find.Text(find.SelectRows(rows, find.Scope{}, find.RowFilter{}, 0), find.ListLook{Width: 100, Now: now(), Styles: render.NewStyles(render.None)})
	if !strings.Contains(all, "Old sketch") {
		t.Errorf("with --all\n%s", all)
	}
}
