package survey

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

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	maxRaw      = 256 << 10 // maximum bytes of a text that is kept; longer ones keep file and line
	maxNames    = 500       // maximum number of names of agents, and of names of phases
	nameMax     = 64        // maximum length of a name in cells
	maxProblems = 20
)

// TimelineAsk selects the records that TimelineOf returns.
type TimelineAsk struct {
	Agent string    // "" matches every agent
	Phase string    // "" matches every phase
	Or    string    // a second phase that matches; "" if none
	Since time.Time // only records since this time; zero means all
	Day   time.Time // only records of this day, in its time zone; zero means every day
	Limit int       // maximum number of entries; 0 means all
	Most  int64     // limit in bytes for reading, newest files first; 0 means no limit
	Raw   int       // limit in bytes for the texts of the newest records; 0 means no texts
}

// TimelineOf returns the newest matching records of a place's trajectory, and counts all records. Problems has a
// sentence for each unreadable file. The error is that of FindLedger, or ctx.Err().
func TimelineOf(ctx context.Context, at Place, ask TimelineAsk) (Timeline, error) {
	l := Timeline{At: at.Now}
	p, err := FindLedger(ctx, at)
	if err != nil {
		return l, cmp.Or(ctx.Err(), err)
	}
	t := &timeline{Timeline: &l, home: at.Home, ask: &ask, agents: map[string]int{}, phases: map[string]int{}}
	err = t.look(ctx, &p)
	return l, err
}

// timeline is the state of one call of TimelineOf.
type timeline struct {
	*Timeline
	home           string
	ask            *TimelineAsk
	agents, phases map[string]int
	newest         entryHeap
	raw            int   // number of bytes of the records whose texts are kept
	order          int64 // sequence number of the last record; older files have lower numbers
	today, day     span  // today, and the day of TimelineAsk
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
	if !t.ask.Day.IsZero() {
		t.day = dayOf(t.ask.Day)
	}
	switch err := p.CheckDir(p.Trajectory); {
	case errors.Is(err, ledger.ErrOutside):
		t.problem(sessions.Tilde(p.Trajectory, t.home) + " is a link that points outside the project. It is not read.")
		t.Unread++
		return nil
	case err != nil:
		t.problem(sessions.Tilde(p.Trajectory, t.home) + " cannot be read: " + ledger.Reason(err) + ".")
		t.Unread++
		return nil
	}
	files, err := trajectory.Files(p.Trajectory)
	if err != nil {
		t.problem(sessions.Tilde(p.Trajectory, t.home) + " cannot be read: " + ledger.Reason(err) + ".")
		t.Unread++
	}
	t.Files = len(files)
	for i := range files {
		how := trajectory.Options{}
		if t.ask.Most > 0 {
			if how.Most = t.ask.Most - t.Bytes; how.Most <= 0 {
				t.Older = len(files) - i
				t.problem(words.Counted(t.Older, "older file is", "older files are") + " not counted.")
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

// file reads one file. The error is ctx.Err().
func (t *timeline) file(ctx context.Context, root string, f *trajectory.File, how trajectory.Options) error {
	at := f.Mod // for records without a time
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
	if errors.Is(err, fs.ErrNotExist) { // the file was packed or purged meanwhile
		t.Files--
		return nil
	}
	if err != nil {
		t.Unread++
	}
	switch {
	case errors.Is(err, trajectory.ErrPacked):
		t.problem(name + " is damaged; " + words.Counted(stats.Records, "record", "records") + " could be unpacked.")
	case errors.Is(err, ledger.ErrTooLong):
		t.problem(name + " unpacks to more than " + words.Size(trajectory.MaxUnpacked) + "; the rest is not read.")
	case err != nil:
		t.problem(name + " cannot be read: " + ledger.Reason(err) + ".")
	case stats.Torn && stats.Bad == 1:
		t.problem(name + " ends in the middle of a record: the record is cut off or still being written.")
	case stats.Bad > 0 && stats.FirstAt > 0:
		t.problem(name + " has " + words.Counted(stats.Bad, "part that could not be parsed", "parts that could not be parsed") + ", the first at line " + words.Count(stats.FirstAt) + ".")
	case stats.Bad > 0:
		t.problem(name + " has " + words.Counted(stats.Bad, "part that could not be parsed", "parts that could not be parsed") + ".")
	}
	if stats.Cut {
		t.problem("Only " + words.Size(stats.Bytes) + " of " + name + " are read.")
	}
	return nil
}

func (t *timeline) problem(what string) {
	switch n := len(t.Problems); {
	case n < maxProblems:
		t.Problems = append(t.Problems, what)
	case n == maxProblems:
		t.Problems = append(t.Problems, "There are more problems.")
	}
}

// add counts a record and keeps it if it is one of the newest matches.
func (t *timeline) add(r *trajectory.Record, at time.Time) {
	t.order++
	if t.today.has(at) {
		t.Today++
	} else {
		t.Earlier++
	}
	agent, phase := timelineName(r.Agent), timelineName(r.Phase)
	tally(t.agents, agent)
	tally(t.phases, phase)
	switch {
	case t.ask.Agent != "" && !strings.EqualFold(agent, t.ask.Agent),
		t.ask.Phase != "" && !strings.EqualFold(phase, t.ask.Phase) && (t.ask.Or == "" || !strings.EqualFold(phase, t.ask.Or)),
		at.Before(t.ask.Since), !t.ask.Day.IsZero() && !t.day.has(at):
		return
	}
	e := heapEntry{at: at, order: t.order}
	if full := t.ask.Limit > 0 && len(t.newest) >= t.ask.Limit; full {
		t.Left++
		if e.older(&t.newest[0]) {
			return
		}
		old, _ := heap.Pop(&t.newest).(heapEntry)
		t.raw -= len(old.Raw)
	}
	// Clone, because a substring keeps the whole text in memory.
	e.TimelineEntry = TimelineEntry{At: r.At, Stands: at, Agent: strings.Clone(agent), Phase: strings.Clone(phase), What: strings.Clone(r.What()), File: r.File, Line: r.Line}
	if t.ask.Raw > 0 && len(r.Raw) <= maxRaw {
		e.Raw = string(r.Raw)
		t.raw += len(e.Raw)
	}
	heap.Push(&t.newest, e)
	if t.raw > t.ask.Raw+t.ask.Raw/4 { // thin sorts all entries, so it is run seldom
		t.thin()
	}
}

// thin drops texts of the oldest records until all texts fit in ask.Raw bytes. The entries stay.
func (t *timeline) thin() {
	t.newest.sort() // newest first; the reversed list is a heap
	left := t.ask.Raw
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

// tally counts a name. It ignores new names after maxNames different ones.
func tally(names map[string]int, name string) {
	if _, known := names[name]; name != "" && (known || len(names) < maxNames) {
		names[name]++
	}
}

func timelineName(s string) string {
	return words.Cut(transcript.CleanLine(s[:min(len(s), 4*nameMax)]), nameMax)
}

// finish sorts the results.
func (t *timeline) finish() {
	if t.raw > t.ask.Raw {
		t.thin()
	}
	lost := 0
	for i := range t.newest {
		if t.newest[i].thinned {
			lost++
		}
	}
	if lost > 0 {
		t.problem(words.Counted(lost, "older record is", "older records are") + " shown as one line: the full text of all records exceeds " + words.Size(int64(t.ask.Raw)) + ".")
	}
	t.newest.sort()
	t.Entries = slices.Grow(t.Entries, len(t.newest))
	for i := range t.newest {
		t.Entries = append(t.Entries, t.newest[i].TimelineEntry)
	}
	t.Agents, t.Phases = byCount(t.agents), byCount(t.phases)
}

func byCount(names map[string]int) []NameCount {
	var list []NameCount
	for name, n := range names {
		list = append(list, NameCount{Name: name, N: n})
	}
	slices.SortFunc(list, func(a, b NameCount) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// heapEntry is an entry with its sort keys: time, then order of reading.
type heapEntry struct {
	TimelineEntry
	at      time.Time
	order   int64
	thinned bool // the text of the record was dropped
}

func (e *heapEntry) older(o *heapEntry) bool {
	return cmp.Or(e.at.Compare(o.at), cmp.Compare(e.order, o.order)) < 0
}

// entryHeap is a heap.Interface of the newest matches, with the oldest at the root.
type entryHeap []heapEntry

// sort sorts the entries, newest first.
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
func (h *entryHeap) Push(x any) { *h = append(*h, x.(heapEntry)) } //nolint:forcetypeassert // only this package pushes

// Pop implements heap.Interface.
func (h *entryHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
