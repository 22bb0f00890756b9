package drilltest

import "testing"

// SkipUnderRace skips a test that reads or draws a large amount of data. Under the race detector it takes ten times as
// long and finds nothing: smaller tests run the same goroutines.
func SkipUnderRace(t *testing.T) {
	t.Helper()
	if race {
		t.Skip("runs without -race only: a large amount of data")
	}
}
