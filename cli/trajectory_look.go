package cli

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	trajectoryLimit    = 50        // entries unless --limit says otherwise
	trajectoryTabBytes = 64 << 20  // that the tab looks at, the newest
	trajectoryTabRaw   = 8 << 20   // bytes of records that an answer of the tab has
	trajectoryJSONRaw  = 64 << 20  // and that of --json
	trajectoryRawMax   = 256 << 10 // bytes of a record that are kept; of a longer one only where it is
	trajectoryNames    = 500       // agents and phases that are counted by their names
	trajectoryNameMax  = 64        // cells of one
	trajectoryProblems = 20
)

// trajectoryAsk is what is asked of a trajectory.
type trajectoryAsk struct {
	dir   string // folder of the project
	agent string // "" every one
	phase string
	or    string    // another phase that is asked for besides; "" none
	since time.Time // zero: from the beginning
	day   time.Time // one in the day, in the zone of the person; zero every one
	limit int       // entries at most, 0 all
	most  int64     // bytes that are looked at, of the newest files; 0 all
	raw   int       // bytes of records that are kept as they are written, of the newest; 0 none
}

// lookTrajectory looks at the trajectory of a folder, now: the newest entries of those that are asked for, and how many
// there are in all. It holds no more than it returns. What cannot be read is said in the answer; the error is that of
// the folder, or of ctx.
func (d *deps) lookTrajectory(ctx context.Context, ask trajectoryAsk) (survey.Timeline, error) {
	l := survey.Timeline{At: d.now()}
	if err := d.ledgerFolder(ctx, ask.dir); err != nil {
		return l, cmp.Or(ctx.Err(), err)
	}
	p, err := ledger.Find(realPath(ask.dir), d.ledgerEnv())
	if err != nil {
		return l, &failure{what: "The ledger of " + d.tilde(ask.dir) + " cannot be looked for: " + reason(err) + ".", cause: err}
	}
	t := &timeline{Timeline: &l, d: d, ask: &ask, agents: map[string]int{}, phases: map[string]int{}}
	if err := t.look(ctx, &p); err != nil {
		return l, err
	}
	return l, nil
}

// timeline is a trajectory while it is looked at.
type timeline struct {
	*survey.Timeline
	d              *deps
	ask            *trajectoryAsk
	agents, phases map[string]int
	newest         entryHeap
	raw            int   // bytes of the records that are kept
	order          int64 // of the last record among all: one of an older file is before those of a newer one
	today, day     span  // of the days that are asked about
}

// span is a day.
type span struct{ from, to time.Time }

func dayOf(t time.Time) span {
	from := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
	return span{from, from.AddDate(0, 0, 1)}
}

func (s *span) has(t time.Time) bool { return !t.Before(s.from) && t.Before(s.to) }

func (t *timeline) look(ctx context.Context, p *ledger.Project) error {
	t.Root, t.Dir, t.today = p.Root, p.Trajectory, dayOf(t.At)
	defer func() { t.Bare = t.Files == 0 && p.ConfigFile == "" && !p.Has() }()
	if !t.ask.day.IsZero() {
		t.day = dayOf(t.ask.day)
	}
	switch err := inProject(p, p.Trajectory); {
	case errors.Is(err, ledger.ErrOutside):
		t.problem(t.d.tilde(p.Trajectory) + " leads out of the project, and is not read.")
		t.Unread++
		return nil
	case err != nil:
		t.problem(t.d.tilde(p.Trajectory) + " cannot be read: " + reason(err) + ".")
		t.Unread++
		return nil
	}
	files, err := trajectory.Files(p.Trajectory)
	if err != nil {
		t.problem(t.d.tilde(p.Trajectory) + " cannot be read: " + reason(err) + ".")
		t.Unread++
	}
	t.Files = len(files)
	for i := range files {
		how := trajectory.Options{}
		if t.ask.most > 0 {
			if how.Most = t.ask.most - t.Bytes; how.Most <= 0 {
				t.Older = len(files) - i
				t.problem(render.Counted(t.Older, "older file is", "older files are") + " not counted.")
				break
			}
		}
		t.order = -int64(i+1) << 40
		if err := t.file(ctx, p.Root, &files[i], how); err != nil {
			return err
		}
	}
	t.finish()
	return nil
}

// file looks at one file. The error is that of ctx.
func (t *timeline) file(ctx context.Context, root string, f *trajectory.File, how trajectory.Options) error {
	at := f.Mod // of what has no time
	if day, err := time.ParseInLocation(time.DateOnly, f.Day, t.At.Location()); err == nil {
		at = day
	}
	stats, err := trajectory.Scan(ctx, root, f.Path, how, func(r *trajectory.Record) bool {
		if !r.At.IsZero() {
			at = r.At
		}
		t.add(r, at)
		return true
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	name := transcript.CleanLine(filepath.Base(f.Path))
	t.Records += stats.Records
	t.Bad += stats.Bad
	t.Bytes += stats.Bytes
	if errors.Is(err, fs.ErrNotExist) { // packed or purged meanwhile
		t.Files--
		return nil
	}
	if err != nil {
		t.Unread++
	}
	switch {
	case errors.Is(err, trajectory.ErrPacked):
		t.problem(name + " is damaged; " + render.Counted(stats.Records, "record", "records") + " could be unpacked.")
	case errors.Is(err, ledger.ErrTooLong):
		t.problem(name + " unpacks to more than " + render.Size(trajectory.MaxUnpacked) + "; the rest is not read.")
	case err != nil:
		t.problem(name + " cannot be read: " + reason(err) + ".")
	case stats.Torn && stats.Bad == 1:
		t.problem(name + " ends within a record: it was cut off, or is being written.")
	case stats.Bad > 0 && stats.FirstAt > 0:
		t.problem(name + " has " + render.Counted(stats.Bad, "stretch of text that is no record", "stretches of text that are no record") + ", the first at line " + render.Count(stats.FirstAt) + ".")
	case stats.Bad > 0:
		t.problem(name + " has " + render.Counted(stats.Bad, "stretch of text that is no record", "stretches of text that are no record") + ".")
	}
	if stats.Cut {
		t.problem("Only " + render.Size(stats.Bytes) + " of " + name + " are looked at.")
	}
	return nil
}

func (t *timeline) problem(what string) {
	switch n := len(t.Problems); {
	case n < trajectoryProblems:
		t.Problems = append(t.Problems, what)
	case n == trajectoryProblems:
		t.Problems = append(t.Problems, "There is more of that.")
	}
}

// add counts a record, and keeps it when it is among the newest of what is asked for.
func (t *timeline) add(r *trajectory.Record, at time.Time) {
	t.order++
	if t.today.has(at) {
		t.Today++
	} else {
		t.Earlier++
	}
	agent, phase := trajectoryName(r.Agent), trajectoryName(r.Phase)
	tally(t.agents, agent)
	tally(t.phases, phase)
	switch {
	case t.ask.agent != "" && !strings.EqualFold(agent, t.ask.agent),
		t.ask.phase != "" && !strings.EqualFold(phase, t.ask.phase) && (t.ask.or == "" || !strings.EqualFold(phase, t.ask.or)),
		at.Before(t.ask.since), !t.ask.day.IsZero() && !t.day.has(at):
		return
	}
	e := heapEntry{at: at, order: t.order}
	if full := t.ask.limit > 0 && len(t.newest) >= t.ask.limit; full {
		t.Left++
		if e.older(&t.newest[0]) {
			return
		}
		old, _ := heap.Pop(&t.newest).(heapEntry)
		t.raw -= len(old.Raw)
	}
	// Copies: what is cut from a text keeps all of it.
	e.TimelineEntry = survey.TimelineEntry{At: r.At, Stands: at, Agent: strings.Clone(agent), Phase: strings.Clone(phase), What: strings.Clone(trajectoryWhat(r)), File: r.File, Line: r.Line}
	if t.ask.raw > 0 && len(r.Raw) <= trajectoryRawMax {
		e.Raw = string(r.Raw)
		t.raw += len(e.Raw)
	}
	heap.Push(&t.newest, e)
	if t.raw > t.ask.raw+t.ask.raw/4 { // not with each record: all are sorted for it
		t.thin()
	}
}

// thin lets go of the oldest records that are too much to be kept. Their entries stay.
func (t *timeline) thin() {
	t.newest.sort() // a sorted list is a heap, but the other way round
	left := t.ask.raw
	for i := range t.newest {
		e := &t.newest[i]
		if left -= len(e.Raw); left >= 0 || e.Raw == "" {
			continue
		}
		t.raw -= len(e.Raw)
		e.Raw, e.thinned = "", true
	}
	slices.Reverse(t.newest)
}

// tally counts a name, of a bounded number of them: a file may have a new one in each record.
func tally(names map[string]int, name string) {
	if _, known := names[name]; name != "" && (known || len(names) < trajectoryNames) {
		names[name]++
	}
}

func trajectoryName(s string) string {
	return render.Cut(transcript.CleanLine(s[:min(len(s), 4*trajectoryNameMax)]), trajectoryNameMax)
}

// finish sorts what was found.
func (t *timeline) finish() {
	if t.raw > t.ask.raw {
		t.thin()
	}
	lost := 0
	for i := range t.newest {
		if t.newest[i].thinned {
			lost++
		}
	}
	if lost > 0 {
		t.problem("Of " + render.Counted(lost, "older record", "older records") + " only the line is kept: all have more than " + render.Size(int64(t.ask.raw)) + ".")
	}
	t.newest.sort()
	t.Entries = slices.Grow(t.Entries, len(t.newest))
	for i := range t.newest {
		t.Entries = append(t.Entries, t.newest[i].TimelineEntry)
	}
	t.Agents, t.Phases = byCount(t.agents), byCount(t.phases)
}

func byCount(names map[string]int) []survey.NameCount {
	var list []survey.NameCount
	for name, n := range names {
		list = append(list, survey.NameCount{Name: name, N: n})
	}
	slices.SortFunc(list, func(a, b survey.NameCount) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// heapEntry is an entry with its place: by time, and of the same time the one that was read later is newer.
type heapEntry struct {
	survey.TimelineEntry
	at      time.Time
	order   int64
	thinned bool // its record was let go of
}

func (e *heapEntry) older(o *heapEntry) bool {
	return cmp.Or(e.at.Compare(o.at), cmp.Compare(e.order, o.order)) < 0
}

// entryHeap has the oldest of the newest entries first. It implements heap.Interface.
type entryHeap []heapEntry

// sort puts the newest first.
func (h entryHeap) sort() {
	slices.SortFunc(h, func(a, b heapEntry) int {
		if a.older(&b) {
			return 1
		}
		return -1
	})
}

func (h entryHeap) Len() int           { return len(h) }
func (h entryHeap) Less(i, j int) bool { return h[i].older(&h[j]) }
func (h entryHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *entryHeap) Push(x any) { *h = append(*h, x.(heapEntry)) } //nolint:forcetypeassert // of ours alone

// Pop implements heap.Interface.
func (h *entryHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
