package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

// ledgerBack is a file of a ledger out of which goes what was put into it, or which gets the text that it had.
type ledgerBack struct {
	root  string
	made  journal.Made // what the action did to it
	taken bool         // the action took made.Added out, so it comes back
	over  bool         // the action came to its end
	begun bool         // taking it back was interrupted, and may have been done here
	was   journal.Made // that takes this back
	same  bool         // it is as it was already
}

var (
	errSince     = errors.New("changed since")
	errGoneSince = errors.New("gone since")
	errTwice     = errors.New("there twice")
	errBelow     = errors.New("written below since")
	errNotDone   = errors.New("never done")
	errUnkept    = errors.New("too large to be kept")
)

// lookLedgers plans to take back what was written into ledgers. Only files below the root that the entry names are looked
// at, and each has to be what the entry says.
func (l *pastLook) lookLedgers(ctx context.Context, w *wayBack) {
	e := &w.entry
	if len(e.Made) == 0 {
		w.refuse("kept by br", "A comment of br stays: br has nothing that takes it out.")
		return
	}
	left := 0
	for _, made := range slices.Backward(e.Made) {
		f := ledgerBack{made: made, taken: e.Kind == journal.Undo, over: e.Done, begun: l.interrupted(e.ID)}
		path := l.d.tilde(made.Path)
		if len(e.Where) != 1 || !within(made.Path, e.Where[0]) || made.Path == e.Where[0] {
			w.refuse("cannot be read", path+" is not below the project, so it is left alone.")
			continue
		}
		f.root = e.Where[0]
		if fi, err := os.Lstat(made.Path); err == nil && !l.mayRead(fi.Size()) { // in a list, of which a plan is made anew
			left++
			f.was = made
			w.ledgers = append(w.ledgers, f)
			continue
		}
		now, _, err := ledger.ReadText(ctx, f.root, made.Path, ledger.MaxNotes)
		if errors.Is(err, fs.ErrNotExist) {
			now, err = nil, nil
		}
		if err == nil {
			_, err = f.back(now)
		}
		if err != nil {
			off, why := f.refusal(path, err)
			w.refuse(off, why)
			continue
		}
		if !f.same {
			left++
			w.made.Made = append(w.made.Made, f.was)
		}
		w.ledgers = append(w.ledgers, f)
	}
	if w.off == "" && left == 0 {
		w.refuse("as it was", "Every file is as it was before.")
	}
}

// refusal says why a file is left alone, in a word or two and in a sentence.
func (f *ledgerBack) refusal(path string, err error) (off, why string) {
	switch {
	case errors.Is(err, errNotDone):
		return "nothing done", nothingDone
	case errors.Is(err, errSince) && f.taken:
		return "changed since", path + " was written to since, so where it stood is not known any more. Note it again."
	case errors.Is(err, errSince) && len(f.made.Added) > 0:
		return "changed since", path + " does not have it any more as it was written, so it is left alone."
	case errors.Is(err, errSince):
		return "changed since", path + " was changed since, so it is left alone."
	case errors.Is(err, errGoneSince):
		return "gone since", path + " is not there any more."
	case errors.Is(err, errTwice):
		return "there twice", path + " has it twice by now, and which one it is cannot be told. Take the right one out yourself."
	case errors.Is(err, errBelow):
		return "changed since", path + " has more below it by now, which would lose its heading. Take it out yourself."
	case errors.Is(err, errUnkept), errors.Is(err, ledger.ErrTooLong):
		return "too large", path + " is larger than 1 MB, and what is there now could not be kept. Mend it yourself."
	case errors.Is(err, ledger.ErrBusy):
		return "cannot be read", path + " is being written by another program. Try again."
	}
	return "cannot be read", path + ": " + reason(err) + "."
}

// back is the text that a file gets, nil where it goes. It notes what takes that back.
func (f *ledgerBack) back(now []byte) ([]byte, error) {
	f.same = false
	switch {
	case len(f.made.Added) == 0:
		return f.whole(now)
	case f.taken:
		return f.again(now)
	}
	return f.out(now)
}

// whole puts the text back that the file had.
func (f *ledgerBack) whole(now []byte) ([]byte, error) {
	f.was = journal.Made{Path: f.made.Path, Sum: sumOf(f.made.Before), Before: now, Mode: f.made.Mode}
	switch sum := sumOf(now); {
	case sum == f.was.Sum:
		f.same = true
		return now, nil
	case now == nil && f.made.Sum != "": // it was not this action that removed it
		return nil, errGoneSince
	case sum != f.made.Sum:
		return nil, errSince
	case len(now) > journal.MaxBefore:
		return nil, errUnkept
	}
	return f.made.Before, nil
}

// out takes the text out that was put in: where it was put, should it be there several times. A file that has nothing else, and that was made for it, goes.
func (f *ledgerBack) out(now []byte) ([]byte, error) {
	text := f.made.Added
	next, gone, from, ok := change.TakeOut(now, text, int(f.made.At))
	switch n := bytes.Count(now, text); {
	case now == nil && f.made.Before == nil, n == 0 && f.begun:
		f.same = true
		return now, nil
	case now == nil:
		return nil, errGoneSince
	case n == 0 && !f.over:
		return nil, errNotDone
	case n > 1 && !ok:
		return nil, errTwice
	case !ok:
		return nil, errSince
	}
	if sumOf(now) != f.made.Sum && notes.HeadsMore(now, from, from+len(gone)) {
		return nil, errBelow
	}
	f.was = journal.Made{Path: f.made.Path, Added: gone, At: int64(from), Before: f.made.Before, Mode: f.made.Mode}
	if len(next) == 0 && f.made.Before == nil {
		return nil, nil
	}
	f.was.Before, f.was.Sum = []byte{}, sumOf(next)
	return next, nil
}

// again puts a text back where it was taken out, if the rest is as it was then.
func (f *ledgerBack) again(now []byte) ([]byte, error) {
	text, at := f.made.Added, int(f.made.At)
	switch {
	case sumOf(now) == f.made.Sum && at <= len(now):
	case bytes.Contains(now, text):
		f.same = true
		return now, nil
	default:
		return nil, errSince
	}
	next := slices.Concat(now[:at], text, now[at:])
	f.was = journal.Made{Path: f.made.Path, Added: text, At: f.made.At, Before: f.made.Before, Mode: f.made.Mode, Sum: sumOf(next)}
	return next, nil
}

// drawLedgers draws what goes out of ledgers, and what comes back.
func (l *pastLook) drawLedgers(w *wayBack) {
	var gone []render.PlanLine
	for i := range w.ledgers {
		f := &w.ledgers[i]
		if f.same {
			continue
		}
		path := render.PlanLine{Ink: render.Faint, Text: l.d.tilde(f.made.Path), Whole: true}
		n := bytes.Count(bytes.TrimRight(f.made.Added, "\n"), []byte("\n")) + 1
		switch {
		case f.goes():
			w.plan.report.Deleted = append(w.plan.report.Deleted, f.made.Path)
			gone = append(gone, path)
		case len(f.made.Added) == 0:
			w.plan.report.Made = append(w.plan.report.Made, f.made.Path)
			w.plan.add("Touched", render.PlanLine{Text: "1 file gets the text that it had"}, path)
		case f.taken:
			w.plan.report.Made = append(w.plan.report.Made, f.made.Path)
			w.plan.add("Touched", append([]render.PlanLine{{Text: render.Counted(n, "line comes", "lines come") + " back"}, path}, addedLines(f.made.Added)...)...)
		case f.was.Sum == "":
			w.plan.report.Deleted = append(w.plan.report.Deleted, f.made.Path)
			w.plan.add("Removed", render.PlanLine{Text: "1 file that was made for it, and has nothing else"}, path)
		default:
			w.plan.report.Made = append(w.plan.report.Made, f.made.Path)
			w.plan.add("Removed", append([]render.PlanLine{{Text: render.Counted(n, "line", "lines") + ", and nothing else of the file"}, path}, addedLines(f.made.Added)...)...)
		}
	}
	if n := len(gone); n > 0 {
		w.plan.add("Removed", append([]render.PlanLine{{Text: render.Counted(n, "file that was made, and not changed since", "files that were made, and not changed since")}}, gone...)...)
	}
}

// goes reports whether the file is removed whole: it was not there before.
func (f *ledgerBack) goes() bool { return len(f.made.Added) == 0 && f.made.Before == nil }

// addedLines are the lines of a text, as a plan shows them.
func addedLines(text []byte) []render.PlanLine {
	return (&noting{bead: true, comment: string(text)}).lines()
}

// ledgersBack carries that out. What a file has then is looked at again, and kept before it is changed.
func (l *pastLook) ledgersBack(ctx context.Context, w *wayBack) (done wentBack, err error) {
	a := l.d.begin(ctx, w.made)
	if a.lost != nil {
		return done, l.d.notKept("taking it back", a.lost)
	}
	a.entry.Made = nil
	of := w.entry
	for i := range w.ledgers {
		f := &w.ledgers[i]
		if !f.same {
			if err = l.ledgerBack(ctx, f, a); err != nil {
				break
			}
			done.files++
			done.words = f.said()
			if f.goes() {
				done.removed++
			}
		}
		of.Made = slices.DeleteFunc(slices.Clone(of.Made), func(m journal.Made) bool { return m.Path == f.made.Path })
	}
	if err == nil {
		of.Made, of.Undone = w.entry.Made, a.entry.ID
	}
	if done.files > 1 {
		done.words = "" // how many they are says more
	}
	done.lost = l.end(ctx, a, &of, !done.some())
	return done, err
}

// said says what was done to the file.
func (f *ledgerBack) said() string {
	name := baseName(f.made.Path)
	switch {
	case f.goes():
		return name + " is gone again."
	case len(f.made.Added) == 0:
		return name + " has the text that it had."
	case f.taken:
		return "It is in " + name + " again."
	case f.was.Sum == "":
		return name + " is gone: it had nothing else."
	}
	return "It is out of " + name + "; the rest is as it was."
}

// ledgerBack carries out one file.
func (l *pastLook) ledgerBack(ctx context.Context, f *ledgerBack, a *action) error {
	before := slices.Clone(a.entry.Made)
	err := ledger.Edit(ctx, f.root, f.made.Path, ledger.MaxNotes, func(now []byte) ([]byte, error) {
		next, err := f.back(now)
		if err != nil || f.same {
			return now, err
		}
		a.entry.Made = append(slices.Clone(before), f.was)
		if a.note(ctx); a.lost != nil {
			return nil, l.d.notKept("taking it back", a.lost)
		}
		return next, nil
	})
	if err == nil {
		return nil
	}
	a.entry.Made = before
	if _, ok := errors.AsType[*failure](err); ok {
		return err
	}
	_, why := f.refusal(l.d.tilde(f.made.Path), err)
	return &failure{what: strings.TrimSuffix(why, ".") + ".", cause: err}
}
