package cli

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

const (
	trajectoryTabEntries = 1000     // that the tab lists
	trajectoryTabBytes   = 64 << 20 // that it looks at, the newest
	trajectoryTabRaw     = 8 << 20  // bytes of records that an answer has
	timelinesKept        = 8
)

// timelines are those that the browser was answered with last: its tab looks again every few seconds, and a trajectory that
// nobody has written to is not read again. It is for several goroutines; nil keeps nothing.
type timelines struct {
	mu   sync.Mutex
	kept []timelineKept // the one that was asked for last comes last

	handoffs handoffs
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
func (k *timelines) look(ctx context.Context, env *Env, dir string, ask survey.TimelineAsk) (survey.Timeline, error) {
	if k == nil {
		return survey.TimelineOf(ctx, env.lookFrom(dir), ask)
	}
	now := timelineKept{dir: dir, ask: ask, day: env.now().Format(time.DateOnly)}
	stamped := false
	if p, err := ledger.Find(realPath(dir), env.ledgerEnv()); err == nil {
		now.root = p.Root
		now.files, err = trajectory.Files(p.Trajectory)
		stamped = err == nil
	}
	if known, ok := k.same(&now); ok && stamped {
		known.At = env.now()
		return known, ctx.Err()
	}
	l, err := survey.TimelineOf(ctx, env.lookFrom(dir), ask)
	if err == nil && stamped && !l.Bare { // which the files of a trajectory do not tell
		now.known = l
		k.keep(&now)
	}
	return l, err
}

// same is the answer that is still right.
func (k *timelines) same(now *timelineKept) (survey.Timeline, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.kept {
		if was := &k.kept[i]; was.dir == now.dir && was.ask == now.ask && was.day == now.day && was.root == now.root && slices.Equal(was.files, now.files) {
			return was.known, true
		}
	}
	return survey.Timeline{}, false
}

func (k *timelines) keep(now *timelineKept) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = slices.DeleteFunc(k.kept, func(was timelineKept) bool { return was.dir == now.dir && was.ask == now.ask })
	if k.kept = append(k.kept, *now); len(k.kept) > timelinesKept {
		k.kept = slices.Delete(k.kept, 0, 1)
	}
}

// Timeline implements tui.Ledgers.
func (b browserLedgers) Timeline(ctx context.Context, dir string, ask tui.TimelineAsk) (survey.Timeline, error) {
	l, err := b.logs.look(ctx, b.env, dir, survey.TimelineAsk{Agent: ask.Agent, Phase: ask.Phase, Or: ask.Or, Limit: trajectoryTabEntries, Most: trajectoryTabBytes, Raw: trajectoryTabRaw})
	return l, inBrowser(lookFailure(b.env, dir, err))
}
