package drilltest

import "testing"

// SkipUnderRace skips a test that handles a large amount of data or starts hundreds of processes. Under the race
// detector, such a test takes up to ten times as long. It wouldn't find more races, because smaller tests run the same
// goroutines.
func SkipUnderRace(t *testing.T) {
	t.Helper()
	if race {
		t.Skip("runs without -race only: too much work")
	}
}

// Rounds returns the number of rounds of a test with random times or random input: n, or n/5 under the race detector.
// All rounds run the same goroutines.
func Rounds(n int) int {
	if race {
		return n / 5
	}
	return n
}
