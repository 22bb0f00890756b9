// Package act carries out changes. It locks the files, plans again under the locks, writes a journal entry, and
// carries out the ops. A change can be undone later. Package act knows only files and ops. The package that plans a
// change knows its meaning.
//
// A change is carried out completely or not at all. If an op fails, the earlier ops are undone. After a kill, the
// next Do or FinishInterrupted reads the journal entry. If every file is as planned, the change is complete.
// Otherwise it is undone. If another program has changed a file since then, the file and the entry stay.
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

// Store carries out changes and records them in a journal.
type Store struct {
	// Journal is the directory of the journal, or "" for none. continuo uses $XDG_STATE_HOME/continuo/journal.
	Journal string
	Now     func() time.Time
	// Run runs the program of a change.Run op.
	Run func(ctx context.Context, op *change.Op) error
	// Live reports whether a client has a session open. If Live is nil, every session counts as open.
	Live func(ctx context.Context, sessionID string) bool
	// Heads reports whether text[from:to] contains a markdown heading of lines after text[from:to].
	Heads func(text []byte, from, to int) bool
	// MayRead reports whether an undo for display may read so many bytes. Otherwise, it compares file sizes. Nil
	// allows all bytes.
	MayRead func(bytes int64) bool
	// Step is called before each file operation (see disk.Root.Step). Tests use it to fail or kill.
	Step func(step, name string) error
}

// Planner reads the disk and returns a change. It writes nothing.
type Planner func(ctx context.Context) (change.Change, error)

// Done is a completed change.
type Done struct {
	change.Change        // the change as planned under the locks
	ID            string // ID of its journal entry; "" if there is none
	// Lost is why there is no journal entry. Without an entry, all ops must be ones that can't be undone, or
	// Change.Unkept must be true.
	Lost error
}

// NotKeptError is returned if the journal can't be written. No file was changed then.
type NotKeptError struct{ Err error }

// Error implements error.
func (e *NotKeptError) Error() string { return "journal: " + e.Err.Error() }

// Unwrap returns Err.
func (e *NotKeptError) Unwrap() error { return e.Err }

// HalfError is returned if a failed change couldn't be undone completely.
type HalfError struct {
	Err  error
	Left []string // paths of files that are still changed
	ID   string   // ID of the journal entry
}

// Error implements error.
func (e *HalfError) Error() string {
	return fmt.Sprintf("%v; not undone: %s", e.Err, strings.Join(e.Left, ", "))
}

// Unwrap returns Err.
func (e *HalfError) Unwrap() error { return e.Err }

// attempts is the limit of attempts. Another program's write to a file of the change requires a new one.
const attempts = 3

// Do carries out a change that was shown to the user. It calls plan again under the locks. If the new plan differs
// (see change.Change.Same), the error is change.ErrChanged. Other errors are disk.ErrLocked, *change.TakenError,
// *NotKeptError, errors of plan and system errors. After these errors, the files are as before. After a *HalfError,
// some files are still changed. Without ops, Do does nothing.
func (s *Store) Do(ctx context.Context, shown *change.Change, plan Planner) (Done, error) {
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

// do plans the change again and carries it out. The caller must hold the locks of the shown change.
func (r *run) do(ctx context.Context, shown *change.Change, plan Planner, lost error) (Done, error) {
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
	release, err := r.lock(ctx, now.Ops) // the new plan may have ops with other locks
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
	ctx = context.WithoutCancel(ctx) // a change that has begun isn't canceled
	var e journal.Entry
	if lost == nil {
		e, lost = r.store.journal().Begin(ctx, r.store.entry(&now))
	}
	if lost != nil && !now.Unkept && slices.ContainsFunc(now.Ops, func(o change.Op) bool { return o.Verb != change.Delete && o.Verb != change.Run }) {
		return Done{}, &NotKeptError{lost}
	}
	done.ID = e.ID
	if n, err := r.each(ctx, now.Ops); err != nil {
		return done, r.rollBack(ctx, now.Ops, n, e, err)
	}
	if lost != nil {
		done.Lost = lost
		return done, nil
	}
	e.Ops, e.Done = now.Ops, true
	r.store.setUndone(ctx, now.Of, e.ID)
	_ = r.store.journal().Finish(ctx, e) // after an error, FinishInterrupted marks the change as done
	return done, nil
}

// rollBack undoes the first n ops, and the next op if it was partly carried out. It returns err, or *HalfError if
// some ops couldn't be undone.
func (r *run) rollBack(ctx context.Context, ops []change.Op, n int, e journal.Entry, err error) error {
	isDelete := func(o change.Op) bool { return o.Verb == change.Delete }
	touched := min(n+1, len(ops))
	if isOthers(err) {
		touched = n // the failed op changed nothing: the new text is another program's
	}
	left := r.back(ctx, ops[:touched], n)
	for _, o := range ops[:n] {
		if isDelete(o) {
			left = append(left, o.Path())
		}
	}
	if len(left) > 0 {
		if e.Ops = ops; slices.ContainsFunc(ops[:n], isDelete) {
			e.Ops, e.Done = ops[:n], true // undo of the entry must ignore the other ops
		}
		_ = r.store.journal().Finish(ctx, e) // after an error, the entry has less detail
		return &HalfError{err, left, e.ID}
	}
	if e.ID == "" {
		return err
	}
	return errors.Join(err, r.store.journal().Forget(ctx, e.ID))
}

// setUndone marks the action with the ID of as undone by the action with the ID by. It does nothing while some ops of
// the undone action are in effect.
func (s *Store) setUndone(ctx context.Context, of, by string) {
	list, _ := s.journal().List(ctx)
	i := slices.IndexFunc(list, func(e journal.Entry) bool { return e.ID == of })
	if i < 0 || len(list[i].Ops) == 0 {
		return
	}
	if w, err := s.Undo(ctx, &list[i]); err == nil && w.Back {
		list[i].Undone = by
		_ = s.journal().Finish(ctx, list[i]) // after an error, Undo still returns Back
	}
}

func (s *Store) journal() *journal.Store { return journal.Open(s.Journal) }

// Record adds a journal entry for files that other code has created. All ops are Make ops with a Sum.
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

// lock takes the lock of the journal, so that no other action runs. Then it finishes actions of killed programs.
// Other errors than disk.ErrLocked mean that the journal can't be used.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if unlock, err = s.journal().Lock(ctx); err != nil {
		return nil, err
	}
	s.finishLocked(ctx)
	return unlock, nil
}

// FinishInterrupted completes or undoes actions of killed programs, unless another action is running. Do calls it,
// too.
func (s *Store) FinishInterrupted(ctx context.Context) {
	list, _ := s.journal().List(ctx)
	if !slices.ContainsFunc(list, func(e journal.Entry) bool { return e.Dead() }) {
		return
	}
	if unlock, err := s.lock(ctx); err == nil {
		unlock()
	}
}

// finishLocked completes or undoes the actions of unfinished entries. The caller must hold the journal's lock. So no
// action is running, and the programs of these actions were killed.
func (s *Store) finishLocked(ctx context.Context) {
	list, _ := s.journal().List(ctx) // unreadable entries are ignored
	for _, e := range list {
		if !e.Dead() {
			continue
		}
		r := s.newRun()
		r.unsure = true
		release, err := r.lock(ctx, e.Ops)
		if err != nil && !disk.IsAbsent(err) {
			r.close()
			continue // the next action tries again
		}
		done, left := r.complete(ctx, e.Ops), []string(nil)
		if done {
			r.tidy(e.Ops)
		} else {
			left = r.back(ctx, e.Ops, len(e.Ops)) // the op at which the action stopped is unknown
		}
		if err == nil {
			release()
		}
		r.close()
		switch {
		case !done && len(left) == 0:
			_ = s.journal().Forget(ctx, e.ID) // after an error, the next action tries again
		default:
			e.Done, e.Stuck = done, !done
			if done {
				s.setUndone(ctx, e.Of, e.ID)
			}
			_ = s.journal().Finish(ctx, e)
		}
	}
}
