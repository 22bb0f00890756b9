package browse

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

// The limits for timelines.
const (
	trajectoryTabEntries = 1000     // in the tab
	trajectoryTabBytes   = 64 << 20 // to read, newest first
	trajectoryTabRaw     = 8 << 20  // raw records in a result
	TimelinesKept        = 8
)

// Timelines caches the last timelines: the tab reads one every few seconds. A nil Timelines caches nothing. It
// is safe for concurrent use.
type Timelines struct {
	mu   sync.Mutex
	Kept []timelineKept // most recently used last

	Handoffs handoffs
	Missing  missingParts
}

// timelineKept is a cached timeline and the state of its files.
type timelineKept struct {
	dir   string
	ask   survey.TimelineAsk
	day   string // a timeline counts the records of a day
	root  string
	files []trajectory.File
	known survey.Timeline
}

// look returns a timeline, from the cache if its files are unchanged.
func (k *Timelines) look(ctx context.Context, env *place.Env, dir string, ask survey.TimelineAsk) (survey.Timeline, error) {
	if k == nil {
		return survey.TimelineOf(ctx, env.LookFrom(dir), ask)
	}
	now := timelineKept{dir: dir, ask: ask, day: env.Now().Format(time.DateOnly)}
	stamped := false
	if p, err := ledger.Find(place.RealPath(dir), env.LedgerEnv()); err == nil {
		now.root = p.Root
		now.files, err = trajectory.Files(p.Trajectory)
		stamped = err == nil
	}
	if known, ok := k.same(&now); ok && stamped {
		known.At = env.Now()
		return known, ctx.Err()
	}
	l, err := survey.TimelineOf(ctx, env.LookFrom(dir), ask)
	if err == nil && stamped && !l.Bare { // without a ledger, a timeline depends on more files
		now.known = l
		k.keep(&now)
	}
	return l, err
}

// same returns the timeline from the cache if it is current.
func (k *Timelines) same(now *timelineKept) (survey.Timeline, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.Kept {
		if was := &k.Kept[i]; was.dir == now.dir && was.ask == now.ask && was.day == now.day && was.root == now.root && slices.Equal(was.files, now.files) {
			return was.known, true
		}
	}
	return survey.Timeline{}, false
}

func (k *Timelines) keep(now *timelineKept) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.Kept = slices.DeleteFunc(k.Kept, func(was timelineKept) bool { return was.dir == now.dir && was.ask == now.ask })
	if k.Kept = append(k.Kept, *now); len(k.Kept) > TimelinesKept {
		k.Kept = slices.Delete(k.Kept, 0, 1)
	}
}

// Timeline implements tui.Ledgers.
func (b Ledgers) Timeline(ctx context.Context, dir string, ask tui.TimelineAsk) (survey.Timeline, error) {
	l, err := b.Logs.look(ctx, b.Env, dir, survey.TimelineAsk{Agent: ask.Agent, Phase: ask.Phase, Or: ask.Or, Limit: trajectoryTabEntries, Most: trajectoryTabBytes, Raw: trajectoryTabRaw})
	return l, inBrowser(place.LookFailure(b.Env, dir, err))
}
