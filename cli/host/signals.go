package host

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// exitSignal plus the number of a signal is the exit code, as in shells.
const exitSignal = 128

// Signals ends a context when a signal asks the program to end. The caller then cleans up: the browser restores the
// terminal, and the demo deletes its files. The first signal determines the exit code. The second signal ends the
// program immediately, because a blocked read or write doesn't notice that the context has ended. A second SIGHUP does
// nothing: when a terminal is closed, both the terminal and its shell send SIGHUP.
type Signals struct {
	first atomic.Int32 // number of the first signal; 0 if there was none

	mu   sync.Mutex
	away int // number of other programs that use the terminal now
	seen int // number of ctrl+c signals that were ignored, because they were for these programs
	owed int // number of ctrl+c signals for these programs that are still to arrive; a busy machine delivers them late
}

// roomForSignals is the capacity of the channel for signals. If the channel is full, Notify drops signals.
const roomForSignals = 16

// CatchSignals returns a context that the first signal ends. Signals that were ignored when the program started stay
// ignored, as with nohup and for background jobs. Call stop to stop catching signals.
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
					signal.Stop(caught) // from now on, signals have their default effect
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

// take records a signal. It returns false if the signal must be ignored: a ctrl+c for another program that uses the
// terminal. The terminal sends such a ctrl+c to both programs.
func (s *Signals) take(sig os.Signal) bool {
	number, ok := sig.(syscall.Signal)
	if !ok || sig == os.Interrupt && s.elsewhere() {
		return false
	}
	s.first.CompareAndSwap(0, int32(number))
	return true
}

// elsewhere reports whether a ctrl+c was for another program, and counts such signals.
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

// Yield records that another program uses the terminal until back is called. During this time, ctrl+c does nothing
// here, even after an earlier signal.
func (s *Signals) Yield() (back func()) {
	held := make(chan os.Signal, roomForSignals) // nobody reads these signals; they are only counted
	s.mu.Lock()
	s.away++
	seen := s.seen
	s.mu.Unlock()
	if !signal.Ignored(os.Interrupt) {
		signal.Notify(held, os.Interrupt)
	}
	return func() {
		signal.Stop(held) // waits for signals that are being delivered
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.away--; s.away == 0 {
			s.owed = max(0, len(held)-(s.seen-seen))
		}
	}
}

// Expect forgets the first signal. Call it in a program for which a signal is the normal way to end, such as a server.
func (s *Signals) Expect() { s.first.Store(0) }

// ExitCode returns 128 plus the number of the first signal. If there was no signal, or if code is bug, it returns
// code.
func (s *Signals) ExitCode(code, bug int) int {
	if n := s.first.Load(); n > 0 && code != bug {
		return exitSignal + int(n)
	}
	return code
}
