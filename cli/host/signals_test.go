//go:build unix

package host

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

const done, no, bug = 0, 1, 70 // exit codes

// TestSecondSignalSpared signals its own process, so it isn't parallel.
func TestSecondSignalSpared(t *testing.T) { //nolint:paralleltest // see above
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("the tests run below nohup, where a hangup does nothing")
	}
	for _, tt := range []struct {
		first, second syscall.Signal
		away          bool
	}{{syscall.SIGHUP, syscall.SIGHUP, false}, {syscall.SIGTERM, syscall.SIGINT, true}} {
		ctx, caught, stop := CatchSignals(t.Context())
		back := func() {}
		if tt.away {
			back = caught.Yield()
		}
		for _, sig := range []syscall.Signal{tt.first, tt.second} {
			if err := syscall.Kill(os.Getpid(), sig); err != nil {
				t.Fatal(err)
			}
			<-ctx.Done()
		}
		late := make(chan os.Signal, 1) // receives a late second signal
		signal.Notify(late, tt.second)
		t.Cleanup(func() { signal.Stop(late) })
		time.Sleep(50 * time.Millisecond) // time for the second signal to arrive
		back()
		stop()
		if got := caught.ExitCode(done, bug); got != exitSignal+int(tt.first) {
			t.Errorf("%v, then %v: exit code %d", tt.first, tt.second, got)
		}
	}
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	var s Signals
	if got := s.ExitCode(no, bug); got != no {
		t.Errorf("without a signal: %d", got)
	}
	s.take(syscall.SIGTERM)
	s.take(syscall.SIGHUP)
	if got := s.ExitCode(done, bug); got != 143 {
		t.Errorf("after two signals: %d, want that of the first", got)
	}
	if got := s.ExitCode(bug, bug); got != bug {
		t.Errorf("a bug after a signal: %d", got)
	}
}

// TestSignalHandedOnLate: the ctrl+c arrives after the program for which it was meant has ended.
func TestSignalHandedOnLate(t *testing.T) {
	came := make(chan os.Signal, 1)
	signal.Notify(came, os.Interrupt)
	defer signal.Stop(came)
	s := &Signals{}
	back := s.Yield()
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-came
	back()
	if s.take(os.Interrupt) {
		t.Error("the ctrl+c of the other program ends continuo")
	}
	if !s.take(os.Interrupt) {
		t.Error("the next ctrl+c was ignored")
	}
	again := s.Yield()
	again()
	if !s.take(os.Interrupt) {
		t.Error("after a program without a ctrl+c, the next one is ignored")
	}
}
