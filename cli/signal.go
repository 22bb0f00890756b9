package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// exitSignal is what a shell adds to the number of the signal that ended a program.
const exitSignal = 128

// signals turns the signals that ask a program to end into the end of a context, so that whoever runs can put
// things back: the browser the terminal, the demo its tree. The first one is kept for the exit code. The second one
// ends the program at once: it may be waiting for a reader or a disk, and no context ends that. Only a second SIGHUP
// does nothing: a terminal that is closed sends one, and its shell another.
type signals struct {
	first atomic.Int32 // its number, 0 while there was none
	away  atomic.Int32 // other programs that have the terminal now
}

// catchSignals begins to listen. A signal that was ignored when the program was started (nohup, a job in the
// background) stays ignored. Stop gives them back.
func catchSignals(parent context.Context) (ctx context.Context, s *signals, stop func()) {
	s = &signals{}
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
	caught := make(chan os.Signal, 4) // Notify drops what finds no room
	again := make(chan os.Signal, 1)  // nobody receives
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
func (s *signals) take(sig os.Signal) bool {
	number, ok := sig.(syscall.Signal)
	if !ok || sig == os.Interrupt && s.away.Load() > 0 {
		return false
	}
	s.first.CompareAndSwap(0, int32(number))
	return true
}

// yield says that another program gets the terminal, until back is called. Till then ctrl+c does nothing here, not
// even after a signal that was taken.
func (s *signals) yield() (back func()) {
	s.away.Add(1)
	held := make(chan os.Signal, 1) // nobody receives
	if !signal.Ignored(os.Interrupt) {
		signal.Notify(held, os.Interrupt)
	}
	return func() {
		signal.Stop(held)
		s.away.Add(-1)
	}
}

// exitCode is what a run that would end with code ends with: 128 and the number of the signal that ended it.
// A bug stays a bug.
func (s *signals) exitCode(code int) int {
	if n := s.first.Load(); n > 0 && code != ExitBug {
		return exitSignal + int(n)
	}
	return code
}
