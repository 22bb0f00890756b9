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
