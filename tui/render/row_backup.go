package render

import (
	"cmp"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Widths of the columns of a backup, in cells.
const (
	whenWidth    = 15 // "Yesterday 18:42"
	madeByWidth  = 9
	projectWidth = 11
	liveWidth    = 14 // "… not compared"
	sizeWidth    = 7
)

// Row widths below which a column is left out, in cells.
const (
	leastMadeBy = 94
	leastSize   = 80
	leastPlace  = 64 // the project
	leastTalk   = 50 // the title
	leastLive   = 33
)

// backupGrid has the start of each column of a backup, or -1, and the ends of their texts.
type backupGrid struct {
	glyph, when, title, made, project, live, size int
	whenEnd, titleEnd, liveEnd, right             int
}

// backupGrid returns the columns that fit. The title gets the remaining width.
func (o *RowOptions) backupGrid() backupGrid {
	right := o.Width - 1
	g := backupGrid{glyph: 2, when: 4, title: -1, made: -1, project: -1, live: -1, size: -1, right: right}
	if o.Width < leastGlyph {
		g.glyph, g.when = -1, g.glyph
	}
	end := right // end of the columns that aren't placed yet
	if o.Width >= leastSize {
		g.size = end - sizeWidth
		end = g.size - 1
	}
	if o.Width >= leastLive {
		g.live, g.liveEnd = max(end-liveWidth, g.when+whenWidth+1), end
		end = g.live - 1
	}
	if o.Width < leastTalk {
		g.whenEnd = end
		return g
	}
	if o.Width >= leastMadeBy {
		g.made = end - madeByWidth
		end = g.made - 1
	}
	if o.Width >= leastPlace && o.Project {
		g.project = end - projectWidth
		end = g.project - 1
	}
	g.whenEnd = g.when + whenWidth
	g.title, g.titleEnd = g.whenEnd+1, end-1
	return g
}

// BackupRow returns a row of the list of backups. Its time is in the zone of o.Now.
func BackupRow(r *sessions.Row, o RowOptions) string {
	g := o.backupGrid()
	l := o.line()
	fault := BackupFault(r)
	if g.glyph >= 0 {
		l.To(g.glyph).Spans(backupGlyph(r, fault, o.Marked))
	}
	ink, quiet := Text, Muted
	if !r.Pending && !r.Unseen { // the backup was reviewed
		ink, quiet = Muted, Faint
	}
	if o.Chosen {
		ink, quiet = Strong, Muted
	}
	if when := (Span{ink, backupTime(r, o.Now)}); g.title < 0 {
		o.putUntil(l.To(g.when), when, g.whenEnd)
	} else {
		o.putUntil(l.To(g.when), Span{quiet, when.Text}, g.whenEnd)
		putLit(l.To(g.title), Span{ink, backupTitle(r)}, g.titleEnd, o.Lit)
	}
	if g.project >= 0 {
		o.putUntil(l.To(g.project), Span{Muted, projectOf(r)}, g.project+projectWidth)
	}
	if g.made >= 0 {
		o.putUntil(l.To(g.made), Span{quiet, MadeBy(r.ID)}, g.made+madeByWidth)
	}
	if g.live >= 0 {
		l.To(g.live)
		for _, s := range liveFile(r, fault, quiet) {
			o.putUntil(l, s, g.liveEnd)
		}
	}
	if g.size >= 0 {
		l.Right(g.right, Span{Muted, words.Size(r.Bytes)})
	}
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// BackupLacks returns the names and values of the columns that don't fit in BackupRow.
func BackupLacks(r *sessions.Row, o RowOptions) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		g := o.backupGrid()
		more := g.project >= 0 || yield("project", projectOf(r))
		if more && g.made < 0 {
			yield("made by", MadeBy(r.ID))
		}
	}
}

// backupTitle returns the title of a backup's session; "" until it is known.
func backupTitle(r *sessions.Row) string {
	if r.OfTitle == "" && (!r.Exact || r.State == sessions.StateUnreadable) {
		return ""
	}
	return Title(r)
}

// BackupWords returns the texts of BackupRow without the title and the size, for the filter.
func BackupWords(r *sessions.Row, now time.Time) string {
	words := []string{backupTime(r, now), MadeBy(r.ID), projectOf(r)}
	for _, s := range liveFile(r, BackupFault(r), Text) {
		words = append(words, s.Text)
	}
	return strings.Join(words, " ")
}

func backupTime(r *sessions.Row, now time.Time) string {
	return cmp.Or(words.Moment(now, r.When()), "not known")
}

// HeaderRoom returns the maximum width, in cells, of the scope in BackupHeader or DocumentHeader.
func HeaderRoom(kind sessions.Kind, o RowOptions) int {
	if kind == sessions.KindDocument {
		g := o.documentGrid()
		return g.end - g.title
	}
	g := o.backupGrid()
	switch {
	case g.title >= 0:
		return g.titleEnd - g.when
	case g.live >= 0:
		return g.live - 2 - g.when
	}
	return g.right - g.when
}

// BackupHeader returns the line above the backups: the names of the columns, and left, the scope of the list.
func BackupHeader(left []Span, o RowOptions) string {
	g := o.backupGrid()
	l := NewLine(o.Styles, o.Width).To(g.when)
	for _, s := range left {
		l.PutUntil(s.Ink, s.Text, g.when+HeaderRoom(sessions.KindBackup, o))
	}
	if g.project >= 0 {
		l.To(g.project).Put(Faint, "project")
	}
	if g.made >= 0 {
		l.To(g.made).Put(Faint, "made by")
	}
	if g.live >= 0 {
		l.To(g.live).PutUntil(Faint, "live file", g.liveEnd)
	}
	if g.size >= 0 {
		l.Right(g.right, Span{Faint, "size"})
	}
	return l.String()
}

// BackupFault returns a short reason why a backup may be incomplete, or "". A torn last line is a reason, because no
// process will complete it.
func BackupFault(r *sessions.Row) string {
	switch {
	case r.Deleted:
		return deleted
	case r.State == sessions.StateUnreadable, r.State == sessions.StateDamaged:
		return string(r.State)
	case r.Fault != "":
		return transcript.CleanLine(r.Fault)
	case r.Has(sessions.FlagTornTail):
		return "torn last line"
	}
	return ""
}

func backupGlyph(r *sessions.Row, fault string, marked bool) Span {
	switch {
	case marked:
		return Span{AccentBold, "✓"}
	case fault != "":
		return Glyph(sessions.BadgeBroken)
	case r.Pending:
		return Glyph(sessions.BadgePending)
	case r.Unseen:
		return Glyph(sessions.BadgeOK)
	}
	return Span{Text, " "}
}

// liveFile returns the text of the column "live file": the backup's fault or its relation to the live transcript.
func liveFile(r *sessions.Row, fault string, quiet Ink) []Span {
	if fault != "" {
		return []Span{{Bad, "✗ " + fault}}
	}
	glyph := RelationGlyph(BackupRelation(r))
	switch BackupRelation(r) {
	case sessions.RelationSame:
		return []Span{glyph, {quiet, " same"}}
	case sessions.RelationGrown:
		return []Span{glyph, {quiet, " grown"}}
	case sessions.RelationRewritten:
		return []Span{{glyph.Ink, glyph.Text + " rewritten"}}
	case sessions.RelationGone:
		return []Span{{glyph.Ink, glyph.Text + " gone"}}
	}
	if r.Unsearched {
		return []Span{glyph, {quiet, " not compared"}}
	}
	return []Span{glyph}
}

// BackupRelation returns the relation of a backup to the live transcript, or "".
func BackupRelation(r *sessions.Row) sessions.Relation {
	if r.Relation == "" && r.Has(sessions.FlagBackupOnly) {
		return sessions.RelationGone
	}
	return r.Relation
}

// RelationGlyph returns the glyph of a relation to the live transcript.
func RelationGlyph(rel sessions.Relation) Span {
	switch rel {
	case sessions.RelationSame:
		return Span{Faint, "="}
	case sessions.RelationGrown:
		return Span{Faint, ">"}
	case sessions.RelationRewritten:
		return Span{Urgent, "≠"}
	case sessions.RelationGone:
		return Span{Warn, "◐"}
	}
	return Span{Faint, "…"}
}

// MadeBy returns the reason for a backup from its file name without extension, or "". The format
// YYYYMMDD_HHMMSS[Z][_reason][-N] is from spec 000. For /exit and for ctrl-c twice, the reason is prompt_input_exit
// (client 2.1.330).
func MadeBy(id string) string {
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

// projectOf returns the short name of the project or folder of a row.
func projectOf(r *sessions.Row) string { return Base(cmp.Or(r.Project, r.Workdir)) }
