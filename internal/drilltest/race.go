package drilltest

import "testing"

// SkipUnderRace skips a test that is slow under the race detector. It wouldn't find more races, because smaller tests
// run the same goroutines.
func SkipUnderRace(t *testing.T) {
	t.Helper()
	if race {
		t.Skip("runs without -race only: too much work")
	}
}

// Rounds returns the number of rounds of a random test: n, or n/5 under the race detector.
func Rounds(n int) int {
	if race {
		return n / 5
	}
	return n
}
