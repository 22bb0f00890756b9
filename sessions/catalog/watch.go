package catalog

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// pace has the intervals of a Watch.
type pace struct {
	settle time.Duration // pause after the first notification of a burst
	walk   time.Duration // between walks while the program is awake
	asleep time.Duration // between walks otherwise
	memory time.Duration // between searches for backups and documents while the program is awake
	rest   time.Duration // time before an evicted file may be read from the start again
}

// defaultPace returns the intervals of a real Watch. A walk over 3,700 files takes 11 to 20 ms.
func defaultPace() pace {
	return pace{
		settle: 40 * time.Millisecond, walk: 5 * time.Second, asleep: 30 * time.Second, memory: 30 * time.Second,
		rest: 10 * time.Second,
	}
}

// Watch streams the changes since the last Rows or List, or from now on. It closes the channel when ctx ends. While
// awake returns false, nobody looks at the program, and Watch searches less often.
//
// A batch has the rows of new and changed files with exact figures, and of sessions whose client changed its status.
// Gone lists deleted files. Changes within a short time are in one batch. Rows may run at the same time. After a
// panic, Err of the last batch is a *sessions.PanicError.
func (c *Catalog) Watch(ctx context.Context, awake func() bool) <-chan sessions.Batch {
	out := make(chan sessions.Batch)
	c.tails.watch(1)
	go run(ctx, out, func() {
		defer c.tails.watch(-1)
		w := &watcher{
			c: c, out: out, awake: awake, notices: c.notify(),
			memory: make(chan memoryResult, 1), compared: make(chan comparisons, 1), ended: map[string]time.Time{},
		}
		defer w.notices.close()
		w.run(ctx)
	})
	return out
}

// watcher is the state of one Watch. One goroutine calls its methods.
type watcher struct {
	c       *Catalog
	out     chan<- sessions.Batch
	awake   func() bool
	notices *notices
	set     *sessions.Set // result of the last walk
	walked  time.Time
	soon    *time.Timer // fires when the walk of walkSoon is due; nil for none
	whole   bool        // the system reports changes in all directories with transcripts

	memory     chan memoryResult
	looking    bool // a goroutine is searching for backups and documents
	again      bool // search again after the current search
	remembered time.Time
	compared   chan comparisons
	relating   bool                 // a goroutine is comparing backups
	changed    bool                 // a batch was sent since the last comparison began
	ended      map[string]time.Time // ended sessions without a known backup: path → time of the notice
}

func (w *watcher) run(ctx context.Context) {
	w.remembered = time.Now()
	if !w.walk(ctx) {
		return
	}
	tick := time.NewTicker(w.c.pace.walk)
	defer tick.Stop()
	for ok := true; ok && ctx.Err() == nil; {
		var soon <-chan time.Time
		if w.soon != nil {
			soon = w.soon.C
		}
		select {
		case <-ctx.Done():
		case <-w.notices.ready():
			if pause(ctx, w.c.pace.settle) {
				ok = w.noticed(ctx)
			}
		case <-w.c.aimed:
			w.aim()
		case <-w.c.again:
			ok = w.walk(ctx) // the search needs the current sessions
			if w.again = w.looking; ok && !w.looking {
				w.lookForMemory(ctx)
			}
		case <-soon:
			ok = w.walk(ctx)
		case <-tick.C:
			ok = w.tick(ctx)
		case found := <-w.memory:
			ok = w.remember(ctx, found)
		case found := <-w.compared:
			ok = w.related(ctx, found)
		}
		w.recompare(ctx)
	}
	if w.soon != nil {
		w.soon.Stop()
	}
}

// pause waits for d. It returns false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// tick starts a walk and a search for backups if they are due. Without a walk, it checks the notes.
func (w *watcher) tick(ctx context.Context) bool {
	awake, half := w.awake(), w.c.pace.walk/2 // ticks aren't exact, so accept half an interval less
	busy := awake && !w.whole                 // with notifications for all directories, walks can be rare
	if !w.looking && (awake && time.Since(w.remembered)+half >= w.c.pace.memory || w.doubts(half)) {
		w.lookForMemory(ctx)
	}
	if !busy && time.Since(w.walked)+half < w.c.pace.asleep {
		if !awake {
			return true
		}
		notes, _ := w.c.notes()
		return w.check(ctx, w.c.base.noted(notes), false) && w.send(ctx, sessions.Batch{Rows: w.c.base.renoted(notes)})
	}
	return w.walk(ctx)
}

// noticed handles the reported changes.
func (w *watcher) noticed(ctx context.Context) bool {
	changes := w.notices.take()
	walk, registry := changes.lost, false
	var files []string
	for path, structure := range changes.paths {
		switch {
		case filepath.Ext(path) == ".jsonl":
			if w.set.Stat(path) {
				files = append(files, path)
			} else {
				walk = walk || structure
			}
		case w.inRegistry(path):
			registry = registry || filepath.Ext(path) == ".json"
		default:
			walk = walk || structure && filepath.Base(filepath.Dir(path)) == "projects"
		}
	}
	if walk {
		w.walkSoon()
	}
	if registry {
		w.set.Registry(ctx)
		files = slices.Collect(w.set.Paths())
	}
	slices.Sort(files)
	ok := w.check(ctx, files, false)
	if registry {
		w.aim()
	}
	return ok
}

func (w *watcher) inRegistry(path string) bool {
	dir := filepath.Dir(path)
	return slices.ContainsFunc(w.c.opts.Dirs, func(d string) bool { return filepath.Join(d, "sessions") == dir })
}

// walkSoon requests a walk, at most ten times per pace.walk, because files may come by the hundreds.
func (w *watcher) walkSoon() {
	if w.soon == nil {
		w.soon = time.NewTimer(max(0, w.c.pace.walk/10-time.Since(w.walked)))
	}
}

// walk lists all files and sends the differences.
func (w *watcher) walk(ctx context.Context) bool {
	if w.soon != nil {
		w.soon.Stop()
		w.soon = nil
	}
	opts := w.c.find()
	if known := w.c.base.places(); known != nil {
		opts.Known = known
	}
	set, err := sessions.Walk(ctx, opts)
	if err != nil {
		return false
	}
	w.set, w.walked = set, time.Now()
	notes, _ := w.c.notes() // a list reports the error
	w.c.base.begin(set, opts.Known, notes)
	now := set.Unlisted()
	listed := w.c.unlisted.Swap(now) == now
	ok := w.check(ctx, slices.Collect(set.Paths()), true) && (listed || w.send(ctx, sessions.Batch{Rows: w.c.base.flagged(now)})) &&
		w.send(ctx, sessions.Batch{Rows: w.c.base.renoted(notes)})
	w.aim()
	return ok
}

// directories returns the directories of all transcripts, or none on systems that watch files (see watchPoint).
func (w *watcher) directories() []string {
	var list []string
	for path := range w.set.Paths() {
		if point := watchPoint(path); point != path {
			list = append(list, point)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// aim tells the system what to watch: projects/, the live registry, open transcripts and, if there aren't too many,
// all transcript directories.
func (w *watcher) aim() {
	var points []string
	for _, dir := range w.c.opts.Dirs {
		points = append(points, filepath.Join(dir, "projects"), filepath.Join(dir, "sessions"))
	}
	for _, path := range w.c.tails.paths() {
		if _, ok := w.c.base.session(path); ok { // only sessions: other paths come from transcripts
			points = append(points, watchPoint(path))
		}
	}
	var live []string
	w.c.base.each(func(row *sessions.Row) {
		if row.Kind == sessions.KindSession && row.Live != nil {
			live = append(live, watchPoint(row.Path))
		}
	})
	slices.Sort(live)
	points = append(points, live...)
	all := w.directories()
	w.whole = w.notices != nil && len(all) > 0 && len(points)+len(all) <= maxPoints
	if w.whole {
		points = append(points, all...)
	}
	added := w.notices.aim(points)
	w.whole = w.whole && w.notices.watch(all)
	if len(added) > 0 {
		for path := range w.set.Paths() { // these may have changed before the new watch
			if added[filepath.Clean(watchPoint(path))] {
				w.notices.add(path, false, false)
			}
		}
	}
}
