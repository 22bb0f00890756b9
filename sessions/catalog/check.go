package catalog

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// check compares the sessions in paths with the rows that were sent, and sends the differences. If all is true, paths
// has every session, and missing ones are reported as gone. It returns false if ctx ended.
func (w *watcher) check(ctx context.Context, paths []string, all bool) bool {
	notes, _ := w.c.notes() // a list reports the error
	read, changed, missed := w.c.base.renewed(w.set, notes, paths, all)
	for i := range changed {
		w.updateNoBackup(&changed[i].Session)
	}
	next := sessions.Batch{Rows: changed}
	others := false // sessions were added or removed
	for _, path := range missed {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			next.Gone = append(next.Gone, path)
			w.c.tails.leave(path)
			others = true
		}
	}
	for _, path := range read {
		row, was, what := w.read(ctx, path)
		if ctx.Err() != nil {
			return false
		}
		others = others || what != asBefore && was != (what == asRow)
		switch {
		case what == asRow:
			w.updateNoBackup(&row.Session)
			notes.mark(&row)
			next.Rows = append(next.Rows, row)
		case what == asBefore:
			if before, ok := w.c.base.session(path); ok && notes.mark(&before) {
				next.Rows = append(next.Rows, before)
			}
		case what == asGone && was:
			next.Gone = append(next.Gone, path)
		}
		if len(next.Rows) >= batchSize {
			if !w.send(ctx, next) {
				return false
			}
			next = sessions.Batch{}
		}
	}
	if !w.send(ctx, next) {
		return false
	}
	return !others || w.send(ctx, sessions.Batch{Rows: w.c.base.flagged(w.c.unlisted.Load())})
}

// send sends a non-empty batch and stores it in the baseline. It returns false if ctx ended.
func (w *watcher) send(ctx context.Context, b sessions.Batch) bool {
	if len(b.Rows)+len(b.Gone) == 0 {
		return ctx.Err() == nil
	}
	sent := sessions.Batch{Rows: slices.Clone(b.Rows), Gone: slices.Clone(b.Gone)}
	select {
	case w.out <- b:
		w.c.base.sent(sent)
		w.changed = true
		return true
	case <-ctx.Done():
		return false
	}
}

// outcome is the result of reading a transcript.
type outcome int

const (
	asBefore outcome = iota // nothing to send
	asRow
	asGone
)

// read returns the row of a new or changed transcript. was is true if a row was sent before.
func (w *watcher) read(ctx context.Context, path string) (row sessions.Row, was bool, what outcome) {
	before, was := w.c.base.row(path)
	ses, err := w.figures(ctx, path)
	if errors.Is(err, errResting) {
		return row, was, asBefore
	}
	if err != nil {
		var gone bool
		if ses, gone = w.set.Refuse(path, err); gone {
			w.c.tails.leave(path)
			return row, was, asGone
		}
	}
	if ses.Workdir == "" {
		ses.Workdir = w.c.base.adopted(path)
	}
	w.set.Settle(ctx, &ses)
	if !w.set.Within(&ses) {
		w.c.base.leaveOut(path)
		w.c.tails.leave(path)
		return row, was, asGone
	}
	if err != nil && was && before.State == sessions.StateUnreadable && before.Reason == ses.Reason {
		if _, around := w.set.Renew(&before.Session); !around {
			return row, was, asBefore
		}
	}
	return sessions.Row{Kind: sessions.KindSession, Session: ses}, was, asRow
}

// figures follows a transcript to its end and returns its session. It stats the file first, so that the next check
// notices new bytes.
func (w *watcher) figures(ctx context.Context, path string) (sessions.Session, error) {
	w.set.Stat(path)
	t, err := w.c.tails.follow(ctx, path, w.c.pace.rest)
	if err != nil {
		return sessions.Session{}, err
	}
	var ses sessions.Session
	t.View(func(o *transcript.Outline) { ses = w.set.Take(path, o) })
	_ = w.c.tails.done(t) // the file was only read
	w.c.tails.trim()
	return ses, nil
}
