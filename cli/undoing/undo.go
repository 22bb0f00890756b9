// Package undoing implements the commands undo and backup undo.
package undoing

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// NewCmd returns the command continuo undo.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	var w writing.Flags
	var list bool
	cmd := &cobra.Command{
		Use:   "undo [ACTION]",
		Short: "Undo the last change of continuo in this project",
		Long: `Undo the last change that continuo made in this project, in the browser or by a command.
ACTION is an ID, its first characters, or a number of --list. To undo a change in
another project, name its ACTION.

A change is undone completely or not at all. If a file has changed since, nothing is
undone. Undo can itself be undone. continuo backup list --trash shows older trash.

Exit codes: 1 you said no, 2 an error or there is no terminal to ask in, 3 no such
action, or nothing to undo.`,
		Example: `  continuo undo --dry-run
  continuo undo --list`,
		ValidArgsFunction: completeAction(env, o),
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo undo --list"
			switch {
			case list && len(args) > 0:
				return out.Usage("--list takes no argument: it lists all actions.", hint)
			case list && (w.DryRun || w.Yes):
				return out.Usage("--list only lists. Remove --dry-run and --yes.", hint)
			case len(args) > 1:
				return out.Usage("undo takes one action, not "+out.Count(len(args), "word")+".", hint)
			}
			opts, err := place.CatalogOptions(env)
			if err != nil {
				return err
			}
			if !list {
				// First complete or undo an interrupted action.
				writing.Store(env).FinishInterrupted(cmd.Context())
			}
			l, err := ReadJournal(cmd.Context(), env, o, opts.Dirs)
			if err != nil {
				return err
			}
			if list {
				return l.print(cmd.Context())
			}
			return l.undo(cmd.Context(), args, w, writing.CommandLine(cmd, args))
		},
	}
	writing.AddFlags(cmd, &w)
	cmd.Flags().BoolVar(&list, "list", false, "list the last 20 changes, newest first, and whether each can be undone")
	return cmd
}

// undo undoes one action.
func (l *journalEntries) undo(ctx context.Context, args []string, flags writing.Flags, line string) error {
	here := ScopeOf(ctx, l.Env, l.Env.Dir)
	w, err := l.asked(ctx, &here, args)
	if err != nil {
		return err
	}
	if f := w.refusal(l.Env); f != nil {
		return f
	}
	if w.newer != nil && flags.Yes && !flags.DryRun {
		return l.skippedError(w)
	}
	others := here.others(&w.Entry)
	if len(others) > 0 && len(args) == 0 && flags.Yes && !flags.DryRun {
		return &out.Failure{
			What:  out.UpperFirst(w.Entry.What) + ", " + words.Moment(l.Env.Now(), w.Entry.At) + ": it also affects other projects. Name it to undo it.",
			Facts: others, Hints: []string{l.Env.Command("undo", w.Entry.ID)},
		}
	}
	p := w.Plan
	p.Line = line
	if len(others) > 0 {
		p.Insert("But", []change.Line{writing.Warning("it also affects other projects: " + strings.Join(others, ", "))})
	}
	when := change.Line{Text: words.Moment(l.Env.Now(), w.Entry.At) + ", " + out.LowerFirst(w.Entry.What)}
	if len(w.Entry.Where) > 0 {
		when.Text += " of " + w.Where()
	}
	p.Parts = append([]change.Part{{Name: "Undoes", Lines: []change.Line{when}}}, p.Parts...)
	return writing.Proceed(ctx, l.o, flags, p, func(ctx context.Context) ([]string, error) {
		done, err := l.Apply(ctx, w)
		p.Report.Entries = slices.Concat(p.Report.Entries, done.entries)
		if done.Lost != "" {
			p.Report.Problems = append(p.Report.Problems, done.Lost)
		}
		if err != nil {
			return nil, err
		}
		return []string{done.Said}, nil
	})
}

// asked returns the action with an ID or number. Without an argument, it returns this project's newest action
// that can be undone.
func (l *journalEntries) asked(ctx context.Context, here *Scope, args []string) (*UndoPlan, error) {
	if len(args) == 0 {
		w, err := l.Newest(ctx, here)
		if err == nil && w == nil {
			return nil, l.nothingLeft(ctx, here)
		}
		return w, err
	}
	word := args[0]
	if n, err := strconv.Atoi(word); err == nil && n > 0 && n <= len(l.Entries) {
		return l.UndoPlan(ctx, &l.Entries[n-1])
	}
	found := slices.DeleteFunc(slices.Clone(l.Entries), func(e journal.Entry) bool {
		return e.ID != word && (len(word) < backups.LeastName || !strings.HasPrefix(e.ID, word))
	})
	if exact := slices.IndexFunc(found, func(e journal.Entry) bool { return e.ID == word }); exact >= 0 {
		found = found[exact : exact+1]
	}
	switch len(found) {
	case 0:
		return nil, &out.Failure{
			Code: out.ExitNone, What: "No action of the last " + strconv.Itoa(journal.Most) + " has the ID or number " + out.Quoted(word) + ". List the actions.",
			Facts: l.Problems, Hints: []string{"continuo undo --list"},
		}
	case 1:
		return l.UndoPlan(ctx, &found[0])
	}
	f := &out.Failure{What: out.Count(len(found), "action") + " begin with " + out.Quoted(word) + ". Type more of the ID, or the number in the list."}
	for _, e := range found[:min(len(found), find.CandidatesMax)] {
		f.Facts = append(f.Facts, e.ID+"  "+e.What)
	}
	return nil, f
}

// nothingLeft returns the error if nothing can be undone here. It mentions an action that can be undone by its
// ID: an undo here, or another project's newest action.
func (l *journalEntries) nothingLeft(ctx context.Context, here *Scope) error {
	f := &out.Failure{
		Code: out.ExitNone, What: "Nothing to undo. See the actions and the trash.", Facts: l.Problems,
		Hints: []string{"continuo undo --list", "continuo backup list --trash"},
	}
	for i := range l.Entries {
		step := l.Entries[i].Kind == journal.Undo
		if !step && here.Has(&l.Entries[i]) {
			continue // can't be undone
		}
		w, err := l.UndoPlan(ctx, &l.Entries[i])
		switch {
		case err != nil:
			return err
		case w.Back || w.Off != "":
			continue
		case step:
			f.What = "Only undos can be undone, and only by ID. List the actions."
		default:
			f.What = "Nothing to undo in this project. To undo an action of another project, name that action."
			f.Hints = slices.Insert(f.Hints, 0, l.Env.Command("undo", w.Entry.ID)+"   "+out.LowerFirst(w.Entry.What)+", of "+w.Where())
		}
		break
	}
	return f
}

// Newest returns the newest action of a scope that can be undone, or nil. It skips undos: a second continuo undo
// must not reverse the first. The plan lists newer skipped actions. The field newer is the newest of them with
// changed files: the user may mean that action.
func (l *journalEntries) Newest(ctx context.Context, scope *Scope) (*UndoPlan, error) {
	var passed []change.Line
	var newer *UndoPlan
	for i := range l.Entries {
		if l.Entries[i].Kind == journal.Undo || !scope.Has(&l.Entries[i]) {
			continue
		}
		w, err := l.UndoPlan(ctx, &l.Entries[i])
		if err != nil {
			return nil, err
		}
		if !w.Back && w.Off == "" {
			w.Plan.Add("But", passed...)
			w.newer = newer
			return w, nil
		}
		if !w.Back && w.Off != "nothing done" && w.Off != "as it was" {
			passed = append(passed, l.skippedLine(w))
		}
		if newer == nil && !w.Back && slices.Contains([]string{"changed since", "gone since", "there twice"}, w.Off) {
			newer = w
		}
	}
	return nil, nil
}

// skippedError returns the error for --yes after a skipped action. With --yes, users don't see that an older
// action is undone.
func (l *journalEntries) skippedError(w *UndoPlan) error {
	return &out.Failure{
		What:  out.UpperFirst(w.newer.Entry.What) + ", " + words.Moment(l.Env.Now(), w.newer.Entry.At) + ": it can't be undone, so nothing was done. To undo the action before it, name that action.",
		Facts: w.newer.why,
		Hints: []string{l.Env.Command("undo", w.Entry.ID) + "   " + out.LowerFirst(w.Entry.What) + ", of " + w.Where()},
	}
}

// skippedLine describes a skipped action, with the reason.
func (l *journalEntries) skippedLine(w *UndoPlan) change.Line {
	why := w.Off + "."
	if len(w.why) > 0 {
		why = w.why[0]
	}
	what := out.UpperFirst(w.Entry.What) + ", " + words.Moment(l.Env.Now(), w.Entry.At)
	return change.Line{Mark: change.Warn, Text: what + ", stays: " + out.LowerFirst(why)}
}

// refusal returns the error for an action that can't be undone, else nil.
func (w *UndoPlan) refusal(env *place.Env) error {
	what := out.UpperFirst(w.Entry.What) + ", " + words.Moment(env.Now(), w.Entry.At)
	switch {
	case w.Back:
		return &out.Failure{What: what + ": it was already undone."}
	case w.Off != "":
		return &out.Failure{What: what + ": it can't be undone.", Facts: w.why, Hints: w.hints}
	}
	return nil
}

// Where returns the names of the projects with changed files.
func (w *UndoPlan) Where() string {
	var names []string
	for _, dir := range w.Entry.Where {
		if name := place.BaseName(dir); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
