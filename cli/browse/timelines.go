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

// TimelinesKept and the others bound what is kept of timelines.
const (
	trajectoryTabEntries = 1000     // that the tab lists
	trajectoryTabBytes   = 64 << 20 // that it looks at, the newest
	trajectoryTabRaw     = 8 << 20  // bytes of records that an answer has
	TimelinesKept        = 8
)

// Timelines are those that the browser was answered with last: its tab looks again every few seconds, and a trajectory that
// nobody has written to is not read again. It is for several goroutines; nil keeps nothing.
type Timelines struct {
	mu   sync.Mutex
	Kept []timelineKept // the one that was asked for last comes last

	Handoffs handoffs
}

// timelineKept is an answer, with what it was made of.
type timelineKept struct {
	dir   string
	ask   survey.TimelineAsk
	day   string // it counts today's records
	root  string
	files []trajectory.File
	known survey.Timeline
}

// look looks at a trajectory, unless the files of the last answer are as they were.
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
	if err == nil && stamped && !l.Bare { // which the files of a trajectory do not tell
		now.known = l
		k.keep(&now)
	}
	return l, err
}

// same is the answer that is still right.
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
func (b BrowserLedgers) Timeline(ctx context.Context, dir string, ask tui.TimelineAsk) (survey.Timeline, error) {
	l, err := b.Logs.look(ctx, b.Env, dir, survey.TimelineAsk{Agent: ask.Agent, Phase: ask.Phase, Or: ask.Or, Limit: trajectoryTabEntries, Most: trajectoryTabBytes, Raw: trajectoryTabRaw})
	return l, inBrowser(place.LookFailure(b.Env, dir, err))
}
