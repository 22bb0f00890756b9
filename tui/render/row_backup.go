package render

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// The columns of a backup, in cells. When it was made comes down to its least width before another column leaves.
const (
	whenWidth    = 19
	whenLeast    = 15 // "Yesterday 18:42"
	madeByWidth  = 9
	projectWidth = 11 // at least: it takes what is left over
	liveWidth    = 17 // "> has grown since"; a cell stays free beside the size
	liveLeast    = 12 // "✗ unreadable"
	sizeWidth    = 7
)

// backupGrid has the columns of a backup: where each starts, -1 when it has left, and where its text has to end.
type backupGrid struct {
	glyph, when, made, project, live, size int
	whenEnd, projectEnd, liveEnd, right    int
}

// backupGrid decides which columns there are. They leave in this order as the row shrinks: made by below 68
// cells, size below 58, project below 50, live file below 33, the glyph below 12.
func (o *RowOptions) backupGrid() backupGrid {
	right := o.Width - 1
	g := backupGrid{glyph: 2, when: 4, made: -1, project: -1, live: -1, size: -1, right: right}
	if o.Width < leastGlyph {
		g.glyph, g.when = -1, g.glyph
	}
	end := right // of what lies left of the columns placed so far
	if o.Width >= 58 {
		g.size = end - sizeWidth
		end = g.size - 1
	}
	if o.Width >= 33 {
		g.live, g.liveEnd = max(end-liveWidth, g.when+whenLeast+1), end
		end = g.live - 1
	}
	if o.Width < 50 {
		g.whenEnd = end
		return g
	}
	made := 0
	if o.Width >= 68 {
		made = madeByWidth + 1
	}
	g.whenEnd = g.when + min(whenWidth, end-g.when-made-projectWidth-1)
	g.project, g.projectEnd = g.whenEnd+1+made, end
	if made > 0 {
		g.made = g.whenEnd + 1
	}
	return g
}

// BackupRow draws one line of the list of backups: when it was made and by what, its project, what became of the
// live file, its size. Times are in the zone of o.Now.
func BackupRow(r *sessions.Row, o RowOptions) string {
	g := o.backupGrid()
	l := o.line()
	fault := backupFault(r)
	if g.glyph >= 0 {
		glyph := Glyph(r.Badge())
		if fault != "" {
			glyph = Glyph(sessions.BadgeDamaged)
		}
		l.To(g.glyph).Put(glyph.Ink, glyph.Text)
	}
	ink := Text
	if o.Chosen {
		ink = Strong
	}
	l.To(g.when).PutUntil(ink, cmp.Or(Moment(o.Now, r.When()), Title(r)), g.whenEnd)
	if g.made >= 0 {
		l.To(g.made).PutUntil(Muted, madeBy(r.ID), g.made+madeByWidth)
	}
	if g.project >= 0 {
		l.To(g.project).PutUntil(Muted, projectOf(r), g.projectEnd)
	}
	if g.live >= 0 {
		s := liveFile(r, fault)
		l.To(g.live).PutUntil(s.Ink, s.Text, g.liveEnd)
	}
	if g.size >= 0 {
		l.Right(g.right, Span{Muted, Size(r.Bytes)})
	}
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// BackupHeader draws the line above the backups: what the list shows, and the names of the columns.
func BackupHeader(left []Span, o RowOptions) string {
	g := o.backupGrid()
	l := NewLine(o.Styles, o.Width).To(g.when)
	for _, s := range left {
		l.PutUntil(s.Ink, s.Text, g.whenEnd)
	}
	if g.made >= 0 {
		l.To(g.made).Put(Faint, "made by")
	}
	if g.project >= 0 {
		l.To(g.project).Put(Faint, "project")
	}
	if g.live >= 0 {
		l.To(g.live).PutUntil(Faint, "live file", g.liveEnd)
	}
	if g.size >= 0 {
		l.Right(g.right, Span{Faint, "size"})
	}
	return l.String()
}

// backupFault says why a backup may not bring back all of a session; "" when nothing is known against it. A last
// line that is torn is one for a copy: nobody is going to finish it.
func backupFault(r *sessions.Row) string {
	switch badge := r.Badge(); {
	case badge == sessions.BadgeDeleted, badge == sessions.BadgeUnreadable, badge == sessions.BadgeDamaged:
		return string(badge)
	case r.Has(sessions.FlagTornTail):
		return "torn last line"
	}
	return ""
}

// liveFile is the text of the column of that name. What is wrong with the copy itself goes before, and a badge that
// nothing else says takes the place that is left.
func liveFile(r *sessions.Row, fault string) Span {
	switch {
	case fault != "":
		return Span{Bad, "✗ " + fault}
	case r.Has(sessions.FlagBackupOnly):
		return Span{Warn, "◐ gone"}
	}
	return Word(r.Badge())
}

// madeBy is why a backup was made, as the name of its file says (spec 000: YYYYMMDD_HHMMSS[Z][_reason][-N], where N
// tells backups of one second apart); "" when it says nothing. The title of a row is not it: once it is read whole, that
// is the session's. The client calls /exit and two ctrl-c prompt_input_exit (client 2.1.329).
func madeBy(id string) string {
	const stamp, split = len("20060102_150405"), len("20060102")
	if len(id) < stamp || id[split] != '_' {
		return ""
	}
	reason, ok := strings.CutPrefix(strings.TrimPrefix(id[stamp:], "Z"), "_")
	if !ok {
		return ""
	}
	if i := strings.LastIndexByte(reason, '-'); i >= 0 {
		if n, err := strconv.Atoi(reason[i+1:]); err == nil && n > 1 && strconv.Itoa(n) == reason[i+1:] {
			reason = reason[:i]
		}
	}
	if reason == "prompt_input_exit" {
		return "exit"
	}
	return transcript.CleanLine(reason)
}

// projectOf is the short name of a row's project, else of the folder it is in.
func projectOf(r *sessions.Row) string { return baseOf(cmp.Or(r.Project, r.Workdir)) }
