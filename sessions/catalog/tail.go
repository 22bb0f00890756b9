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

// tail is an open transcript. All rows and Docs of one file share it, so that appended bytes are read only once.
type tail struct {
	*transcript.Transcript
	path string

	// Guarded by tails.mu.
	users   int       // number of Docs and running calls that use the tail
	changed time.Time // when a Watch last made a row from the tail; zero if it never did
	gone    bool      // the file no longer exists
	closed  int64     // value of tails.closing when the last Doc was closed; only used if changed is zero
	records int
}

// tails has the open transcripts. A tail stays open while a Doc uses it. During a Watch, some tails that changed or
// were shown recently also stay open.
type tails struct {
	read atomic.Int64 // number of bytes of transcripts that were read, for tests

	mu      sync.Mutex // never locked while a file is read
	closing int64      // number of closed Docs so far
	at      map[string]*tail
	watches int
	evicted map[string]time.Time // file → time when its tail was evicted
}

// errResting is returned for a file whose tail was evicted recently. The file isn't read from the start again so soon.
// Otherwise, if more than maxTails files change all the time, a Watch would only read files.
var errResting = errors.New("read a moment ago")

// Limits for the tails that no Doc uses. A record and its share of a message take about 200 bytes, so maxRecords
// records take 40 MB.
const (
	maxTails   = 8
	maxRecords = 200_000
	maxClosed  = 2 // tails that were only shown, because the file in the preview is often opened next
)

// open returns the tail of a file, read to the end of the file. The caller must release it with done.
func (ts *tails) open(ctx context.Context, path string) (*tail, error) {
	return ts.take(ctx, path, 0)
}

// follow works like open, for a Watch that makes a row. The tail stays open for the next change.
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

// catchUp reads the bytes that were appended to the file.
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

// done releases a tail. It closes the tail if nothing else needs it.
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

// trimClosed closes tails that were only shown, except the maxClosed tails that were shown last.
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

// forget removes a tail whose file was replaced. Docs that use the tail keep it.
func (ts *tails) forget(t *tail) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.at[t.path] == t {
		delete(ts.at, t.path)
	}
}

// leave releases the tail of a file that was deleted or is no longer watched.
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

// trim closes unused tails until the limits are met, those that changed least recently first. The tail that changed
// last stays open, however large it is.
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

// idle returns the unused tails. Those that changed last come first.
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

// watch counts running Watches: n is 1 at the start and -1 at the end of a Watch. Without a Watch, only tails that a
// Doc uses stay open.
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
