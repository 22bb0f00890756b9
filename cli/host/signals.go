package host

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// exitSignal is what a shell adds to the number of the signal that ended a program.
const exitSignal = 128

// Signals turns the signals that ask a program to end into the end of a context, so that whoever runs can put
// things back: the browser the terminal, the demo its tree. The first one is kept for the exit code. The second one
// ends the program at once: it may be waiting for a reader or a disk, and no context ends that. Only a second SIGHUP
// does nothing: a terminal that is closed sends one, and its shell another.
type Signals struct {
	first atomic.Int32 // its number, 0 while there was none

	mu   sync.Mutex
	away int // other programs that have the terminal now
	seen int // ctrl+c that were for them and went by here
	owed int // ctrl+c that were for them and have still to go by: a busy machine hands them on late
}

// roomForSignals is how many signals wait to be handed on; Notify drops what finds no room.
const roomForSignals = 16

// CatchSignals begins to listen: ctx ends with the first signal. A signal that was ignored when the program was started (nohup, a job in the
// background) stays ignored. Stop gives them back.
func CatchSignals(parent context.Context) (ctx context.Context, s *Signals, stop func()) {
	s = &Signals{}
	ctx, cancel := context.WithCancel(parent)
	var wanted []os.Signal
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) {
			wanted = append(wanted, sig)
		}
	}
	if len(wanted) == 0 {
		return ctx, s, cancel // Notify without a signal would take all of them
	}
	caught := make(chan os.Signal, roomForSignals)
	again := make(chan os.Signal, 1) // nobody receives
	done := make(chan struct{})
	signal.Notify(caught, wanted...)
	go func() {
		for {
			select {
			case sig := <-caught:
				if s.take(sig) {
					if sig == syscall.SIGHUP {
						signal.Notify(again, sig)
					}
					signal.Stop(caught) // the next one has its usual effect
					cancel()
					return
				}
			case <-done:
				return
			}
		}
	}()
	return ctx, s, func() {
		close(done)
		signal.Stop(caught)
		signal.Stop(again)
		cancel()
	}
}

// take keeps a signal. While another program has the terminal, ctrl+c is meant for that one: the terminal sends
// it to both.
func (s *Signals) take(sig os.Signal) bool {
	number, ok := sig.(syscall.Signal)
	if !ok || sig == os.Interrupt && s.elsewhere() {
		return false
	}
	s.first.CompareAndSwap(0, int32(number))
	return true
}

// elsewhere reports whether a ctrl+c was meant for another program, and counts it.
func (s *Signals) elsewhere() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.away > 0:
		s.seen++
	case s.owed > 0:
		s.owed--
	default:
		return false
	}
	return true
}

// Yield says that another program gets the terminal, until back is called. Till then ctrl+c does nothing here, not
// even after a signal that was taken.
func (s *Signals) Yield() (back func()) {
	held := make(chan os.Signal, roomForSignals) // nobody receives: they are counted
	s.mu.Lock()
	s.away++
	seen := s.seen
	s.mu.Unlock()
	if !signal.Ignored(os.Interrupt) {
		signal.Notify(held, os.Interrupt)
	}
	return func() {
		signal.Stop(held) // which waits for those that are on their way
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.away--; s.away == 0 {
			s.owed = max(0, len(held)-(s.seen-seen))
		}
	}
}

// ExitCode is what a run that would end with code ends with: 128 and the number of the signal that ended it. A run that
// ends with bug does so whatever came: no signal hides that.
func (s *Signals) ExitCode(code, bug int) int {
	if n := s.first.Load(); n > 0 && code != bug {
		return exitSignal + int(n)
	}
	return code
}
