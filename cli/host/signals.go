package host

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// exitSignal is added to a signal's number for the exit code, as shells do.
const exitSignal = 128

// Signals turns termination signals into the end of a context, so that callers can clean up: the browser restores the
// terminal, the demo deletes its files. The first signal determines the exit code. The second one ends the program at
// once, because a blocked read or write ignores contexts. A second SIGHUP does nothing: a terminal that is closed sends
// one, and its shell sends another.
type Signals struct {
	first atomic.Int32 // number of the first signal, 0 if none

	mu   sync.Mutex
	away int // number of other programs that own the terminal now
	seen int // ctrl+c signals ignored because they were for those programs
	owed int // ctrl+c signals for those programs that a busy machine hasn't delivered yet
}

// roomForSignals is the capacity of the signal channel; Notify drops signals if it is full.
const roomForSignals = 16

// CatchSignals starts catching signals: ctx ends with the first one. Signals ignored at the start of the program
// (nohup, background jobs) stay ignored. stop restores the default behavior.
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
		return ctx, s, cancel // Notify without a signal would catch all of them
	}
	caught := make(chan os.Signal, roomForSignals)
	again := make(chan os.Signal, 1) // never read
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
					signal.Stop(caught) // restore the default effect of the next signal
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

// take stores a signal and reports whether it counts. ctrl+c doesn't count while another program owns the terminal,
// because the terminal sends it to both programs.
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

// Yield records that another program owns the terminal until back is called. Until then, ctrl+c does nothing here, even
// after an earlier signal.
func (s *Signals) Yield() (back func()) {
	held := make(chan os.Signal, roomForSignals) // never read; only counted
	s.mu.Lock()
	s.away++
	seen := s.seen
	s.mu.Unlock()
	if !signal.Ignored(os.Interrupt) {
		signal.Notify(held, os.Interrupt)
	}
	return func() {
		signal.Stop(held) // waits for signals being delivered
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.away--; s.away == 0 {
			s.owed = max(0, len(held)-(s.seen-seen))
		}
	}
}

// ExitCode returns 128 plus the number of the first signal. It returns code unchanged if there was no signal or if code
// equals bug.
func (s *Signals) ExitCode(code, bug int) int {
	if n := s.first.Load(); n > 0 && code != bug {
		return exitSignal + int(n)
	}
	return code
}
