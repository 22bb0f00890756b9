package reader

import (
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// hasKnown reports whether the key M can show what the model knows. Claude Code must be able to resume the
// conversation.
func (p *Page) hasKnown() bool {
	return !p.isDocument() && !p.pane.row.Has(sessions.FlagNotResumable) && p.pane.out.Last >= 0
}

// unknown reports whether a message is drawn faint, because the model wouldn't know it after a resume.
func (v *viewport) unknown(i int) bool {
	return v.known && v.out.Refs[i].Kind != transcript.Boundary && !v.out.Refs[i].Known
}

// knownLine draws a line about how much the model knows.
func (p *Page) knownLine() string {
	r, f := &p.pane, &p.frame
	known := 0
	for i := range r.out.Refs {
		if r.out.Refs[i].Known && r.out.Refs[i].Turn {
			known++
		}
	}
	spans := render.StillKnownSpans(known, r.out.Total(), r.row.ContextTokens)
	if used := render.LastUsed(&r.row, f.Now); used != "" {
		spans = append(spans, render.Span{Ink: render.Faint, Text: " · "}, render.Span{Ink: render.Muted, Text: used})
	}
	l := render.NewLine(f.Styles, f.Width).To(4)
	for _, s := range spans {
		l.PutUntil(s.Ink, s.Text, talk.TextWidth(f.Width))
	}
	return l.String()
}

// knownRows returns the number of rows below the line of knownLine. A low terminal has no blank row.
func (p *Page) knownRows() int {
	const blankFrom = 30 // rows of the terminal
	if p.frame.Height >= blankFrom {
		return 3
	}
	return 2
}

// isLifted reports whether the text is drawn one row higher, because its first row is blank.
func (p *Page) isLifted() bool {
	r := &p.pane
	spans := r.view.visible(1)
	if !r.view.known || p.above < 3 || len(spans) == 0 {
		return false
	}
	e := r.view.cache.messages[spans[0].Item]
	return e != nil && spans[0].From < len(e.lines) && e.lines[spans[0].From] == ""
}

// knownRule draws the main thread as a line with its times. The part that the model knows is heavy.
func (p *Page) knownRule() []string {
	const left = 4
	r, f, end := &p.pane, &p.frame, talk.TextWidth(p.frame.Width)
	l, room := render.NewLine(f.Styles, f.Width).To(left), end-left
	for l.At() < end {
		if r.out.Refs[(l.At()-left)*(r.out.Last+1)/room].Known {
			l.Put(render.Accent, "━")
		} else {
			l.Put(render.Rule, "─")
		}
	}
	first, last := r.out.TimeAt(0, f.Now.Location()), r.out.TimeAt(r.out.Last, f.Now.Location())
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
	if at := r.out.Horizon(); at > 0 {
		put(left+((at+1)*room+r.out.Last)/(r.out.Last+1), r.out.TimeAt(at, f.Now.Location()), end-len(last.Format(layout))-2)
	}
	put(end-len(last.Format(layout)), last, end)
	return []string{l.String(), times.String(), ""}
}

// horizonText returns a text for the last compaction, such as "Claude knows everything below but 2 cleared results", or
// "".
func (v *viewport) horizonText(i int) string {
	at, above, below, cleared := v.out.Horizon(), 0, 0, 0
	if !v.known || i != at {
		return ""
	}
	for i := range v.out.Refs[:v.out.Last+1] {
		m := &v.out.Refs[i]
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

// contextSizes returns a text for the summary of a compaction, such as "context 150k → 20k tokens", or "".
func (v *viewport) contextSizes(i int) string {
	if !v.known || !v.out.IsSummary(i) || v.cache.messages[i-1] == nil {
		return ""
	}
	c := v.cache.messages[i-1].msg.Compaction
	if c == nil || c.Before == 0 || c.After == 0 {
		return ""
	}
	return "context " + render.Tokens(c.Before) + " → " + render.Tokens(c.After) + " tokens"
}

// knownWords returns a text about what the model knows of the selected part.
func (r *pane) knownWords() string {
	i := r.cur.bar.message
	switch {
	case i == r.out.Horizon():
		return "Claude knows the summary, not the messages above"
	case !r.out.Refs[i].Known:
		return "Claude doesn't know it"
	}
	block := r.view.part(r.cur.bar).Block
	for _, p := range r.folds.Runs(i) {
		if p.Leads && talk.RunBlock(p.From) == block && p.Run.Cleared > 0 {
			return "results cleared: Claude sees the calls, not these results"
		}
	}
	if m, block := r.cur.selectedCall(); m != nil {
		if call := m.Call(block); call.IsCleared() {
			return "result cleared: Claude sees the call, not its result"
		}
	}
	return "Claude knows it"
}

// setKnown turns the mode of the key M on or off.
func (c *cursor) setKnown(on bool) {
	c.view.known = on
	c.refolded()
}

// aboveHorizon scrolls up if the last compaction is near the top, so that some faint messages are visible.
func (c *cursor) aboveHorizon(rows int) {
	at := c.out.Horizon()
	if !c.view.known || at < 0 {
		return
	}
	if y := c.view.y(at) + c.view.part(bar{message: at}).From; y >= 0 && y < rows/3 {
		c.scroll(y-rows/3, rows)
	}
}
