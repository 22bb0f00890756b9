package host

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// exitSignal plus the number of a signal is the exit code.
const exitSignal = 128

// Signals ends a context on the first signal, which also sets the exit code. The caller then cleans up. The second
// signal ends the program at once, because a blocked read doesn't notice the context. A second SIGHUP does nothing: a
// closed terminal and its shell both send SIGHUP.
type Signals struct {
	first atomic.Int32 // number of the first signal, or 0

	mu   sync.Mutex
	away int // number of programs that use the terminal instead
	seen int // number of ignored ctrl+c signals for these programs
	owed int // number of ctrl+c signals for these programs that may still arrive
}

// roomForSignals is the size of the signal channel. A full channel loses signals.
const roomForSignals = 16

// CatchSignals returns a context that the first signal ends. Signals that are ignored at the start stay ignored, as
// with nohup. Call stop to stop catching signals.
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
		return ctx, s, cancel // with an empty list, Notify would catch all signals
	}
	caught := make(chan os.Signal, roomForSignals)
	again := make(chan os.Signal, 1) // nobody reads this
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
					signal.Stop(caught) // restores the default effect
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

// take records a signal. It returns false for a ctrl+c that was meant for another program.
func (s *Signals) take(sig os.Signal) bool {
	number, ok := sig.(syscall.Signal)
	if !ok || sig == os.Interrupt && s.elsewhere() {
		return false
	}
	s.first.CompareAndSwap(0, int32(number))
	return true
}

// elsewhere reports whether a ctrl+c was for another program, and counts it.
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

// Yield lets another program use the terminal until back is called. Until then, ctrl+c does nothing here.
func (s *Signals) Yield() (back func()) {
	held := make(chan os.Signal, roomForSignals) // nobody reads from held
	s.mu.Lock()
	s.away++
	seen := s.seen
	s.mu.Unlock()
	if !signal.Ignored(os.Interrupt) {
		signal.Notify(held, os.Interrupt)
	}
	return func() {
		signal.Stop(held) // waits for signals on their way
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.away--; s.away == 0 {
			s.owed = max(0, len(held)-(s.seen-seen))
		}
	}
}

// Expect forgets the first signal. Servers call it, because a signal is their normal end.
func (s *Signals) Expect() { s.first.Store(0) }

// ExitCode returns 128 plus the first signal. Without a signal, or if code is bug, it returns code.
func (s *Signals) ExitCode(code, bug int) int {
	if n := s.first.Load(); n > 0 && code != bug {
		return exitSignal + int(n)
	}
	return code
}
