// Package act carries out changes: it locks what they touch, plans them again under the locks, writes them into the journal,
// carries them out, and undoes them. It knows files only; what a change means is known to the package that plans it.
//
// A change is done whole or not at all. Where a step fails, the steps before it are taken back. Where the program is killed,
// the next Do or Recover finds the entry in the journal: it was done if every file is as it would have been, else what was
// done is taken back. A file that somebody else has written since is left alone, and the entry stays in the journal.
package act

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// Store carries out changes and keeps the journal of them.
type Store struct {
	// Journal is its directory, $XDG_STATE_HOME/continuo/journal; "" there is no place for one.
	Journal string
	Now     func() time.Time
	// Run runs the program of an op whose verb is change.Run.
	Run func(ctx context.Context, op *change.Op) error
	// Live reports whether a client has a session open. Where it is nil, each counts as open.
	Live func(ctx context.Context, sessionID string) bool
	// Heads reports whether the bytes from and to of a text have a heading of something that stands behind them.
	Heads func(text []byte, from, to int) bool
	// MayRead reports whether so many more bytes may be read to plan an undo; nil any. Otherwise a file counts as what its
	// size says.
	MayRead func(bytes int64) bool
	// Step is that of disk.Root, for drills.
	Step func(step, name string) error
}

// Plan looks at the disk and returns what is to be done. It writes nothing.
type Plan func(ctx context.Context) (change.Change, error)

// Done is a change that was carried out.
type Done struct {
	change.Change        // as it was planned under the locks
	ID            string // of its entry in the journal; "" there is none
	// Lost is why the journal doesn't have it: it can't be undone. Nothing but what can't be undone anyway is done then.
	Lost error
}

// NotKeptError is returned if the journal can't be written. Nothing was done.
type NotKeptError struct{ Err error }

// Error implements error.
func (e *NotKeptError) Error() string { return "journal: " + e.Err.Error() }

// Unwrap returns what went wrong.
func (e *NotKeptError) Unwrap() error { return e.Err }

// HalfError is returned if a change failed and a part of it could not be taken back.
type HalfError struct {
	Err  error
	Left []string // paths of the files that are not as they were
	ID   string   // of the entry in the journal
}

// Error implements error.
func (e *HalfError) Error() string {
	return fmt.Sprintf("%v; not taken back: %s", e.Err, strings.Join(e.Left, ", "))
}

// Unwrap returns what went wrong.
func (e *HalfError) Unwrap() error { return e.Err }

// attempts is how often a change is planned anew because another program wrote to a file just then.
const attempts = 3

// Do carries out a change that was shown to a person. plan is asked again under the locks: if its answer isn't Same, the
// error is change.ErrChanged and nothing is done. Other errors are those of plan, disk.ErrLocked, *change.TakenError,
// *NotKeptError, those of the system, and then everything is as before; or *HalfError. A change without ops does nothing.
func (s *Store) Do(ctx context.Context, shown *change.Change, plan Plan) (Done, error) {
	r := s.newRun()
	defer r.close()
	if err := r.prepare(ctx, shown.Ops); err != nil {
		return Done{}, err
	}
	unlock, lost := s.lock(ctx)
	if lost == nil {
		defer unlock()
	} else if errors.Is(lost, disk.ErrLocked) || ctx.Err() != nil {
		return Done{}, lost
	}
	release, err := r.lock(ctx, shown.Ops)
	if err != nil {
		return Done{}, err
	}
	defer release()
	for n := 1; ; n++ {
		done, err := r.do(ctx, shown, plan, lost)
		if _, half := errors.AsType[*HalfError](err); half || !errors.Is(err, errMoved) {
			return done, err
		}
		if n == attempts {
			return done, err
		}
	}
}

// do plans and carries out, under the locks.
func (r *run) do(ctx context.Context, shown *change.Change, plan Plan, lost error) (Done, error) {
	now, err := plan(ctx)
	if err != nil {
		return Done{}, err
	}
	if !change.Same(shown, &now) {
		return Done{}, change.ErrChanged
	}
	done := Done{Change: now, Lost: lost}
	if len(now.Ops) == 0 {
		return done, nil
	}
	release, err := r.lock(ctx, now.Ops) // of loose ops that came
	if err != nil {
		return Done{}, err
	}
	defer release()
	if err := r.fill(ctx, now.Ops); err != nil {
		return Done{}, err
	}
	if err := ctx.Err(); err != nil {
		return Done{}, err
	}
	ctx = context.WithoutCancel(ctx) // from here on half of it would be left
	var e journal.Entry
	if lost == nil {
		e, lost = r.store.journal().Begin(ctx, r.store.entry(&now))
	}
	if lost != nil && !now.Unkept && slices.ContainsFunc(now.Ops, func(o change.Op) bool { return o.Verb != change.Delete && o.Verb != change.Run }) {
		return Done{}, &NotKeptError{lost}
	}
	done.ID = e.ID
	if n, err := r.each(ctx, now.Ops); err != nil {
		return done, r.failed(ctx, now.Ops, n, e, err)
	}
	if lost != nil {
		done.Lost = lost
		return done, nil
	}
	e.Ops, e.Done = now.Ops, true
	_ = r.store.journal().Finish(ctx, e) // or Recover finds that it was done, unless it left the journal for newer ones
	r.store.mark(ctx, now.Of, e.ID)
	return done, nil
}

// failed takes back the first n ops, and as much as was done of the next one.
func (r *run) failed(ctx context.Context, ops []change.Op, n int, e journal.Entry, err error) error {
	isDelete := func(o change.Op) bool { return o.Verb == change.Delete }
	touched := min(n+1, len(ops))
	if isOthers(err) {
		touched = n // the same text may be there by now, but it is theirs
	}
	left := r.back(ctx, ops[:touched], n)
	for _, o := range ops[:n] {
		if isDelete(o) {
			left = append(left, o.Path())
		}
	}
	if len(left) > 0 {
		if e.Ops = ops; slices.ContainsFunc(ops[:n], isDelete) {
			e.Ops, e.Done = ops[:n], true // that much is gone
		}
		_ = r.store.journal().Finish(ctx, e) // it says more than before
		return &HalfError{err, left, e.ID}
	}
	if e.ID == "" {
		return err
	}
	return errors.Join(err, r.store.journal().Forget(ctx, e.ID))
}

// mark notes in the entry of an action that another one undid it, if nothing of it is left to undo.
func (s *Store) mark(ctx context.Context, of, by string) {
	list, _ := s.journal().List(ctx)
	i := slices.IndexFunc(list, func(e journal.Entry) bool { return e.ID == of })
	if i < 0 || len(list[i].Ops) == 0 {
		return
	}
	if w, err := s.Undo(ctx, &list[i]); err == nil && w.Back {
		list[i].Undone = by
		_ = s.journal().Finish(ctx, list[i]) // or Undo says Back
	}
}

func (s *Store) journal() *journal.Store { return journal.Open(s.Journal) }

// Record writes into the journal what was done by other means: ops of Make with their Sum.
func (s *Store) Record(ctx context.Context, c *change.Change) (id string, err error) {
	e := s.entry(c)
	e.Done = true
	e, err = s.journal().Begin(ctx, e)
	return e.ID, err
}

func (s *Store) entry(c *change.Change) journal.Entry {
	e := journal.Entry{At: s.Now(), Kind: journal.Kind(c.Kind), What: c.What, Where: slices.Clone(c.Where), Of: c.Of, Ops: c.Ops}
	slices.Sort(e.Where)
	e.Where = slices.Compact(e.Where)
	return e
}

// lock keeps other actions out, and cleans up behind one that was killed. Any error but disk.ErrLocked says that there is
// no journal.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if unlock, err = s.journal().Lock(ctx); err != nil {
		return nil, err
	}
	s.recover(ctx)
	return unlock, nil
}

// Recover cleans up behind an action that was killed, if no other one is under way. Do does so as well.
func (s *Store) Recover(ctx context.Context) {
	list, _ := s.journal().List(ctx)
	if !slices.ContainsFunc(list, func(e journal.Entry) bool { return e.Dead() }) {
		return
	}
	if unlock, err := s.lock(ctx); err == nil {
		unlock()
	}
}

// recover goes through the entries that were begun and are not done. The caller holds the lock of the journal, so whoever
// began them is dead.
func (s *Store) recover(ctx context.Context) {
	list, _ := s.journal().List(ctx) // what can't be read is left alone
	for _, e := range list {
		if !e.Dead() {
			continue
		}
		r := s.newRun()
		r.unsure = true
		release, err := r.lock(ctx, e.Ops)
		if err != nil && !disk.IsAbsent(err) {
			r.close()
			continue // the next one tries again
		}
		done, left := r.complete(ctx, e.Ops), []string(nil)
		if done {
			r.tidy(e.Ops)
		} else {
			left = r.back(ctx, e.Ops, len(e.Ops)) // nobody knows how far it went
		}
		if err == nil {
			release()
		}
		r.close()
		switch {
		case !done && len(left) == 0:
			_ = s.journal().Forget(ctx, e.ID) // or the next one does
		default:
			e.Done, e.Stuck = done, !done
			_ = s.journal().Finish(ctx, e)
		}
	}
}
