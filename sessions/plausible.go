package sessions

import "time"

// maxAhead is how far ahead of this machine's clock a time may be: clocks are off by minutes, and local times without a
// zone by hours.
const maxAhead = 24 * time.Hour

// Plausible returns t, or the zero time, which is unknown, if t is more than a day later than now. A wrong clock wrote such
// a time, and it would be the newest of all for years. Whoever takes a time out of a file decides by it. A zero now lets
// every time pass.
func Plausible(t, now time.Time) time.Time {
	if !now.IsZero() && t.Sub(now) > maxAhead {
		return time.Time{}
	}
	return t
}

// until returns the latest Plausible time in Unix milliseconds, 0 if every time is.
func until(now time.Time) int64 {
	if now.IsZero() {
		return 0
	}
	return now.Add(maxAhead).UnixMilli()
}
