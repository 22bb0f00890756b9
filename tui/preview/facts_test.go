package preview

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

func TestFacts(t *testing.T) {
	t.Parallel()
	first := testNow().Add(-3 * time.Hour)
	base := sessions.Session{
		Name: "Title", Project: "/code/teahouse", Workdir: "/code/teahouse", Branch: "main", State: sessions.StateOK,
		First: first, Last: first.Add(110 * time.Minute), Models: []string{"claude-opus-4-1", "<synthetic>"}, Messages: 12, Exact: true,
	}
	pane := Pane{changes: &Changes{8, 112, 61}}
	tests := []struct {
		name string
		pane Pane
		more func(*sessions.Session)
		want []string
	}{
		{"only a copy", Pane{}, func(s *sessions.Session) { s.Flags = []sessions.Flag{sessions.FlagBackupOnly} }, []string{
			"Title", "teahouse on main                            opus", "Sat Nov 21, 12:42 to 14:32            1 h 50 min", "… files changed", "12 messages",
			"◐ only copy: the live transcript is gone", "  Newest backup: Nov 19 09:00,", "  20261119_090000Z_exit.jsonl, pending",
		}},
		{"all", pane, nil, []string{
			"Title", "teahouse on main                            opus", "Sat Nov 21, 12:42 to 14:32            1 h 50 min",
			"8 files changed                         +112 −61", "12 messages",
		}},
		{"compacted", pane, func(s *sessions.Session) { s.Known, s.ContextTokens = 5, 61_400 }, []string{
			"Title", "teahouse on main                            opus", "Sat Nov 21, 12:42 to 14:32            1 h 50 min",
			"8 files changed                         +112 −61", "Claude still knows 5 of 12 messages",
		}},
		{"nothing changed", Pane{changes: &Changes{}}, func(s *sessions.Session) { s.Known = 12 }, []string{
			"Title", "teahouse on main                            opus", "Sat Nov 21, 12:42 to 14:32            1 h 50 min",
			"No files changed", "Claude still knows all 12 messages",
		}},
		{"read before the exact pass", Pane{Shown: Shown{Messages: 9, Known: 4}, changes: &Changes{}}, func(s *sessions.Session) { s.Exact = false }, []string{
			"Title", "teahouse on main                            opus", "Sat Nov 21, 12:42 to 14:32            1 h 50 min",
			"No files changed", "Claude still knows 4 of 9 messages",
		}},
		{"unknown", Pane{}, func(s *sessions.Session) { *s = sessions.Session{Name: "Title", State: sessions.StateOK} }, []string{
			"Title", "No message has a time", "… files changed", "… messages",
		}},
		{"a folder below, two days", Pane{}, func(s *sessions.Session) { s.Workdir, s.Last = "/code/teahouse/api", first.AddDate(0, 0, 1) }, []string{
			"Title", "teahouse/api on main                        opus", "Sat Nov 21, 12:42 to Sun Nov 22, 12:42       1 d", "… files changed", "12 messages",
		}},
		{"a worktree in another year", Pane{}, func(s *sessions.Session) {
			s.Workdir, s.First, s.Last = "/trees/fix", first.AddDate(-1, 0, 0), first.AddDate(-1, 0, 0)
		}, []string{"Title", "teahouse, worktree fix on main              opus", "2025 Nov 21, 12:42", "… files changed", "12 messages"}},
		{"faults are notes", Pane{}, func(s *sessions.Session) {
			s.State, s.Reason, s.Flags = sessions.StateDamaged, "3 lines could not be parsed.", []sessions.Flag{sessions.FlagNoBackup, sessions.FlagSDK}
		}, []string{
			"Title", "teahouse on main                            opus", "Sat Nov 21, 12:42 to 14:32            1 h 50 min", "… files changed", "12 messages",
			"  Hidden in Claude Code's list: headless run.", "  3 lines could not be parsed.", "  It ended without a backup.",
		}},
		{"a hidden branch, with a backup", Pane{}, func(s *sessions.Session) {
			s.Flags, s.Copied = []sessions.Flag{sessions.FlagHiddenBranch, sessions.FlagPurgeSoon}, true
		}, []string{
			"Title", "teahouse on main                            opus", "Sat Nov 21, 12:42 to 14:32            1 h 50 min", "… files changed", "12 messages",
			"◇ hidden branch: messages that claude --resume", "  would not show",
		}},
		{"broken", Pane{}, func(s *sessions.Session) { s.State, s.Reason = sessions.StateUnreadable, "permission denied" }, []string{
			"Title", "teahouse on main                            opus", "Sat Nov 21, 12:42 to 14:32            1 h 50 min", "… messages",
			"✗ broken: permission denied",
		}},
	}
	for _, test := range tests {
		row := sessions.Row{Kind: sessions.KindSession, Session: base}
		if test.more != nil {
			test.more(&row.Session)
		}
		f := Facts{Zone: time.UTC, Now: testNow(), Styles: render.NewStyles(render.None)}
		if row.Has(sessions.FlagBackupOnly) {
			f.Backup = &sessions.Row{Kind: sessions.KindBackup, Pending: true, Session: sessions.Session{
				Path: "/x/raw/20261119_090000Z_exit.jsonl", Created: time.Date(2026, 11, 19, 9, 0, 0, 0, time.UTC),
			}}
		}
		var got []string
		for _, l := range test.pane.facts(&row, f, 51) {
			got = append(got, strings.TrimRight(strings.TrimPrefix(l, "  "), " "))
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// TestWhere: a long folder is cut in the middle. The branch beside the folder isn't cut.
func TestWhere(t *testing.T) {
	t.Parallel()
	row := &sessions.Row{Session: sessions.Session{Project: "/home/ada/code/teahouse", Workdir: "/home/ada/code/teahouse/api", Branch: "fix/token-race"}}
	for _, test := range []struct {
		folder string
		room   int
		want   string
	}{
		{"", 60, "teahouse/api on fix/token-race"},
		{"~/code/teahouse", 60, "~/code/teahouse/api on fix/token-race"},
		{"~/code/teahouse", 34, "~/cod…ahouse/api on fix/token-race"},
		{"~/code/teahouse", 3, "~/c…ouse/api on fix/token-race"},
	} {
		if got := where(row, test.folder, test.room); got != test.want {
			t.Errorf("%q in %d cells: %q, want %q", test.folder, test.room, got, test.want)
		}
	}
}
