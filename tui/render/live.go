package render

import (
	"fmt"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// LiveRow returns the lines of a session that a client has open: its title, what it waits for, and its project. The age
// is that of the status. place says where the client is; "" if that is unknown.
func LiveRow(r *sessions.Row, place string, o RowOptions) []string {
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
	if waits := transcript.CleanLine(r.Live.WaitingFor); waits != "" {
		lines = append(lines, o.line().To(title).PutUntil(Text, waits, o.Width-1))
	}
	l = o.line().To(title).PutUntil(Faint, Base(r.Project), o.Width-1)
	if branch := transcript.CleanLine(r.Branch); branch != "" {
		l.PutUntil(Faint, " on "+branch, o.Width-1)
	}
	if r.Counted() {
		l.PutUntil(Faint, " · "+words.Counted(r.Messages, "message", "messages"), o.Width-1)
	}
	if place != "" {
		l.PutUntil(Faint, " · "+transcript.CleanLine(place), o.Width-1)
	}
	lines = append(lines, l)
	text := make([]string, len(lines))
	for i, l := range lines {
		if o.Chosen {
			l.To(o.Width)
		}
		text[i] = l.String()
	}
	return text
}

// LiveHeight returns the number of lines of LiveRow.
func LiveHeight(r *sessions.Row) int {
	if transcript.CleanLine(r.Live.WaitingFor) != "" {
		return 3
	}
	return 2
}
