package sessions

import "time"

// maxAhead is the maximum time by which a Plausible time may be ahead of the clock. Clocks are wrong by minutes, and
// local times without a zone by hours.
const maxAhead = 24 * time.Hour

// Plausible returns t, or the zero time (unknown) if t is more than a day after now. Without this, a session from a
// wrong clock would be first in the list for years. All times from files pass through Plausible. If now is zero, every
// time is plausible.
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
