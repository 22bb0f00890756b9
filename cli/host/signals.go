package host

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// exitSignal is the number that is added to the number of a signal for the exit code. Shells do the same.
const exitSignal = 128

// Signals ends a context when a signal asks the program to end. The caller then cleans up: the browser restores the
// terminal, and the demo deletes its files. The first signal decides on the exit code. The second signal ends the
// program immediately, because a read or write that is blocked ignores contexts. A second SIGHUP does nothing,
// because a terminal that is closed sends one, and its shell sends another.
type Signals struct {
	first atomic.Int32 // number of the first signal; 0 if there was none

	mu   sync.Mutex
	away int // number of other programs that use the terminal now
	seen int // number of ctrl+c signals that were ignored, because they were for these programs
	owed int // number of ctrl+c signals for these programs that are still to arrive; a busy machine delivers them late
}

// roomForSignals is the capacity of the channel for signals. If the channel is full, Notify drops signals.
const roomForSignals = 16

// CatchSignals starts to catch signals. The first signal ends ctx. Signals that were ignored when the program
// started stay ignored, as with nohup and for background jobs. stop ends the catching of signals.
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
		return ctx, s, cancel // without a signal, Notify would catch all signals
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
					signal.Stop(caught) // the next signal has its default effect again
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

// take stores a signal. It returns false if the signal doesn't count. A ctrl+c doesn't count while another program
// uses the terminal, because the terminal sends it to both programs.
func (s *Signals) take(sig os.Signal) bool {
	number, ok := sig.(syscall.Signal)
	if !ok || sig == os.Interrupt && s.elsewhere() {
		return false
	}
	s.first.CompareAndSwap(0, int32(number))
	return true
}

// elsewhere reports whether a ctrl+c was for another program. If so, it counts the signal.
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
	held := make(chan os.Signal, roomForSignals) // nobody reads these, they are only counted
	s.mu.Lock()
	s.away++
	seen := s.seen
	s.mu.Unlock()
	if !signal.Ignored(os.Interrupt) {
		signal.Notify(held, os.Interrupt)
	}
	return func() {
		signal.Stop(held) // this waits for signals that are being delivered
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
