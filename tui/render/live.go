package render

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Ending describes how a client has ended.
type Ending struct {
	How   string // one word, or ""
	Why   string // the error, or ""
	Wrong bool   // the client didn't end normally
}

// EndedRow returns the lines of a session whose client has ended. The second line has the error, if any.
func EndedRow(r *sessions.Row, e Ending, o RowOptions) []string {
	right := []Span{{Muted, transcript.CleanLine(e.How)}, {Muted, fmt.Sprintf("%*s", figureWidth+1, Age(o.Now, r.When()))}}
	glyph := Span{Faint, "·"}
	if e.Wrong {
		glyph, right[0].Ink = Span{BadBold, "✗"}, Bad
	}
	l := o.line().To(2).Spans(glyph).To(4)
	lines := []*Line{l.PutUntil(Muted, Title(r.Described()), o.Width-SpansWidth(right)-3).Right(o.Width-1, right...)}
	if why := transcript.CleanLine(e.Why); why != "" {
		lines = append(lines, o.line().To(4).PutUntil(Faint, why, o.Width-1))
	}
	return o.chosen(lines)
}

// chosen returns the lines as text. The lines of a chosen row have the full width.
func (o *RowOptions) chosen(lines []*Line) []string {
	text := make([]string, len(lines))
	for i, l := range lines {
		if o.Chosen {
			l.To(o.Width)
		}
		text[i] = l.String()
	}
	return text
}

// LiveRow returns the lines of a session that a client has open. The age is the age of the status. place says where the
// client runs; "" if this is unknown.
func LiveRow(r *sessions.Row, waits []Span, place string, o RowOptions) []string {
	const at, title = 2, 4
	status, ink := string(r.Live.Status), Muted
	glyph, _ := BadgeSpans(r, o.Now)
	switch r.Live.Status {
	case sessions.StatusWaiting:
		status, ink = "waits for you", Accent
	case sessions.StatusBusy:
		ink = Good
	case sessions.StatusIdle:
		glyph.Ink = Good
	default: // of a newer client
	}
	right := []Span{{ink, transcript.CleanLine(status)}, {Muted, fmt.Sprintf("%*s", figureWidth+1, Age(o.Now, r.Live.Updated))}}
	l := o.line().To(at).Put(glyph.Ink, glyph.Text).To(title)
	l.PutUntil(o.titleInk(r), Title(r.Described()), max(o.Width-SpansWidth(right)-3, title))
	lines := []*Line{l.Right(o.Width-1, right...)}
	if len(waits) > 0 {
		lines = append(lines, o.line().To(title).Spans(CutSpans(waits, 0, o.Width-title-1)...))
	}
	lines = append(lines, liveFacts(r, place, o))
	return o.chosen(lines)
}

// ContextWindow returns the size of a session's context window in tokens. The transcript doesn't record this size
// (client 2.1.330). It is 200k, or 1M if a context was larger than 200k. most is the size of the largest context.
func ContextWindow(most int64) int64 {
	if most > 200_000 {
		return 1_000_000
	}
	return 200_000
}

// liveFacts draws the project, the messages, the place and the context of a session. The messages are left out first,
// and then the gauge.
func liveFacts(r *sessions.Row, place string, o RowOptions) *Line {
	const at = 4
	where, count := transcript.CleanLine(Base(r.Project)), ""
	if branch := transcript.CleanLine(r.Branch); branch != "" {
		where += " on " + branch
	}
	if r.Counted() {
		count = " · " + words.Counted(r.Messages, "message", "messages")
	}
	if place = transcript.CleanLine(place); place != "" {
		place = " · " + place
	}
	const label, cells = "context ", 5
	window, ink, mark, gauge := ContextWindow(r.ContextTokens), Muted, "  ", 0
	if r.ContextTokens*100 >= window*nearly {
		mark, ink = "△ ", Warn
	}
	figures := fmt.Sprintf(" %s%4s of %s", mark, short(r.ContextTokens/1000*1000), short(window))
	if r.ContextTokens > 0 { // otherwise, it is unknown
		gauge = ansi.StringWidth(label+figures) + cells
	}
	room := o.Width - at - gauge - 2
	fits := gauge > 0 && ansi.StringWidth(where+place) <= room
	if fits && ansi.StringWidth(where+count+place) > room {
		count = ""
	}
	l := o.line().To(at).PutUntil(Faint, where+count+place, o.Width-1)
	if fits {
		l.To(o.Width-1-gauge).Put(Faint, label).GaugeIn(ink, int(r.ContextTokens), int(window), cells).Put(ink, figures)
	}
	return l
}
