package render

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

func TestBackupStates(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC)
	tests := []struct {
		name   string
		more   func(*sessions.Row)
		marked bool
		want   string
	}{
		{"pending", func(r *sessions.Row) { r.Pending = true }, false, "  ! Nov 19 22:07    Fix the token race       teahouse    = same"},
		{"pending and marked", func(r *sessions.Row) { r.Pending = true }, true, "  ✓ Nov 19 22:07    Fix the token race       teahouse    = same"},
		{"unseen", func(r *sessions.Row) { r.Unseen, r.Relation = true, sessions.RelationGrown }, false, "  · Nov 19 22:07    Fix the token race       teahouse    > grown"},
		{"seen", func(r *sessions.Row) { r.Relation = sessions.RelationRewritten }, false, "    Nov 19 22:07    Fix the token race       teahouse    ≠ rewritten"},
		{"seen and marked", nil, true, "  ✓ Nov 19 22:07    Fix the token race       teahouse    = same"},
		{"gone", func(r *sessions.Row) { r.Unseen, r.Relation = true, sessions.RelationGone }, false, "  · Nov 19 22:07    Fix the token race       teahouse    ◐ gone"},
		{"torn", func(r *sessions.Row) { r.Pending, r.Fault = true, "torn last line" }, false, "  ✗ Nov 19 22:07    Fix the token race       teahouse    ✗ torn last l…"},
		{"torn and marked", func(r *sessions.Row) { r.Fault = "torn last line" }, true, "  ✓ Nov 19 22:07    Fix the token race       teahouse    ✗ torn last l…"},
		{"a foreign fault", func(r *sessions.Row) { r.Fault = "a\x1b[2Jb\nwith no end to it" }, false, "  ✗ Nov 19 22:07    Fix the token race       teahouse    ✗ ab with no …"},
		{"unreadable", func(r *sessions.Row) { r.State = sessions.StateUnreadable }, false, "  ✗ Nov 19 22:07    Fix the token race       teahouse    ✗ unreadable"},
		{"deleted", func(r *sessions.Row) { r.Deleted = true }, false, "  ✗ Nov 19 22:07    Fix the token race       teahouse    ✗ deleted"},
		{"not known", func(r *sessions.Row) { r.Relation = "" }, false, "    Nov 19 22:07    Fix the token race       teahouse    …"},
		{"not found where nothing can be listed", func(r *sessions.Row) { r.Relation, r.Unsearched = "", true }, false, "    Nov 19 22:07    Fix the token race       teahouse    … not compared"},
		{"gone by its flag", func(r *sessions.Row) { r.Relation, r.Flags = "", []sessions.Flag{sessions.FlagBackupOnly} }, false, "    Nov 19 22:07    Fix the token race       teahouse    ◐ gone"},
		{"unknown to this program", func(r *sessions.Row) { r.Relation = "younger" }, false, "    Nov 19 22:07    Fix the token race       teahouse    …"},
	}
	for _, test := range tests {
		r := sessions.Row{Kind: sessions.KindBackup, Relation: sessions.RelationSame}
		r.Created, r.ID, r.Project = time.Date(2026, 11, 19, 22, 7, 0, 0, time.UTC), "20261119_220700Z_clear", "/home/ada/code/teahouse"
		r.Bytes, r.State, r.OfTitle = 3_100_000, sessions.StateOK, "Fix the token race"
		if test.more != nil {
			test.more(&r)
		}
		o := RowOptions{Width: 72, Styles: NewStyles(None), Now: now, Project: true, Marked: test.marked}
		if got := strings.TrimRight(BackupRow(&r, o), " "); got != test.want {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, test.want)
		}
	}
}

// TestBackupInks: reviewed backups are less prominent, unless they are the only copy.
func TestBackupInks(t *testing.T) {
	t.Parallel()
	st := NewStyles(Dark)
	r := sessions.Row{Kind: sessions.KindBackup, Relation: sessions.RelationGrown, Unseen: true}
	r.Created, r.ID, r.State = time.Date(2026, 11, 19, 22, 7, 0, 0, time.UTC), "20261119_220700Z_clear", sessions.StateOK
	has := func(ink Ink, text string) bool {
		return strings.Contains(BackupRow(&r, RowOptions{Width: 100, Styles: st, Now: r.Created}), st.Paint(ink, text))
	}
	r.OfTitle = "Fix the token race"
	if !has(Muted, "Today 22:07") || !has(Text, r.OfTitle) || !has(Muted, "clear") || !has(Muted, " grown") {
		t.Error("an unreviewed backup has a quiet ink")
	}
	if r.Unseen = false; !has(Faint, "Today 22:07") || !has(Muted, r.OfTitle) || !has(Faint, "clear") || !has(Faint, " grown") {
		t.Error("a reviewed backup has no quiet ink")
	}
	if r.Relation = sessions.RelationRewritten; !has(Urgent, "≠ rewritten") {
		t.Error("\"rewritten\" has a quiet ink")
	}
	if r.Relation = sessions.RelationGone; !has(Warn, "◐ gone") {
		t.Error("\"gone\" has a quiet ink")
	}
}

// TestBackupHeaderRoom: the scope doesn't cover the other column names.
func TestBackupHeaderRoom(t *testing.T) {
	t.Parallel()
	for width := 1; width < 130; width++ {
		o := RowOptions{Width: width, Styles: NewStyles(None)}
		for n := 1; n <= HeaderRoom(sessions.KindBackup, o); n++ {
			text := strings.Repeat("x", n)
			got := BackupHeader([]Span{{Muted, text}}, o)
			if !strings.Contains(got, text) || width >= 50 && !strings.Contains(got, "  live file") {
				t.Fatalf("width %d: %q", width, got)
			}
		}
	}
}
