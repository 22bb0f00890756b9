package catalog

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// tail is an open transcript. All rows and Docs of a file share one tail, so that new bytes are read once.
type tail struct {
	*transcript.Transcript
	path string

	// Guarded by tails.mu.
	users   int       // number of Docs and running calls that use the tail
	changed time.Time // when a Watch last made a row from the tail, or zero
	gone    bool      // the file no longer exists
	closed  int64     // value of tails.closing when the last Doc was closed, if changed is zero
	records int
}

// tails has the open transcripts. A tail stays open while a Doc uses it. A Watch also keeps some tails that changed
// or were shown recently.
type tails struct {
	read atomic.Int64 // number of bytes of transcripts that were read, for tests

	mu      sync.Mutex // never locked while a file is read
	closing int64      // number of closed Docs so far
	at      map[string]*tail
	watches int
	evicted map[string]time.Time // file → time when its tail was evicted
}

// errResting is returned for a file whose tail was evicted recently. Without it, a Watch of more than maxTails busy
// files would read whole files all the time.
var errResting = errors.New("read a moment ago")

// Limits for the tails without a Doc. maxRecords records take 40 MB, about 200 bytes each.
const (
	maxTails   = 8
	maxRecords = 200_000
	maxClosed  = 2 // tails that were shown, because the previewed file is often opened next
)

// open returns the tail of a file, read to its end. The caller must release the tail with done.
func (ts *tails) open(ctx context.Context, path string) (*tail, error) {
	return ts.take(ctx, path, 0)
}

// follow is open for the rows of a Watch. The tail stays open.
func (ts *tails) follow(ctx context.Context, path string, rest time.Duration) (*tail, error) {
	t, err := ts.take(ctx, path, rest)
	if err != nil {
		return nil, err
	}
	ts.mu.Lock()
	t.changed = time.Now()
	ts.mu.Unlock()
	return t, nil
}

func (ts *tails) take(ctx context.Context, path string, rest time.Duration) (*tail, error) {
	ts.mu.Lock()
	t := ts.at[path]
	left, resting := ts.evicted[path]
	if t != nil {
		t.users++
	}
	ts.mu.Unlock()
	if t != nil {
		err := ts.catchUp(ctx, t)
		if err == nil {
			return t, nil
		}
		if errors.Is(err, transcript.ErrRewritten) {
			ts.forget(t)
		}
		if closing := ts.done(t); !errors.Is(err, transcript.ErrRewritten) {
			return nil, errors.Join(err, closing)
		}
	} else if resting && time.Since(left) < rest {
		return nil, errResting
	}
	return ts.load(ctx, path)
}

// load reads a whole file and adds its tail.
func (ts *tails) load(ctx context.Context, path string) (*tail, error) {
	opened, err := transcript.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	t := &tail{Transcript: opened, path: path, users: 1}
	t.View(func(o *transcript.Outline) {
		t.records = len(o.Records)
		ts.read.Add(o.Size)
	})
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if other := ts.at[path]; other != nil { // another goroutine has loaded the file meanwhile
		other.users++
		_ = t.Close() // the file was only read
		return other, nil
	}
	if ts.at == nil {
		ts.at = map[string]*tail{}
	}
	ts.at[path] = t
	delete(ts.evicted, path)
	return t, nil
}

// catchUp reads new bytes of the file.
func (ts *tails) catchUp(ctx context.Context, t *tail) error {
	n, err := t.Follow(ctx)
	ts.read.Add(n)
	if n > 0 {
		records := 0
		t.View(func(o *transcript.Outline) { records = len(o.Records) })
		ts.mu.Lock()
		t.records = records
		ts.mu.Unlock()
	}
	return err
}

// done releases a tail, and closes it if nothing else needs it.
func (ts *tails) done(t *tail) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t.users--
	switch {
	case t.users > 0 || ts.at[t.path] == t && ts.watches > 0 && !t.gone && !t.changed.IsZero():
		return nil
	case ts.at[t.path] != t || ts.watches == 0 || t.gone:
		return ts.drop(t)
	}
	ts.closing++
	t.closed = ts.closing
	return ts.trimClosed()
}

// trimClosed closes all shown tails but the last maxClosed.
func (ts *tails) trimClosed() error {
	var list []*tail
	records := 0
	for _, t := range ts.at {
		if t.users == 0 && t.changed.IsZero() {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *tail) int { return cmp.Compare(b.closed, a.closed) })
	var errs []error
	for i, t := range list {
		if records += t.records; i >= maxClosed || records > maxRecords {
			errs = append(errs, ts.drop(t))
		}
	}
	return errors.Join(errs...)
}

// forget removes the tail of a replaced file. Docs keep their tail.
func (ts *tails) forget(t *tail) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.at[t.path] == t {
		delete(ts.at, t.path)
	}
}

// leave releases the tail of a file that is deleted or no longer watched.
func (ts *tails) leave(path string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	delete(ts.evicted, path)
	t := ts.at[path]
	switch {
	case t == nil:
	case t.users == 0:
		_ = ts.drop(t) // it was only read
	default:
		t.gone = true
	}
}

// drop closes an unused tail.
func (ts *tails) drop(t *tail) error {
	if ts.at[t.path] == t {
		delete(ts.at, t.path)
	}
	return t.Close()
}

// trim closes unused tails until the limits are met. The tail that changed last stays open, however large.
func (ts *tails) trim() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	idle := slices.DeleteFunc(ts.idle(), func(t *tail) bool { return t.changed.IsZero() })
	records := 0
	for i, t := range idle {
		records += t.records
		if i == 0 || i < maxTails && records <= maxRecords {
			continue
		}
		_ = ts.drop(t) // it was only read
		if ts.evicted == nil {
			ts.evicted = map[string]time.Time{}
		}
		ts.evicted[t.path] = time.Now()
	}
}

// idle returns the unused tails, newest change first.
func (ts *tails) idle() []*tail {
	var list []*tail
	for _, t := range ts.at {
		if t.users == 0 {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *tail) int { return b.changed.Compare(a.changed) })
	return list
}

// watch counts running Watches: n is 1 at the start of a Watch and -1 at its end. Without a Watch, only tails of Docs
// stay open.
func (ts *tails) watch(n int) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.watches += n; ts.watches > 0 {
		return
	}
	for _, t := range ts.idle() {
		_ = ts.drop(t) // it was only read
	}
	ts.evicted = nil
}

// paths returns the paths of all open transcripts.
func (ts *tails) paths() []string {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	list := make([]string, 0, len(ts.at))
	for path := range ts.at {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}
