package preview

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
	doesLeast = 8  // minimum lines of the conversation; less room drops the keys
	sweepDays = 30 // days that Claude Code keeps a transcript (client 2.1.330)
)

// drawBackup draws a backup: its session, its unique content, the end of its conversation, and the keys.
func (p *Pane) drawBackup(row *sessions.Row, f Facts, width, rows int) []string {
	lines := []string{line(f, width).Put(render.Strong, render.Title(row)).String()}
	file := render.Base(row.Path)
	lines = append(lines, line(f, width).Put(render.Muted, words.CutMiddle(file, width-4)).String())
	for _, s := range wrapFacts(backupFacts(row, f), width-4) {
		lines = append(lines, line(f, width).Put(render.Muted, s).String())
	}
	glyph, what, why := lossOf(row, f.Now)
	if what != "" {
		lines = append(lines, "")
		for i, s := range render.Wrap(what, width-5) {
			l := line(f, width)
			if i == 0 {
				l.Spans(glyph)
			}
			lines = append(lines, l.To(4).Put(render.Bold, s).String())
		}
		for _, s := range render.Wrap(why, width-5) {
			lines = append(lines, line(f, width).To(4).Put(render.Muted, s).String())
		}
	}
	var does []string
	for _, text := range f.Does {
		key, text, _ := strings.Cut(text, " ")
		for i, s := range render.Wrap(text, width-5) {
			l := line(f, width)
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
		room -= len(does) + 2 // with a blank line above and below
	}
	lines = p.body(lines, f, width, room)
	if len(does) > 0 {
		lines = append(lines, make([]string, max(rows-1-len(does)-len(lines), 1))...)
		lines = append(lines, does...)
	}
	return lines
}

// backupFacts returns the facts about a backup that its row doesn't show.
func backupFacts(row *sessions.Row, f Facts) []string {
	var list []string
	if row.Counted() {
		list = append(list, words.Counted(row.Messages, "message", "messages"))
		if n := row.Tokens.Fresh(); n > 0 {
			list = append(list, render.Tokens(n)+" tokens")
		}
	}
	if days := daysOf(row.First, row.Last, f.Now.In(f.Zone)); days != "" {
		list = append(list, days)
	}
	return list
}

// daysOf returns the days of a conversation, such as "Oct 9", "Oct 9 to 11" or "Oct 30 to Nov 2".
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

// lossOf returns a text about the content that would be lost with a backup, and the reason.
func lossOf(row *sessions.Row, now time.Time) (glyph render.Span, what, why string) {
	rel := render.BackupRelation(row)
	switch glyph = render.RelationGlyph(rel); {
	case rel == "" && row.Unsearched:
		what = "It may be the only copy."
		why = "It could not be compared: a project directory that may contain its live transcript can't be read."
	case rel == "" && row.Of == "" && row.Counted():
		what = "It may be the only copy."
		why = "The backup doesn't name its session."
	}
	switch rel {
	case sessions.RelationSame:
		what, why = "Identical to the live transcript.", "Safe to discard."
	case sessions.RelationGrown:
		what, why = "The live transcript has grown since.", "It contains all of this copy."
	case sessions.RelationRewritten:
		what, why = "This is the only copy of its content.", "The live transcript was rewritten since."
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
	return render.Span{Ink: render.BadBold, Text: "✗"}, upper(fault) + ".", strings.TrimSpace(because + " " + what)
}

func goneWords(row *sessions.Row, now time.Time) string {
	days := int(math.Round(now.Sub(row.Last).Hours() / 24))
	switch {
	case row.Last.IsZero():
		return "The live transcript is gone."
	case days >= sweepDays:
		return "The live transcript is gone, most likely cleaned up by Claude Code: its last message is " + words.Count(days) + " days old."
	case days < 1:
		return "The live transcript is gone. Its last message is from today."
	}
	return "The live transcript is gone. Its last message is " + words.Counted(days, "day", "days") + " old."
}

// upper returns s with its first letter in upper case.
func upper(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
