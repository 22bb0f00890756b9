package preview

import (
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

func testNow() time.Time { return time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC) }

func TestBackupPreview(t *testing.T) {
	t.Parallel()
	row := sessions.Row{Kind: sessions.KindBackup, Of: "3f9ac1e0", Relation: sessions.RelationSame}
	row.State, row.Exact, row.Last = sessions.StateOK, true, testNow().Add(-time.Hour)
	tests := []struct {
		name      string
		more      func(*sessions.Row)
		glyph     string
		what, why string
	}{
		{"same", nil, "=", "Identical to the live transcript.", "Safe to discard."},
		{"grown", func(r *sessions.Row) { r.Relation = sessions.RelationGrown }, ">", "The live transcript has grown since.", "It contains all of this copy."},
		{"rewritten", func(r *sessions.Row) { r.Relation = sessions.RelationRewritten }, "≠", "This is the only copy of its content.", "The live transcript was rewritten since."},
		{"gone lately", func(r *sessions.Row) { r.Relation = sessions.RelationGone; r.Last = testNow().Add(-50 * time.Hour) }, "◐", "This is the only copy.", "The live transcript is gone. Its last message is 2 days old."},
		{"purged", func(r *sessions.Row) { r.Relation = sessions.RelationGone; r.Last = testNow().AddDate(0, 0, -41) }, "◐", "This is the only copy.", "The live transcript is gone, most likely cleaned up by Claude Code: its last message is 41 days old."},
		{"by its flag", func(r *sessions.Row) {
			r.Relation = ""
			r.Flags = []sessions.Flag{sessions.FlagBackupOnly}
			r.Last = time.Time{}
		}, "◐", "This is the only copy.", "The live transcript is gone."},
		{"not known", func(r *sessions.Row) { r.Relation = "" }, "…", "", ""},
		{
			"not found where nothing can be listed", func(r *sessions.Row) { r.Relation, r.Unsearched = "", true }, "…",
			"It may be the only copy.", "It could not be compared: a project directory that may contain its live transcript can't be read.",
		},
		{"of nobody", func(r *sessions.Row) { r.Relation, r.Of = "", "" }, "…", "It may be the only copy.", "The backup doesn't name its session."},
		{"torn", func(r *sessions.Row) { r.Fault = "torn last line" }, "✗", "Torn last line.", "Identical to the live transcript."},
		{"deleted", func(r *sessions.Row) { r.Deleted = true; r.Relation = sessions.RelationGone }, "✗", "Deleted.", "Its file was deleted while this list was open. This is the only copy."},
		{"damaged", func(r *sessions.Row) {
			r.State, r.Reason, r.Relation = sessions.StateDamaged, "line 3 is no JSON object", ""
		}, "✗", "Damaged.", "Line 3 is no JSON object."},
	}
	for _, test := range tests {
		r := row
		if test.more != nil {
			test.more(&r)
		}
		glyph, what, why := lossOf(&r, testNow())
		if glyph.Text != test.glyph || what != test.what || why != test.why {
			t.Errorf("%s: %q %q %q", test.name, glyph.Text, what, why)
		}
	}
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 9, 0, 0, 0, time.UTC) }
	for _, test := range []struct {
		first, last time.Time
		want        string
	}{
		{day(10, 9), day(10, 11), "Oct 9 to 11"},
		{day(10, 30), day(11, 2), "Oct 30 to Nov 2"},
		{day(10, 9), day(10, 9), "Oct 9"},
		{time.Time{}, day(10, 9), "Oct 9"},
		{day(10, 9), time.Time{}, ""},
		{day(1, 2).AddDate(-1, 0, 0), day(1, 2), "2025 Jan 2 to 2026 Jan 2"},
	} {
		if got := daysOf(test.first, test.last, testNow()); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
