package cli

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

// all finds the way back from every action, newest first.
func (l *pastLook) all(ctx context.Context) ([]*wayBack, error) {
	list := make([]*wayBack, len(l.entries))
	if l.spare < 0 {
		l.spare = pastReads
	}
	for i := range l.entries {
		var err error
		if list[i], err = l.wayBack(ctx, &l.entries[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// when is the time of an action as a list shows it: that of today is a clock.
func (w *wayBack) when(now time.Time) string {
	return strings.TrimPrefix(render.Moment(now, w.entry.At), "Today ")
}

// can says whether an action can be taken back: "yes", "no, trash emptied", "taken back at 18:50".
func (w *wayBack) can(l *pastLook) string {
	switch {
	case w.back:
		now := l.env.now()
		at := l.undoneAt(&w.entry).In(now.Location())
		day := func(t time.Time) string { return t.In(now.Location()).Format(time.DateOnly) }
		if day(at) == day(now) || day(at) == day(w.entry.At) {
			return "taken back at " + at.Format("15:04")
		}
		return "taken back " + at.Format("Jan 2")
	case w.off != "":
		return "no, " + w.off
	}
	return "yes"
}

// undoneAt is when an action was taken back: by the entry that it names, or by one that was interrupted.
func (l *pastLook) undoneAt(e *journal.Entry) time.Time {
	if kind, at := journal.KindOf(e.Undone); kind != "" {
		return at
	}
	i := slices.IndexFunc(l.entries, func(o journal.Entry) bool { return o.Of == e.ID })
	if i < 0 {
		return e.At
	}
	return l.entries[i].At
}

// pastJSON is an action for programs.
type pastJSON struct {
	ID     string       `json:"id"`
	Number int          `json:"number"` // in the list
	At     out.Time     `json:"at"`
	Kind   journal.Kind `json:"kind"`
	What   string       `json:"what"`
	Where  []string     `json:"where"`  // folders
	Can    bool         `json:"can"`    // it can be taken back
	Reason string       `json:"reason"` // why not
	Undone string       `json:"undone"` // the action that took it back
	Of     string       `json:"of"`     // the action that this one took back
	Done   bool         `json:"done"`   // it was not interrupted
}

// print prints the list.
func (l *pastLook) print(ctx context.Context) error {
	list, err := l.all(ctx)
	if err != nil {
		return err
	}
	switch {
	case l.o.JSON:
		err = l.o.PrintArray(len(list), func(i int) any {
			w := list[i]
			return pastJSON{
				w.entry.ID, i + 1, out.Time(w.entry.At), w.entry.Kind, w.entry.What, out.OrEmpty(w.entry.Where), w.off == "" && !w.back, w.off,
				w.entry.Undone, w.entry.Of, w.entry.Done,
			}
		})
	case l.o.Out.Terminal:
		l.o.Out.Print(l.text(list))
	default:
		for _, w := range list {
			var where []string
			for _, dir := range w.entry.Where {
				where = append(where, out.CleanPath(dir))
			}
			l.o.Out.Print(strings.Join([]string{
				w.entry.ID, w.entry.At.Format(time.RFC3339), string(w.entry.Kind), w.entry.What, cmp.Or(strings.Join(where, ", "), out.Unknown), w.can(l),
			}, "\t") + "\n")
		}
	}
	if err == nil && len(l.problems) > 0 {
		err = &out.Failure{What: "A part of the journal could not be read. Look at it yourself.", Facts: l.problems}
	}
	return err
}

// glyph is that of an action in a list.
func (w *wayBack) glyph() render.Span {
	switch {
	case w.back:
		return render.Span{Ink: render.Good, Text: "✓"}
	case w.off != "":
		return render.Span{Ink: render.Bad, Text: "✗"}
	case !w.entry.Done:
		return render.Span{Ink: render.Warn, Text: "△"}
	}
	return render.Span{Ink: render.Faint, Text: "·"}
}

// text is the list for a person.
func (l *pastLook) text(list []*wayBack) string {
	if len(list) == 0 {
		return "Nothing was done yet that could be taken back.\n"
	}
	const glyphAt, whenAt, whatAt = 3, 5, 22
	width := l.o.Out.Page()
	can, where := len("can be taken back"), len("where")
	for _, w := range list {
		can = max(can, ansi.StringWidth(w.can(l)))
		where = max(where, ansi.StringWidth(w.where()))
	}
	canAt := max(width-can, whatAt+10)
	whereAt := max(canAt-2-min(where, 18), whatAt+10)
	var b strings.Builder
	put := func(l *render.Line) { b.WriteString(strings.TrimRight(l.String(), " ") + "\n") }
	put(render.NewLine(l.o.Out.Styles, width).To(whenAt).Put(render.Faint, "when").To(whatAt).Put(render.Faint, "what you did").
		To(whereAt).PutUntil(render.Faint, "where", canAt-1).Right(width, render.Span{Ink: render.Faint, Text: "can be taken back"}))
	able, steps := 0, 0
	for i, w := range list {
		ink := render.Muted
		if w.off == "" && !w.back {
			ink = render.Text
			if w.entry.Kind == journal.Undo {
				steps++
			} else {
				able++
			}
		}
		number := strconv.Itoa(i + 1)
		put(render.NewLine(l.o.Out.Styles, width).To(2-len(number)).Put(render.Faint, number).To(glyphAt).Spans(w.glyph()).
			To(whenAt).PutUntil(render.Muted, w.when(l.env.now()), whatAt-1).To(whatAt).PutUntil(render.Text, w.entry.What, whereAt-1).
			To(whereAt).PutUntil(render.Muted, w.where(), canAt-1).Right(width, render.Span{Ink: ink, Text: w.can(l)}))
	}
	return b.String() + "\n" + strings.Join(render.Wrap(pastSum(able, steps), width), "\n") + "\n"
}

// pastSum says how what can be taken back is: continuo undo alone passes a step back over.
func pastSum(actions, steps int) string {
	sum := render.Counted(actions, "action can be taken back: continuo undo, or its number behind it.", "actions can be taken back: continuo undo, or a number behind it.")
	back := render.Counted(steps, "step back", "steps back")
	switch {
	case steps > 0 && actions == 0:
		return back + " can be taken back, but only with the number: continuo undo NUMBER."
	case steps > 0:
		return sum + " So can " + back + ", but only with the number."
	}
	return sum
}

// actionsFor offers what can be taken back.
func actionsFor(ctx context.Context, env *Env, o *out.Output, typed string) []candidate {
	opts, err := catalogOptions(env)
	if err != nil {
		return nil
	}
	l, err := lookPast(ctx, env, o, opts.Dirs)
	if err != nil {
		return nil
	}
	list, err := l.all(ctx)
	if err != nil {
		return nil
	}
	var all []candidate
	for _, w := range list {
		if !w.back && w.off == "" {
			all = append(all, candidate{word: w.entry.ID, about: w.entry.What})
		}
	}
	return plainCandidates(all, typed)
}
