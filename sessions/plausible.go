package sessions

import "time"

// maxAhead is how far a Plausible time may be ahead of the clock. Clocks and zones may be wrong.
const maxAhead = 24 * time.Hour

// Plausible returns t, or the zero time if t is more than a day after now. All times from files pass through
// Plausible, so that a wrong clock can't put a session first for years. If now is zero, every time is plausible.
func Plausible(t, now time.Time) time.Time {
	if !now.IsZero() && t.Sub(now) > maxAhead {
		return time.Time{}
	}
	return t
}

// until returns the latest Plausible time in Unix milliseconds, or 0 for no limit.
func until(now time.Time) int64 {
	if now.IsZero() {
		return 0
	}
	return now.Add(maxAhead).UnixMilli()
}
