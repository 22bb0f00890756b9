package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/journal"
)

const helpUndo = `
continuo undo [ACTION] takes back what continuo wrote last in this project, in the browser or by a command.

  --list                    the last 20 actions, newest first, and whether each can be taken back
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object (its fields: continuo help backup); with --list
                            one array: id, number, at, kind, what, where, can, reason, undone, of, done

An ACTION is an id or its start, or the number in the list; without one it is the newest of this project that can be
taken back. One of other projects has to be named. Where it reaches into others as well, or a newer one cannot be taken
back, as it was changed since, the plan says so, and --yes does nothing: name the one that is meant. A step back is an
action too, and can be taken back itself, when it is named.
All of an action is taken back, or nothing: not what has been written to, resumed or deleted since.
init and uninstall are actions as well. Either way the memory stays, and continuo uninstall takes out what init set up,
however long ago.
What lies in the trash and is of no action, from another machine or an older time, is not in the list: continuo backup
list --trash shows it, and continuo backup undo takes it back.
Into a pipe a row of the list is one line with tabs between: id, at, kind, what, where, whether it can be taken back.

Exit: 1 when you said no · 2 when it could not be done, or nobody could be asked · 3 when there is no such action, or
nothing to take back.
`

func newUndoCmd(env *Env, o *out.Output) *cobra.Command {
	var w writeFlags
	var list bool
	cmd := &cobra.Command{
		Use:  "undo",
		Long: helpUndo,
		RunE: func(cmd *cobra.Command, args []string) error {
			const hint = "continuo undo --list"
			switch {
			case list && len(args) > 0:
				return out.Usage("--list takes no action: it shows all of them.", hint)
			case list && (w.dryRun || w.yes):
				return out.Usage("--list does nothing, so it takes no --dry-run and no --yes.", hint)
			case len(args) > 1:
				return out.Usage("undo takes one action, not "+out.Count(len(args), "word")+".", hint)
			}
			opts, err := catalogOptions(env)
			if err != nil {
				return err
			}
			if !list {
				actStore(env).Recover(cmd.Context()) // what was interrupted is taken back, or is an action
			}
			l, err := lookPast(cmd.Context(), env, o, opts.Dirs)
			if err != nil {
				return err
			}
			if list {
				return l.print(cmd.Context())
			}
			return l.undo(cmd.Context(), args, w, commandLine(cmd, args))
		},
	}
	addWriteFlags(cmd, &w)
	cmd.Flags().BoolVar(&list, "list", false, "")
	return cmd
}

// undo takes an action back.
func (l *pastLook) undo(ctx context.Context, args []string, flags writeFlags, line string) error {
	here := scopeOfUndo(ctx, l.env, l.env.dir)
	w, err := l.asked(ctx, &here, args)
	if err != nil {
		return err
	}
	if f := w.refusal(l.env); f != nil {
		return f
	}
	if w.newer != nil && flags.yes && !flags.dryRun {
		return l.notThatOne(w)
	}
	others := here.others(&w.entry)
	if len(others) > 0 && len(args) == 0 && flags.yes && !flags.dryRun {
		return &out.Failure{
			What:  upperFirst(w.entry.What) + ", " + words.Moment(l.env.now(), w.entry.At) + ": it reaches into other projects as well. Name it if it is meant.",
			Facts: others, Hints: []string{l.env.command("undo", w.entry.ID)},
		}
	}
	p := w.plan
	p.line = line
	if len(others) > 0 {
		p.insert("But", []change.Line{warning("it reaches into other projects than that of this folder: " + strings.Join(others, ", "))})
	}
	when := change.Line{Text: words.Moment(l.env.now(), w.entry.At) + ", " + lowerFirst(w.entry.What)}
	if len(w.entry.Where) > 0 {
		when.Text += " of " + w.where()
	}
	p.parts = append([]change.Part{{Name: "Takes back", Lines: []change.Line{when}}}, p.parts...)
	return proceed(ctx, l.o, flags, p, func(ctx context.Context) ([]string, error) {
		done, err := l.goBack(ctx, w)
		p.report.Entries = slices.Concat(p.report.Entries, done.entries)
		if done.lost != "" {
			p.report.Problems = append(p.report.Problems, done.lost)
		}
		if err != nil {
			return nil, err
		}
		return []string{done.said}, nil
	})
}

// asked returns the action that is named, else the newest of this project that can be taken back.
func (l *pastLook) asked(ctx context.Context, here *undoScope, args []string) (*wayBack, error) {
	if len(args) == 0 {
		w, err := l.newest(ctx, here)
		if err == nil && w == nil {
			return nil, l.nothingLeft(ctx, here)
		}
		return w, err
	}
	word := args[0]
	if n, err := strconv.Atoi(word); err == nil && n > 0 && n <= len(l.entries) {
		return l.wayBack(ctx, &l.entries[n-1])
	}
	found := slices.DeleteFunc(slices.Clone(l.entries), func(e journal.Entry) bool {
		return e.ID != word && (len(word) < leastName || !strings.HasPrefix(e.ID, word))
	})
	if exact := slices.IndexFunc(found, func(e journal.Entry) bool { return e.ID == word }); exact >= 0 {
		found = found[exact : exact+1]
	}
	switch len(found) {
	case 0:
		return nil, &out.Failure{
			Code: out.ExitNone, What: "No action of the last " + strconv.Itoa(journal.Most) + " has the id or number " + out.Quoted(word) + ". See which there are.",
			Facts: l.problems, Hints: []string{"continuo undo --list"},
		}
	case 1:
		return l.wayBack(ctx, &found[0])
	}
	f := &out.Failure{What: out.Count(len(found), "action") + " begin with " + out.Quoted(word) + ". Say more of the id, or the number in the list."}
	for _, e := range found[:min(len(found), candidatesMax)] {
		f.Facts = append(f.Facts, e.ID+"  "+e.What)
	}
	return nil, f
}

// nothingLeft returns the error that nothing of a project can be taken back, and says what has to be named: a step back,
// or the newest action of other projects. Else the error is that of ctx.
func (l *pastLook) nothingLeft(ctx context.Context, here *undoScope) error {
	f := &out.Failure{
		Code: out.ExitNone, What: "There is nothing to take back. See what was done, and what the trash has.", Facts: l.problems,
		Hints: []string{"continuo undo --list", "continuo backup list --trash"},
	}
	for i := range l.entries {
		step := l.entries[i].Kind == journal.Undo
		if !step && here.has(&l.entries[i]) {
			continue // it cannot be taken back
		}
		w, err := l.wayBack(ctx, &l.entries[i])
		switch {
		case err != nil:
			return err
		case w.back || w.off != "":
			continue
		case step:
			f.What = "There is nothing to take back but a step back, and that one has to be named. See which there are."
		default:
			f.What = "There is nothing to take back in this project. Name an action of another if that is meant."
			f.Hints = slices.Insert(f.Hints, 0, l.env.command("undo", w.entry.ID)+"   "+lowerFirst(w.entry.What)+", of "+w.where())
		}
		break
	}
	return f
}

// newest returns the newest action of a scope that can be taken back, nil if there is none. A step back is passed over, or
// the second undo would take back the first. The plan names what is newer and stays. One that was changed since may be
// the one that is meant: it is in newer.
func (l *pastLook) newest(ctx context.Context, scope *undoScope) (*wayBack, error) {
	var passed []change.Line
	var newer *wayBack
	for i := range l.entries {
		if l.entries[i].Kind == journal.Undo || !scope.has(&l.entries[i]) {
			continue
		}
		w, err := l.wayBack(ctx, &l.entries[i])
		if err != nil {
			return nil, err
		}
		if !w.back && w.off == "" {
			w.plan.add("But", passed...)
			w.newer = newer
			return w, nil
		}
		if !w.back && w.off != "nothing done" && w.off != "as it was" {
			passed = append(passed, l.passedOver(w))
		}
		if newer == nil && !w.back && slices.Contains([]string{"changed since", "gone since", "there twice"}, w.off) {
			newer = w
		}
	}
	return nil, nil
}

// notThatOne refuses to take an action back that nobody has seen, in the place of a newer one.
func (l *pastLook) notThatOne(w *wayBack) error {
	return &out.Failure{
		What:  upperFirst(w.newer.entry.What) + ", " + words.Moment(l.env.now(), w.newer.entry.At) + ": it cannot be taken back, so nothing was. Name the one before it if that is meant.",
		Facts: w.newer.why,
		Hints: []string{l.env.command("undo", w.entry.ID) + "   " + lowerFirst(w.entry.What) + ", of " + w.where()},
	}
}

// passedOver says that a newer action stays, and why.
func (l *pastLook) passedOver(w *wayBack) change.Line {
	why := w.off + "."
	if len(w.why) > 0 {
		why = w.why[0]
	}
	what := upperFirst(w.entry.What) + ", " + words.Moment(l.env.now(), w.entry.At)
	return change.Line{Mark: change.Warn, Text: what + ", stays: " + lowerFirst(why)}
}

// refusal is why an action is not taken back, nil when it can be.
func (w *wayBack) refusal(env *Env) error {
	what := upperFirst(w.entry.What) + ", " + words.Moment(env.now(), w.entry.At)
	switch {
	case w.back:
		return &out.Failure{What: what + ": it was taken back already."}
	case w.off != "":
		return &out.Failure{What: what + ": it cannot be taken back.", Facts: w.why, Hints: w.hints}
	}
	return nil
}

// where names the projects.
func (w *wayBack) where() string {
	var names []string
	for _, dir := range w.entry.Where {
		if name := baseName(dir); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
