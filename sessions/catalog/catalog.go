// Package catalog lists sessions, raw backups and documents as rows, and opens their files.
package catalog

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
)

// Options selects what to list and describes this machine.
type Options struct {
	Dirs  []string         // Claude config dirs
	Roots []string         // if set, only sessions with a workdir in one of these folders are listed
	Cwd   string           // current directory, which also has backups and documents; "" for none
	Also  []string         // more projects with backups and documents to list
	Home  string           // home directory, above which no repository is searched; "" if unknown
	Now   func() time.Time // returns the current time
	Zone  *time.Location   // time zone of file names without a zone (spec 000); nil means time.Local
	Probe sessions.Probe   // finds running clients; nil means the Probe of this machine
	// Kept reports whether continuo's hooks run in a project with a memory. Without them, sessions don't get
	// FlagNoBackup. Nil means all projects. Kept must be safe for concurrent use.
	Kept func(project string) bool
	// Seen returns the paths of the backups that were opened in continuo. It may be nil. Each list and each check of
	// a Watch calls Seen once.
	Seen func() map[string]bool
	// Notes returns the user's notes on sessions. It may be nil. Each list and each check of a Watch calls Notes
	// once. After an error, the previous notes are used, and List returns the error.
	Notes func() (map[annotate.Key]annotate.Note, error)
	Disk  sessions.Stater // file system for finding projects; nil means the real one
	// Named reports whether to search a directory of projects/, by its name. Nil means all.
	Named func(slug string) bool
	Cache Cache // exact figures of earlier scans; may be nil
	// Divergence counts the commits that are missing in the given commit (ahead) or in HEAD of a folder (behind). It
	// may run git. ok is false if git doesn't know the commit. Nil means that no commit is known.
	Divergence func(ctx context.Context, dir, commit string) (ahead, behind int, ok bool)
}

// Cache is a sessions.Cache that must be flushed after a list.
type Cache interface {
	sessions.Cache
	// Flush writes the results of new scans to the disk.
	Flush()
}

// Catalog lists, watches and opens sessions, backups and documents. It is safe for concurrent use, but at most one
// Watch may run.
type Catalog struct {
	opts   Options
	pace   pace
	notify func() *notices // nil if the system sends no notifications
	// documentsLimit is the constant, or less in tests.
	documentsLimit time.Duration

	base     baseline
	tails    tails
	aimed    chan struct{} // a transcript was opened
	again    chan struct{} // LookAgain was called
	reckoned atomic.Pointer[backupFacts]

	opened   atomic.Int64 // number of opened transcripts
	compares atomic.Int64 // number of comparisons of backups with transcripts, for tests
	unlisted atomic.Bool  // the last discovery couldn't list a project directory

	mu       sync.Mutex
	noted    notes                 // the last readable notes
	hanging  map[string]bool       // directories whose disk doesn't respond
	compared map[string]comparison // by path of the backup
}

// New returns a Catalog. It reads no files.
func New(opts Options) *Catalog {
	if opts.Probe == nil {
		opts.Probe = sessions.SystemProbe()
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Catalog{
		opts: opts, pace: defaultPace(), notify: newNotices, aimed: make(chan struct{}, 1), again: make(chan struct{}, 1),
		hanging: map[string]bool{}, documentsLimit: documentsLimit,
	}
}

// Opened returns the number of transcripts that List has opened, for tests.
func (c *Catalog) Opened() int64 { return c.opened.Load() }

// batchSize is the number of exact rows in a batch. 64 rows appear soon, and 2,000 sessions need 32 redraws.
const batchSize = 64

// Rows streams the catalogue in batches: all sessions with quick figures (the newest first), backups and documents,
// backups with Relation and Fault, exact figures. The channel is closed after the batch with Done, or when ctx ends.
// A receiver that stops early must cancel ctx. After a panic, Err of the last batch is a *sessions.PanicError.
func (c *Catalog) Rows(ctx context.Context) <-chan sessions.Batch {
	out := make(chan sessions.Batch)
	go run(ctx, out, func() { c.stream(ctx, out) })
	return out
}

// run calls fill and closes the channel. It sends a panic of fill to the receiver, who can restore the terminal.
func run(ctx context.Context, out chan<- sessions.Batch, fill func()) {
	defer close(out)
	if bug := sessions.Catch(fill); bug != nil {
		select {
		case out <- sessions.Batch{Err: bug}:
		case <-ctx.Done():
		}
	}
}

func (c *Catalog) stream(ctx context.Context, out chan<- sessions.Batch) {
	send := func(b sessions.Batch) bool {
		select {
		case out <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	defer c.flush()
	opts := c.find()
	notes, unread := c.notes()
	opts.First = func(newest []sessions.Session, all int, bytes int64) {
		send(sessions.Batch{Rows: notes.rows(newest), Part: true, All: all, AllBytes: bytes})
	}
	set, err := sessions.Find(ctx, opts)
	if err != nil {
		return
	}
	quick := notes.rows(set.Sessions)
	if !send(sessions.Batch{Rows: slices.Clone(quick), Err: errors.Join(append(set.Problems, unread)...)}) {
		return
	}
	c.unlisted.Store(set.Unlisted())
	c.base.sessions(quick, set.Outside, opts.Known)
	others, made, problems := c.others(ctx, set, memoryDirsOf(set.Sessions))
	relate(others, c.base.originals(others), c.seen(), made)
	c.base.keepSaved(others, notes)
	if !send(sessions.Batch{Rows: slices.Clone(others), Err: errors.Join(problems...)}) {
		return
	}
	c.base.others(others)
	c.reckoned.Store(made)
	deliver := func(b sessions.Batch) {
		c.remark(b.Rows)
		if sent := (sessions.Batch{Rows: slices.Clone(b.Rows), Gone: b.Gone}); send(b) {
			c.base.sent(sent)
		}
	}
	kept, from := backups(others), c.base.originals(others)
	for some := range slices.Chunk(kept, batchSize) { // a comparison of batchSize backups takes half a millisecond
		if c.compareAll(ctx, some, from) != nil {
			return
		}
		deliver(sessions.Batch{Rows: some})
	}
	var next sessions.Batch
	cached := 0 // number of sessions with cached figures; set.Exact reports them first
	for i := range quick {
		if quick[i].Exact {
			cached++
		}
	}
	err = set.Exact(ctx, func(ses sessions.Session, gone bool) {
		cached--
		switch changed := made.mark(&ses); {
		case gone:
			next.Gone = append(next.Gone, ses.Path)
		case cached >= 0 && !changed:
			return // the first batch had this row
		default:
			next.Rows = append(next.Rows, notes.row(&ses))
		}
		if cached < 0 && len(next.Rows) >= batchSize {
			deliver(next)
			next = sessions.Batch{}
		}
	})
	if err != nil {
		return
	}
	exact, gone, err := c.exactBackups(ctx, others, notes)
	if err != nil || c.compareAll(ctx, exact, c.base.originals(exact)) != nil { // files may have changed
		return
	}
	next.Rows, next.Gone, next.Done = append(next.Rows, exact...), append(next.Gone, gone...), true
	deliver(next)
}

// List returns the whole catalogue at once, newest first. If quick is true, rows have no exact figures, and backups
// have no Relation and Fault (see Compare). The error is ctx.Err(), or joins the errors of unreadable files. In the
// second case, the list has all other files.
func (c *Catalog) List(ctx context.Context, quick bool) ([]sessions.Row, error) {
	defer c.flush()
	opts := c.find()
	set, err := sessions.Find(ctx, opts)
	if err != nil {
		return nil, err
	}
	defer func() { c.opened.Add(set.Work().Files.Load()) }()
	c.unlisted.Store(set.Unlisted())
	others, made, problems := c.others(ctx, set, memoryDirsOf(set.Sessions))
	notes, unread := c.notes()
	if !quick {
		if err := set.Exact(ctx, nil); err != nil {
			return nil, err
		}
		if others, _, err = c.exactBackups(ctx, others, notes); err != nil {
			return nil, err
		}
	}
	for i := range set.Sessions {
		made.mark(&set.Sessions[i])
	}
	list := notes.rows(set.Sessions)
	c.base.sessions(list, set.Outside, opts.Known)
	from := c.base.originals(others)
	relate(others, from, c.seen(), made)
	if !quick {
		if err := c.compareAll(ctx, others, from); err != nil {
			return nil, err
		}
	}
	c.base.others(others)
	c.reckoned.Store(made)
	list = append(list, others...)
	sortRows(list)
	return list, errors.Join(append(append(set.Problems, unread), problems...)...)
}

func sortRows(list []sessions.Row) {
	slices.SortFunc(list, func(a, b sessions.Row) int { return a.Compare(&b) })
}

// find returns the options of a first discovery.
func (c *Catalog) find() sessions.Options {
	return sessions.Options{
		Dirs: c.opts.Dirs, Roots: c.opts.Roots, Now: c.opts.Now(), Probe: c.opts.Probe, Named: c.opts.Named,
		Places: sessions.Places{Home: c.opts.Home, Files: c.opts.Disk, Also: []string{c.opts.Cwd}}, Known: new(sessions.Known),
		Cache: c.cache(),
	}
}

// cache returns the cache for package sessions. It converts a nil Cache to a nil sessions.Cache.
func (c *Catalog) cache() sessions.Cache {
	if c.opts.Cache == nil {
		return nil
	}
	return c.opts.Cache
}

// flush writes the results of new scans to the cache.
func (c *Catalog) flush() {
	if c.opts.Cache != nil {
		c.opts.Cache.Flush()
	}
}

func backups(rows []sessions.Row) []sessions.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r sessions.Row) bool { return r.Kind != sessions.KindBackup })
}
