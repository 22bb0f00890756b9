package talk

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript/turn"
	"github.com/continuo-tui/continuo/tui/render"
)

// workFrom is the minimum width, in cells, of a line that names all kinds of steps. A terminal of 100 columns has this
// width.
const workFrom = 95

// DrawWork draws the line about the work of a turn. open means that the calls follow. While only the number of calls is
// known, w is nil.
func DrawWork(w *turn.Work, calls int, open bool, after Ending, o Options) Drawing {
	if o.Styles == nil {
		o.Styles = render.NewStyles(render.None)
	}
	p := page{o: o, last: after}
	p.before(Worked)
	fold := Shut
	if open {
		p.last, fold = Begun, Open
	}
	if w == nil {
		w = &turn.Work{}
	}
	p.lines = append(p.lines, workLine(w, calls, fold, o))
	p.add(WorkBlock, len(p.lines)-1, fold, false)
	return Drawing{Lines: p.lines, Parts: p.parts, End: p.last}
}

// WorkIndent is the indentation, in cells, of the work below its line.
const WorkIndent = 2

// WorkBlock is the block of the line about the work of a turn.
const WorkBlock = -4

// WorkLine draws the work between a prompt and its answer as one line, such as "▸ 14 steps: 6 reads, 3 edits +41 −12, 5
// commands, 2 failed". A narrow line names only agents, edits and failures. Without steps, WorkLine returns "".
func WorkLine(w *turn.Work, o Options) string {
	if w.Steps() == 0 {
		return ""
	}
	return workLine(w, w.Steps(), Shut, o)
}

func workLine(w *turn.Work, steps int, fold Fold, o Options) string {
	spans := []render.Span{{Ink: render.Muted, Text: words.Counted(steps, "step", "steps")}}
	sep := ": "
	put := func(n int, one, many string, ink render.Ink) {
		if n > 0 {
			spans = append(spans, render.Span{Ink: render.Muted, Text: sep}, render.Span{Ink: ink, Text: words.Counted(n, one, many)})
			sep = ", "
		}
	}
	wide := o.Width >= workFrom
	if wide {
		put(w.Reads, "read", "reads", render.Muted)
		put(w.Searches, "search", "searches", render.Muted)
	}
	put(w.Agents, "agent", "agents", render.Muted)
	if put(w.Edits, "edit", "edits", render.Muted); w.Edits > 0 && w.Added+w.Removed > 0 {
		spans = append(spans, render.Span{Text: " "})
		spans = append(spans, LineCounts(w.Added, w.Removed)...)
	}
	if wide {
		put(w.Commands, "command", "commands", render.Muted)
		put(w.Others, "other", "other", render.Muted)
	}
	put(w.Failed, "failed", "failed", render.Bad)
	glyph := "▸ "
	if fold == Open {
		glyph = "▾ "
	}
	l := render.NewLine(o.Styles, o.Width).To(o.Left+2).Put(render.Faint, glyph).Spans(spans...)
	if took := words.Duration(w.Ended.Sub(w.Began)); took != "" {
		l.Right(o.Width, render.Span{Ink: render.Faint, Text: "  " + took})
	}
	return l.String()
}

// LineCounts returns how many lines were added and removed, such as "+41 −12".
func LineCounts(added, removed int) []render.Span {
	return []render.Span{
		{Ink: render.Good, Text: "+" + words.Count(added)}, {Ink: render.Text, Text: " "}, {Ink: render.Bad, Text: "−" + words.Count(removed)},
	}
}
