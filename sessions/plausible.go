package sessions

import "time"

// maxAhead is how far in the future a Plausible time may be. Clocks are wrong by minutes, and local times without a
// zone are wrong by hours.
const maxAhead = 24 * time.Hour

// Plausible returns t, or the zero time (unknown) if t is more than a day later than now. Such a time is from a wrong
// clock, and the session would be first in the list for years. All times that are read from files pass through
// Plausible. If now is zero, every time is accepted.
func Plausible(t, now time.Time) time.Time {
	if !now.IsZero() && t.Sub(now) > maxAhead {
		return time.Time{}
	}
	return t
}

// until returns the latest Plausible time in Unix milliseconds, or 0 if all times are plausible.
func until(now time.Time) int64 {
	if now.IsZero() {
		return 0
	}
	return now.Add(maxAhead).UnixMilli()
}
