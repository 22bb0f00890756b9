package render

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	priorityWidth = 8
	leastPriority = 24 // narrower lines have no priority
	linkWidth     = 4  // width of a document in a flat chain
	mostLinks     = 8  // maximum number of documents in a flat chain
)

// TodoRow returns the line of an open todo of a document: its priority, text and day.
func TodoRow(t sessions.Todo, since time.Time, o RowOptions) string {
	l := o.line()
	ink, at := Text, 4
	if o.Chosen {
		ink = Strong
	}
	if o.Width < leastGlyph {
		at = 2
	}
	l.To(at)
	if o.Width >= leastPriority {
		s := prioritySpan(t)
		l.PutUntil(s.Ink, s.Text, at+priorityWidth-1).To(at + priorityWidth)
	}
	end := o.Width - 1
	day := Day(o.Now, since)
	if o.Width >= leastAge && day != "" {
		end -= len(day) + 1
	} else {
		day = ""
	}
	l.PutUntil(ink, Prose(transcript.CleanLine(t.Text)), end)
	l.Right(o.Width-1, Span{Faint, day})
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// prioritySpan returns the priority of a todo, or ✓ for a done todo.
func prioritySpan(t sessions.Todo) Span {
	switch word := transcript.CleanLine(t.Priority); {
	case t.Done:
		return Span{Good, "✓"}
	case strings.EqualFold(word, "high"):
		return Span{Bold, word}
	case strings.EqualFold(word, "blocked"):
		return Span{Warn, word}
	case word != "":
		return Span{Muted, word}
	}
	return Span{Muted, "todo"}
}

// TodoLines returns the lines of todos, each with its priority or a tick, and its text.
func TodoLines(todos []sessions.Todo, width int, st *Styles) []string {
	at := priorityWidth
	if width < leastPriority {
		at = 2
	}
	var lines []string
	for _, t := range todos {
		ink, s := Text, prioritySpan(t)
		if t.Done {
			ink = Muted
		}
		text := Wrap(Prose(transcript.CleanLine(t.Text)), width-at)
		if len(text) == 0 {
			text = []string{""}
		}
		for i, part := range text {
			l := NewLine(st, width)
			if i == 0 && (t.Done || at == priorityWidth) {
				l.PutUntil(s.Ink, s.Text, at-1)
			}
			lines = append(lines, l.To(at).Put(ink, part).String())
		}
	}
	return lines
}

// MoreRow returns a line with a text, such as the number of items that aren't listed.
func MoreRow(text string, o RowOptions) string {
	l := o.line()
	if l.To(2); o.Width >= leastGlyph {
		l.To(4)
	}
	l.PutUntil(Faint, text, o.Width-1)
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// Day returns a date in the zone of now, such as "Nov 14", or "Nov 2025" in another year; "" for the zero time.
func Day(now, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	if t = t.In(now.Location()); t.Year() != now.Year() {
		return t.Format("Jan 2006")
	}
	return t.Format("Jan 2")
}

// FlatChain returns a chain as one line: a § for each document, newest first, and their days. at is the index of the
// chosen document. end is the rail after the oldest document: ◇ for a fork, blank for a gap, ✗ for a broken link. A
// long chain has only the documents around the chosen one.
func FlatChain(dates []time.Time, at int, end Rail, now time.Time, width int) []Span {
	n := len(dates)
	if n == 0 || at < 0 || at >= n {
		return nil
	}
	room := width - 2
	if end == RailBroken || end == RailFork {
		room -= linkWidth
	}
	most := max(min(mostLinks, room/linkWidth), 1)
	from := min(max(at-most/2, 0), max(n-most, 0))
	to := min(from+most, n)
	var spans []Span
	if from > 0 {
		spans = append(spans, Span{Faint, "… "})
	}
	for i := from; i < to; i++ {
		ink := Muted
		if i == at {
			ink = AccentBold
		}
		spans = append(spans, Span{ink, "§"})
		switch {
		case i+1 == to:
		case i >= at:
			spans = append(spans, Span{Accent, "━━━"})
		default:
			spans = append(spans, Span{Rule, "───"})
		}
	}
	switch {
	case to < n:
		spans = append(spans, Span{Faint, " …"})
	case end == RailFork:
		spans = append(spans, Span{Accent, "━━━"}, end.span())
	case end == RailBroken:
		spans = append(spans, Span{Text, "   "}, end.span())
	}
	if days := dayList(dates[from:to], now); SpansWidth(spans)+2+ansi.StringWidth(days) <= width {
		spans = append(spans, Span{Faint, "  " + days})
	}
	return spans
}

// dayList returns a list of days with each month named once, such as "Nov 14, 12, Oct 7".
func dayList(dates []time.Time, now time.Time) string {
	var parts []string
	month := ""
	for _, t := range dates {
		if t.IsZero() {
			parts = append(parts, "?")
			continue
		}
		t = t.In(now.Location())
		day, is := t.Format("2"), t.Format("2006 Jan")
		if is != month {
			day = t.Format("Jan 2")
			if t.Year() != now.Year() {
				day = t.Format("2006 Jan 2")
			}
		}
		month = is
		parts = append(parts, day)
	}
	return strings.Join(parts, ", ")
}
