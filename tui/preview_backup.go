package tui

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	doesLeast = 8  // lines of the conversation that stand before what the keys would do has a place
	sweepDays = 30 // after which the client deletes a transcript, if nobody says otherwise (client 2.1.330)
)

// drawBackup draws a backup beside the list: whose it is, what would be lost with it, the end of its conversation, and
// at the bottom what the keys would do with it.
func (p *preview) drawBackup(row *sessions.Row, f previewFacts, width, rows int) []string {
	line := func() *render.Line { return render.NewLine(f.styles, width-1).To(2) }
	lines := []string{line().Put(render.Strong, render.Title(row)).String()}
	file := render.Base(row.Path)
	lines = append(lines, line().Put(render.Muted, words.CutMiddle(file, width-4)).String())
	for _, s := range wrapFacts(backupFacts(row, f), width-4) {
		lines = append(lines, line().Put(render.Muted, s).String())
	}
	glyph, what, why := lossOf(row, f.now)
	if what != "" {
		lines = append(lines, "")
		for i, s := range render.Wrap(what, width-5) {
			l := line()
			if i == 0 {
				l.Spans(glyph)
			}
			lines = append(lines, l.To(4).Put(render.Bold, s).String())
		}
		for _, s := range render.Wrap(why, width-5) {
			lines = append(lines, line().To(4).Put(render.Muted, s).String())
		}
	}
	var does []string
	for _, text := range f.does {
		key, text, _ := strings.Cut(text, " ")
		for i, s := range render.Wrap(text, width-5) {
			l := line()
			if i == 0 {
				l.Put(render.Strong, key).Put(render.Text, " ")
			}
			does = append(does, l.To(4).Put(render.Muted, s).String())
		}
	}
	if len(lines)+doesLeast+1+len(does) > rows {
		does = nil
	}
	room := rows
	if len(does) > 0 {
		room -= len(does) + 2 // a blank line before, and behind as in the list
	}
	switch {
	case p.err != nil:
		lines = append(lines, "", line().Put(render.Bad, "✗ ").Put(render.Text, "It could not be read.").String())
		for _, s := range render.Wrap(p.err.Error(), width-6) {
			lines = append(lines, line().To(4).Put(render.Muted, s).String())
		}
	case p.done:
		lines = p.end(lines, room, line)
	}
	if len(does) > 0 {
		lines = append(lines, make([]string, max(rows-1-len(does)-len(lines), 1))...)
		lines = append(lines, does...)
	}
	return lines
}

// backupFacts are what is known of a backup; where it is from stands in its row.
func backupFacts(row *sessions.Row, f previewFacts) []string {
	var list []string
	if row.Counted() {
		list = append(list, words.Counted(row.Messages, "message", "messages"))
		if n := row.Tokens.Fresh(); n > 0 {
			list = append(list, render.Tokens(n)+" tokens")
		}
	}
	if days := daysOf(row.First, row.Last, f.now.In(f.zone)); days != "" {
		list = append(list, days)
	}
	return list
}

// daysOf are the days that a conversation took: "Oct 9", "Oct 9 to 11", "Oct 30 to Nov 2".
func daysOf(first, last, now time.Time) string {
	if last.IsZero() {
		return ""
	}
	if first.IsZero() {
		first = last
	}
	first, last = first.In(now.Location()), last.In(now.Location())
	from, to := first.Format("Jan 2"), last.Format("Jan 2")
	if last.Year() != now.Year() || first.Year() != last.Year() {
		from, to = first.Format("2006 Jan 2"), last.Format("2006 Jan 2")
	}
	switch {
	case from == to:
		return from
	case first.Year() == last.Year() && first.Month() == last.Month():
		return from + " to " + strconv.Itoa(last.Day())
	}
	return from + " to " + to
}

// lossOf says what would be lost with a backup, and why.
func lossOf(row *sessions.Row, now time.Time) (glyph render.Span, what, why string) {
	rel := render.BackupRelation(row)
	switch glyph = render.RelationGlyph(rel); {
	case rel == "" && row.Unsearched:
		what = "It may be the only copy."
		why = "It could not be compared: a project directory cannot be read, and its live file may be in there."
	case rel == "" && row.Of == "" && row.Counted():
		what = "It may be the only copy."
		why = "No record of it says which session it is of."
	}
	switch rel {
	case sessions.RelationSame:
		what, why = "Its live file is the same.", "Every byte of this copy is in there too."
	case sessions.RelationGrown:
		what, why = "Its live file has grown since.", "Every byte of this copy is still in there."
	case sessions.RelationRewritten:
		what, why = "This is the only copy of what it has.", "The live file was rewritten since."
	case sessions.RelationGone:
		what, why = "This is the only copy.", goneWords(row, now)
	}
	fault := render.BackupFault(row)
	if fault == "" {
		return glyph, what, why
	}
	because := transcript.CleanLine(row.Reason)
	if row.Deleted {
		because = "Its file was deleted while this list was open."
	}
	if because != "" {
		because = strings.TrimSuffix(upper(because), ".") + "."
	}
	return render.Span{Ink: render.BadBold, Text: "✗"}, upper(fault) + ".", joined(because, what)
}

func goneWords(row *sessions.Row, now time.Time) string {
	days := int(math.Round(now.Sub(row.Last).Hours() / 24))
	switch {
	case row.Last.IsZero():
		return "The live file is gone."
	case days >= sweepDays:
		return "The live file is gone, most likely purged: its last message is " + words.Count(days) + " days old."
	case days < 1:
		return "The live file is gone. Its last message is of today."
	}
	return "The live file is gone. Its last message is " + words.Counted(days, "day", "days") + " old."
}

// upper begins a sentence.
func upper(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// backupDoes says what the keys would do with the backup under the bar: R, r and d, as far as they are there.
func (m *model) backupDoes(row *sessions.Row) []string {
	var does []string
	rel := render.BackupRelation(row)
	if what, _, marked := m.markedRows(row); marked && m.keyOf("restore") != "" {
		does = append(does, m.keyOf("restore")+" restores "+strings.TrimSuffix(what, ",")+".")
	} else if key := m.keyOf("restore"); key != "" && rel != "" && row.Of != "" {
		text := key + " brings it back as a second session, under a new id: its own is taken."
		if rel == sessions.RelationGone {
			text = key + " brings it back under its own id, " + shortID(row.Of) + ", which is free. The next sweep leaves it."
		}
		does = append(does, text)
	}
	if key := m.keyOf("resume"); key != "" {
		switch {
		case row.Pending && m.isTakenFirst(row):
			does = append(does, key+" runs `claude \"/resume-latest\"` in "+render.Folder(row.Workdir, m.opts.Home)+". It asks first.")
		case rel.Held():
			does = append(does, key+" resumes the session itself. It asks first.")
		case rel != "" && row.Of != "":
			does = append(does, key+" brings it back and resumes it. It asks first.")
		case row.Pending:
			does = append(does, key+" asks how to go on with it.")
		}
	}
	if key := m.keyOf("discard"); key != "" {
		does = append(does, key+" takes "+m.discardWords(row))
	}
	return does
}

// isTakenFirst reports whether /resume-latest takes up this one of the pending backups of its project: the newest.
func (m *model) isTakenFirst(row *sessions.Row) bool {
	first := m.lists[backupsTab].tally.pendingFirst[row.Workdir]
	return first == nil || first.Compare(row) >= 0
}

func (m *model) discardWords(row *sessions.Row) string {
	what, back, _ := m.markedRows(row)
	text := what + " to .claude/memory/trash."
	if key := m.keyOf("undo"); key != "" {
		text += " " + key + " brings " + back + " back."
	}
	return text
}

// markedRows are what d and R are about when marks go before the row: what they are called, and what stands for them.
func (m *model) markedRows(row *sessions.Row) (what, back string, marked bool) {
	n := len(m.list.marks.paths)
	what, back = "it", "it"
	switch {
	case n > 1 || n == 1 && !m.list.marks.paths[row.Path]:
		what, back = "the "+words.Count(n)+" marked rows", "them"
		if n == 1 {
			what, back = "the marked row", "it"
		}
		if !m.list.marks.paths[row.Path] {
			what += ", not this one,"
		}
		marked = true
	}
	return what, back, marked
}

// keyOf is the key of an action that can be taken in the list now, "" when it cannot.
func (m *model) keyOf(name string) string { return m.keyIn(inList, name) }
