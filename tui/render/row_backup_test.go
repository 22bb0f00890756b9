package render

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

func backupsForTest() ([]sessions.Row, time.Time) {
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	row := func(made, id, project string, bytes int64, more func(*sessions.Row)) sessions.Row {
		r := sessions.Row{Kind: sessions.KindBackup}
		at, err := time.Parse("2006-01-02 15:04", made)
		if err != nil {
			panic(err)
		}
		r.Created, r.ID, r.Project, r.Bytes, r.State = at, id, "/home/ada/code/"+project, bytes, sessions.StateOK
		r.OfTitle = "First sketch of the booking flow"
		if more != nil {
			more(&r)
		}
		return r
	}
	pending := func(r *sessions.Row) { r.Pending = true }
	only := func(r *sessions.Row) { r.Flags = []sessions.Flag{sessions.FlagBackupOnly} }
	both := func(r *sessions.Row) { pending(r); only(r) }
	state := func(s sessions.State) func(*sessions.Row) { return func(r *sessions.Row) { r.State = s } }
	return []sessions.Row{
		row("2026-11-21 11:02", "20261121_110200Z_compact", "teahouse", 2_200_000, pending),
		row("2026-11-20 18:42", "20261120_184200Z_prompt_input_exit", "pantry", 890_000, pending),
		row("2026-10-11 19:21", "20261011_192104Z_exit", "teahouse", 1_400_000, both),
		row("2026-11-19 22:07", "20261119_220700Z_clear", "teahouse", 3_100_000, func(r *sessions.Row) { only(r); r.OfTitle = "予約" }),
		row("2026-11-15 08:49", "20261115_084900Z", "pantry", 18_000, func(r *sessions.Row) { r.Flags = []sessions.Flag{sessions.FlagTornTail}; r.OfTitle = "" }),
		row("2025-12-31 08:49", "20251231_084900_bypass_permissions", "a-project-with-a-long-name", 99_990_000, state(sessions.StateUnreadable)),
		row("2026-11-04 21:37", "20261104_213700_", "teahouse", 0, state(sessions.StateDamaged)),
		row("2026-11-03 10:08", "20261103_100800_\x1b[2Jevil\n", "\x1b[31mred", 512, func(r *sessions.Row) { r.Deleted, r.Pending = true, true }),
		row("2026-11-02 18:44", "anything", "預約系統的時區問題", 88_000, state(sessions.StateStub)),
		row("2026-11-01 08:15", "20261101_081500_other", "", 7, func(r *sessions.Row) { r.Project, r.Workdir = "", "/srv/elsewhere" }),
		row("2026-11-01 08:15", "20261101_081500_logout", "", 640_000, func(r *sessions.Row) { r.Project = "/home/ada" }),
		{Kind: sessions.KindBackup},
	}, now
}

func TestBackupRow(t *testing.T) {
	t.Parallel()
	rows, now := backupsForTest()
	var b strings.Builder
	for _, width := range []int{120, 100, 93, 80, 72, 63, 50, 49, 40, 32, 20, 11} {
		o := RowOptions{Width: width, Styles: NewStyles(None), Now: now, Project: true}
		b.WriteString(BackupHeader([]Span{{Muted, "all projects"}}, o) + "\n")
		for i := range rows {
			o.Chosen = i == 2
			b.WriteString(strings.TrimRight(BackupRow(&rows[i], o), " ") + "\n")
		}
		b.WriteString("\n")
	}
	golden(t, "backups", b.String())
}

// TestBackupScreen: rows beside a preview. The list of one project has no column for the project.
func TestBackupScreen(t *testing.T) {
	t.Parallel()
	rows, now := backupsForTest()
	for project, want := range map[bool][3]string{
		true: {
			"    all projects                             project     live file",
			"▌ ! Oct 11 19:21    First sketch of the bo…  teahouse    ◐ gone         ",
			"  ✗ Nov 15 08:49                             pantry      ✗ torn last l…",
		},
		false: {
			"    all projects                                         live file",
			"▌ ! Oct 11 19:21    First sketch of the booking flow     ◐ gone         ",
			"  ✗ Nov 15 08:49                                         ✗ torn last l…",
		},
	} {
		o := RowOptions{Width: 72, Styles: NewStyles(None), Now: now, Project: project}
		lines := []string{BackupHeader([]Span{{Muted, "all projects"}}, o)}
		for _, i := range []int{2, 4} {
			o.Chosen = i == 2
			lines = append(lines, BackupRow(&rows[i], o))
		}
		for i := range want {
			if lines[i] != want[i] {
				t.Errorf("got  %q\nwant %q", lines[i], want[i])
			}
		}
	}
}

// TestBackupGrid: columns are dropped in order, so that title and time get enough room.
func TestBackupGrid(t *testing.T) {
	t.Parallel()
	rows, now := backupsForTest()
	for width := 10; width <= 120; width++ {
		o := RowOptions{Width: width, Styles: NewStyles(None), Now: now, Project: true}
		g := o.backupGrid()
		order := []int{g.made, g.size, g.project, g.title, g.live}
		for i := range order[1:] {
			if order[i] >= 0 && order[i+1] < 0 {
				t.Errorf("width %d: a column was dropped too early: %+v", width, g)
			}
		}
		if g.live >= 0 && g.whenEnd-g.when < whenWidth || g.title >= 0 && g.titleEnd-g.title < 13 || width >= 72 && g.titleEnd-g.title < 23 {
			t.Errorf("width %d: %+v", width, g)
		}
		end := g.whenEnd
		for _, c := range [][2]int{
			{g.title, g.titleEnd}, {g.project, g.project + projectWidth}, {g.made, g.made + madeByWidth}, {g.live, g.liveEnd}, {g.size, g.right},
		} {
			if c[0] < 0 {
				continue
			}
			if c[0] <= end || c[1] <= c[0] {
				t.Errorf("width %d: column %v overlaps the column that ends at %d", width, c, end)
			}
			end = c[1]
		}
		if end != g.right || g.right != width-1 {
			t.Errorf("width %d: the last column ends at %d", width, end)
		}
		const liveLeast = 12 // "✗ unreadable"
		if g.live >= 0 && g.liveEnd-g.live < liveLeast || g.size >= 0 && g.right-g.size < sizeWidth {
			t.Errorf("width %d: a column is too narrow: %+v", width, g)
		}
		for i := range rows {
			if s := ansi.StringWidth(words.Size(rows[i].Bytes)); s > sizeWidth {
				t.Errorf("%q does not fit its column", words.Size(rows[i].Bytes))
			}
		}
	}
}

func TestBackupRowFits(t *testing.T) {
	t.Parallel()
	rows, now := backupsForTest()
	for width := range 130 {
		for i := range rows {
			o := RowOptions{Width: width, Now: now, Chosen: (width+i)%2 == 0}
			checkRow(t, o, func(o RowOptions) []string { return []string{BackupRow(&rows[i], o)} })
		}
		o := RowOptions{Width: width, Now: now}
		checkRow(t, o, func(o RowOptions) []string {
			return []string{BackupHeader([]Span{{Muted, "all projects and more"}}, o)}
		})
	}
}

func TestBackupZone(t *testing.T) {
	t.Parallel()
	rows, now := backupsForTest()
	o := RowOptions{Width: 72, Styles: NewStyles(None), Now: now.In(time.FixedZone("east", 9*3600))}
	got := BackupRow(&rows[1], o)
	if !strings.HasPrefix(got, "  ! Yesterday 03:42 ") {
		t.Errorf("%q", got)
	}
}

func TestMadeBy(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"20261121_110200Z_compact": "compact", "20261121_110200_clear": "clear", "20261121_110200Z_prompt_input_exit": "exit",
		"20261121_110200Z": "", "20261121_110200": "", "20261121_110200Z_": "", "20261121_110200Zcompact": "",
		"20261121_110200Z_missed-2": "missed", "20261121_110200Z_prompt_input_exit-12": "exit", "20261121_110200Z_a-1": "a-1",
		"20261121_110200Z_a-02": "a-02", "20261121_110200Z_by-hand": "by-hand", "20261121_110200Z_a-": "a-",
		"20261121": "", "": "", "exit": "", "3f9ac1e0-5b7d-4e21_exit": "", "20261121_110200_a\x1b[31mb": "ab",
	} {
		if got := MadeBy(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}
