package reader

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// hasKnown reports whether M can show what the model knows: of a conversation that Claude Code can resume.
func (p *Page) hasKnown() bool {
	return !p.isDocument() && !p.pane.row.Has(sessions.FlagNotResumable) && p.pane.last >= 0
}

// unknown reports whether a message is faint, because the model wouldn't know it after a resume.
func (r *pane) unknown(i int) bool {
	return r.known && r.refs[i].Kind != transcript.Boundary && !r.refs[i].Known
}

// horizon returns the compaction after which the model knows the messages, -1 if there is none.
func (r *pane) horizon() int {
	if k := before(r.bounds, r.last+1); k >= 0 {
		return r.bounds[k]
	}
	return -1
}

// knownLine says how much the model knows.
func (p *Page) knownLine() string {
	r, f := &p.pane, &p.frame
	known := 0
	for i := range r.refs {
		if r.refs[i].Known && r.refs[i].Turn {
			known++
		}
	}
	text := render.StillKnown(known, int(r.turns[len(r.turns)-1]), r.row.ContextTokens)
	if used := render.LastUsed(&r.row, f.Now); used != "" {
		text += " · " + used
	}
	return render.NewLine(f.Styles, f.Width).To(4).PutUntil(render.Text, text, textWidth(f.Width)).String()
}

// knownRule draws the main thread as a line from its first to its last message. The part that the model knows is heavy.
func (p *Page) knownRule() string {
	r, width := &p.pane, textWidth(p.frame.Width)
	l := render.NewLine(p.frame.Styles, p.frame.Width).To(4)
	for room := width - 4; l.At() < width; {
		if r.refs[(l.At()-4)*(r.last+1)/room].Known {
			l.Put(render.AccentBold, "━")
		} else {
			l.Put(render.Rule, "─")
		}
	}
	return l.String()
}

// horizonLine draws the compaction after which the model knows the messages, with the exceptions.
func (r *pane) horizonLine(width int, st *render.Styles) string {
	at, above, below := r.horizon(), 0, 0
	for i := range r.refs[:r.last+1] {
		switch m := &r.refs[i]; {
		case !m.Turn:
		case i < at && m.Known:
			above++
		case i > at && !m.Known:
			below++
		}
	}
	text := "Claude knows everything below"
	if below > 0 {
		text += " but " + words.Counted(below, "API error", "API errors")
	}
	if above > 0 {
		text += ", and " + words.Counted(above, "message", "messages") + " above"
	}
	end := textWidth(width)
	l := render.NewLine(st, width).To(2).Put(render.AccentBold, "≡ ").PutUntil(render.Text, text+" ", end)
	return l.Put(render.AccentBold, strings.Repeat("━", max(end-l.At(), 0))).String()
}

// withKnown draws a row of a message for M.
func (r *pane) withKnown(line string, i, row, width int, st *render.Styles) string {
	switch {
	case r.unknown(i):
		return st.Paint(render.Faint, ansi.Strip(line))
	case r.known && i == r.horizon() && row == r.part(bar{i, 0}).From:
		return r.horizonLine(width, st)
	}
	return line
}
