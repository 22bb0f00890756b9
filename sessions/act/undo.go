package act

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// Way is the plan of an undo.
type Way struct {
	Change  change.Change    // without Report
	Refused []change.Refusal // ops that can't be undone; if any, nothing is undone
	Gone    []change.Op      // moves whose file is missing at both paths
	Back    bool             // all files are already as before the action
}

// Undid is the prefix of Change.What for an undo.
const Undid = "Undid: "

// Undo plans the undo of an action: the inverse ops in reverse order, without those that are already undone. If a
// file has changed since the action, its op is in Refused.
func (s *Store) Undo(ctx context.Context, e *journal.Entry) (Way, error) {
	r := s.newRun()
	defer r.close()
	w := Way{Change: UndoOf(e)}
	ops := joined(e.Ops)
	for i := range slices.Backward(ops) {
		o := &ops[i]
		if o.Stays || o.Verb == change.Delete || o.Verb == change.Run {
			continue
		}
		inverse, ok, err := r.bySize(*o)
		if !ok {
			inverse, err = r.inverse(ctx, o, e.Done)
		}
		if err == nil && inverse != nil && kept(inverse) > maxKept && !inverse.Quiet {
			err = change.ErrTooLarge
		}
		switch {
		case ctx.Err() != nil:
			return Way{}, ctx.Err()
		case errors.Is(err, change.ErrGone) && o.Verb == change.Move:
			w.Gone = append(w.Gone, *o)
		case err != nil:
			w.Refused = append(w.Refused, change.Refusal{Op: *o, Err: err})
		case inverse != nil:
			w.Change.Ops = append(w.Change.Ops, *inverse)
		}
	}
	w.Back = len(w.Change.Ops)+len(w.Refused) == 0
	return w, nil
}

// joined merges ops on the same text file into one, at the position of the last. One inverse op undoes them all.
// After a crash, the last text proves that all were carried out.
func joined(ops []change.Op) []change.Op {
	var list []change.Op
	for i := range ops {
		o := ops[i]
		n := slices.IndexFunc(list, func(p change.Op) bool {
			return p.Path() == o.Path() && (p.Verb == change.Replace || p.Verb == change.Make && p.From == "") && p.Sum == o.Was
		})
		if o.Verb == change.Replace && n >= 0 {
			first := list[n]
			list = slices.Delete(list, n, n+1)
			first.Text, first.Sum, first.Chmod = o.Text, o.Sum, o.Chmod
			o = first
		}
		list = append(list, o)
	}
	return list
}

// UndoOf returns the change that undoes an action, without ops.
func UndoOf(e *journal.Entry) change.Change {
	c := change.Change{Kind: string(journal.Undo), Of: e.ID, Where: e.Where, What: Undid + lowerFirst(e.What)}
	if e.Kind == journal.Undo {
		kind, _ := journal.KindOf(e.Of)
		c.Kind = string(cmp.Or(kind, journal.Discard)) // the undone action is a trash entry, not a journal entry
		c.What = upperFirst(strings.TrimSuffix(strings.TrimPrefix(e.What, Undid), " again")) + " again"
	}
	return c
}

func lowerFirst(s string) string { return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):] }

func upperFirst(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }

// UndoPlan returns a Planner for the undo of an action. It compares whole files, even without MayRead. If ops are
// refused, it returns the first one's error.
func (s *Store) UndoPlan(e *journal.Entry) Planner {
	exact := *s
	exact.MayRead = nil
	return func(ctx context.Context) (change.Change, error) {
		w, err := exact.Undo(ctx, e)
		if err == nil && len(w.Refused) > 0 {
			err = w.Refused[0].Op.Fail(w.Refused[0].Err)
		}
		return w.Change, err
	}
}

// inverse returns the op that undoes o, or nil if the file is already as before. done is true for a completed action,
// whose missing text was removed later.
func (r *run) inverse(ctx context.Context, o *change.Op, done bool) (*change.Op, error) {
	back := *o
	back.Dirs, back.Empty = nil, o.Dirs
	switch o.Verb {
	case change.Make:
		return r.unmake(ctx, &back)
	case change.Remove:
		return r.remake(ctx, &back)
	case change.Move:
		return r.unmove(ctx, &back)
	case change.Replace, change.Insert, change.Cut:
		now, err := r.read(o, maxText)
		if err != nil {
			return nil, err
		}
		return r.unedit(&back, now, done)
	case change.Delete, change.Run:
	}
	return nil, nil
}

// kept returns the bytes of a file that the journal needs for an op.
func kept(o *change.Op) int {
	switch o.Verb {
	case change.Remove:
		return len(o.Text)
	case change.Replace:
		return len(o.Before)
	default:
		return 0
	}
}

// bySize guesses the inverse of an op from the file size, for display. If ok is false, the caller must call inverse.
func (r *run) bySize(o change.Op) (inverse *change.Op, ok bool, err error) {
	if r.store.MayRead == nil || o.Verb == change.Move || o.Verb == change.Remove {
		return nil, false, nil
	}
	root, err := r.root(&o)
	if err != nil {
		return nil, false, nil // inverse returns the error
	}
	fi, err := root.Lstat(o.Name)
	if err != nil || r.store.MayRead(2*fi.Size()) {
		return nil, false, nil
	}
	if o.From != "" && fi.Size() != o.Bytes {
		return nil, true, change.ErrChanged
	}
	if o.Verb == change.Make {
		o.Verb = change.Remove
	}
	o.Dirs, o.Empty = nil, o.Dirs
	return &o, true, nil
}

// unedit returns the inverse of an op on a text file. now is the current contents, or nil without a file.
func (r *run) unedit(o *change.Op, now []byte, done bool) (*change.Op, error) {
	switch o.Verb {
	case change.Insert:
		return r.uninsert(o, now, done)
	case change.Cut:
		return uncut(o, now)
	default:
		return r.unreplace(o, now)
	}
}

func (r *run) unreplace(o *change.Op, now []byte) (*change.Op, error) {
	switch sum := change.Sum(now); {
	case now == nil:
		return nil, change.ErrGone
	case sum == o.Was && r.hasMode(o, o.Mode):
		return nil, nil
	case sum != o.Sum || !r.hasMode(o, o.Chmod):
		return nil, change.ErrChanged
	}
	o.Text, o.Before, o.Was, o.Sum = o.Before, now, o.Sum, o.Was
	if o.Chmod != 0 {
		o.Mode, o.Chmod = o.Chmod, o.Mode
	}
	return o, nil
}

// hasMode reports whether a file has the given permissions. It compares them only for ops that keep the text, because
// only there they show whether the op was carried out.
func (r *run) hasMode(o *change.Op, mode fs.FileMode) bool {
	root, err := r.root(o)
	if o.Verb != change.Replace || o.Chmod == 0 || o.Was != o.Sum || err != nil {
		return err == nil
	}
	fi, err := root.Lstat(o.Name)
	return err == nil && fi.Mode().Perm() == mode
}

func (r *run) uninsert(o *change.Op, now []byte, done bool) (*change.Op, error) {
	_, gone, from, ok := change.TakeOut(now, o.Text, int(o.At))
	n := bytes.Count(now, o.Text)
	switch {
	case now == nil && o.New, n == 0 && !done, change.Sum(now) == o.Was:
		return nil, nil
	case now == nil:
		return nil, change.ErrGone
	case r.unsure && change.Sum(now) != o.Sum:
		return nil, change.ErrChanged
	case n > 1 && !ok:
		return nil, change.ErrTwice
	case !ok:
		return nil, change.ErrChanged
	case change.Sum(now) != o.Sum && r.store.Heads != nil && r.store.Heads(now, from, from+len(gone)):
		return nil, change.ErrBelow
	}
	o.Verb, o.Text, o.At, o.Was, o.Sum = change.Cut, gone, int64(from), "", ""
	return o, nil
}

func uncut(o *change.Op, now []byte) (*change.Op, error) {
	switch {
	case change.Sum(now) == o.Sum:
	case bytes.Contains(now, o.Text):
		return nil, nil
	default:
		return nil, change.ErrChanged
	}
	o.Verb, o.Was, o.Sum = change.Insert, o.Sum, ""
	return o, nil
}

func (r *run) unmove(ctx context.Context, o *change.Op) (*change.Op, error) {
	root, err := r.root(o)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{o.Name, o.To} {
		if err := plainPath(root, name); err != nil {
			return nil, err
		}
	}
	here, absent := root.Lstat(o.Name)
	there, gone := root.Lstat(o.To)
	switch {
	case gone == nil && absent == nil && os.SameFile(here, there): // both names exist: the move was interrupted
	case gone == nil && absent == nil:
		return nil, &change.TakenError{Paths: []string{o.Path()}}
	case gone == nil:
	case absent == nil && here.Size() == o.Bytes && here.ModTime().Equal(o.Modified):
		return nil, nil
	default:
		return nil, change.ErrGone
	}
	o.Name, o.To, o.Bytes, o.Modified = o.To, o.Name, there.Size(), there.ModTime()
	if o.Session == "" {
		return o, nil
	}
	if o.Away = !o.Away; o.Away && r.live(ctx, o.Session) {
		return nil, change.ErrLive
	}
	return o, nil
}

// unmake returns the op that removes a created file. The file, and the original of a copy, must be unchanged.
func (r *run) unmake(ctx context.Context, o *change.Op) (*change.Op, error) {
	root, err := r.root(o)
	if err == nil {
		err = plainPath(root, o.Name)
	}
	if disk.IsAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	verb := *o
	o.Verb, o.Loose = change.Remove, false // Same compares the path of this op
	if o.From == "" {
		o.Text, err = r.read(o, maxText)
		switch {
		case err != nil:
			return nil, err
		case o.Text == nil:
			return nil, nil
		case change.Sum(o.Text) != o.Sum:
			return nil, change.ErrChanged
		}
		return o, nil
	}
	sum, err := r.sum(ctx, root, o.Name)
	if err != nil {
		return nil, err
	}
	left, err := r.sum(ctx, root, aside(o.Name))
	switch {
	case err != nil:
		return nil, err
	case sum == "" && left == "":
		return nil, nil
	case sum != "" && (sum != o.Sum || left != ""):
		return nil, change.ErrChanged
	case r.live(ctx, o.Session):
		return nil, change.ErrLive
	}
	from, err := r.sumAt(ctx, verb.From)
	if err == nil && from != o.Sum {
		err = fmt.Errorf("original %s: %w", verb.From, change.ErrChanged)
	}
	return o, err
}

func (r *run) live(ctx context.Context, session string) bool {
	return session != "" && (r.store.Live == nil || r.store.Live(ctx, session))
}

// sumAt is sum for a file in any directory.
func (r *run) sumAt(ctx context.Context, path string) (string, error) {
	root, err := disk.Open(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	defer root.Close()
	return r.sum(ctx, root, filepath.Base(path))
}

// remake returns the op that restores a removed file. If the name is taken, a file with Next gets the next free name.
func (r *run) remake(ctx context.Context, o *change.Op) (*change.Op, error) {
	root, err := r.root(o)
	if err == nil {
		err = plainPath(root, o.Name)
	}
	if err != nil {
		return nil, err
	}
	if fi, err := root.Lstat(aside(o.Name)); err == nil && o.From != "" { // removeCopy was interrupted
		return &change.Op{Verb: change.Move, Dir: o.Dir, Lock: o.Lock, Name: aside(o.Name), To: o.Name, Bytes: fi.Size(), Modified: fi.ModTime()}, nil
	}
	sum, err := r.sum(ctx, root, o.Name)
	switch {
	case err != nil:
		return nil, err
	case sum == o.Sum:
		return nil, nil
	case sum != "" && o.Loose && o.Next == "": // another file has the name; a Loose file may stay removed
		return nil, nil
	case sum != "" && o.Next == "":
		return nil, &change.TakenError{Paths: []string{o.Path()}}
	}
	if fi, err := os.Lstat(o.From); o.From != "" && (err != nil || fi.Size() != o.Bytes || !fi.ModTime().Equal(o.Modified)) {
		return nil, fmt.Errorf("original %s: %w", o.From, change.ErrChanged)
	}
	o.Verb = change.Make
	return o, nil
}

// back undoes ops and returns the paths of those that it couldn't undo. The ops before index sure were carried out. A
// later op whose file has an unexpected text wasn't: another program had changed the file first.
func (r *run) back(ctx context.Context, ops []change.Op, sure int) (left []string) {
	for i := range slices.Backward(ops) {
		o := &ops[i]
		if o.Verb == change.Delete || o.Verb == change.Run {
			continue
		}
		inverse, err := r.inverse(ctx, o, false)
		follows := func(p change.Op) bool { return p.Path() == o.Path() }
		if isOthers(err) && (i >= sure || slices.ContainsFunc(ops[:i], follows)) {
			inverse, err = nil, nil // if an earlier op has the same file, its inverse compares
		}
		if err == nil && inverse != nil {
			one := []change.Op{*inverse}
			if err = r.prepare(ctx, one); err == nil {
				err = r.fill(ctx, one)
			}
			if err == nil {
				_, err = r.each(ctx, one)
			}
		}
		switch root, gone := r.root(o); {
		case err == nil && gone == nil:
			if len(o.Dirs) > 0 {
				root.Sweep(filepath.Dir(o.Name)) // a killed program may have left a temporary file
			}
			rmdirs(root, o.Dirs) // their file wasn't created
		case err != nil:
			left = append(left, o.Path())
		}
	}
	return left
}

// isOthers reports whether an op failed because of another program's write. Such an op has changed nothing.
func isOthers(err error) bool {
	_, taken := errors.AsType[*change.TakenError](err)
	return taken || errors.Is(err, errMoved) || errors.Is(err, change.ErrChanged) || errors.Is(err, change.ErrGone)
}

// tidy removes directories that completed ops have emptied.
func (r *run) tidy(ops []change.Op) {
	for i := range ops {
		if root, err := r.root(&ops[i]); err == nil {
			rmdirs(root, ops[i].Empty)
		}
	}
}

// complete reports whether every op was carried out.
func (r *run) complete(ctx context.Context, ops []change.Op) bool {
	return !slices.ContainsFunc(joined(ops), func(o change.Op) bool { return !r.isDone(ctx, &o) })
}

func (r *run) isDone(ctx context.Context, o *change.Op) bool {
	if o.Verb == change.Run {
		return false // it isn't known
	}
	root, err := r.root(o)
	if err != nil || plainPath(root, o.Name) != nil {
		return false
	}
	if o.Verb == change.Move {
		_, from := root.Lstat(o.Name)
		_, to := root.Lstat(o.To)
		return disk.IsAbsent(from) && to == nil
	}
	if o.Verb == change.Remove && o.From != "" {
		if _, err := root.Lstat(aside(o.Name)); err == nil {
			return false
		}
	}
	want := o.Sum
	if o.Verb == change.Remove || o.Verb == change.Delete {
		want = ""
	}
	sum, err := r.sum(ctx, root, o.Name)
	return err == nil && sum == want && r.hasMode(o, o.Chmod)
}
