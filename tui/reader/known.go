package reader

import (
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// hasKnown reports whether the key M can show what the model knows. It can do so only for a conversation that
// Claude Code can resume.
func (p *Page) hasKnown() bool {
	return !p.isDocument() && !p.pane.row.Has(sessions.FlagNotResumable) && p.pane.last >= 0
}

// unknown reports whether a message is drawn faint. It is if M is on and the model wouldn't know the message after
// a resume.
func (r *pane) unknown(i int) bool {
	return r.known && r.refs[i].Kind != transcript.Boundary && !r.refs[i].Known
}

// horizon returns the index of the last compaction. The model knows the messages after this compaction. horizon
// returns -1 if there was no compaction.
func (r *pane) horizon() int {
	if k := before(r.bounds, r.last+1); k >= 0 {
		return r.bounds[k]
	}
	return -1
}

// knownLine draws a line that says how much the model knows.
func (p *Page) knownLine() string {
	r, f := &p.pane, &p.frame
	known := 0
	for i := range r.refs {
		if r.refs[i].Known && r.refs[i].Turn {
			known++
		}
	}
	spans := render.StillKnownSpans(known, int(r.turns[len(r.turns)-1]), r.row.ContextTokens)
	if used := render.LastUsed(&r.row, f.Now); used != "" {
		spans = append(spans, render.Span{Ink: render.Faint, Text: " · "}, render.Span{Ink: render.Muted, Text: used})
	}
	l := render.NewLine(f.Styles, f.Width).To(4)
	for _, s := range spans {
		l.PutUntil(s.Ink, s.Text, talk.TextWidth(f.Width))
	}
	return l.String()
}

// knownRows is the number of rows below the line of knownLine: the rule, the times, and a blank row. On a low
// terminal, the blank row is left out.
func (p *Page) knownRows() int {
	const blankFrom = 30 // rows of the terminal
	if p.frame.Height >= blankFrom {
		return 3
	}
	return 2
}

// isLifted reports whether the text is drawn one row higher because its first row is blank. Otherwise two blank
// rows would be below the times.
func (p *Page) isLifted() bool {
	r := &p.pane
	spans := r.win.Visible(len(r.refs), 1, r.height)
	if !r.known || p.above < 3 || len(spans) == 0 {
		return false
	}
	e := r.cache.messages[spans[0].Item]
	return e != nil && spans[0].From < len(e.lines) && e.lines[spans[0].From] == ""
}

// knownRule draws the main thread as a line from the first to the last message. Below the line are the times of
// both messages, and the time of the first message that the model knows. The part of the line that the model knows
// is heavy.
func (p *Page) knownRule() []string {
	const left = 4
	r, f, end := &p.pane, &p.frame, talk.TextWidth(p.frame.Width)
	l, room := render.NewLine(f.Styles, f.Width).To(left), end-left
	for l.At() < end {
		if r.refs[(l.At()-left)*(r.last+1)/room].Known {
			l.Put(render.Accent, "━")
		} else {
			l.Put(render.Rule, "─")
		}
	}
	first, last := r.timeAt(0, f.Now), r.timeAt(r.last, f.Now)
	layout := "15:04"
	if !first.IsZero() && first.Format(time.DateOnly) != last.Format(time.DateOnly) {
		layout = "Jan 2, 15:04"
	}
	times := render.NewLine(f.Styles, f.Width).To(left)
	put := func(column int, at time.Time, most int) { // the text ends at column most or earlier
		text := at.Format(layout)
		if column = min(column, most-len(text)); !at.IsZero() && column >= times.At() {
			times.To(column).Put(render.Faint, text+"  ")
		}
	}
	put(left, first, end)
	if at := r.horizon(); at > 0 {
		put(left+((at+1)*room+r.last)/(r.last+1), r.timeAt(at, f.Now), end-len(last.Format(layout))-2)
	}
	put(end-len(last.Format(layout)), last, end)
	return []string{l.String(), times.String(), ""}
}

// timeAt returns the time of a message in the zone of now. If the message has no time, timeAt returns the time of
// the last earlier message that has one.
func (r *pane) timeAt(i int, now time.Time) time.Time {
	for ; i >= 0; i-- {
		if t := r.refs[i].Time; t != 0 {
			return transcript.At(t).In(now.Location())
		}
	}
	return time.Time{}
}

// horizonText returns a text for the last compaction while the mode of the key M is on; "" for other messages. It says
// that the model knows everything below, and names the exceptions.
func (r *pane) horizonText(i int) string {
	at, above, below, cleared := r.horizon(), 0, 0, 0
	if !r.known || i != at {
		return ""
	}
	for i := range r.refs[:r.last+1] {
		m := &r.refs[i]
		if m.Known {
			cleared += m.Cleared
		}
		switch {
		case !m.Turn:
		case i < at && m.Known:
			above++
		case i > at && !m.Known:
			below++
		}
	}
	text, but := "Claude knows everything below", " but "
	if cleared > 0 {
		text += but + words.Counted(cleared, "cleared result", "cleared results")
		but = " and "
	}
	if below > 0 {
		text += but + words.Counted(below, "API error", "API errors")
	}
	if above > 0 {
		text += ", and " + words.Counted(above, "message", "messages") + " above"
	}
	return text
}

// contextSizes returns the size of the context before and after a compaction, for the summary of the compaction while the
// mode of the key M is on; "" if it isn't known, and for other messages.
func (r *pane) contextSizes(i int) string {
	if !r.known || !r.lists(i) || r.cache.messages[i-1] == nil {
		return ""
	}
	c := r.cache.messages[i-1].msg.Compaction
	if c == nil || c.Before == 0 || c.After == 0 {
		return ""
	}
	return "context " + render.Tokens(c.Before) + " → " + render.Tokens(c.After) + " tokens"
}

// knownWords returns a text that says what the model knows of the selected part.
func (r *pane) knownWords() string {
	i := r.bar.message
	switch {
	case i == r.horizon():
		return "Claude knows the summary, not the messages above"
	case !r.refs[i].Known:
		return "Claude doesn't know it"
	}
	block := r.part(r.bar).Block
	for _, p := range r.runs[i] {
		if p.Leads && talk.RunBlock(p.From) == block && p.Run.Cleared > 0 {
			return "results cleared: Claude sees the calls, not these results"
		}
	}
	if m, block := r.selectedCall(); m != nil {
		if call := m.Call(block); call.IsCleared() {
			return "result cleared: Claude sees the call, not its result"
		}
	}
	return "Claude knows it"
}

// setKnown turns the mode of the key M on or off.
func (r *pane) setKnown(on bool) {
	r.known = on
	r.refolded()
}

// aboveHorizon scrolls up a little if the last compaction is at the top of the view. The messages before it are faint in
// the mode of the key M, and at least some of them must be visible.
func (r *pane) aboveHorizon(rows int) {
	at := r.horizon()
	if !r.known || at < 0 {
		return
	}
	if y := r.y(at) + r.part(bar{message: at}).From; y >= 0 && y < rows/3 {
		r.scroll(y-rows/3, rows)
	}
}
