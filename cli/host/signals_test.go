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

// TestSecondSignalSpared is not parallel: it signals its own process, and one that is not spared ends the tests. A
// closed terminal hangs up twice, and ctrl+c is for the program that has the terminal, also after a first signal.
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
		late := make(chan os.Signal, 1) // takes the second, should it be on its way still
		signal.Notify(late, tt.second)
		t.Cleanup(func() { signal.Stop(late) })
		time.Sleep(50 * time.Millisecond) // the second arrives before the next round listens
		back()
		stop()
		if got := caught.ExitCode(done, bug); got != exitSignal+int(tt.first) {
			t.Errorf("%v, then %v: exit code %d", tt.first, tt.second, got)
		}
	}
}

// TestExitCode: a signal does not hide a bug, and none changes nothing.
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

// TestSignalHandedOnLate is not parallel. A ctrl+c that was for a program which has the terminal no more is not one for
// continuo, however late it comes; the next one is.
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
		t.Error("the next ctrl+c is passed over")
	}
	again := s.Yield()
	again()
	if !s.take(os.Interrupt) {
		t.Error("a program without a ctrl+c leaves one to be passed over")
	}
}
