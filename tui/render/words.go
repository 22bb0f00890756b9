package render

import (
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
)

// Age returns the time from t to now in at most four cells: 40s 2m 3h 5d 3mo 2y; years from 365 days. It returns "" for
// the zero time and "now" for a time in the future.
func Age(now, t time.Time) string {
	const day = 24 * time.Hour
	if t.IsZero() {
		return ""
	}
	d := now.Sub(t)
	unit := func(n time.Duration, s string) string { return strconv.FormatInt(int64(n), 10) + s }
	switch {
	case d < 0:
		return "now"
	case d < time.Minute:
		return unit(d/time.Second, "s")
	case d < time.Hour:
		return unit(d/time.Minute, "m")
	case d < day:
		return unit(d/time.Hour, "h")
	case d < 60*day:
		return unit(d/day, "d")
	case d < 365*day:
		return unit(d/(30*day), "mo")
	}
	return unit(d/(365*day), "y")
}

// short returns a number in at most five cells: 9999, 48.2k, 1.3M, 120M.
func short(n int64) string {
	switch {
	case n < 10_000:
		return strconv.FormatInt(n, 10)
	case n < 1_000_000:
		return scaled(n, 1_000) + "k"
	case n < 1_000_000_000:
		return scaled(n, 1_000_000) + "M"
	}
	return scaled(n, 1_000_000_000) + "G"
}

// Tokens formats a number of tokens: 812, 1.0k, 1.2k, 48.2k, 306k, 1.3M. Numbers from 1k to 10k always have
// one decimal, so that they have the same width in a column.
func Tokens(n int64) string {
	if n < 1_000 || n >= 10_000 {
		return short(n)
	}
	return strconv.FormatInt(n/1_000, 10) + "." + strconv.FormatInt(n%1_000/100, 10) + "k"
}

// scaled returns n in a unit, with one decimal below 100, rounded down so that it never reaches the next unit.
func scaled(n, unit int64) string {
	if n >= 100*unit {
		return strconv.FormatInt(n/unit, 10)
	}
	tenths := n * 10 / unit
	if tenths%10 == 0 {
		return strconv.FormatInt(tenths/10, 10)
	}
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10)
}

// group returns the list heading for a time: Today, Yesterday, Last 7 days, Last 30 days or Older, by calendar days in
// the zone of now. The zero time is Older.
func group(now, t time.Time) string {
	switch d := words.DaysBetween(t, now); {
	case t.IsZero():
		return "Older"
	case d <= 0:
		return "Today"
	case d == 1:
		return "Yesterday"
	case d < 7:
		return "Last 7 days"
	case d < 30:
		return "Last 30 days"
	}
	return "Older"
}
