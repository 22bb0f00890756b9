package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
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
	return strings.TrimPrefix(words.Moment(now, w.entry.At), "Today ")
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

// pastTable describes actions, newest first.
func (l *pastLook) pastTable(list []*wayBack) *out.Table[*wayBack] {
	now := l.env.now()
	number := func(w *wayBack) any { return slices.Index(list, w) + 1 }
	return &out.Table[*wayBack]{
		Columns: []out.Column[*wayBack]{
			{Key: "id", Value: func(w *wayBack) any { return w.entry.ID }},
			{Key: "number", Value: number, Ink: render.Faint, Right: true},
			{
				Key: "at", Head: "when", Value: func(w *wayBack) any { return out.Time(w.entry.At) }, Leave: 2,
				Text: func(w *wayBack) string { return w.when(now) }, Ink: render.Muted,
			},
			{Key: "kind", Value: func(w *wayBack) any { return string(w.entry.Kind) }},
			{Key: "what", Head: "what you did", Value: func(w *wayBack) any { return w.entry.What }, Fill: true, Least: 10},
			{
				Key: "where", Head: "where", Value: func(w *wayBack) any { return out.OrEmpty(w.entry.Where) }, Ink: render.Muted, Least: 8, Leave: 1,
				Tab: func(w *wayBack) string { return strings.Join(w.entry.Where, ", ") }, Text: (*wayBack).where,
			},
			{
				Key: "can", Head: "can be taken back", Right: true, Value: func(w *wayBack) any { return w.able() },
				Tab: func(w *wayBack) string { return w.can(l) },
				Cell: func(w *wayBack) []render.Span {
					if w.able() {
						return []render.Span{{Ink: render.Text, Text: w.can(l)}}
					}
					return []render.Span{{Ink: render.Muted, Text: w.can(l)}}
				},
			},
			{Key: "reason", Value: func(w *wayBack) any { return w.off }},
			{Key: "undone", Value: func(w *wayBack) any { return w.entry.Undone }},
			{Key: "of", Value: func(w *wayBack) any { return w.entry.Of }},
			{Key: "done", Value: func(w *wayBack) any { return w.entry.Done }},
			{Key: "state", Cell: func(w *wayBack) []render.Span { return []render.Span{w.glyph()} }},
		},
		Piped: "id at kind what where can",
		Shown: "number state at what where can",
		Empty: "Nothing was done yet that could be taken back.",
	}
}

// able reports whether an action can be taken back.
func (w *wayBack) able() bool { return w.off == "" && !w.back }

// print prints the list.
func (l *pastLook) print(ctx context.Context) error {
	list, err := l.all(ctx)
	if err != nil {
		return err
	}
	actions, steps := 0, 0
	for _, w := range list {
		switch {
		case !w.able():
		case w.entry.Kind == journal.Undo:
			steps++
		default:
			actions++
		}
	}
	sum := ""
	if l.o.Out.Terminal {
		sum = pastSum(actions, steps)
	}
	err = l.pastTable(list).Print(l.o, list, sum)
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

// pastSum says how what can be taken back is: continuo undo alone passes a step back over.
func pastSum(actions, steps int) string {
	sum := words.Counted(actions, "action can be taken back: continuo undo, or its number behind it.", "actions can be taken back: continuo undo, or a number behind it.")
	back := words.Counted(steps, "step back", "steps back")
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
		if w.able() {
			all = append(all, candidate{word: w.entry.ID, about: w.entry.What})
		}
	}
	return plainCandidates(all, typed)
}
