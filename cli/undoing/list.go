package undoing

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

// All returns the undo plans of all actions, newest first.
func (l *journalEntries) All(ctx context.Context) ([]*UndoPlan, error) {
	list := make([]*UndoPlan, len(l.Entries))
	if l.Spare < 0 {
		l.Spare = ListReads
	}
	for i := range l.Entries {
		var err error
		if list[i], err = l.UndoPlan(ctx, &l.Entries[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// When formats the time of an action, with the date unless it was today.
func (w *UndoPlan) When(now time.Time) string {
	return strings.TrimPrefix(words.Moment(now, w.Entry.At), "Today ")
}

// Can says whether an action can be undone: "yes", "no, trash emptied" or "undone at 18:50".
func (w *UndoPlan) Can(l *journalEntries) string {
	switch {
	case w.Back:
		now := l.Env.Now()
		at := l.undoneAt(&w.Entry).In(now.Location())
		day := func(t time.Time) string { return t.In(now.Location()).Format(time.DateOnly) }
		if day(at) == day(now) || day(at) == day(w.Entry.At) {
			return "undone at " + at.Format("15:04")
		}
		return "undone " + at.Format("Jan 2")
	case w.Off != "":
		return "no, " + w.Off
	}
	return "yes"
}

// undoneAt returns when an action was undone, from the journal entry of the undo.
func (l *journalEntries) undoneAt(e *journal.Entry) time.Time {
	if kind, at := journal.KindOf(e.Undone); kind != "" {
		return at
	}
	i := slices.IndexFunc(l.Entries, func(o journal.Entry) bool { return o.Of == e.ID })
	if i < 0 {
		return e.At
	}
	return l.Entries[i].At
}

// table describes the table of actions, newest first.
func (l *journalEntries) table(list []*UndoPlan) *out.Table[*UndoPlan] {
	now := l.Env.Now()
	number := func(w *UndoPlan) any { return slices.Index(list, w) + 1 }
	return &out.Table[*UndoPlan]{
		Columns: []out.Column[*UndoPlan]{
			{Key: "id", Value: func(w *UndoPlan) any { return w.Entry.ID }},
			{Key: "number", Value: number, Ink: render.Faint, Right: true},
			{
				Key: "at", Head: "when", Value: func(w *UndoPlan) any { return out.Time(w.Entry.At) }, Leave: 2,
				Text: func(w *UndoPlan) string { return w.When(now) }, Ink: render.Muted,
			},
			{Key: "kind", Value: func(w *UndoPlan) any { return string(w.Entry.Kind) }},
			{Key: "what", Head: "what you did", Value: func(w *UndoPlan) any { return w.Entry.What }, Fill: true, Least: 10},
			{
				Key: "where", Head: "where", Value: func(w *UndoPlan) any { return out.OrEmpty(w.Entry.Where) }, Ink: render.Muted, Least: 8, Leave: 1,
				Tab: func(w *UndoPlan) string { return strings.Join(w.Entry.Where, ", ") }, Text: (*UndoPlan).Where,
			},
			{
				Key: "can", Head: "can be undone", Right: true, Value: func(w *UndoPlan) any { return w.able() },
				Tab: func(w *UndoPlan) string { return w.Can(l) },
				Cell: func(w *UndoPlan) []render.Span {
					if w.able() {
						return []render.Span{{Ink: render.Text, Text: w.Can(l)}}
					}
					return []render.Span{{Ink: render.Muted, Text: w.Can(l)}}
				},
			},
			{Key: "reason", Value: func(w *UndoPlan) any { return w.Off }},
			{Key: "undone", Value: func(w *UndoPlan) any { return w.Entry.Undone }},
			{Key: "of", Value: func(w *UndoPlan) any { return w.Entry.Of }},
			{Key: "done", Value: func(w *UndoPlan) any { return w.Entry.Done }},
			{Key: "state", Cell: func(w *UndoPlan) []render.Span { return []render.Span{w.glyph()} }},
		},
		Piped: "id at kind what where can",
		Shown: "number state at what where can",
		Empty: "Nothing to undo yet.",
	}
}

// able reports whether an action can be undone.
func (w *UndoPlan) able() bool { return w.Off == "" && !w.Back }

// print prints the list.
func (l *journalEntries) print(ctx context.Context) error {
	list, err := l.All(ctx)
	if err != nil {
		return err
	}
	actions, steps := 0, 0
	for _, w := range list {
		switch {
		case !w.able():
		case w.Entry.Kind == journal.Undo:
			steps++
		default:
			actions++
		}
	}
	sum := ""
	if l.o.Out.Terminal {
		sum = ListSum(actions, steps)
	}
	err = l.table(list).Print(l.o, list, sum)
	if err == nil && len(l.Problems) > 0 {
		err = &out.Failure{What: "A part of the journal could not be read. Check it yourself.", Facts: l.Problems}
	}
	return err
}

// glyph returns the glyph of an action in a list.
func (w *UndoPlan) glyph() render.Span {
	switch {
	case w.Back:
		return render.Span{Ink: render.Good, Text: "✓"}
	case w.Off != "":
		return render.Span{Ink: render.Bad, Text: "✗"}
	case !w.Entry.Done:
		return render.Span{Ink: render.Warn, Text: "△"}
	}
	return render.Span{Ink: render.Faint, Text: "·"}
}

// ListSum returns the summary of the list. steps is the number of undos, counted separately: continuo undo
// without a number skips undos.
func ListSum(actions, steps int) string {
	sum := words.Counted(actions, "action can be undone: continuo undo [NUMBER].", "actions can be undone: continuo undo [NUMBER].")
	undos := words.Counted(steps, "undo", "undos")
	switch {
	case steps > 0 && actions == 0:
		return undos + " can be undone, but only by number: continuo undo NUMBER."
	case steps > 0:
		return sum + " " + undos + " can be undone by number only."
	}
	return sum
}

// completeAction completes ACTION with the actions that can be undone.
func completeAction(env *place.Env, o *out.Output) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		opts, err := place.CatalogOptions(env)
		if err != nil {
			return nil, find.CandidatesOnly
		}
		l, err := ReadJournal(cmd.Context(), env, o, opts.Dirs)
		if err != nil {
			return nil, find.CandidatesOnly
		}
		list, err := l.All(cmd.Context())
		if err != nil {
			return nil, find.CandidatesOnly
		}
		var all []find.Candidate
		for _, w := range list {
			if w.able() {
				all = append(all, find.Candidate{Word: w.Entry.ID, About: w.Entry.What})
			}
		}
		return find.Completions(all, typed), find.CandidatesOnly
	}
}
