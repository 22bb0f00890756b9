package ledgerlines

import (
	"iter"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Columns of an entry of a timeline.
const (
	timelinePhase = 16 // a phase is never cut to less than this width
	timelineAgent = 24 // maximum width of an agent's name
	timelineWide  = 64 // below this width, an entry has two lines
)

// TimelineColumn returns the start column of the texts, after the phases. If all entries have the same agent, it
// returns this agent too.
func TimelineColumn(entries iter.Seq[*survey.TimelineEntry], width int) (column int, agent string) {
	phase, what, names, n := 0, 0, 0, 0
	for e := range entries {
		phase, what = max(phase, ansi.StringWidth(e.Phase)), max(what, ansi.StringWidth(e.What))
		names = max(names, min(ansi.StringWidth(e.Agent), timelineAgent, width/4))
		if n++; n == 1 {
			agent = e.Agent
		} else if agent != e.Agent {
			agent = ""
		}
	}
	room, share := width-1-entryText-2-what, width*3/10
	if agent == "" && names > 0 {
		room, share = room-names-2, width/6
	}
	return entryText + min(phase, max(room, share, timelinePhase)) + 2, agent
}

// TimelineDay returns the heading for a day, such as "Today", "Yesterday", "Nov 19" or "2025 Nov 19".
func TimelineDay(t, now time.Time) string {
	if t.IsZero() {
		return "No time"
	}
	t = t.In(now.Location())
	switch days := words.DaysBetween(t, now); {
	case days == 0:
		return "Today"
	case days == 1:
		return "Yesterday"
	case t.Year() == now.Year():
		return t.Format("Jan 2")
	}
	return t.Format("2006 Jan 2")
}

// TimelineLines returns the lines of an entry: the time, the phase, the action and the agent. o.Column is from
// TimelineColumn.
func TimelineLines(t *survey.TimelineEntry, o EntryOptions) []string {
	e := newEntry(&o)
	e.text, e.end = entryText, max(o.Width-1, 1)
	at := "–"
	if !t.At.IsZero() {
		at = t.At.In(o.Now.Location()).Format("15:04")
	}
	ink := render.Text
	if o.Chosen {
		ink = render.Strong
	}
	l := e.line().To(entryTime).Put(render.Faint, at).To(e.text)
	if o.Width < timelineWide {
		if l.PutUntil(render.Muted, t.Phase, e.end); !o.Sole {
			l.Put(render.Faint, "  ").PutUntil(render.Faint, t.Agent, e.end)
		}
		e.add(l)
		if t.What != "" {
			e.add(e.line().To(min(e.text, o.Width/8)).PutUntil(ink, t.What, e.end))
		}
		return e.lines
	}
	column := max(o.Column, e.text+3)
	l.PutUntil(render.Muted, t.Phase, column-2).To(column)
	if o.Sole {
		e.add(l.PutUntil(ink, t.What, e.end))
		return e.lines
	}
	agent := words.Cut(t.Agent, min(timelineAgent, o.Width/4))
	l.PutUntil(ink, t.What, e.end-ansi.StringWidth(agent)-2)
	e.add(l.Right(e.end, render.Span{Ink: render.Faint, Text: agent}))
	return e.lines
}

// DrawTimeline returns the lines of `continuo trajectory`: the totals, and the entries by day.
func DrawTimeline(t *survey.Timeline, o LedgerOptions) []string {
	if o.Width < 1 {
		return nil
	}
	var lines []string
	put := func(l *render.Line) { lines = append(lines, l.String()) }
	for _, s := range render.Wrap(TimelineSum(t), o.Width) {
		put(render.NewLine(o.Styles, o.Width).Put(render.Text, s))
	}
	put(render.NewLine(o.Styles, o.Width).Put(render.Muted, words.CutMiddle(o.Where, o.Width)))
	entry := EntryOptions{Width: o.Width, Styles: o.Styles, Now: o.Now}
	entry.Column, _ = TimelineColumn(pointers(t.Entries), o.Width)
	day := ""
	for i := range t.Entries {
		if d := TimelineDay(t.Entries[i].Stands, o.Now); d != day {
			day = d
			lines = append(lines, "")
			put(render.NewLine(o.Styles, o.Width).Put(render.Heading, d))
		}
		lines = append(lines, TimelineLines(&t.Entries[i], entry)...)
	}
	if t.Left > 0 {
		lines = append(lines, "")
		put(render.NewLine(o.Styles, o.Width).To(min(entryText, o.Width/8)).Put(render.Faint, "… "+words.Counted(t.Left, "earlier record", "earlier records")))
	}
	return lines
}

func pointers(entries []survey.TimelineEntry) iter.Seq[*survey.TimelineEntry] {
	return func(yield func(*survey.TimelineEntry) bool) {
		for i := range entries {
			if !yield(&entries[i]) {
				return
			}
		}
	}
}

// TimelineSum returns the totals of a trajectory, and its most frequent phases.
func TimelineSum(t *survey.Timeline) string {
	if t.None() {
		return "There is no trajectory."
	}
	s := words.Counted(t.Records, "record", "records") + " in " + words.Counted(t.Files-t.Older, "file", "files")
	if t.Today > 0 && t.Earlier > 0 {
		s += ", " + words.Count(t.Today) + " today"
	}
	var parts []string
	for _, p := range t.Phases[:min(len(t.Phases), 4)] {
		parts = append(parts, p.Name+" "+words.Count(p.N))
	}
	if n := len(t.Phases) - len(parts); n > 0 {
		parts = append(parts, words.Counted(n, "more phase", "more phases"))
	}
	if len(parts) > 0 {
		s += ": " + strings.Join(parts, ", ")
	}
	return transcript.CleanLine(s)
}
