package render

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// TestBackupStates checks the glyph and the column "live file" in each state of a backup.
func TestBackupStates(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	tests := []struct {
		name   string
		more   func(*sessions.Row)
		marked bool
		want   string
	}{
		{"pending", func(r *sessions.Row) { r.Pending = true }, false, "  ! Nov 19 22:07        clear     teahouse    = same             3.1 MB"},
		{"pending and marked", func(r *sessions.Row) { r.Pending = true }, true, "  ✓ Nov 19 22:07        clear     teahouse    = same             3.1 MB"},
		{"unseen", func(r *sessions.Row) { r.Unseen, r.Relation = true, sessions.RelationGrown }, false, "  · Nov 19 22:07        clear     teahouse    > has grown since  3.1 MB"},
		{"seen", func(r *sessions.Row) { r.Relation = sessions.RelationRewritten }, false, "    Nov 19 22:07        clear     teahouse    ≠ rewritten since  3.1 MB"},
		{"seen and marked", nil, true, "  ✓ Nov 19 22:07        clear     teahouse    = same             3.1 MB"},
		{"gone", func(r *sessions.Row) { r.Unseen, r.Relation = true, sessions.RelationGone }, false, "  · Nov 19 22:07        clear     teahouse    ◐ gone             3.1 MB"},
		{"torn", func(r *sessions.Row) { r.Pending, r.Fault = true, "torn last line" }, false, "  ✗ Nov 19 22:07        clear     teahouse    ✗ torn last line   3.1 MB"},
		{"torn and marked", func(r *sessions.Row) { r.Fault = "torn last line" }, true, "  ✓ Nov 19 22:07        clear     teahouse    ✗ torn last line   3.1 MB"},
		{"a foreign fault", func(r *sessions.Row) { r.Fault = "a\x1b[2Jb\nwith no end to it" }, false, "  ✗ Nov 19 22:07        clear     teahouse    ✗ ab with no end…  3.1 MB"},
		{"unreadable", func(r *sessions.Row) { r.State = sessions.StateUnreadable }, false, "  ✗ Nov 19 22:07        clear     teahouse    ✗ unreadable       3.1 MB"},
		{"deleted", func(r *sessions.Row) { r.Deleted = true }, false, "  ✗ Nov 19 22:07        clear     teahouse    ✗ deleted          3.1 MB"},
		{"not known", func(r *sessions.Row) { r.Relation = "" }, false, "    Nov 19 22:07        clear     teahouse    …                  3.1 MB"},
		{"not found where nothing can be listed", func(r *sessions.Row) { r.Relation, r.Unsearched = "", true }, false, "    Nov 19 22:07        clear     teahouse    … not compared     3.1 MB"},
		{"gone by its flag", func(r *sessions.Row) { r.Relation, r.Flags = "", []sessions.Flag{sessions.FlagBackupOnly} }, false, "    Nov 19 22:07        clear     teahouse    ◐ gone             3.1 MB"},
		{"unknown to this program", func(r *sessions.Row) { r.Relation = "younger" }, false, "    Nov 19 22:07        clear     teahouse    …                  3.1 MB"},
	}
	for _, test := range tests {
		r := sessions.Row{Kind: sessions.KindBackup, Relation: sessions.RelationSame}
		r.Created, r.ID, r.Project = time.Date(2026, 11, 19, 22, 7, 0, 0, time.UTC), "20261119_220700Z_clear", "/home/ada/code/teahouse"
		r.Bytes, r.State = 3_100_000, sessions.StateOK
		if test.more != nil {
			test.more(&r)
		}
		o := RowOptions{Width: 72, Styles: NewStyles(None), Now: now, Marked: test.marked}
		if got := strings.TrimRight(BackupRow(&r, o), " "); got != test.want {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, test.want)
		}
	}
}

// TestBackupInks checks that reviewed backups have quieter inks, unless they are the only copy.
func TestBackupInks(t *testing.T) {
	t.Parallel()
	st := NewStyles(Dark)
	r := sessions.Row{Kind: sessions.KindBackup, Relation: sessions.RelationGrown, Unseen: true}
	r.Created, r.ID, r.State = time.Date(2026, 11, 19, 22, 7, 0, 0, time.UTC), "20261119_220700Z_clear", sessions.StateOK
	has := func(ink Ink, text string) bool {
		return strings.Contains(BackupRow(&r, RowOptions{Width: 72, Styles: st, Now: r.Created}), st.Paint(ink, text))
	}
	if !has(Text, "Today 22:07") || !has(Muted, "clear") || !has(Muted, " has grown since") {
		t.Error("an unreviewed backup has a quiet ink")
	}
	if r.Unseen = false; !has(Muted, "Today 22:07") || !has(Faint, "clear") || !has(Faint, " has grown since") {
		t.Error("a reviewed backup has no quiet ink")
	}
	if r.Relation = sessions.RelationRewritten; !has(Urgent, "≠ rewritten since") {
		t.Error("\"rewritten since\" has a quiet ink")
	}
	if r.Relation = sessions.RelationGone; !has(Warn, "◐ gone") {
		t.Error("\"gone\" has a quiet ink")
	}
}

// TestBackupHeaderRoom checks that the scope of the list can replace the names of two columns, but not of the third.
func TestBackupHeaderRoom(t *testing.T) {
	t.Parallel()
	for width := 1; width < 130; width++ {
		o := RowOptions{Width: width, Styles: NewStyles(None)}
		for n := 1; n <= backupRoom(o); n++ {
			text := strings.Repeat("x", n)
			got := BackupHeader([]Span{{Muted, text}}, o)
			if !strings.Contains(got, text) || width >= 50 && !strings.Contains(got, "  live file") {
				t.Fatalf("width %d: %q", width, got)
			}
		}
	}
}
